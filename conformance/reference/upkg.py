"""Packages of Unreal Engine 1 and 2, from conformance/spec/upkg.md: the file and its header (chapters 1 and 2). The tables that follow are
in upkg_tables.py, what their rows say in upkg_rows.py, where the parts lie in upkg_parts.py, and bodies in upkg_bodies.py."""
import re

from . import filenames, upkg_bodies, upkg_parts, upkg_rows, upkg_tables
from .core import read_layout, size_of

TAG, TAG_OF_FLOOR = 0x9E2A83C1, 0x9E2A83C2
LINEAGE = "Lineage2Ver".encode("utf-16-le")
SHARED = ("run", "upx")
EXTENSIONS = "u unr ut2 dx un2 rom umf utx uax umx usx ukx uxx".split()
TAG_LAYOUT = (("magic", 4), ("version", 2), ("licensee", 2))
HEADER = (("flags", 4), ("name_count", -4), ("name_offset", -4), ("export_count", -4), ("export_offset", -4), ("import_count", -4),
          ("import_offset", -4))
GUID = (("guid_a", 4), ("guid_b", 4), ("guid_c", 4), ("guid_d", 4))
OLD_REST = (("heritage_count", -4), ("heritage_offset", -4))
REST = GUID + (("generation_count", -4),)
GENERATION = (("export_count", -4), ("name_count", -4))
INT_MAX = 0x7FFFFFFF
BLANK = (bytes(16), b"\xff" * 16)
USUAL_NAME = re.compile(r"[A-Za-z0-9_\-\[\]().'+&!% ]*\Z", re.A)
FLAGS_OF_RUNTIME = 0x8 | 0x10 | 0x8000
USUAL_FLAGS = (0, 1, 3, 5, 7, 0x21, 0x25, 0x10001, 0x10005)
PROTECTED = 0x21
GENERATIONS_KEPT = 64
OLDEST, LATEST, NEWEST_OUTDATED = 50, 177, 59

# (versions, licensees) of 2.3: games whose header or tables are others, and known games whose tables are these.
OTHER_TABLES = (((95,), (69, 133)), ((100,), (*range(9, 18), *range(120, 125))), ((102,), (28,)), ((119,), (28, 30, 0x9127)), ((128,), (32, 33)),
                ((128, 129), (34, 35)), (range(130, 144), range(56, 60)), ((151,), (0,)), (range(151, 160), (1,)))
KNOWN_GAMES = (((68,), (2,)), ((156,), (36,)), ((69,), (227,)), (range(99, 118), range(26)), (range(117, 129), range(25, 30)), ((100,), (58,)),
               ((110,), range(2481, 2610)), ((118,), range(11, 15)), (range(118, 121), range(4, 9)), ((129, 130), (27,)), (range(134, 151), (1,)),
               (range(143, 147), (61447,)), ((159,), (29,)))

RULES = ({f"FIL{n:03}" for n in range(1, 12)} | {f"HDR{n:03}" for n in range(1, 28)} | upkg_tables.RULES | upkg_rows.RULES | upkg_bodies.RULES)
LABELS = {"header", "tag", "summary", "generation", "heritage", "names", "name", "imports", "import", "exports", "export", "place", "body"}


def looks_like(file):
    """Whether the file begins with a tag of 2.1, or as the packages of Lineage 2 do (1.1)."""
    return len(file) >= 4 and (file.u32(0) in (TAG, TAG_OF_FLOOR) or is_of_console(file) or is_of_lineage(file))


def is_of_lineage(file):
    return file.data[:len(LINEAGE)] == LINEAGE


def is_of_console(file):
    return file.number(0, 4, "big") == TAG


def is_one(version, licensee, games):
    return any(version in versions and licensee in licensees for versions, licensees in games)


class Package:
    """What the header says, and the tables as far as they could be read."""

    def __init__(self, judgement):
        self.j, self.file = judgement, judgement.file
        self.stem, _, self.extension = filenames.components(self.file.name)[-1].rpartition(".")
        if not self.stem and "." not in self.file.name:
            self.stem, self.extension = self.extension, ""
        self.names = self.imports = self.exports = None
        self.generations = []

    @property
    def is_ue1(self):
        return 58 <= self.version <= 69 and self.licensee in (0, 227)

    @property
    def is_ue2(self):
        return 99 <= self.version <= 128 and (self.licensee == 0 or 25 <= self.licensee <= 29)

    @property
    def is_forever(self):
        return (self.version, self.licensee) in ((68, 2), (156, 36))

    @property
    def of_known_game(self):
        return self.licensee == 0 or is_one(self.version, self.licensee, KNOWN_GAMES)

    @property
    def tables_complete(self):
        return all(t is not None and t.complete for t in (self.names, self.imports, self.exports))

    @property
    def header_complete(self):
        """Generations and heritage included."""
        return self.heritage_known and (self.version < 68 or bool(self.generations))

    # -- chapter 1

    def judge(self):
        if self.judge_file() and self.judge_tag() and self.judge_version() and self.read_header():
            self.judge_header()
            upkg_tables.read(self)
            self.judge_heritage()
            upkg_parts.judge(self)
            rows = upkg_rows.judge(self)
            if self.tables_complete:
                upkg_bodies.judge(self, rows)

    def judge_file(self):
        j, file = self.j, self.file
        self.judge_name()
        if j.fire("FIL001", len(file) == 0) or j.fire("FIL009", len(file) > INT_MAX):
            return False
        return not j.fire("FIL008", len(file) > 1 and is_uniform(file.data))

    def judge_name(self):
        stem = self.stem
        odd = not 1 <= len(stem) <= 63 or stem[:1] == "." or stem[-1:] == " " or not USUAL_NAME.match(stem)
        self.j.fire("FIL010", odd or filenames.is_device(stem))
        self.j.fire("FIL011", re.search("[ %]", filenames.components(self.file.name)[-1]))

    def judge_tag(self):
        j, file = self.j, self.file
        begin = file.bytes(0, min(64, len(file)))
        if j.fire("FIL006", is_of_lineage(file)):
            return False
        if not looks_like(file):
            j.fire("FIL007", upkg_parts.is_known_content(begin))
            return not j.fire("FIL003")
        if j.fire("FIL005", is_of_console(file)):
            return False
        j.fire("FIL004", file.u32(0) == TAG_OF_FLOOR)
        return not j.fire("FIL002", len(file) < size_of(TAG_LAYOUT))

    # -- the header (2.2, 2.3, 1.2)

    def judge_version(self):
        j = self.j
        tag = read_layout(self.file, 0, TAG_LAYOUT)
        self.version, self.licensee = version, licensee = tag["version"], tag["licensee"]
        j.version = str(version)
        if j.fire("HDR001", version > LATEST) or j.fire("HDR002", version < OLDEST):
            return False
        if j.fire("HDR026", is_one(version, licensee, OTHER_TABLES)):
            return False
        return True

    def read_header(self):
        j, file = self.j, self.file
        layout = HEADER + (OLD_REST if self.version < 68 else REST)
        begin = size_of(TAG_LAYOUT)
        self.header_end = begin + size_of(layout)
        if j.fire("FIL002", len(file) < self.header_end):
            return False
        self.header = read_layout(file, begin, layout)
        j.region("summary", begin, size_of(layout), self.header)
        j.region("tag", 0, begin, {"magic": file.u32(0), "version": self.version, "licensee": self.licensee})
        return True

    def read_generations(self):
        n, size = self.header["generation_count"], size_of(GENERATION)
        if self.j.fire("HDR009", n < 1 or self.header_end + n * size > len(self.file)):
            return False
        for _ in range(n):
            self.generations.append(read_layout(self.file, self.header_end, GENERATION))
            self.j.region("generation", self.header_end, size, self.generations[-1])
            self.header_end += size
        return True

    # -- what the header says (2.4 to 2.9)

    def judge_header(self):
        j, h = self.j, self.header
        j.fire("FIL007", self.extension and filenames.fold_ascii(self.extension) not in (*EXTENSIONS, *SHARED), lesser=True)
        j.fire("HDR003", self.version <= NEWEST_OUTDATED)
        j.fire("HDR004", not self.of_known_game)
        self.judge_flags(h["flags"])
        j.fire("HDR021", h["name_count"] == h["import_count"] == h["export_count"] == 0)
        if self.version >= 68:
            begin = size_of(TAG_LAYOUT) + size_of(HEADER)
            j.fire("HDR016", self.file.bytes(begin, 16) in BLANK)
            if self.read_generations():
                self.judge_generations()
        j.region("header", 0, self.header_end)

    def judge_flags(self, flags):
        j = self.j
        if j.fire("HDR019", flags & FLAGS_OF_RUNTIME):
            return
        j.fire("HDR018", self.is_ue1 and self.licensee != 227 and flags == PROTECTED)
        j.fire("HDR017", flags not in USUAL_FLAGS)

    def judge_generations(self):
        j, all_ = self.j, self.generations
        j.fire("HDR010", len(all_) > GENERATIONS_KEPT)
        j.fire("HDR011", any(all_[-1][k] != self.header[k] for k in all_[-1]))
        j.fire("HDR012", any(b[k] < a[k] for a, b in zip(all_, all_[1:]) for k in a))

    def judge_heritage(self):
        j, h = self.j, self.header
        self.heritage, self.heritage_known = None, self.version >= 68
        if self.heritage_known:
            return
        n, at, size = h["heritage_count"], h["heritage_offset"], size_of(GUID)
        if j.fire("HDR014", n < 0 or (n and (at < self.header_end or at + n * size > len(self.file)))):
            return
        self.heritage_known = True
        if j.fire("HDR013", n != 1) and n == 0:
            return
        self.heritage = (at, at + n * size)
        j.fire("HDR015", at != self.header_end)
        for i in range(n):
            j.region("heritage", at + i * size, size, read_layout(self.file, at + i * size, GUID))


def is_uniform(data):
    first, step = bytes(data[:1]), 1 << 20
    return all(bytes(data[at:at + step]).strip(first) == b"" for at in range(0, len(data), step))


def judge(judgement):
    Package(judgement).judge()
