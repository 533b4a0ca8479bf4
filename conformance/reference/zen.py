"""Zen packages, from conformance/spec/zen.md: which form one has, its sections, and its names. zen_tables.py judges what they hold."""
from fractions import Fraction

from . import namebatch, zen_tables
from .core import Cut, File, Judgement, read_layout, size_of

EXTENSIONS, SHARED = ["uzenasset"], {"uasset", "umap"}
RULES = {f"ZEN{n:03}" for n in range(1, 32) if n != 26} | {f"ZEA{n:03}" for n in range(1, 10)} | {f"ZEB{n:03}" for n in range(1, 10)} \
    | {f"ZEC{n:03}" for n in range(1, 14)} | {f"ZED{n:03}" for n in range(1, 4)} | {f"BMP{n:03}" for n in range(1, 7)} | {f"NAM{n:03}" for n in range(1, 14)}
LABELS = {"summary", "versions", "custom_version", "cells", "name_batch", "name_hash", "name_head", "bulk_pad", "bulk_size", "bulk", "hash", "import",
          "export", "cell_import", "cell", "entry", "bundle", "dependency_head", "dependency", "name_number", "trailer"}
TAG = 0x9E2A83C1
EDITOR_FREE, COOKED, WITHOUT_TAGS = 0x80000000, 0x200, 0x2000
LONGEST_SUMMARY = 64
FOUR_FIFTHS, HALF = Fraction(4, 5), Fraction(1, 2)
UE4, V50, V52, V53, V54, V56 = 427, 500, 502, 503, 504, 506
HAS_CELLS = 1015

INITIAL = tuple((name, 4) for name in ("name", "number", "source_name", "source_number", "flags", "cooked_header_size", "names_at", "names_size",
                                       "hashes_at", "hashes_size", "imports_at", "exports_at", "bundles_at", "graph_at", "graph_size", "pad"))
HEAD = tuple((name, 4) for name in ("has_versions", "header_size", "name", "number", "flags", "cooked_header_size", "hashes_at", "imports_at",
                                    "exports_at", "entries_at"))
COUNTED = (*HEAD, ("graph_at", 4))
NAMED = (*HEAD, ("dependency_heads", 4), ("dependencies", 4), ("names_at", 4))
SUMMARIES = {"initial": INITIAL, "counted": COUNTED, "named": NAMED}
VERSIONS = tuple((name, 4) for name in ("zen", "ue4", "ue5", "licensee", "n_custom"))
CUSTOM = (*((f"guid_{c}", 4) for c in "abcd"), ("version", 4))


class Stop(Exception):
    """Nothing more is said of the tables."""


# --------------------------------------------------------------------------------------------- which form it has (1.1)

def rows_between(begin, end, row):
    return begin <= end and (end - begin) % row == 0


def batch_fits(file, at, hashes):
    """Whether a batch of names stands at a place and ends before the hashes. Behind the offsets of cells only its count is seen."""
    if at + 4 > len(file):
        return False
    n = file.u32(at)
    rest = 16 + file.u32(at + 4) if at + 8 <= len(file) else 4
    return n > 0 and at + rest + 10 * n <= hashes


def conditions_ue4(s, length):
    yield s["names_at"] == size_of(INITIAL)
    yield 0 <= s["hashes_at"] - s["names_at"] - s["names_size"] < 8
    yield s["imports_at"] == s["hashes_at"] + s["hashes_size"]
    yield rows_between(s["imports_at"], s["exports_at"], 8)
    yield rows_between(s["exports_at"], s["bundles_at"], 72)
    yield rows_between(s["bundles_at"], s["graph_at"], 8)
    yield s["graph_size"] >= 4 and s["graph_at"] + s["graph_size"] <= length
    yield s["pad"] == 0


def conditions_ue5(s, length, family, file):
    """file holds what may be read to decide, 64 bytes at most. The batch counts three times."""
    own = size_of(SUMMARIES[family])
    yield s["has_versions"] <= 1
    yield own <= s["header_size"] <= length
    yield s["hashes_at"] >= own + 4
    yield rows_between(s["hashes_at"], s["imports_at"], 8)
    yield rows_between(s["imports_at"], s["exports_at"], 8)
    yield rows_between(s["exports_at"], s["entries_at"], 72 if family == "counted" else 8)
    if family == "counted":
        yield rows_between(s["entries_at"], s["graph_at"], 8)
        yield s["graph_at"] <= s["header_size"]
    else:
        yield rows_between(s["entries_at"], s["dependency_heads"], 8)
        yield rows_between(s["dependency_heads"], s["dependencies"], 20)
        yield rows_between(s["dependencies"], s["names_at"], 4)
        yield s["names_at"] + 4 <= s["header_size"]
    if s["has_versions"] == 0:
        stands = batch_fits(file, own, s["hashes_at"]) or (family == "named" and batch_fits(file, own + 8, s["hashes_at"]))
        yield from (stands,) * 3


def part_that_holds(file, family):
    first = File("", file.bytes(0, min(LONGEST_SUMMARY, len(file))))
    try:
        s = read_layout(first, 0, SUMMARIES[family])
    except Cut:
        return Fraction(0)
    asked = list(conditions_ue4(s, len(file)) if family == "initial" else conditions_ue5(s, len(file), family, first))
    return Fraction(sum(asked), len(asked))


def is_older(file):
    return len(file) >= 4 and TAG in (file.u32(0), file.number(0, 4, "big"))


def best_family(file):
    """The family of forms and the part of its conditions that holds; the first of equal ones."""
    parts = [(family, part_that_holds(file, family)) for family in ("named", "counted", "initial")]
    return max(parts, key=lambda p: p[1])


def looks_like(file):
    if is_older(file):
        return False
    shared = file.name.rpartition(".")[2].lower() in SHARED and "." in file.name
    return best_family(file)[1] >= (FOUR_FIFTHS if shared else 1)


# ------------------------------------------------------------------------------------------------------------ a package

class Package:
    """What is read of one. claims is what its container says, None for a loose one. Sections are (begin, end)."""

    def __init__(self, j, claims=None):
        self.j, self.claims, self.file, self.size = j, claims, j.file, len(j.file)
        self.s, self.sections = {}, {}
        self.names = self.packages = None       # batches that can be read to their end
        self.shown, self.cells, self.numbers = [], {}, []
        self.ue5 = None                         # where it has versions

    def is_old(self):
        return self.form == UE4

    def is_counted(self):
        return self.form in (V50, V52)

    def is_named(self):
        return self.form >= V53

    # -- the summary

    def choose_family(self):
        if self.claims is None:
            return best_family(self.file)[0]
        if self.claims.version is None:
            if self.claims.is_ue4:
                return "initial"
            return "counted" if part_that_holds(self.file, "counted") > part_that_holds(self.file, "named") else "named"
        return "initial" if self.claims.version < 1 else "counted" if self.claims.version <= 2 else "named"

    def read_summary(self):
        self.family = self.choose_family()
        layout = SUMMARIES[self.family]
        if self.j.fire("ZEN001", self.size < size_of(layout)):
            raise Stop
        self.s = s = read_layout(self.file, 0, layout)
        self.end = s["graph_at"] + s["graph_size"] if self.family == "initial" else s["header_size"]
        if self.claims is None and self.j.fire("ZEN027", best_family(self.file)[1] < HALF or self.end == 0 or is_older(self.file)):
            raise Stop
        self.j.region("summary", 0, size_of(layout), s)
        self.form = UE4 if self.family == "initial" else self.counted_form() if self.family == "counted" else self.named_form()
        self.judge_summary()

    def judge_summary(self):
        j, flags = self.j, self.s["flags"]
        j.fire("ZEN006", self.s["cooked_header_size"] == 0)
        j.fire("ZEN007", not flags & EDITOR_FREE or (not self.is_old() and not flags & COOKED))
        j.fire("ZEN008", self.s.get("has_versions") == 1 and flags & WITHOUT_TAGS)

    def behind_versions(self):
        """Where what stands behind the versions would begin, and the version of UE5 there."""
        at = size_of(SUMMARIES[self.family])
        if self.s["has_versions"] == 0 or at + size_of(VERSIONS) > self.size:
            return at, None
        v = read_layout(self.file, at, VERSIONS)
        return at + size_of(VERSIONS) + size_of(CUSTOM) * v["n_custom"], v["ue5"]

    def end_of_batch(self, at):
        """None where there is no batch of names that fits."""
        if at + 4 > self.head_length():
            return None
        batch, end = namebatch.read(File("", self.head()), at)
        return end if batch is not None and batch.hashes else None

    def head_length(self):
        return min(self.end, self.size)

    def head(self):
        return self.file.bytes(0, self.head_length())

    def end_of_bulk(self, at):
        if at is None or at + 8 > self.head_length():
            return None
        size = self.file.u64(at)
        return at + 8 + size if size % 32 == 0 and size <= self.end else None

    def counted_form(self):
        end = self.end_of_batch(self.behind_versions()[0])
        first = self.claims is not None and self.claims.version == 1
        return V52 if not first and end is not None and self.s["hashes_at"] > end else V50

    def head_number(self, at, n):
        """A number of the header, 0 where it ends before."""
        return self.file.number(at, n) if at + n <= self.head_length() else 0

    def has_cells(self, at, ue5):
        claimed = self.claims.version if self.claims is not None else None
        if claimed is not None and (claimed < 5 or ue5 is None):
            return claimed >= 5
        here, behind = (self.head_number(place + 8, 8) == namebatch.ALGORITHM for place in (at, at + 8))
        if here != behind:
            return behind
        if claimed is not None:
            return zen_tables.is_since(ue5, HAS_CELLS)
        imports, exports = self.head_number(at, 4), self.head_number(at + 4, 4)
        return self.s["exports_at"] <= imports <= exports <= self.s["entries_at"] and self.end_of_batch(at) is None

    def named_form(self):
        at, ue5 = self.behind_versions()
        claimed = self.claims.version if self.claims is not None else None
        if self.has_cells(at, ue5):
            return V56
        unpadded = self.end_of_bulk(self.end_of_batch(at)) == self.s["hashes_at"]
        later = self.claims is not None and (self.claims.is_since_5_4 or (claimed is not None and claimed > 3))
        return V53 if unpadded and not later else V54

    # -- sections

    def place(self):
        if self.j.fire("ZEN004", self.end > self.size):
            raise Stop
        self.place_old() if self.is_old() else self.place_new()

    def place_old(self):
        j, s = self.j, self.s
        names, hashes = (s["names_at"], s["names_at"] + s["names_size"]), (s["hashes_at"], s["hashes_at"] + s["hashes_size"])
        if j.fire("ZEN002", names[1] > self.end or hashes[1] > self.end):
            raise Stop
        self.run((("imports", "imports_at", 8), ("exports", "exports_at", 72), ("entries", "bundles_at", 1), ("graph", "graph_at", 1)), size_of(INITIAL))
        self.sections.update(names=names, name_hashes=hashes)
        apart = hashes[0] - names[1]
        j.rows_overlap = names[1] > hashes[0] or hashes[1] > s["imports_at"]
        j.fire("ZEA002", names[0] != size_of(INITIAL) or not 0 <= apart < 8 or hashes[0] % 8 or s["imports_at"] != hashes[1])
        j.fire("NAM011", names[0] % 8 or hashes[0] % 8)
        j.fire("ZEA001", s["pad"] != 0)

    def run(self, sections, least):
        """Sections one behind the other: (name, the field of its offset, bytes of a row)."""
        end = self.end
        offsets = [self.cells[field] if field in self.cells else self.s[field] for _, field, _ in sections] + [end]
        for (name, _, _), at in zip(sections, offsets):
            if at < least or at > end:
                self.j.fire("ZED001" if name.startswith("cell_") else "ZEN002")
                raise Stop
            least = at
        for (name, _, row), at, behind in zip(sections, offsets, offsets[1:]):
            if (behind - at) % row:
                self.j.fire("ZED001" if name.startswith("cell_") else "ZEN003")
                raise Stop
            self.sections[name] = at, behind

    def place_new(self):
        j, s = self.j, self.s
        if j.fire("ZEB001", self.is_counted() and self.end < s["graph_at"]):
            raise Stop
        at = size_of(SUMMARIES[self.family])
        if j.fire("ZEN002", at > self.end):
            raise Stop
        at = self.read_versions(at)
        at = self.read_cells(at)
        self.names_at = at
        end = self.end_of_any_batch(at)
        least = at if end is None else end
        sections = [("hashes", "hashes_at", 8), ("imports", "imports_at", 8), ("exports", "exports_at", 72)]
        if self.form == V56:
            sections += [("cell_imports", "cell_imports_at", 8), ("cell_exports", "cell_exports_at", 40)]
        sections.append(("entries", "entries_at", 8))
        sections += [("graph", "graph_at", 1)] if self.is_counted() else \
            [("heads", "dependency_heads", 1), ("dependencies", "dependencies", 4), ("packages", "names_at", 1)]
        self.run(sections, least)
        for row in self.shown:
            j.region(*row)

    def end_of_any_batch(self, at):
        """As end_of_batch, also of a batch without names."""
        head = self.file.bytes(0, self.end)
        return namebatch.read(File("", head), at)[1] if at + 4 <= self.end else None

    def read_versions(self, at):
        j, has = self.j, self.s["has_versions"]
        j.fire("ZEB002", has > 1, lesser=True)
        if has == 0:
            return at
        behind = at + size_of(VERSIONS)
        if behind <= self.end:
            v = read_layout(self.file, at, VERSIONS)
            if behind + size_of(CUSTOM) * v["n_custom"] <= self.end:
                j.fire("ZEB002", v["zen"] > 3, lesser=True)
                self.ue5 = v["ue5"]
                self.judge_cells_version()
                self.shown.append(("versions", at, size_of(VERSIONS), v))
                for place in range(behind, behind + size_of(CUSTOM) * v["n_custom"], size_of(CUSTOM)):
                    self.shown.append(("custom_version", place, size_of(CUSTOM), read_layout(self.file, place, CUSTOM)))
                return behind + size_of(CUSTOM) * v["n_custom"]
        j.fire("ZEB002")
        raise Stop

    def judge_cells_version(self):
        """2.13."""
        claimed = self.claims.version if self.claims is not None else None
        if not self.is_named() or zen_tables.is_since(self.ue5, HAS_CELLS) == (self.form == V56):
            return
        if self.form == V56:
            self.j.fire("ZEN030")
        else:
            self.j.fire("ZEN030", claimed is None or claimed >= 5, lesser=claimed is None)

    def read_cells(self, at):
        if self.form != V56:
            return at
        if self.j.fire("ZEN002", at + 8 > self.end):
            raise Stop
        imports, exports = self.file.u32(at), self.file.u32(at + 4)
        self.cells = {"cell_imports_at": imports, "cell_exports_at": exports}
        self.shown.append(("cells", at, 8, {"imports_at": imports, "exports_at": exports}))
        return at + 8

    # -- names (3)

    def read_names(self):
        own = self.find_old_names() if self.is_old() else self.find_batch(self.names_at)
        others = self.find_packages() if own is not None and self.is_named() else None
        for batch in (own, others):
            if batch is not None and batch.hashes:
                self.j.fire("NAM003", batch.algorithm != namebatch.ALGORITHM)
        if own is None or (self.is_named() and others is None) or not self.is_sound(own) or (others is not None and not self.is_sound(others)):
            return
        self.names = own
        if self.is_old() and len(own.names) != len(own.hashes):
            namebatch.judge_each(self.j, own)
        else:
            namebatch.judge(self.j, own)
        if others is not None:
            self.packages = others
            for at in self.numbers:
                self.j.region("name_number", at, 4, {"number": self.file.u32(at)})
            namebatch.judge_each(self.j, others)
        self.judge_package_names()

    def is_sound(self, batch):
        return batch.sound if self.is_old() else not self.j.fire("NAM002", batch.hashes and not batch.sound)

    def find_batch(self, at):
        inner = File("", self.head())
        batch, end = namebatch.read(inner, at) if at + 4 <= self.end else (None, None)
        if self.j.fire("NAM001", batch is None):
            return None
        n = len(batch.hashes)
        self.batch_end = end
        if n:
            self.j.region("name_batch", at, 16, {"n_names": n, "n_bytes": inner.u32(at + 4), "algorithm": batch.algorithm})
        for i in range(n):
            self.j.work.spend()
            head = at + 16 + 8 * n + 2 * i
            self.j.region("name_hash", at + 16 + 8 * i, 8, {"hash": batch.hashes[i]})
            self.j.region("name_head", head, 2, {"high": inner.u8(head), "low": inner.u8(head + 1)})
        return batch

    def find_old_names(self):
        (at, end), (hashes, hashes_end) = self.sections["names"], self.sections["name_hashes"]
        batch = namebatch.read_old(File("", self.file.bytes(0, end)), at, end - at)
        room = hashes_end - hashes
        batch.hashes = [self.file.u64(hashes + 8 * i) for i in range(1, room // 8)]
        for at_hash in range(hashes, hashes + room // 8 * 8, 8):
            self.j.region("name_hash", at_hash, 8, {"hash": self.file.u64(at_hash)})
        batch.algorithm = self.file.u64(hashes) if room >= 8 else namebatch.ALGORITHM
        if self.j.fire("NAM009", not batch.sound):
            self.j.fire("NAM003", room >= 8 and batch.algorithm != namebatch.ALGORITHM)
            return None
        self.j.fire("NAM003", batch.algorithm != namebatch.ALGORITHM)
        self.j.fire("NAM010", room != 8 * (len(batch.names) + 1))
        return batch

    def find_packages(self):
        at, end = self.sections["packages"]
        own_end = self.batch_end
        batch = self.find_batch(at)
        numbers, self.own_end = self.batch_end, own_end
        if batch is None:
            return None
        behind = numbers + 4 * len(batch.hashes)
        if self.j.fire("ZEC001", behind != end) and behind > end:
            return None
        self.numbers = range(numbers, behind, 4)
        return batch

    def has_name(self, name):
        return self.names is not None and name >> 30 == 0 and name < len(self.names.names)

    def name_key(self, name):
        """What stands for a name without case: its hash, or its number where it has none or a wrong one."""
        batch = self.names
        return name if name >= len(batch.hashes) or namebatch.hash_is_wrong(batch, name) else batch.hashes[name]

    def text_of(self, name, number):
        """A mapped name with its number; None where it is none of the package's, or not ASCII."""
        if not self.has_name(name):
            return None
        text = self.names.names[name].text
        if not text.isascii():
            return None
        return text + (f"_{number - 1}" if number else "")

    def judge_package_names(self):
        j, s = self.j, self.s
        j.fire("NAM013", not self.has_name(s["name"]) or (self.is_old() and not self.has_name(s["source_name"])))
        if self.claims is None:
            return
        own = self.id_of("name", "number")
        source = self.id_of("source_name", "source_number") if self.is_old() else own
        known = own is not None and (source is not None or not self.has_name(s.get("source_name", 0)))
        j.fire("ZEN005", known and self.claims.id not in (own, source))

    def id_of(self, name, number):
        if not self.has_name(self.s[name]):
            return None
        return namebatch.package_id(self.names.names[self.s[name]].text, self.s[number])

    def judge(self):
        self.read_summary()
        self.place()
        self.read_names()
        zen_tables.judge(self)


def judge(j):
    package = Package(j, j.file.claims)
    try:
        package.judge()
    except Stop:
        pass
    j.header_size = getattr(package, "end", 0)
    return []


def has_sections(file, claims, work):
    """Whether the sections of a package lie as they should, as far as 2.1 to 2.4 and 2.10 to 2.12 ask it."""
    package = Package(Judgement(file, "zen", work), claims)
    try:
        package.read_summary()
        package.place()
    except Stop:
        return False
    return True


def header_size(j):
    return min(j.header_size, len(j.file))
