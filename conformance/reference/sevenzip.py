"""7z archives, from conformance/spec/sevenzip.md: start header, header, streams, folders, members and their bytes. LZMA, LZMA2, delta and the
filters for code are decoded by Python's lzma, as far as that has them; what else can be decoded is left open."""
import lzma
import zlib

from . import filenames, members, second
from .core import Cut
from .sevenzip_streams import START, Bad, Reader, Streams

MAGIC = b"7z\xbc\xaf\x27\x1c"
LEVELS_MAX = 4
SOLID_MAX, MEMORY, LIMIT, RATIO, ALWAYS = 1 << 29, 1 << 29, 1 << 28, 1000, 1 << 24
HEADER, MAIN, FILES, ENCODED = 1, 4, 5, 0x17
NO_STREAM, EMPTY_FILE, ANTI, NAMES, ATTRIBUTES, PLACES, PADDING = 14, 15, 16, 17, 21, 24, 25
TIMES = (18, 19, 20)
TARGET_MAX = 4096
KINDS = {0o120000: "symlink", 0o020000: "device", 0o060000: "device", 0o010000: "pipe", 0o140000: "pipe"}
CONTENT = {"ARC011", "ARC012", "ARC013", "ARC091"}
RULES = (members.RULES | members.FILE_RULES | CONTENT | {f"ARC{n}" for n in range(100, 113)} |
         {"ARC006", "ARC007", "ARC008", "ARC009", "ARC015", "ARC018", "ARC180", "ARC181", "ARC214", "RUN007", "RUN015"}) - {"ARC033", "ARC042"}
LABELS = set()


class Name(members.Name):
    def __init__(self, data):                           # pylint: disable=super-init-not-called
        self.text = data.decode("utf-16-le", "surrogatepass")
        self.known, self.plain, self.legacy, self.undeclared = True, False, False, False
        self.miscoded = any("\ud800" <= c <= "\udfff" for c in self.text)


def looks_like(file):
    found = members.signature(file.data)
    return found == "7z" or (found is None and members.promise(file.name) == "7z")


# --------------------------------------------------------------------------------------------------------------- members

class Member(members.Member):
    def __init__(self, name, kind, part, runs_as_owner):
        super().__init__(name, kind, Name(b""), runs_as_owner)
        self.part, self.data = part, None
        self.content = (part.size, part.crc) if part and part.crc is not None else None


def read_files(r, streams):
    n = r.count(2)
    no_stream, empty_file, anti, names, attributes, seen = [False] * n, [], [], b"", [0] * n, set()
    while found := r.number():
        part = Reader(r.j, r.take(r.number()))
        if found in seen and NO_STREAM <= found <= ATTRIBUTES:
            raise Bad("ARC104")
        seen.add(found)
        if found == NO_STREAM:
            no_stream = part.bits(n)
        elif found in (EMPTY_FILE, ANTI):
            bits = part.bits(sum(no_stream))
            empty_file, anti = (bits, anti) if found == EMPTY_FILE else (empty_file, bits)
        elif found == NAMES:
            part.no_external()
            names = part.take(part.left())
        elif found == ATTRIBUTES:
            has_all = part.data[:1] not in (b"", b"\0")
            has = part.all_or_bits(n)
            part.no_external()
            attributes = [part.u32() if h else 0 for h in has]
            special = any(KINDS.get(a >> 16 & 0o170000) for a in attributes)
            r.j.fire("ARC181", not has_all, lesser=NAMES in seen and not special)
        elif found in TIMES:
            has = part.all_or_bits(n)
            part.no_external()
            part.take(8 * sum(map(bool, has)))
        elif found == PADDING:
            r.j.fire("ARC181", any(part.take(part.left())))
        else:
            r.j.fire("ARC181", found == PLACES, lesser=True)
            part.at = len(part.data)
        if part.left():
            raise Bad("ARC104")
    out, at, parts, empties = [], 0, iter(streams.parts), 0
    for i in range(n):
        end = at
        while end + 2 <= len(names) and names[end:end + 2] != b"\0\0":
            end += 2
        if end + 2 > len(names):
            raise Bad("ARC104")
        name, at = Name(names[at:end]), end + 2
        mode = attributes[i] >> 16
        kind, part, is_anti = KINDS.get(mode & 0o170000, "file"), None, False
        if no_stream[i]:
            kind = kind if empties < len(empty_file) and empty_file[empties] else "folder"
            is_anti = empties < len(anti) and anti[empties]
            empties += 1
        else:
            part = next(parts, None)
            if part is None:
                raise Bad("ARC104")
        is_pipe = kind == "pipe"
        m = Member(name, "file" if is_pipe else kind, part, bool(mode & 0o6000 or attributes[i] & 0x400))
        m.is_pipe, m.is_reparse, m.is_anti = is_pipe, kind in ("file", "pipe") and attributes[i] & 0x400, is_anti
        unlike = mode & 0o170000 in (0o040000, 0o020000, 0o060000) or name.text[-1:] in ("/", "\\") and name.text
        r.j.fire("ARC180", kind != "folder" and unlike, lesser=not (part and part.size))
        if part:
            part.folder.rows.append(m)
        out.append(m)
    if at < len(names) or next(parts, None) is not None:
        raise Bad("ARC104")
    return out, {True: any(anti), "member": deletes_member(out)}


def deletes_member(listed):
    """Whether a member that deletes has the key of one that does not (4.3)."""
    by_key = {}
    for m in listed:
        if m.kind != "folder":
            by_key.setdefault(m.key, set()).add(m.is_anti)
    return any(len(found) == 2 for found in by_key.values())


def reparse_target(data, size):
    """Where the data of a reparse point leads: None for no link, empty if that is not in reach (archive.md, 2.18)."""
    number = lambda at, n: int.from_bytes(data[at:at + n], "little")        # noqa: E731
    tag = number(0, 4)
    if len(data) < 8 or number(4, 2) > size - 8 or tag not in (0xA0000003, 0xA000000C, 0xA000001D):
        return None
    if tag == 0xA000001D:
        end = 8 + number(4, 2)
        return members.Name(data[12:end] if end <= len(data) else b"", False)
    names = 8 + (8 if tag == 0xA0000003 else 12)
    at, length = (number(8, 2), number(10, 2) & 0xFFFE)
    if length == 0:
        at, length = number(12, 2), number(14, 2) & 0xFFFE
    found = data[names + at:names + at + length]
    return Name(found if len(found) == length else b"")


# ------------------------------------------------------------------------------------------------------------- the bytes

class Undecoded(Exception):
    """There is no decoder here."""


def unpack(folder, packed):
    """What a folder decodes to, up to a byte more than it should; how the stream ends: whole, short, long, broken; whether bytes are left."""
    if folder.is_stored():
        return packed[:folder.size], "short" if len(packed) < folder.size else "long" if len(packed) > folder.size else "whole", False
    chain = folder.chain()
    if chain is None:
        raise Undecoded
    if chain[-1]["id"] != lzma.FILTER_LZMA2:            # Python does not know where LZMA without a mark ends
        raise Undecoded
    decoder, out = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=chain), b""
    try:
        out = decoder.decompress(packed, folder.size + 1)
        while not decoder.eof and len(out) <= folder.size and not decoder.needs_input:
            more = decoder.decompress(b"", folder.size + 1 - len(out))
            out += more
            if not more and decoder.needs_input:
                break
    except lzma.LZMAError:
        return None, "broken", False
    if len(out) > folder.size:
        return out[:folder.size], "long", False
    if not decoder.eof:
        return out, "broken", False
    return out, "short" if len(out) < folder.size else "whole", bool(decoder.unused_data)


class Archive:
    def __init__(self, j, promises):
        self.j, self.promises, self.data = j, promises, bytes(j.file.data)
        self.levels, self.streams, self.members, self.deletes = [], None, [], {True: False, "member": False}

    # The start header (1).
    def find_header(self):
        j, size = self.j, len(self.data)
        is_volume = j.file.name.lower().endswith(".7z.001")
        if size < START:
            j.fire("ARC009" if is_volume else "ARC004")
            return None
        crc, offset, length, self.crc = (int.from_bytes(self.data[a:a + n], "little") for a, n in ((8, 4), (12, 8), (20, 8), (28, 4)))
        wrong = j.fire("ARC100", crc != zlib.crc32(self.data[12:32]))
        if j.fire("ARC108", self.data[6] != 0):
            return None
        self.begin, self.end = START + offset, START + offset + length
        if self.end > size:
            j.fire("ARC101" if wrong else "ARC009" if is_volume else "ARC004")
            return None
        header = self.data[self.begin:self.end]
        return None if j.fire("ARC102", zlib.crc32(header) != self.crc) else header

    # The header, decompressed (2).
    def header(self, data):
        while True:
            r = Reader(self.j, data)
            found = r.number()
            if found == HEADER:
                self.j.fire("ARC214", len(self.levels) > 1)
                return r
            if found != ENCODED or len(self.levels) == LEVELS_MAX:
                raise Bad("ARC104")
            data = self.inner(r)

    def inner(self, r):
        s = Streams(r)
        if r.left():
            raise Bad("ARC104")
        if len(s.folders) != 1 or not s.folders[0].sound:
            raise Bad("ARC104")
        f = s.folders[0]
        if f.at + f.packed > self.begin:
            raise Bad("ARC103")
        if f.is_encrypted():
            self.j.fire("RUN015")
            raise Bad("ARC008")
        if f.is_strange():
            raise Bad("RUN007")
        if f.memory() > MEMORY or f.size > min(LIMIT, max(ALWAYS, RATIO * f.packed)):
            raise Bad(None)
        self.levels.append((f.at, f.packed))
        packed = self.data[f.at:f.at + f.packed]
        if f.ids() == [0x030101] and f.chain():
            return self.lzma_header(f, packed)
        try:
            out, how, _ = unpack(f, packed)
        except Undecoded:
            raise Bad(None) from None
        if how != "whole" or f.crc not in (None, zlib.crc32(out)):
            raise Bad("ARC102")
        return out

    @staticmethod
    def lzma_header(f, packed):
        """LZMA without a mark: the bytes come out where they are asked for; what is wrong after them Python does not tell."""
        try:
            out = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=f.chain()).decompress(packed, f.size) if f.size else b""
        except lzma.LZMAError:
            raise Bad("ARC102") from None
        if len(out) < f.size or f.crc not in (None, zlib.crc32(out)):
            raise Bad("ARC102")
        return out

    def lists(self, r):
        last, self.streams = HEADER, None
        while found := r.number():
            if found <= last or found > FILES:
                raise Bad("ARC104")
            last = found
            if found == 2:
                while r.number():
                    r.skip()
            elif found == FILES:
                self.streams = self.streams or self.none()
                self.members, self.deletes = read_files(r, self.streams)
            elif found == MAIN:
                self.streams = Streams(r)
            else:
                Streams(r)
        if r.left():
            raise Bad("ARC104")
        self.streams = self.streams or self.none()
        if last != FILES and self.streams.parts:
            raise Bad("ARC104")

    def none(self):
        return Streams(Reader(self.j, b"\0"))

    # Another archive (1.15 of archive.md).
    def second(self, covers):
        second.judge(self.j, "7z", self.data, self.end, covers)

    def covers(self):
        for m in self.members:
            f = m.part and m.part.folder
            if f and f.is_stored():
                at = f.at
                for p in self.streams.parts:
                    if p is m.part:
                        break
                    at += p.size if p.folder is f else 0
                yield second.WHOLE, at, m.part.size
        for f in self.streams.folders:
            if not f.is_stored():
                yield second.PACKED, f.at, f.packed

    # Where everything is (2.3, 2.4).
    def places(self):
        j, s = self.j, self.streams
        if j.fire("ARC103", s.at + sum(s.packs) > self.begin):
            return False
        spans = [(0, START), (s.at, s.end() - s.at), *self.levels]
        shared = [(a, b) for i, a in enumerate(spans[1:]) for b in spans[2 + i:] if max(a[0], b[0]) < min(sum(a), sum(b))]
        j.fire("ARC103", shared)
        end = 0
        for at, n in sorted(spans):
            j.fire("ARC112", at > end)
            end = max(end, at + n)
        j.fire("ARC112", end < self.begin)
        j.fire("ARC112", any(f.parts == 0 and f.packed for f in s.folders))
        tail = self.data[self.end:]
        j.fire("ARC006", tail, lesser=not tail.strip(b"\0"))
        return True

    def folders(self):
        j = self.j
        for f in self.streams.folders:
            j.fire("ARC107", not f.sound)
            if f.sound:
                j.fire("ARC105", f.is_strange())
                j.fire("ARC106", f.memory() > MEMORY)
                j.fire("ARC007", f.is_encrypted() and f.rows)
            j.fire("ARC110", f.parts > 1 and f.size > SOLID_MAX)
        for p in self.streams.parts:
            j.fire("ARC109", p.crc is None and p.folder.crc is None)
        for m in self.members:
            f = m.part and m.part.folder
            if f:
                packed = m.part.size if f.is_stored() and f.packed == f.size else f.packed
                j.fire("ARC018", m.kind == "file" and m.part.size > 1 << 20 and packed and m.part.size // 200 > packed)

    # Their bytes (5).
    def read(self, f):
        j = self.j
        if not f.sound:
            return
        if f.is_encrypted():
            j.fire("RUN015")
            return
        if f.is_strange():
            j.fire("RUN007")
            return
        if f.memory() > MEMORY or (not f.is_stored() and f.size > max(ALWAYS, RATIO * f.packed)):
            return
        try:
            out, how, left = unpack(f, self.data[f.at:f.at + f.packed])
        except Undecoded:
            j.leave_open("there is no decoder of it here", *CONTENT, "ARC016", "ARC047", "ARC190", "ARC201", "RUN007")
            self.open = True
            return
        j.fire("ARC091", left)
        j.fire("ARC012", how == "long")
        if out is None:
            j.leave_open("how far a broken stream gets, liblzma alone knows", "ARC011", "ARC016", "ARC047", "ARC190", "ARC201")
            j.fire("ARC013")
            return
        j.fire("ARC011", how == "whole" and f.crc is not None and f.parts > 1 and zlib.crc32(out) != f.crc and any(m.part.crc is None for m in f.rows))
        at = 0
        for m in f.rows:
            if at + m.part.size > len(out):
                j.fire("ARC013" if how == "broken" else "ARC012")
                at = len(out) + 1
                continue
            m.data, at = out[at:at + m.part.size], at + m.part.size
            m.first = m.data[:members.BLOCK]
            j.fire("ARC011", m.part.crc is not None and zlib.crc32(m.data) != m.part.crc)
            if m.kind == "symlink":
                m.target = members.Name(m.data[:TARGET_MAX], False)
                m.out = m.part.size > TARGET_MAX
            elif m.is_reparse and m.data:
                m.target = reparse_target(m.data[:TARGET_MAX], m.part.size)
                m.leads, m.leads_far = m.target is not None, m.target is not None and not m.target.text

    def inside(self):
        """Folder by folder; a .pak by itself in its folder after all others."""
        early, late = [], []
        for f in self.streams.folders:
            own = [m for m in f.rows if m.kind == "file" and m.data is not None and self.promises(m.name.text) is not None]
            companions = [m for m in f.rows if filenames.extension(m.name.text) in ("ucas", "uexp", "ubulk", "uptnl", "sig")]
            alone = f.is_stored() or len(own) + len(companions) < 2
            for m in own:
                (late if filenames.extension(m.name.text) == "pak" and alone else early).append(m)
        empty = [m for m in self.members if m.part is None and m.kind == "file" and self.promises(m.name.text) is not None]
        empty.sort(key=lambda m: filenames.extension(m.name.text) == "pak")
        promised = early + late + empty
        seen = [m for m in self.members if m.data and m not in promised and members.is_checked(m)]
        return [(m.name.text, m.data or b"") for m in promised + seen]


def judge(j, promises):
    if not members.judge_file(j, "7z" if bytes(j.file.data[:6]) == MAGIC else None):
        return []
    a = Archive(j, promises)
    header = a.find_header()
    if header is None:
        return []
    try:
        if header:
            a.lists(a.header(header))
        else:
            a.streams = a.none()
    except Bad as bad:
        if bad.args[0] != "ARC102":
            a.second([(second.PACKED, START, a.begin - START)])
        if bad.args[0]:
            j.fire(bad.args[0])
        else:
            j.leave_open("a limit, or no decoder here", *RULES)
        return []
    except Cut:
        return []
    a.second(list(a.covers()))
    j.fire("ARC111", a.deletes[True], lesser=not a.deletes["member"])
    a.folders()
    has_places = a.places()
    inside = []
    if has_places and j.file.level != "structure":
        for f in a.streams.folders:
            if f.rows:
                a.read(f)
        inside = a.inside()
    members.judge_members(j, a.members, False)
    return members.without_sets(j, inside)
