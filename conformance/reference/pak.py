"""Paks, from conformance/spec/pak.md: the footer, the index, and what the files that it names claim."""
import hashlib
import re
import zlib

from . import keys, members, pak_content, pak_index, targets
from .aes import add_counter, decrypt
from .core import File
from .filenames import ending_of, fold_ascii
from .pak_entries import LOWEST, Form, rounded
from .pak_index import Bad
from .umod import crc32_bzip2

MAGIC = 0x5A6F12E1
PLACES = {44: (1, 2, 3, 4, 5, 6, 7), 172: (8,), 204: (8, 10, 11, 12), 205: (9,), 208: (13, 14), 245: (15,)}     # before the end, and of which versions
SLOT = 32
LARGE = 1 << 30                 # for which engines make no room, as the size of a block
USUAL = 16 << 20                # the largest size that packers give a block
HEEDED = 65536                  # files from this size on, whose only block the first engines with packed records ask for its size
STEP_MOST = 1 << 20             # to which packers align files
LOOSE = 2048                    # bytes between files that may belong to nothing
RULES = {f"PAK{n:03}" for n in range(1, 62) if n not in (33, 47)} | {"RUN007", "RUN009"}
LABELS = set()
OLD_METHODS = {1: "zlib", 2: "gzip", 4: "custom"}
HINTS = 0x30                    # of older methods: memory or speed
KNOWN_METHODS = {"zlib", "gzip", "oodle", "lz4", "zstd"}
MOUNT_MAX = 65535               # characters of a mount point, with the NUL at its end
LAST_LISTED = 12                # from which on folders are no list
FLAT, FLAT_PLACE, AFTER_SLOTS = 15, 245, 41     # the version whose folders are tables, where its magic is, and what it has behind the names
CASED = (range(0x590), range(0x1E00, 0x1F00), range(0xFF21, 0xFF5B))          # blocks of letters that have capitals
CTR = 2
NOWHERE = LOWEST - 1            # a location of no record
PACKAGES = (".uasset", ".umap")
STUBS = {347: 0x9FB8BF29, 339: 0xAB722555, 232: 0xDC2DE3F6, 387: 0x672E68D3}      # that packers put beside a container: CRC-32/BZIP2 by size


def magic_at(data):
    """The places before the end that have the magic, the longest footer first."""
    for n in sorted(PLACES, reverse=True):
        if n <= len(data) and int.from_bytes(data[len(data) - n:][:4], "little") == MAGIC:
            yield n


def looks_like(file):
    """Whether there is one footer, with a version that has its magic in that place, and with the bytes before it."""
    places = list(magic_at(file.data))
    at = len(file) - places[0] if len(places) == 1 else 0
    version = file.u32(at + 4) if at else 0
    return at >= (17 if version >= 7 else 1 if version >= 4 else 0) and len(places) == 1 and version in PLACES[places[0]]


class Pak:
    """What the chapters ask of a pak."""

    def __init__(self, judgement):
        self.j, self.file = judgement, judgement.file
        self.key = None                             # which opens the index
        self.paths, self.entries, self.locations = None, [], None
        self.lost = False                           # whether there are files of which nobody knows where they are

    # -- the footer

    def read_footer(self):
        j, file = self.j, self.file
        places = list(magic_at(file.data))
        if j.fire("PAK001", len(places) != 1):
            return False
        place = places[0]
        at = self.magic_at = len(file) - place
        self.version = file.u32(at + 4)
        if j.fire("PAK039", self.version > LAST_LISTED and (self.version, place) != (FLAT, FLAT_PLACE)):
            return False
        if j.fire("PAK002", self.version not in PLACES[place]):
            return False
        self.footer_at = at - (17 if self.version >= 7 else 1 if self.version >= 4 else 0)
        if j.fire("PAK002", self.footer_at < 0):
            return False
        j.version = str(self.version)
        j.region("footer", self.footer_at, len(file) - self.footer_at)
        self.form = Form(self.version, place == 172)
        self.index_at, self.index_size = file.number(at + 8, 8, signed=True), file.number(at + 16, 8, signed=True)
        self.index_hash = file.bytes(at + 24, 20)
        self.flag = file.u8(at - 1) if self.version >= 4 else 0
        self.guid = file.bytes(at - 17, 16) if self.version >= 7 else bytes(16)
        self.frozen = file.u8(at + 44) if self.version == 9 else 0
        names, end = at + 44 + (self.version == 9), len(file)
        self.method, self.vectors = 1, [b""] * 3
        if self.version == FLAT:
            end -= AFTER_SLOTS
            self.method, self.vectors = file.u8(end + 4), [file.bytes(i, 12) for i in range(end + 5, len(file), 12)]
        self.form.has_vectors = self.method == CTR
        self.slots = [file.bytes(i, SLOT) for i in range(names, end - SLOT + 1, SLOT)] if self.version >= 8 else []
        return True

    @property
    def encrypted(self):
        return self.flag != 0

    @property
    def in_blocks(self):
        """Whether the index is encrypted in ECB mode."""
        return self.encrypted and self.method == 1

    def decrypt(self, data, key, vector):
        return add_counter(data, key, vector) if self.method == CTR else decrypt(data, key)

    def judge_footer(self):
        j = self.j
        targets.judge_pak(j, self.version)
        j.fire("PAK005", self.frozen)
        j.fire("PAK006", self.flag > 1)
        j.fire("PAK008", any(0 not in slot or not slot.split(b"\0")[0].isascii() for slot in self.slots))
        places = [slot.split(b"\0")[0].decode("latin-1").lower() for slot in self.slots]
        self.methods = [name for name in places if name]
        j.fire("PAK050", places[:len(self.methods)] != self.methods)
        j.fire("PAK032", any(self.guid) and not self.own_keys())
        j.fire("PAK007", self.in_blocks and self.index_size % 16)
        return not j.fire("PAK003", not self.lies(self.index_at, self.index_size)) and not self.frozen

    def lies(self, at, size):
        return at >= 0 and size >= 0 and at + size <= self.footer_at

    def own_keys(self):
        own = "".join(f"{int.from_bytes(self.guid[i:i + 4], 'little'):08x}" for i in range(0, 16, 4))
        lines = [keys.parse(line) for line in self.file.keys or ()]
        return [line[1] for line in lines if line and line[0] in (None, own)]

    # -- tables

    def table(self, at, size, digest, rule, vector):
        """The bytes of an index as they are when decrypted, or None."""
        data = self.file.bytes(at, size)
        if not self.encrypted:
            self.j.fire(rule, hashlib.sha1(data).digest() != digest)
            return data
        if self.j.fire("RUN009", self.method not in (1, CTR)) or self.j.fire("PAK007", self.in_blocks and size % 16):
            return None
        for key in self.own_keys():
            plain = self.decrypt(data, key, vector)
            if hashlib.sha1(plain).digest() == digest:
                self.key = key
                return plain
        if self.key is None:
            self.j.fire("RUN009")
            return None
        self.j.fire(rule)
        return self.decrypt(data, self.key, vector)

    def read_index(self):
        data = self.table(self.index_at, self.index_size, self.index_hash, "PAK004", self.vectors[0])
        if data is None:
            return
        index = (pak_index.Legacy if self.version < 10 else pak_index.Index)(data, self.form)
        self.j.region("index", self.index_at, self.index_size)
        self.j.fire("PAK009", index.mount.odd or len(index.mount.units) + 1 > MOUNT_MAX)
        index.read_head(self.j.work)
        self.judge_mount(index.mount.units)
        if self.version < 10:
            index.read_entries(self.j.work)
            self.entries = index.entries
            self.paths = [e.path for e in self.entries]
        self.index = index
        if self.version >= 10:
            self.read_tables()
        else:
            self.judge_left(self.index.left)

    def judge_left(self, left):
        self.j.fire("PAK035", left > (15 if self.encrypted else 0))

    def read_tables(self):
        hashes, folders = self.index.tables
        self.j.fire("PAK042", any(flag > 1 for flag in self.index.flags))
        self.j.fire("PAK007", self.in_blocks and any(t and t.size % 16 for t in (hashes, folders)))
        with_rows = self.read_one(hashes, pak_index.read_hashes, self.vectors[1])
        found = self.read_one(folders, pak_index.read_tables if self.version == FLAT else pak_index.read_folders, self.vectors[2])
        rows, self.paths = with_rows and with_rows.rows, found and found.paths
        if with_rows:
            self.j.fire("PAK039", not with_rows.is_whole)
            self.judge_kept(with_rows)
            self.compare_kept(with_rows)
        self.j.fire("PAK013", self.parts_overlap())
        locations = [p.location for p in self.paths] if self.paths is not None else [location for _, location in rows or ()]
        if rows is None and self.paths is None:
            self.lost = True
            return
        n, more = len(locations), []
        if rows is not None and self.paths is not None:
            listed = {self.index.known(location) for location in locations} | {LOWEST}
            more = [location for _, location in rows if self.index.known(location) not in listed]
        locations += more
        if any(self.index.is_strange(location) for location in locations):
            raise Bad("RUN009")
        self.j.fire("PAK041", self.index.count != n)
        self.j.fire("PAK043", more)
        if rows is not None and self.paths is not None:
            for _, location in rows:
                self.judge_location(location)
            self.j.fire("PAK017", self.disagree(rows))
        elif rows is not None:
            self.judge_repeated(rows)
        if found:
            self.j.fire("PAK017", found.own and self.own_disagree(found.own))
            self.j.fire("PAK054", found.strays)
            self.judge_folders(found)
        for part in (self.index, with_rows, found):
            self.judge_left(part.left if part else 0)
        self.locations = locations
        self.read_entries(locations)

    def judge_kept(self, part):
        """The names and locations of the folders that an index of hashes keeps."""
        for folder in part.folders:
            self.j.fire("PAK009", folder.odd)
            self.j.fire("PAK010", escapes(folder.units.removeprefix("/")))
        for path in part.paths:
            self.j.fire("PAK009", path.odd)
            self.j.fire("PAK010", escapes(path.name))
            self.judge_location(path.location)

    def compare_kept(self, part):
        """The files of these folders with the paths, or, where there are none, with the hashes."""
        if self.paths is not None:
            known = grouped((fold_ascii(path.raw), path.location) for path in self.paths)
            ways = [[fold_ascii(path.raw)] for path in part.paths]
        else:
            known = grouped(part.rows)
            ways = [self.hashes_of(path) for path in part.paths]
        for path, names in zip(part.paths, ways):
            self.j.fire("PAK052", not any(path.location in known.get(name, ()) for name in names))

    def judge_folders(self, part):
        names = [folder.units for folder in part.folders]
        below = [fold_ascii(name.removeprefix("/")) for name in names]
        self.j.fire("PAK045", len(set(below)) < len(below))
        misnamed = any(not name.endswith("/") or (name[0] == "/" and name != "/") for name in names)
        self.j.fire("PAK046", misnamed or any("/" in path.name for path in part.paths))

    def judge_location(self, location):
        """Whether a location is that of a record, or says that there is none."""
        lost = location != LOWEST and self.index.known(location) == LOWEST
        return self.j.fire("PAK016" if location < 0 else "PAK015", lost)

    def place(self, location):
        """The same for all locations that are those of no record, and another one for those without."""
        known = self.index.known(location)
        return known if known != LOWEST or location == LOWEST else NOWHERE

    def disagree(self, rows):
        """Whether hashes and paths say different things. A path is held against the rows of its hash in turn."""
        self.judge_repeated(rows)
        by_hash = grouped((value, self.place(location)) for value, location in rows)
        mine = self.by_hash(by_hash)
        listed = {self.place(p.location) for p in self.paths} | {LOWEST, NOWHERE}
        for value, paths in mine.items():
            places = by_hash.get(value, [])
            if len(places) < len(paths) or any(self.place(p.location) != place for p, place in zip(paths, places)):
                return True
        return any(value not in mine and places[0] in listed for value, places in by_hash.items())

    def by_hash(self, rows):
        """The paths of each hash. One beyond ASCII has the first of its hashes that has a row."""
        return grouped((next((h for h in self.hashes_of(p) if h in rows), self.hashes_of(p)[0]), p) for p in self.paths)

    def judge_repeated(self, rows):
        """Rows of one hash: where they lead to one place, or a path stands twice, that is the lesser one."""
        by_hash = grouped(rows)
        mine = self.by_hash(by_hash) if self.paths is not None else {}
        listed = {self.index.known(p.location) for p in self.paths or ()} | {LOWEST}
        more = {location for _, location in rows if self.index.known(location) not in listed}
        seen, again = set(), set()
        for path in self.paths or ():
            if fold_ascii(path.text) in seen:
                again.add(path)
            seen.add(fold_ascii(path.text))
        for value, locations in by_hash.items():
            paths = mine.get(value, [])
            for i in range(1, len(locations)):
                self.j.fire("PAK044", lesser=locations[i] == locations[i - 1] or (i < len(paths) and paths[i] in again and not more & set(locations[i - 1:i + 1])))

    def hashes_of(self, path):
        """By the letters that may be made small: those of ASCII, of Latin-1, or all."""
        return [pak_index.hash_path(spelling, self.index.seed, self.version) for spelling in spellings(path.text)]

    def own_disagree(self, own):
        """The same of the hashes that the full directory index has itself."""
        values = [value for value, _ in own]
        listed = {self.index.known(p.location) for p in self.paths}
        if any(location != LOWEST and self.index.known(location) not in listed - {LOWEST} for _, location in own):
            return True
        unlike = any(all((h, p.location) not in own for h in self.hashes_of(p)) for p in self.paths)
        return any(b <= a for a, b in zip(values, values[1:])) or len(own) != len(self.paths) or unlike

    def read_one(self, table, read, vector):
        if table is None:
            return None
        if self.j.fire("PAK013", not self.lies(table.at, table.size)):
            return None
        data = self.table(table.at, table.size, table.digest, "PAK014", vector)
        try:
            return None if data is None else read(data, self.version, self.j.work)
        except Bad as bad:
            self.j.fire(bad.rule)
            return None

    def parts(self):
        """Where the index and its parts lie."""
        tables = self.index.tables if self.version >= 10 else ()
        return sorted([(self.index_at, self.index_at + self.index_size)] + [(t.at, t.at + t.size) for t in tables if t and self.lies(t.at, t.size)])

    def parts_overlap(self):
        parts = self.parts()
        return any(b[0] < a[1] for a, b in zip(parts, parts[1:]))

    def read_entries(self, locations):
        """Of packed records each is read from the end of the one before; a location inside one that is read is nobody's."""
        j, known, unused, whole = self.j, {}, 0, True
        for i, location in enumerate(locations):
            if location == LOWEST:
                continue
            if self.judge_location(location):
                self.lost, whole = True, False
            elif not j.fire("PAK018", location in known):
                known[location] = i
        end = 0
        for location, i in sorted(known.items()):
            if j.fire("PAK015", 0 <= location < end):
                self.lost, whole = True, False
                continue
            try:
                e = self.index.entry(location)
            except Bad as bad:
                j.fire(bad.rule)
                self.lost, whole = True, False
                continue
            if e.packed:
                unused += location - end
                end = e.end
            e.path = self.paths[i] if i < len(self.paths or ()) else None
            self.entries.append(e)
        unused += len(self.index.packed) - end + sum(-i - 1 not in known for i in range(len(self.index.records)))
        j.fire("PAK035", whole and unused)

    # -- names

    def judge_mount(self, mount):
        folders = re.split(r"[/\\]", mount)
        down = next((i for i, f in enumerate(folders) if f != ".."), len(folders))       # where the first one is that leads down
        self.j.fire("PAK010", re.match(r"[A-Za-z]:|[/\\]{2}", mount) or down > 3 or ".." in folders[down:], lesser=True)

    def judge_paths(self):
        j = self.j
        for path in self.paths or ():
            j.fire("PAK009", path.odd)
            j.fire("PAK010", escapes(path.text) or escapes(path.directory))
            j.fire("PAK051", is_unportable(path.name_text, path.name))
            j.fire("PAK051", path.folder and path.directory.removesuffix("/") and is_unportable(path.folder, path.directory.removesuffix("/")))
        folded = [fold_ascii(p.text) for p in self.paths or ()]
        j.fire("PAK018", len(set(folded)) < len(folded))
        beside = self.file.beside
        if beside is None:
            j.leave_open(members.SETS, "PAK061")
        else:
            others = {fold_ascii(n): n for n in beside.names()}
            with_container = fold_ascii(self.stem() + ".utoc") in others
            self.j.fire("PAK061", self.are_named() and not with_container and not self.file.part and fold_ascii(self.file.name[-4:]) == ".pak" and (not self.n_files() or self.is_stub()))
            stub = with_container and self.is_stub()
            j.fire("PAK059", stub)
            j.fire("PAK058", with_container and self.are_named() and not stub and self.has_live())
            j.fire("PAK037", with_container and any(path.endswith(PACKAGES) for path in folded))

    def are_named(self):
        """Whether it is known which files there are."""
        return self.version < 10 or self.locations is not None

    def n_files(self):
        return len(self.locations) if self.version >= 10 else len(self.entries)

    def has_live(self):
        """Whether a file is not deleted: by its flag, since version 10 by its location."""
        return any(p != LOWEST for p in self.locations) if self.version >= 10 else any(not e.deleted for e in self.entries)

    def is_stub(self):
        """6.5."""
        data = self.file.data
        return STUBS.get(len(data)) == crc32_bzip2(bytes(data), len(data)) if len(data) in STUBS else False

    def judge_signature(self):
        beside = self.file.beside
        sig = None if beside is None else next((n for n in beside.names() if fold_ascii(n) == fold_ascii(self.stem() + ".sig")), None)
        data = None if sig is None else beside.get(sig)
        if not self.j.fire("PAK038", sig is not None and not self.is_signature(data)) and sig is not None and self.file.level != "structure":
            n = int.from_bytes(data[8:12], "little") + 16
            pieces = range(0, len(self.file), 65536)
            self.j.fire("PAK060", any(zlib.crc32(bytes(self.file.data[at:at + 65536])) != int.from_bytes(data[n + at // 16384:][:4], "little") for at in pieces))

    def judge_name(self):
        """6.3, of a file that lies in a folder."""
        ending = ending_of(self.file.name)
        self.j.fire("PAK056", self.file.beside is not None and ending and ending != ".pak")

    def stem(self):
        return re.sub(r"\.pak\Z", "", self.file.name, flags=re.I)

    def is_signature(self, data):
        """A .sig: magic, version, a blob and a hash for each 64 KiB."""
        sig = File("", data)
        if len(sig) < 12 or sig.u32(0) != 0x73832DAA or sig.u32(4) != 1:
            return False
        n = sig.u32(8)
        return len(sig) >= 16 + n and sig.u32(12 + n) == -(-len(self.file) // 65536)

    # -- entries

    def method_name(self, e):
        """In small letters; None where there is none."""
        if e.method == 0:
            return ""
        if self.version < 8:
            return OLD_METHODS.get(e.method & ~HINTS)
        name = self.methods[e.method - 1] if e.method <= len(self.methods) else None
        return name if name in KNOWN_METHODS else None

    def judge_entries(self):
        for e in self.entries:
            self.j.work.spend(4)
            e.name = self.method_name(e)
            e.sound = self.judge_entry(e)

    def judge_entry(self, e):
        """Whether the bytes of a file can be looked at."""
        j, e.placed = self.j, False
        j.fire("PAK030", e.flags & ~3)
        if e.deleted and self.version < 10:
            j.fire("PAK031", e.size)
            return False
        j.fire("PAK048", e.deleted)
        j.fire("PAK055", not e.method and e.blocks)
        negative = j.fire("PAK020", e.size < 0 or e.whole < 0)
        self.lost = self.lost or negative
        unknown = j.fire("PAK021", e.name is None)
        if negative:
            return False
        if e.method:
            blocks = not self.form.has_blocks or self.judge_blocks(e)
        else:
            blocks = not j.fire("PAK022", e.size != e.whole)
        outside = j.fire("PAK019", e.offset < 0 or e.offset + self.form.size(e.method, len(e.blocks)) + e.stored > self.index_at)
        e.placed, self.lost = not outside, self.lost or outside
        return blocks and not outside and not unknown

    def judge_blocks(self, e):
        j, n = self.j, len(e.blocks)
        begin = self.form.size(e.method, n)
        base = 0 if self.form.relative else e.offset
        nowhere = e.offset < 0 or e.offset + begin + e.stored >= 1 << 63
        most = e.whole if n > 1 else max(e.whole, LARGE)
        bad = j.fire("PAK025", n > 1 and e.unit == 0 or n == 1 and not e.packed and e.unit == 0 < e.whole)
        bad = j.fire("PAK025", (n > 1 or n == 1 and not e.packed) and e.unit > most) or bad
        j.fire("PAK053", n == 1 and (HEEDED <= e.whole > e.unit > 0 if e.packed else max(e.whole, USUAL) < e.unit <= LARGE))
        wanted = min(n, 1) if e.whole == 0 else 1 if e.unit == 0 or n == 1 and e.packed else -(-e.whole // e.unit)
        bad = j.fire("PAK023", n != wanted and not (n > 1 and e.unit == 0)) or bad
        if nowhere:
            return False
        at = base + begin
        for first, last in e.blocks:
            if j.fire("PAK024", first != at or last <= first):
                return False
            at = base + begin + rounded(last - base - begin) if e.encrypted else last
        e.ends = at - base - begin
        return not j.fire("PAK024", n and e.ends != e.stored) and not bad

    def judge_overlaps(self):
        placed = sorted((e.offset, e.offset + self.form.size(e.method, len(e.blocks)) + e.stored) for e in self.entries if e.placed)
        self.j.fire("PAK029", any(b[0] < a[1] for a, b in zip(placed, placed[1:])))
        end = 0
        begins = {first for first, _ in placed}
        for first, last in sorted(placed + self.parts()) + [(self.footer_at, self.footer_at)]:
            padded = first in begins and self.is_padding(end, first)
            self.j.fire("PAK034", first - end > LOOSE and not padded and not self.lost)
            end = max(end, last)

    def is_padding(self, end, first):
        """Whether zeros lead to a file that is aligned for patches."""
        step = LOOSE
        while step <= first - end:
            step *= 2
        return end < first and step <= STEP_MOST and first % step == 0 and not any(self.file.bytes(end, first - end))

    def judge(self):
        self.judge_signature()
        if not self.read_footer():
            return
        self.judge_name()
        if not self.judge_footer():
            return
        self.index = None
        try:
            self.read_index()
        except Bad as bad:
            self.j.fire(bad.rule)
            return
        if self.index is None:
            return
        self.judge_paths()
        self.judge_entries()
        self.judge_overlaps()
        pak_content.judge(self)


def spellings(path):
    """The path with some of its capitals made small."""
    yield "".join(c.lower() if c.isascii() else c for c in path)
    yield "".join(c.lower() if ord(c) < 0x100 else c for c in path)
    yield "".join(c.lower() if any(ord(c) in block for block in CASED) and len(c.lower()) == 1 else c for c in path)


def grouped(pairs):
    out = {}
    for key, value in pairs:
        out.setdefault(key, []).append(value)
    return out


def escapes(path):
    return path[:1] in ("/", "\\") or "\\" in path or bool(re.match("[A-Za-z]:", path)) or ".." in path.split("/")


def is_unportable(text, units):
    return not (text.odd or escapes(units)) and not text.is_portable(units)


def judge(judgement, promises):
    """Returns the files inside whose names promise a format: the name, and where a file lies or what it is when decoded."""
    pak = Pak(judgement)
    pak.judge()
    return pak_content.members(pak, promises)
