"""The container header, from chapter 8 of conformance/spec/iostore.md, and what it and the chunks say of each other (3.20, 3.21)."""
from . import chunks, namebatch, summaries, targets
from .core import Cut, File, read_layout, size_of

RULES = {f"CHD{n:03}" for n in range(1, 40)} | namebatch.RULES | {"TOC020", "TOC021"}
MAGIC = 0x496F436E
NEWEST = 5
PAIRS = {2: (0,), 3: (0,), 5: (1, 2, 3), 6: (3,), 7: (3,), 8: (4, 5)}
PACKAGE, SHADER_MAP = 8, 20
VIEW = (("imports", 4), ("imports_offset", 4))
HASHES = (("hashes", 4), ("hashes_offset", 4))
COUNTS = (("exports", -4), ("bundles", -4))
LONG_ENTRY = (("bundles_size", 8), *COUNTS, ("load_order", 4), ("pad", 4), *VIEW)
SHORT_ENTRY = COUNTS + VIEW
MARK_OF_CONTAINER = 1


class Stop(Exception):
    """What stands behind this place is not read."""


class Entry:
    """A store entry: its fields, and the rows that its views show, None where they lead outside."""

    def __init__(self, package, fields):
        self.package, self.imports, self.hashes = package, [], []
        self.exports = self.bundles = None
        self.__dict__.update(fields)


class Map:
    """Pairs of one map: sources with what they lead to, and the name that each goes by."""

    def __init__(self, rows, has_targets):
        self.rows, self.has_targets = rows, has_targets


class Header:
    def __init__(self, c, data):
        self.c, self.j, self.file, self.at = c, c.j, File("", data), 0
        self.packages, self.maps, self.names, self.end = [], [], None, None
        self.by_id = {}
        self.findings = dict.fromkeys(("CHD015", "CHD016", "CHD017", "CHD018"), False)

    # -- reading

    def take(self, n, rule="CHD007"):
        """The place of n bytes that are read now."""
        at = self.at
        if self.j.fire(rule, n > len(self.file) - at):
            raise Stop
        self.at += n
        return at

    def number(self, n=4, signed=False, rule="CHD007"):
        return self.file.number(self.take(n, rule), n, signed=signed)

    def rows(self, size, rule="CHD007"):
        """Where the rows behind a count begin."""
        n = self.number(rule=rule)
        at = self.take(n * size, rule)
        self.j.work.spend(n)
        return range(at, at + n * size, size)

    def ids(self):
        return [self.file.u64(at) for at in self.rows(PACKAGE)]

    def blob(self):
        """The place and the size of bytes behind their size."""
        size = self.number()
        return self.take(size), size

    def judge(self):
        j, version = self.j, self.c.version
        if j.fire("CHD007", version >= 5 and len(self.file) < 4):
            return
        magic = len(self.file) >= 4 and self.file.u32(0) == MAGIC
        if j.fire("CHD001", version >= 5 and not magic):
            return
        j.fire("CHD002", version <= 3 and magic)
        try:
            self.read_new() if magic else self.read_old()
            self.end = self.at
        except Stop:
            pass
        self.judge_read()

    def read_new(self):
        j = self.j
        self.take(4)
        self.version = self.number()
        if j.fire("CHD003", not 1 <= self.version <= NEWEST, lesser=self.version > NEWEST):
            raise Stop
        if "CHD002" not in j.rules():
            self.judge_pair(self.version)
        j.fire("CHD005", self.number(8) != self.c.h["container_id"])
        targets.judge_header(self.c, self.version)
        counted = self.number() if self.version == 1 else None
        packages = self.ids()
        layout = (COUNTS if self.version <= 2 else ()) + VIEW + HASHES
        entries = self.read_entries(self.blob(), layout, packages, "CHD014")
        optional, others = [], []
        if self.version >= 2:
            optional = self.ids()
            others = self.read_entries(self.blob(), layout, optional, "CHD024")
        self.packages = packages
        self.are_judged = entries is not None and others is not None
        if self.are_judged:
            self.judge_packages(optional, counted)
            self.judge_entries(entries, others)
        self.read_names()
        for fields, has_target in ((("source", 8), ("name", 4), ("number", 4)), False), ((("source", 8), ("target", 8), ("name", 4), ("number", 4)), True):
            self.maps.append(Map([read_layout(self.file, at, fields) for at in self.rows(size_of(fields))], has_target))
        self.judge_maps()
        if self.version >= 4:
            self.read_soft_references()

    def judge_pair(self, version):
        pairs = PAIRS.get(self.c.version)
        self.j.fire("CHD004", pairs is not None and version not in pairs, lesser=self.c.version < 8 or version >= 3)

    def read_names(self):
        self.take(4, "NAM001")
        batch, end = namebatch.read(self.file, self.at - 4)
        if self.j.fire("NAM001", batch is None):
            raise Stop
        self.at, self.names = end, batch
        if batch.hashes:
            self.j.fire("NAM002", not batch.sound)
            namebatch.judge_algorithm(self.j, batch)

    # -- the form of Unreal Engine 4

    def read_old(self):
        self.version = 0
        self.judge_pair(0)
        self.take(12)
        self.j.fire("CHD005", self.file.u64(0) != self.c.h["container_id"])
        targets.judge_header(self.c, 0)
        counted = self.file.u32(8)
        more = old_fit(self.file, 16, counted) > old_fit(self.file, 12, counted)
        self.j.fire("CHD010", more)
        self.at += 4 if more else 0
        names, size = self.blob()
        self.j.fire("CHD008", size)
        hashes, room = self.blob()
        self.judge_old_names(names, size, hashes, room)
        packages = self.ids()
        at, size = self.blob()
        layout = self.old_layout(at, size, len(packages))
        self.j.fire("CHD039", layout is SHORT_ENTRY)
        entries = self.read_entries((at, size), layout, packages, "CHD014")
        self.packages = packages
        self.are_judged = entries is not None
        if self.are_judged:
            self.judge_packages([], counted)
            self.judge_entries(entries, [])
        for _ in range(self.number()):
            self.read_culture()
        self.read_pairs("CHD007")
        self.judge_maps()

    def read_culture(self):
        self.j.work.spend()
        length = self.number(signed=True, rule="CHD030")
        self.take(-2 * length if length < 0 else length, "CHD030")
        self.read_pairs("CHD030")

    def read_pairs(self, rule):
        fields = (("source", 8), ("target", 8))
        self.maps.append(Map([read_layout(self.file, at, fields) for at in self.rows(16, rule)], True))

    def judge_old_names(self, names, size, hashes, room):
        j = self.j
        j.fire("CHD009", room % 8 or room < 8)
        batch = namebatch.read_old(self.file, names, size)
        if j.fire("NAM009", not batch.sound):
            return
        batch.hashes = [self.file.u64(at) for at in range(hashes + 8, hashes + room // 8 * 8, 8)]
        batch.algorithm = self.file.u64(hashes) if room >= 8 else namebatch.ALGORITHM
        j.fire("NAM010", len(batch.hashes) != len(batch.names))
        namebatch.judge(j, batch)

    def old_layout(self, at, size, n):
        """Long entries or short ones: those fewer of whose views lead outside."""
        if size < n * size_of(LONG_ENTRY):
            return SHORT_ENTRY if size >= n * size_of(SHORT_ENTRY) else LONG_ENTRY
        bad = [sum(not self.view_fits(view, at, size, n * size_of(layout), PACKAGE) for view in self.views_of(at, layout, n))
               for layout in (LONG_ENTRY, SHORT_ENTRY)]
        return SHORT_ENTRY if bad[0] > bad[1] else LONG_ENTRY

    def views_of(self, at, layout, n):
        own = size_of(layout)
        for i in range(n):
            place = at + (i + 1) * own - 8
            yield place, self.file.u32(place), self.file.u32(place + 4)

    # -- entries

    @staticmethod
    def view_fits(view, begin, size, entries, row):
        place, n, offset = view
        at = place + offset - begin
        return n == 0 or (at >= entries and at + n * row <= size)

    def read_entries(self, blob, layout, packages, rule):
        """The entries of packages, or None where they have no room."""
        begin, size = blob
        own = size_of(layout)
        if self.j.fire(rule, size < len(packages) * own):
            return None
        out, shown, inside = [], [], True
        for i, package in enumerate(packages):
            at = begin + i * own
            entry = Entry(package, {f"{name}_of_view" if name in ("imports", "hashes") else name: value
                                    for name, value in read_layout(self.file, at, layout).items()})
            views = [("imports", at + own - (16 if HASHES[0] in layout else 8), PACKAGE)]
            views += [("hashes", at + own - 8, SHADER_MAP)] if HASHES[0] in layout else []
            for name, place, row in views:
                n, offset = self.file.u32(place), self.file.u32(place + 4)
                rows = self.read_view((place, n, offset), begin, size, len(packages) * own, row)
                setattr(entry, name, rows)
                inside = inside and rows is not None
                if rows:
                    shown.append((place + offset - begin, n * row))
            out.append(entry)
        self.findings["CHD018"] |= inside and not tiles(shown, len(packages) * own, size)
        return out

    def read_view(self, view, begin, size, entries, row):
        place, n, offset = view
        if n == 0:
            self.findings["CHD016"] |= offset != 0
            return []
        fits = self.view_fits(view, begin, size, entries, row)
        self.findings["CHD015"] |= not fits
        self.findings["CHD017"] |= (place + offset - begin) % 4 != 0
        if not fits:
            return None
        self.j.work.spend(n)
        return [self.file.bytes(place + offset + i * row, row) for i in range(n)]

    def judge_counts(self, entry):
        if entry.exports is not None:
            self.j.fire("CHD020", entry.exports < 0 or entry.bundles < 0 or (entry.exports > 0 and entry.bundles == 0))

    # -- soft references

    def read_soft_references(self):
        j, end = self.j, None
        if self.version >= 5:
            place, size = self.number(8, signed=True), self.number(8, signed=True)
            outside = size and (place != self.at or size > len(self.file) - place)
            if j.fire("CHD032", place < 0 or size < 0 or outside):
                raise Stop
            if size == 0:
                return
            end = self.at + size
        number = self.soft(4, end)
        j.fire("CHD031", number > 1)
        if number:
            self.read_soft_rows(end)
        if j.fire("CHD033", end is not None and self.at != end):
            self.at = end

    def soft(self, n, end):
        """A number of soft references, which end where their size says."""
        if self.j.fire("CHD033", end is not None and self.at + n > end):
            raise Stop
        return int.from_bytes(self.file.bytes(self.take(n), n), "little")

    def read_soft_rows(self, end):
        n = self.soft(4, end)
        if end is not None and self.j.fire("CHD033", n * PACKAGE > end - self.at):
            raise Stop
        self.take(n * PACKAGE)
        size = self.soft(4, end)
        if end is not None and self.j.fire("CHD033", size > end - self.at):
            raise Stop
        begin = self.take(size)
        views = len(self.packages) * 8
        if self.j.fire("CHD034", views > size):
            return
        for at in range(begin, begin + views, 8):
            self.judge_soft_view((at, self.file.u32(at), self.file.u32(at + 4)), begin, size, views, n)

    def judge_soft_view(self, view, begin, size, views, n):
        place, count, offset = view
        if self.j.fire("CHD034", not self.view_fits(view, begin, size, views, 4)):
            return
        self.j.work.spend(count)
        self.j.fire("CHD034", any(self.file.u32(place + offset + 4 * i) >= n for i in range(count)))

    # -- what it says

    def judge_read(self):
        if self.names is not None and self.names.sound:
            namebatch.judge(self.j, self.names)
        if self.end is not None:
            rest = self.file.bytes(self.end, len(self.file) - self.end)
            block = self.c.h["block_size"]
            full = self.c.version == 2 and len(self.file) % block == 0 and len(rest) < block
            self.j.fire("CHD035", any(rest) or (len(rest) >= 16 and not full))

    def judge_packages(self, optional, counted):
        """counted is the count that stands before, or None."""
        j, c, ids = self.j, self.c, self.packages
        j.fire("CHD006", counted not in (None, len(ids)))
        j.fire("CHD036", not ids and not optional)
        j.fire("CHD011", 0 in ids)
        j.fire("CHD012", len(set(ids)) < len(ids))
        j.fire("CHD013", any(b < a for some in (ids, optional) for a, b in zip(some, some[1:])), lesser=self.version == 0)
        j.fire("CHD025", ids and not set(optional) <= set(ids))
        here = {chunk.id for chunk in c.chunks if chunk.kind == chunks.PACKAGE}
        j.fire("TOC020", not here <= set(ids) | set(optional))
        first = {chunk.id for chunk in c.chunks if chunk.kind == chunks.PACKAGE and chunk.is_asked_for}
        for missing in set(ids) - first - {0}:
            j.fire("TOC021", lesser=c.is_patch or missing == c.h["container_id"])

    def judge_entries(self, entries, others):
        """others are those of the optional segment."""
        for entry in entries:
            self.by_id.setdefault(entry.package, entry)
        j = self.j
        for rule, found in self.findings.items():
            j.fire(rule, found)
        for entry in entries + others:
            self.judge_counts(entry)
            imports = [int.from_bytes(row, "little") for row in entry.imports or ()]
            j.fire("CHD019", 0 in imports or entry.package in imports or len(set(imports)) < len(imports))
            maps = entry.hashes or []
            j.fire("CHD037", bytes(SHADER_MAP) in maps or len(set(maps)) < len(maps))
        if entries and hasattr(entries[0], "pad"):
            orders = [entry.load_order for entry in entries]
            j.fire("CHD023", len(set(orders)) < len(orders) or any(entry.pad for entry in entries))
        summaries.judge(self, entries)

    def judge_maps(self):
        j, names = self.j, self.names
        named = any("name" in row for each in self.maps for row in each.rows)
        j.fire("CHD026", named and names.hashes and (not names.sound or names.longest > namebatch.LONGEST))
        for each in self.maps:
            sources = [row["source"] for row in each.rows]
            j.fire("CHD029", len(set(sources)) < len(sources))
            for row in each.rows:
                if each.has_targets:
                    j.fire("CHD029", row["target"] == row["source"] or (self.are_judged and row["target"] not in self.packages))
                if "name" in row:
                    self.judge_name(row)

    def judge_name(self, row):
        """8.27 and 8.28."""
        number, mark = row["name"] & 0x3FFFFFFF, row["name"] >> 30
        if self.j.fire("CHD027", mark != MARK_OF_CONTAINER or number >= len(self.names.hashes)) or number >= len(self.names.names):
            return
        text = self.names.names[number].text
        own = namebatch.package_id(text, row["number"]) if self.names.sound and len(text) <= namebatch.LONGEST else None
        self.j.fire("CHD028", own not in (None, row["source"]))


def tiles(shown, begin, end):
    for at, size in sorted(shown):
        if at != begin:
            return False
        begin = at + size
    return begin == end


def old_fit(file, at, counted):
    """How well the parts of the form of Unreal Engine 4 fit that begin here: whether all do, to the end, and with equal counts."""
    try:
        for _ in range(2):
            at = skip(file, at, 1)
        same = file.u32(at) == counted
        at = skip(file, at, PACKAGE)
        at = skip(file, at, 1)
        n = file.u32(at)
        at += 4
        for _ in range(n):
            length = file.i32(at)
            at += 4 + (-2 * length if length < 0 else length)
            at = skip(file, at, 16)
        at = skip(file, at, 16)
    except Cut:
        return 0
    return 1 + same + (not any(file.data[at:]))


def skip(file, at, row):
    end = at + 4 + file.u32(at) * row
    if end > len(file):
        raise Cut
    return end


def judge(c, payload):
    """payload reads the stored bytes."""
    header = c.own_header
    data = payload.chunk(header) if header else None
    if data:
        reader = Header(c, data)
        reader.payload = payload
        reader.judge()
        return reader
    return None
