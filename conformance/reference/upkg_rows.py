"""What the rows of a package's tables say (upkg.md 4 to 6)."""
import re

from . import filenames
from .upkg_parts import has_body

RULES = ({f"PNM{n:03}" for n in range(1, 17)} - {"PNM012", "PNM014"}) | {f"IMP{n:03}" for n in range(1, 16)} | {f"EXP{n:03}" for n in range(1, 23)}
NAME_SIZE = 64
CHAIN_MAX = 128
LOADED, LOADED_BY_GAMES, PUBLIC = 0x70000, 0x30000, 4
HAS_STACK = 0x2000000
SAVED_FLAGS = 0x067F0025
VARIABLES = {kind + "property" for kind in ("int", "map", "str", "bool", "byte", "name", "array", "class", "float", "object", "string", "struct", "delegate",
                                            "fixedarray")}
CONVERSION = re.compile(r"%[0-9]*[nsxdp]|%[0-9+#'.*$hlLjztq-]*n", re.A)


def fold(text):
    return filenames.fold_ascii(text)


def before_nul(text):
    """What a name is taken for (4.3)."""
    head = text.split("\0")[0]
    return text if head == "none" else head


def cycle_members(next_of):
    """The entries that lie in a cycle. next_of names what each entry leads to; one that it does not have ends a chain."""
    state, members = {}, set()
    for start in next_of:
        path, at = [], start
        while at in next_of and at not in state:
            state[at] = start
            path.append(at)
            at = next_of[at]
        if at in next_of and state[at] == start and at in path:
            members.update(path[path.index(at):])
    return members


def long_chains(next_of):
    """The entries whose chain has more than CHAIN_MAX, up to the first that it has met before: those of exports are followed first."""
    depth = {}
    for start in sorted(next_of, key=lambda ref: (ref < 0, abs(ref))):
        path, at = [], start
        while at in next_of and at not in depth:
            depth[at] = 0
            path.append(at)
            at = next_of[at]
        for at in reversed(path):
            depth[at] = depth.get(next_of[at], 0) + 1
    return {at for at, n in depth.items() if n > CHAIN_MAX}


def judge_name(package, row):
    j, text, ue1 = package.j, row.text, package.is_ue1
    j.fire("PNM002", row.wide, lesser=True)
    j.fire("PNM002", not row.units or len(text) >= NAME_SIZE)
    j.fire("PNM004", row.units == "\0")
    ends = row.units[-1:] == "\0"
    j.fire("PNM003", row.units and (not ends or "\0" in text), lesser=ends and fold(text.split("\0")[0]) != "none")
    j.fire("PNM009", any(ord(c) < 0x20 or ord(c) == 0x7F for c in text if c != "\0"))
    j.fire("PNM010", not row.wide and not text.isascii())
    j.fire("PNM011", ue1 and any(c in " <>.()" for c in text))
    j.fire("PNM013", CONVERSION.search(text))
    j.fire("PNM015", fold(text) != "none" and not row.flags & LOADED)


class Rows:
    """Judges the rows. An object is a reference: N export N-1, -N import N-1."""

    def __init__(self, package):
        self.p, self.j = package, package.j
        self.names = package.names
        self.listed = set()             # the exports that a list of fields has
        self.code_begins, self.conditions = {}, []      # of classes, by their references; and of what is replicated
        self.variables = {}             # bytes and number of out parameters, of what has variables
        self.holds = []                 # structs that hold others
        self.imports, self.exports = package.imports, package.exports
        self.of_unreal = package.is_ue1 and package.licensee == 0

    def judge(self):
        if self.names and self.names.complete:
            self.judge_names()
        if self.p.tables_complete:
            self.judge_imports()
            self.judge_exports()

    # -- names (4)

    def judge_names(self):
        j, rows = self.j, self.names.rows
        folded = [fold(row.text) for row in rows]
        for row in rows:
            judge_name(self.p, row)
        h = self.p.header
        empty = h["name_count"] == h["import_count"] == h["export_count"] == 0
        j.fire("PNM005", not empty and "none" not in folded)
        j.fire("PNM006", "none" in folded[1:] and folded[0] != "none")
        others = [f for f in folded if f != "none"]
        j.fire("PNM007", len(set(others)) < len(others))
        j.fire("PNM008", folded.count("none") > 1 and len(self.p.generations) < 2)

    def name(self, index):
        """The text of a name, without its case; None where there is none of this number."""
        return before_nul(fold(self.names.rows[index].text)) if 0 <= index < len(self.names) else None

    def name_or_number(self, index):
        """What a name is compared by; one that does not exist, by its number."""
        return fold(self.names.rows[index].text) if 0 <= index < len(self.names) else index

    # -- references

    def exists(self, ref):
        return -len(self.imports) <= ref <= len(self.exports)

    def row(self, ref):
        return self.exports.rows[ref - 1] if ref > 0 else self.imports.rows[-ref - 1]

    def name_of(self, ref):
        """The name of an object; None for what is none, or has none."""
        return self.name(self.row(ref).name) if ref and self.exists(ref) else None

    def engine_class(self, kind):
        """The name of the engine's class that an export is of (9); None where it is a class, or nobody knows; empty for a class of mods."""
        if kind >= 0 or not self.exists(kind):
            return "" if kind > 0 else None
        home = self.row(self.row(kind).outer) if self.row(kind).outer < 0 and self.exists(self.row(kind).outer) else None
        if home and home.outer == 0 and self.name(home.class_name) == "package" and self.name(home.name) not in ("core", "engine", "fire"):
            return ""
        return self.name_of(kind)

    # -- imports (5)

    def judge_imports(self):
        j, rows = self.j, self.imports.rows
        outers = {**{-i - 1: r.outer for i, r in enumerate(rows)}, **{i + 1: r.outer for i, r in enumerate(self.exports.rows)}}
        self.in_outer_cycle = cycle_members(outers)
        j.fire("IMP004", any(ref < 0 for ref in self.in_outer_cycle))
        used = {r.outer for r in rows} | {ref for e in self.exports.rows for ref in (e.kind, e.super, e.outer)}
        seen = set()
        for i, row in enumerate(rows):
            ref = -i - 1
            names = self.names_of(row)
            j.fire("IMP001", None in names)
            j.fire("IMP002", not self.exists(row.outer))
            j.fire("IMP003", row.outer > 0 and self.exists(row.outer), lesser=not self.of_unreal)
            same = (*map(self.name_or_number, (row.class_package, row.class_name, row.name)), row.outer)
            j.fire("IMP006", same in seen)
            seen.add(same)
            if ref in used and not j.fire("IMP007", names[2] == "none", lesser=not self.of_unreal):
                j.fire("IMP007", "none" in names, lesser=True)
            if row.outer < 0 and self.exists(row.outer):
                outer = self.names_of(self.row(row.outer))
                j.fire("IMP015", "none" in outer and outer[2] != "none", lesser=not self.of_unreal)
            j.fire("IMP009", row.outer == 0 and names[2] == fold(self.p.stem))
            self.judge_path(row)
            self.judge_home(row, names)

    def judge_path(self, row):
        """5.7, of what engines keep of a name."""
        if row.outer != 0 or self.name(row.name) is None:
            return
        kept = self.names.rows[row.name].text[:NAME_SIZE - 1]
        self.j.fire("IMP012", any(sign in kept for sign in "\\/:") or kept == ".." or filenames.is_device(kept))

    def judge_home(self, row, names):
        """5.3: every import is a package, or lies in one."""
        j = self.j
        if None in names:
            return
        home = ("core", "engine") if self.p.is_forever else ("core",)
        j.fire("IMP013", names[1] == "class" and names[0] not in home, lesser=not self.of_unreal)
        if row.outer == 0:
            j.fire("IMP005", not self.is_package(row), lesser=not self.of_unreal)
            return
        if names[1] == "package":
            j.fire("IMP008", names[0] not in home)
        top = self.top_of(row)
        j.fire("IMP010", top is not None and self.name(top.class_name) != "package")

    def is_package(self, row):
        home = ("core", "engine") if self.p.is_forever else ("core",)
        return self.name(row.class_package) in home and self.name(row.class_name) == "package"

    def top_of(self, row):
        """The import at the end of the chain of outers; None where the chain has no such end, or its names do not exist."""
        while row.outer != 0:
            if row.outer > 0 or not self.exists(row.outer) or row.outer in self.in_outer_cycle:
                return None
            row = self.row(row.outer)
        return None if None in self.names_of(row) else row

    def names_of(self, row):
        return tuple(self.name(n) for n in (row.class_package, row.class_name, row.name))

    # -- exports (6)

    def judge_exports(self):
        j, rows = self.j, self.exports.rows
        chains = [{i + 1: getattr(r, field) for i, r in enumerate(rows)} for field in ("super", "kind")]
        self.in_class_cycle = cycle_members(chains[1])
        j.fire("EXP006", any(ref > 0 for ref in self.in_outer_cycle) or cycle_members(chains[0]) or self.in_class_cycle)
        outers = {**{-i - 1: r.outer for i, r in enumerate(self.imports.rows)}, **{i + 1: r.outer for i, r in enumerate(rows)}}
        too_long = [long_chains(chain) for chain in (outers, *chains)]
        j.fire("EXP021", any(ref > 0 for refs in too_long for ref in refs))
        j.fire("IMP014", any(ref < 0 for ref in too_long[0]))
        for row in rows:
            self.judge_export(row)
            self.judge_body(row)
        self.judge_shared_names()

    def judge_export(self, row):
        j, name = self.j, self.name(row.name)
        j.fire("EXP001", name is None)
        j.fire("EXP002", not all(self.exists(ref) for ref in (row.kind, row.super, row.outer)))
        j.fire("EXP007", row.outer < 0 and self.exists(row.outer))
        j.fire("EXP008", self.is_class(row.kind) is False)
        j.fire("EXP009", row.super != 0 and self.may_have_super(row) is False)
        j.fire("EXP014", self.has_odd_flags(row))
        j.fire("EXP015", row.size > 0 and not row.flags & LOADED)
        is_sure = self.of_unreal and row.flags & LOADED_BY_GAMES
        j.fire("EXP005", row.size == 0 and not self.is_removed(row), lesser=not (is_sure and row.kind == 0))
        j.fire("EXP016", row.kind == 0 and row.flags & HAS_STACK, lesser=not is_sure)
        j.fire("EXP022", self.is_misplaced(row), lesser=not is_sure)
        j.fire("EXP018", name == "none" and row.size > 0, lesser=not (is_sure and row.flags & PUBLIC))
        j.fire("EXP020", name is not None and any(sign in self.names.rows[row.name].text for sign in ".:"))   # behind a NUL too

    def is_misplaced(self, row):
        """6.11."""
        kind = self.kind_of(row)
        if row.outer < 0 or not self.exists(row.outer):
            return False
        outer = self.kind_of(self.row(row.outer)) if row.outer else "package"
        if kind == "class":
            return outer != "package"
        if kind == "function":
            return outer not in ("class", "state")
        return kind in VARIABLES and outer not in VARIABLES and outer not in ("class", "function", "state", "struct", "enum", "const")

    def kind_of(self, row):
        return "class" if row.kind == 0 else self.engine_class(row.kind)

    def judge_body(self, row):
        j = self.j
        j.fire("EXP003", row.size < 0)
        j.fire("EXP004", row.size > 0 and not has_body(self.p, row))

    def is_class(self, ref):
        """Whether a reference is a class, or nothing; None where nothing is said of it."""
        if ref == 0:
            return True
        if not self.exists(ref) or ref in self.in_class_cycle:
            return None
        if ref > 0:
            return self.row(ref).kind == 0
        names = self.names_of(self.row(ref))
        return None if None in names else names[1] == "class"

    def may_have_super(self, row):
        """None where nothing is said of its class."""
        if self.is_class(row.kind) is None:
            return None
        return row.kind == 0 or (row.kind < 0 and self.name_of(row.kind) in ("class", "function", "state", "struct"))

    def has_odd_flags(self, row):
        more = 0x100 if self.p.licensee == 227 else 0
        return self.p.is_ue1 and row.flags & ~(SAVED_FLAGS | more) or self.p.is_ue2 and row.flags & ~(SAVED_FLAGS | 0x980)

    def is_removed(self, row):
        """What conforming leaves of an export."""
        return self.name(row.name) == "none" and (row.kind, row.super, row.outer, row.flags, row.size) == (0,) * 5

    def judge_shared_names(self):
        groups = {}
        for row in self.exports.rows:
            if not self.is_removed(row):
                groups.setdefault((row.outer, self.name_or_number(row.name)), []).append(row.kind)
        for kinds in groups.values():
            self.j.fire("EXP019", kinds.count(0) > 1)
            self.j.fire("EXP010", any(k and kinds.count(k) > 1 for k in kinds))
            self.j.fire("EXP011", len(set(kinds)) > 1)


def judge(package):
    rows = Rows(package)
    rows.judge()
    return rows
