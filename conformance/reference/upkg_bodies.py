"""Bodies of a package's exports (upkg.md 7.1, 7.3, 8, and which classes have a form of their own): state frames, and who reads the rest."""
from . import upkg_level, upkg_mesh, upkg_native, upkg_properties, upkg_script
from .core import Cut, Judgement
from .index import read_index
from .upkg_parts import has_body
from .upkg_rows import HAS_STACK, fold

RULES = {f"BOD{n:03}" for n in range(1, 9)} | upkg_properties.RULES | upkg_script.RULES | upkg_native.RULES \
    | upkg_level.RULES | upkg_mesh.RULES
LOADED_BY_GAMES, LOADED_BY_SERVERS = 0x30000, 0x20000
NO_PLACE, PLACES, GROWTH = -1, 65536, 4
NATIVE = 0x4000000
MOST_CLASSES = 64
MOST_OUTERS = 64
WRITE_NOTHING = {("core", "object"), ("engine", "actor")}


class Body:
    """A body while it is read. What only the editor loads breaks no game (7.3)."""

    def __init__(self, package, rows, ref):
        self.p, self.j, self.file, self.rows, self.ref = package, package.j, package.file, rows, ref
        self.export = rows.row(ref)
        self.at, self.end = self.export.offset, self.export.offset + self.export.size
        self.of_editor = not self.export.flags & LOADED_BY_GAMES
        self.kind = rows.engine_class(self.export.kind)
        self.in_ue2, self.properties = package.is_ue2, {}

    def fire(self, rule, when=True, lesser=False):
        return self.j.fire(rule, when, lesser=lesser or self.of_editor)

    def index(self, end=None):
        """The index at this place, or Cut where there is none that ends before end, the body's end if it is not given."""
        self.j.work.spend()
        out = read_index(self.file, self.at, self.end)
        if not out.trouble and self.at + out.length > (self.end if end is None else end):
            self.j.fire("CIX004", not out.shortest and not out.negative_zero)
        if out.trouble or self.at + out.length > (self.end if end is None else end):
            raise Cut
        self.at += out.length
        self.j.fire("CIX005", out.negative_zero)
        self.j.fire("CIX004", not out.shortest and not out.negative_zero)
        return out.value

    def number(self, n, signed=False, end=None):
        """A number of n bytes, or Cut."""
        self.skip(n, end)
        return self.file.number(self.at - n, n, signed=signed)

    def skip(self, n, end=None):
        if n < 0 or self.at + n > (self.end if end is None else end):
            raise Cut
        self.at += n

    def is_name(self, index):
        return 0 <= index < len(self.rows.names)

    # -- what the object needs (4.9)

    def need_name(self, index):
        self.need((index,))

    def need_object(self, ref):
        for _ in range(MOST_OUTERS):
            if ref >= 0 or not self.rows.exists(ref):
                return
            row = self.rows.row(ref)
            self.need((row.class_package, row.class_name, row.name))
            ref = row.outer

    def need_export(self, ref):
        if ref > 0 and self.rows.exists(ref):
            self.need_name(self.rows.row(ref).name)
            self.lacks(not self.is_loaded(self.rows.row(ref).flags))

    def lacks(self, when):
        self.fire("BOD005", when, lesser=self.in_ue2)

    def need(self, names):
        if all(self.is_name(index) for index in names):
            rows = [self.rows.names.rows[index] for index in names]
            self.lacks(not all(fold(row.text) == "none" or self.is_loaded(row.flags) for row in rows))

    def is_loaded(self, flags):
        mine = self.export.flags & LOADED_BY_GAMES
        return not mine or flags & (LOADED_BY_SERVERS if mine & LOADED_BY_SERVERS else LOADED_BY_GAMES)

    def read_frame(self):
        """7.1; whether what follows it can be read."""
        read = []
        try:
            for _ in range(2):
                read.append(self.index())
                self.need_object(read[-1])
            node, state = read
            self.skip(12)
            place = self.index() if node else NO_PLACE
        except Cut:
            self.fire("BOD003", not all(self.rows.exists(reference) for reference in read))
            return not self.fire("BOD001")
        exist = [self.rows.exists(reference) for reference in read]
        self.fire("BOD003", not all(exist))
        outside = self.is_outside(node, place)
        self.j.fire("BOD002", node == 0 or (place != NO_PLACE and not outside) or (all(exist) and node != state))
        self.fire("BOD006", outside or not all(self.is_code(ref) for ref in read), lesser=self.in_ue2)
        return True

    def is_code(self, ref):
        if ref == 0 or not self.rows.exists(ref):
            return True
        row = self.rows.row(ref)
        if ref > 0:
            return row.kind == 0 or self.rows.engine_class(row.kind) in ("class", "state")
        return self.rows.name(row.class_name) in ("class", "state")

    def is_outside(self, node, place):
        """Whether no code can have a place."""
        if place == NO_PLACE:
            return False
        if not 0 <= place < PLACES:
            return True
        return node > 0 and self.rows.exists(node) and place > GROWTH * self.rows.row(node).size

    def judge(self):
        self.need_name(self.export.name)
        self.need_object(self.export.kind)
        self.need_object(self.export.outer)
        self.need_export(self.export.kind)
        self.need_export(self.export.outer)
        self.need_export(self.export.super)
        if self.export.outer > 0 and self.rows.exists(self.export.outer):
            name = self.rows.row(self.export.outer).name
            self.j.fire("BOD007", self.is_name(name) and any(sign in self.rows.names.rows[name].text[:63] for sign in "\\/:"))
        by_import = self.kind == "class"
        self.fire("BOD008", by_import, lesser=self.in_ue2)
        if not by_import and (self.kind is not None or self.export.kind != 0):
            if self.export.flags & HAS_STACK and not self.read_frame():
                return
            if not upkg_properties.read(self):
                return
        is_empty = not by_import and self.at == self.end
        if is_empty and upkg_script.must_have_something(self):
            self.fire("NAT002")
            return
        if upkg_script.is_measured(self.p):
            upkg_script.judge(self)
        self.descend()
        if is_empty and upkg_native.must_have_something(self):
            self.fire("NAT002")
            return
        if self.kind is not None:
            upkg_native.judge(self)
        if self.export.kind > 0:
            self.judge_rest()

    def descend(self):
        """7.4: an object of a class of the package has the form of the engine's class that it descends from."""
        row = ancestor(self.rows, self.export.kind) if self.export.kind > 0 else None
        if row is not None and self.rows.name(self.rows.row(row).class_name) == "class":
            self.kind = self.rows.engine_class(row)

    def judge_rest(self):
        """7.4, of an object of a class of the package."""
        is_sure = self.p.is_ue1 and self.p.licensee == 0
        self.fire("BOD004", self.at != self.end and ends_with_properties(self.rows, self.export.kind), lesser=not is_sure)


def judge(package, rows):
    upkg_native.judge_map(package, rows)
    if package.file.level == "structure" or not package.header_complete:
        return
    if not package.is_ue1 and not package.is_ue2:
        hidden = any(is_looked_at(package, rows, e) for e in rows.exports.rows)
        package.j.fire("HDR027", hidden and not package.of_known_game)
        return
    for i, e in enumerate(rows.exports.rows):
        if is_looked_at(package, rows, e):
            Body(package, rows, i + 1).judge()
    upkg_script.judge_conditions(rows)
    upkg_script.judge_structs(rows)


def ancestor(rows, ref):
    """The first class of another package, if no class up to it is native; else None."""
    for _ in range(MOST_CLASSES):
        if ref <= 0:
            break
        row = rows.row(ref)
        if row.kind != 0 or row.flags & NATIVE or not rows.exists(row.super):
            return None
        ref = row.super
    return ref if ref < 0 else None


def ends_with_properties(rows, ref):
    """Whether no class from this one up is native, but for Object and Actor."""
    ref = ancestor(rows, ref)
    if ref is None:
        return False
    row = rows.row(ref)
    if rows.name(row.class_name) != "class" or row.outer >= 0 or not rows.exists(row.outer) or rows.row(row.outer).outer != 0:
        return False
    return (rows.name_of(row.outer), rows.name(row.name)) in WRITE_NOTHING


def is_looked_at(package, rows, e):
    return has_body(package, e) and not e.late and rows.exists(e.kind)


def first_mip(package, rows, ref):
    """The width and height of the first mip of a texture of the package, or None; nothing is said of it here."""
    if not is_looked_at(package, rows, rows.row(ref)):
        return None
    body = Body(package, rows, ref)
    body.j = Judgement(package.file, None, package.j.work)
    body.descend()
    if body.kind not in upkg_native.MIPS or (body.export.flags & HAS_STACK and not body.read_frame()) or not upkg_properties.read(body):
        return None
    mips = getattr(upkg_native.judge(body), "mips", None)
    return mips[0][:2] if mips else None
