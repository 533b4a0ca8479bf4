"""Archives of rar 4 and 5, from conformance/spec/rar.md: their blocks, what they say of members, and the bytes of those that are stored. What is
compressed is not decoded here."""
import itertools
import zlib

from . import filenames, members, second
from .core import Cut, read_layout, size_of

EXTENSIONS = ["rar"]
OTHERS = {"zip", "7z", "tar", "gz", "tgz", "xz", "txz", "zst", "bz2", "tbz", "jar", "pk3", "cab", "ace"}
RULES = {f"ARC{n:03}" for n in (1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 14, 15, *range(120, 130), 153, 154, 180, 182, 183, 184)}
LABELS = {"signature", "header", "file"}
DECODED = {"ARC011", "ARC012"}          # of compressed members these are left open
PACKAGE, CONTAINER = (0x9E2A83C1).to_bytes(4, "little"), b"-==--==--==--==-"
RAR4, RAR5, ANCIENT = b"Rar!\x1a\x07\x00", b"Rar!\x1a\x07\x01\x00", b"RE~^"
SIGNATURE = (("magic", 4), ("mark", 2), ("form", 1))
BLOCK = (("crc", 2), ("type", 1), ("flags", 2), ("head_len", 2))
FILE = (("packed", 4), ("size", 4), ("host", 1), ("crc", 4), ("time", 4), ("version", 1), ("method", 1), ("name_len", 2), ("attributes", 4))
ARCHIVE, MEMBER, SERVICE, END = 0x73, 0x74, 0x7A, 0x7B
OLD = range(0x75, 0x7A)
LEAST = {ARCHIVE: 13, MEMBER: 32, SERVICE: 32}
RAR3 = 29
HEAD_MOST, VINT_MOST = 2 << 20, 10
MIB = 1 << 20
EXTRA_OF_FILES, EXTRA_OF_ARCHIVES = range(1, 8), range(1, 3)
DIRECTORY, LINK = "folder", "link"


def looks_like(file):
    first = file.bytes(0, min(members.BLOCK, len(file)))
    return first.startswith((RAR4, RAR5)) or (filenames.extension(file.name) in EXTENSIONS and members.signature(first) is None)


class Member:
    """What is listed: kind is None for a file. needs is what keeps its bytes from being looked at."""

    def __init__(self, name, at, packed, size):
        self.name, self.at, self.packed, self.size = name, at, packed, size
        self.kind, self.crc, self.stored, self.version, self.has_blake2 = None, None, False, 0, False
        self.encrypted = self.split = self.cut = self.unknown = self.solid = self.redirected = False
        self.seen = set()


class Stop(Exception):
    """The blocks end here."""


class Archive:
    def __init__(self, j, version):
        self.j, self.file, self.version, self.size = j, j.file, version, len(j.file)
        self.at = self.end = 7 if version == 4 else 8
        self.members, self.n_blocks = [], 0
        self.has_end = self.volume = self.encrypted = self.solid = self.stopped = self.has_header = False
        self.begins = True

    def walk(self):
        try:
            while self.at < self.size and not self.has_end and not self.encrypted:
                self.j.work.spend(10)
                self.block()
        except Stop:
            self.stopped = True
        if self.n_blocks == 0 and not self.stopped:
            self.truncated(stops=False)
            self.stopped = True

    def truncated(self, stops=True):
        self.j.fire("ARC004", not self.volume)
        if stops:
            raise Stop

    def malformed(self):
        self.j.fire("ARC122")
        raise Stop

    def add(self, head, data, sound, is_header=False):
        """Moves on after a block; Stop where its data is not all there. It returns how many bytes of its data are."""
        self.first(is_header)
        self.n_blocks += 1
        left = self.size - self.at - head
        there = min(data, left)
        self.at = self.end = self.at + head + there
        return there == data

    def leave(self, whole, sound):
        if whole:
            return
        if sound:
            self.truncated()
        self.malformed()

    def first(self, is_header):
        if self.n_blocks == 0:
            self.begins = is_header

    def header(self):
        self.j.fire("ARC182", self.has_header)
        self.has_header = True

    def kind_of(self, m, is_folder, is_unix, attributes, is_old=False):
        """What a member is by flags, mode or attributes (archive.md, 2.22); None: a file."""
        bytes_ = bool(m.packed or m.declared)
        self.differs(m, self.version == 4 and not is_unix and attributes & 8)
        mode = attributes & 0o170000 if is_unix else 0o040000 if attributes & 0x10 else 0
        kind = {0o040000: DIRECTORY, 0o120000: LINK}.get(mode, special(mode))
        unlike = False
        if is_folder:
            unlike, kind = bytes_ or kind != DIRECTORY, None if bytes_ else DIRECTORY
        elif kind not in (None, LINK):
            unlike = bytes_ or (kind == DIRECTORY and not is_old)
            kind = None if kind == DIRECTORY and bytes_ else kind
        self.differs(m, unlike)
        return kind

    def differs(self, m, really):
        self.j.fire("ARC180", really, lesser=not (m.packed or m.size))

    def needs_end(self):
        return self.version == 5 or not self.members or any(m.version >= RAR3 for m in self.members)


# --------------------------------------------------------------------------------------------------------------- rar 4

class Rar4(Archive):
    def block(self):
        left = self.size - self.at
        first = self.file.bytes(self.at, min(7, left))
        if not any(first) and not self.needs_end() and not any(self.file.bytes(self.at, left)):
            self.at = self.size
            return
        if left < 7:
            self.truncated()
        b = read_layout(self.file, self.at, BLOCK)
        least = LEAST.get(b["type"], 11 if b["flags"] & 0x8000 else 7)
        if b["head_len"] < least:
            self.malformed()
        if b["head_len"] > left:
            self.truncated()
        head = self.file.bytes(self.at, b["head_len"])
        summed = head[2:13] if b["type"] == ARCHIVE and b["flags"] & 2 else head[2:]
        sound = zlib.crc32(summed) & 0xFFFF == b["crc"]
        known = ARCHIVE <= b["type"] <= END
        self.j.fire("ARC120", not sound and b["type"] not in OLD and not (b["type"] == MEMBER and b["flags"] & 8))
        self.j.region("header", self.at, 7, b)
        if not known and not sound:
            self.add(b["head_len"], 0, True)
            raise Stop
        if b["type"] in (MEMBER, SERVICE):
            self.member(b, head, sound)
            return
        self.j.fire("ARC127", not known, lesser=b["flags"] & 0x4000)
        self.j.fire("ARC128", b["type"] in (0x76, 0x78, 0x79))
        data = int.from_bytes(head[7:11], "little") if b["flags"] & 0x8000 else 0
        if b["type"] == ARCHIVE:
            self.volume = self.volume or bool(b["flags"] & 1)
        whole = self.add(b["head_len"], data, sound, b["type"] == ARCHIVE)
        if b["type"] == ARCHIVE:
            self.header()
            self.j.fire("ARC128", b["flags"] & 4)
            self.solid = self.solid or bool(b["flags"] & 8)
            self.encrypted = self.encrypted or bool(b["flags"] & 0x80)
        if b["type"] == END:
            self.has_end = True
        self.leave(whole, sound)

    def member(self, b, head, sound):
        at = self.at
        f = read_layout(self.file, at + 7, FILE)
        begin, packed, size, fits = 32, f["packed"], f["size"], True
        if b["flags"] & 0x100:
            fits = len(head) >= 40
            if fits:
                packed += int.from_bytes(head[32:36], "little") << 32
                size += int.from_bytes(head[36:40], "little") << 32
                begin = 40
        fits = fits and begin + f["name_len"] <= len(head)
        if not fits:
            self.j.fire("ARC122")
            self.stopped = True
            self.leave(self.add(len(head), packed, sound), sound)
            return
        self.j.region("file", at + 7, size_of(FILE), f)
        stored = head[begin:begin + f["name_len"]]
        if b["type"] == SERVICE:
            self.j.fire("ARC126", stored == b"STM")
            self.j.fire("ARC128", stored in (b"RR", b"AV"))
            self.leave(self.add(len(head), packed, sound), sound)
            return
        m = Member(self.name(stored, b["flags"] & 0x200), at + len(head), packed, size)
        m.declared = size
        m.kind = self.kind_of(m, b["flags"] & 0xE0 == 0xE0, 3 <= f["host"] <= 5, f["attributes"], f["version"] < 20)
        self.j.fire("ARC183", f["host"] > 5)
        self.j.fire("ARC184", not b["flags"] & 8 and not ends_as_said(head[begin + f["name_len"]:], b["flags"]))
        self.differs(m, m.kind is None and m.name[-1:] in ("/", "\\") and m.name)
        m.crc, m.version, m.stored = f["crc"], f["version"], f["method"] == 0x30
        m.encrypted, m.split = bool(b["flags"] & 4), bool(b["flags"] & 3)
        if not m.stored and m.kind is None:
            if self.j.fire("ARC010", not 0x30 <= f["method"] <= 0x35) or self.j.fire("ARC123", not RAR3 <= m.version <= 36) \
                    or self.j.fire("ARC124", b["flags"] & 0x10 or self.solid):
                m.unknown = True
        self.volume = self.volume or m.split
        whole = self.add(len(head), packed, sound)
        m.cut = not whole
        self.members.append(m)
        self.leave(whole, sound)

    def name(self, stored, is_unicode):
        """A name whose separators are /."""
        plain, nul, packed = stored.partition(b"\0") if is_unicode else (stored, b"", b"")
        if not is_unicode:
            before = stored.partition(b".")[0].replace(b"\\", b"")
            self.j.fire("ARC129", before and not before.strip(b"?"))
        if nul:
            wide, is_whole = unpack_name(plain, packed, len(stored))
            self.j.fire("ARC154", is_whole and are_two_names(plain, wide))
            return wide.replace("\\", "/")
        return text_of(stored).replace("\\", "/")


def ends_as_said(rest, flags):
    """Whether what follows the name of a member is what its flags say (2.5)."""
    f = Fields(rest)
    try:
        f.take(8 if flags & 0x400 else 0)
        times = f.number(2) if flags & 0x1000 else 0
        for i in range(4):
            own = times >> 4 * (3 - i)
            f.take((own & 3) + (4 if i else 0) if own & 8 else 0)
        return f.left() == 0
    except Short:
        return False


def special(mode):
    return "device" if mode in (0o020000, 0o060000, 0o010000, 0o140000) else None


def text_of(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def unpack_name(plain, packed, most):
    """UTF-16 out of the two forms of a name (2.3), which ends where it is cut, and whether it is not."""
    out, at, is_whole = [], 1, bool(packed)
    high = packed[0] if packed else 0
    codes = shift = 0
    try:
        while at < len(packed):
            if shift == 0:
                codes, shift = packed[at], 8
                at += 1
                if at >= len(packed):
                    break
            shift -= 2
            code = codes >> shift & 3
            if code == 0:
                out.append(packed[at])
                at += 1
            elif code == 1:
                out.append(packed[at] | high << 8)
                at += 1
            elif code == 2:
                out.append(packed[at] | packed[at + 1] << 8)
                at += 2
            else:
                n = packed[at]
                at += 1
                add = 0
                if n & 0x80:
                    add = packed[at]
                    at += 1
                for _ in range((n & 0x7F) + 2):
                    own = plain[len(out)] if len(out) < len(plain) else 0
                    out.append((own + add) % 256 | (high << 8 if n & 0x80 else 0))
    except IndexError:
        is_whole = False
    return "".join(map(chr, out[:most])), is_whole and len(out) <= most


def are_two_names(plain, wide):
    """Compares the two forms of a name from their ends, as far as both are ASCII (2.3)."""
    for x, y in itertools.zip_longest(reversed(plain), reversed(wide)):
        if (x or 0) >= 0x80 or (y or "a") >= "\x80":
            return False
        if x is None or y is None or chr(x) != y:
            return x is None or y is None or chr(x) not in "?_"
    return False


# --------------------------------------------------------------------------------------------------------------- rar 5

class Short(Exception):
    """A number or a field is not all there."""


class Fields:
    """A stretch of bytes that is read from its beginning."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        if n > len(self.data) - self.at:
            raise Short
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self, n):
        return int.from_bytes(self.take(n), "little")

    def vint(self):
        value = 0
        for i in range(VINT_MOST):
            byte = self.number(1)
            value |= (byte & 0x7F) << 7 * i
            if byte < 0x80:
                break
        else:
            raise Short
        if value >= 1 << 64:
            raise Short
        return value

    def left(self):
        return len(self.data) - self.at


class Rar5(Archive):
    copies_at, services = 0, ()

    def block(self):
        left = self.size - self.at
        if left < 7:
            self.truncated()
        start = Fields(self.file.bytes(self.at, min(14, left)))
        crc = start.number(4)
        try:
            size = start.vint()
        except Short:
            self.malformed()
        if not 2 <= size <= HEAD_MOST:
            self.malformed()
        length = start.at + size
        if length > left:
            self.truncated()
        head = self.file.bytes(self.at, length)
        sound = zlib.crc32(head[4:]) == crc
        self.j.fire("ARC120", not sound)
        self.j.region("header", self.at, 4, {"crc": crc})
        fields = Fields(head)
        fields.at = start.at
        kind, data, extra, whole_fields = 0, 0, b"", True
        try:
            kind = fields.vint()
            flags = fields.vint()
            extra_len = fields.vint() if flags & 1 else 0
            data = fields.vint() if flags & 2 else 0
            if extra_len > fields.left():
                raise Short
            extra = head[length - extra_len:]
            fields.data = head[:length - extra_len]
        except Short:
            whole_fields = False
        if not sound and not 1 <= kind <= 5:
            self.add(length, 0, True)
            raise Stop
        if not whole_fields:
            self.short(length, data, sound)
            return
        m, self.has_copies = None, False
        try:
            if kind == 1:
                self.archive(fields)
            elif kind in (2, 3):
                m = self.member(fields, flags, kind)
            elif kind == 5:
                fields.vint()
            self.j.fire("ARC122", kind in (1, 2, 3) and fields.left())
        except Short:
            self.j.fire("ARC122")
            self.stopped, m = True, None
            if kind == 1:
                self.header()
            if kind == 5 or kind == 1:
                self.leave(self.add(length, data, sound), sound)
                if kind == 5:
                    raise Stop from None
                return
            self.leave(self.add(length, data, sound), sound)
            return
        if kind in (1, 2, 3):
            self.extra(extra, m, EXTRA_OF_ARCHIVES if kind == 1 else EXTRA_OF_FILES)
        elif kind not in (4, 5):
            self.j.fire("ARC127", lesser=flags & 4)
        begin = self.at + length
        self.volume = self.volume or (m is not None and m.split)
        if self.has_copies:
            self.services += ((begin - length, begin, min(data, self.size - begin)),)
        whole = self.add(length, data, sound, kind == 1)
        if kind == 1:
            self.header()
        if m is not None and kind == 2:
            m.at, m.packed, m.cut = begin, data, not whole
            if m.size is None:
                m.size = data
            self.members.append(m)
            self.judge_kind(m)
            self.judge_method(m)
        if kind == 5:
            self.has_end = True
        if kind == 4:
            self.encrypted = True
        self.leave(whole, sound)

    def short(self, length, data, sound):
        self.j.fire("ARC122")
        self.stopped = True
        self.leave(self.add(length, data, sound), sound)

    def archive(self, fields):
        flags = fields.vint()
        if flags & 2:
            fields.vint()
        self.volume = self.volume or bool(flags & 1)
        self.j.fire("ARC128", flags & 0x18)

    def member(self, f, block_flags, kind):
        flags, size, attributes = f.vint(), f.vint(), f.vint()
        if flags & 2:
            f.number(4)
        crc = f.number(4) if flags & 4 else None
        method, host, name_len = f.vint(), f.vint(), f.vint()
        name = f.take(name_len)
        if kind == 3:
            self.j.fire("ARC126", name == b"STM")
            self.j.fire("ARC128", name in (b"RR", b"AV"))
            self.has_copies = name == b"QO" and method >> 7 & 7 == 0
            return None
        m = Member(text_of(name), 0, 0, size)
        m.folder, m.attributes, m.host, m.declared = bool(flags & 1), attributes, host, size
        m.crc, m.method, m.algorithm = crc, method >> 7 & 7, method & 0x3F
        m.stored, m.solid = m.method == 0, bool(method & 0x40)
        m.dictionary = 131072 << (method >> 10 & 15)
        m.size_unknown = bool(flags & 8)
        m.split = bool(block_flags & 0x18)
        m.version = RAR3
        if m.size_unknown and m.stored:
            m.size = None
        return m

    def judge_kind(self, m):
        self.j.fire("ARC183", m.host > 1)
        if not m.redirected:
            m.kind = self.kind_of(m, m.folder, m.host == 1, m.attributes)
        self.differs(m, m.kind == LINK and m.packed)
        self.differs(m, m.kind is None and m.name[-1:] in ("/", "\\") and m.name)

    def judge_method(self, m):
        if m.stored or m.kind is not None:
            return
        m.unknown = self.j.fire("ARC010", m.method > 5) or self.j.fire("ARC123", m.algorithm > 0) \
            or self.j.fire("ARC125", m.dictionary > 64 * MIB or m.size_unknown)

    def extra(self, data, m, known):
        area = Fields(data)
        while area.left():
            try:
                record = Fields(area.take(area.vint()))
                kind = record.vint()
            except Short:
                self.j.fire("ARC122")
                return
            if self.j.fire("ARC127", kind not in known):
                continue
            self.j.fire("ARC122", not record_ends(record.data[record.at:], known is EXTRA_OF_ARCHIVES, kind))
            try:
                if m is not None:
                    self.record(kind, record, m)
                elif known is EXTRA_OF_ARCHIVES and kind == 1:
                    back = record.vint() & 1 and record.vint()
                    self.copies_at = self.at + back if back else 0
            except Short:
                self.j.fire("ARC122")

    def record(self, kind, record, m):
        self.j.fire("ARC182", kind in m.seen)
        m.seen.add(kind)
        if kind == 1:
            m.encrypted = True
        elif kind == 2:
            m.has_blake2 = record.vint() == 0 and record.left() == 32
        elif kind == 5:
            how = record.vint()
            record.vint()
            record.take(record.vint())
            if not self.j.fire("ARC127", not 1 <= how <= 5):
                m.kind, m.redirected = LINK, True


def record_ends(data, is_of_archive, kind):
    """Whether an extra record ends where its fields do (3.3)."""
    f = Fields(data)
    try:
        if is_of_archive and kind == 1:
            flags = f.vint()
            for _ in range((flags & 1) + (flags >> 1 & 1)):
                f.vint()
        elif is_of_archive or kind in (1, 7):
            return True
        elif kind == 2:
            f.take(32 if f.vint() == 0 else f.left())
        elif kind == 3:
            flags = f.vint()
            f.take((flags >> 1 & 7).bit_count() * (4 if flags & 0x11 == 1 else 8))
        elif kind == 6:
            flags = f.vint()
            for _ in range((flags & 1) + (flags >> 1 & 1)):
                f.take(f.vint())
            for _ in range((flags >> 2 & 1) + (flags >> 3 & 1)):
                f.vint()
        else:
            f.vint(), f.vint()
            if kind == 5:
                f.take(f.vint())
        return f.left() == 0
    except Short:
        return False


def copy_defects(a):
    """Whether each copy of a header is another than the header, False, or of no use, True (3.6)."""
    for at, begin, length in a.services:
        rest = Fields(bytes(a.file.data[begin:begin + length]))
        while rest.left():
            try:
                crc, start = rest.number(4), rest.at
                size = rest.vint()
                if rest.at - start > 3:
                    raise Short
                body = Fields(rest.take(size))
                summed = rest.data[start:rest.at]
                body.vint()
                back, n = body.vint(), body.vint()
                if n != body.left():
                    raise Short
            except Short:
                yield True
                break
            if zlib.crc32(summed) != crc or back > at:
                yield True
            elif bytes(a.file.data[at - back:at - back + n]) != body.take(n):
                yield False


def hidden_copies(a):
    """The same of the place of copies that the archive's header names."""
    if a.copies_at and a.copies_at < a.size and all(at != a.copies_at for at, *_ in a.services):
        f = Fields(bytes(a.file.data[a.copies_at:a.copies_at + 256]))
        try:
            f.number(4)
            f.vint()
            is_service = f.vint() == 3
            flags = f.vint()
            for _ in range((flags & 1) + (flags >> 1 & 1)):
                f.vint()
            own = f.vint()
            f.vint(), f.vint()
            f.take(4 * ((own >> 1 & 1) + (own >> 2 & 1)))
            f.vint(), f.vint()
            yield not (is_service and f.take(f.vint()) == b"QO")
        except Short:
            yield True


# ------------------------------------------------------------------------------------------------------------- all of it

def judge(j, promises):
    file = j.file
    first = file.bytes(0, min(members.BLOCK, len(file)))
    if not first.startswith((RAR4, RAR5)):
        if not j.fire("ARC003", first.startswith(ANCIENT)):
            j.fire("ARC001")
        return []
    j.region("signature", 0, *((7, read_layout(file, 0, SIGNATURE)) if first.startswith(RAR4) else (8,)))
    j.fire("ARC002", filenames.extension(file.name) in OTHERS)
    a = (Rar4 if first.startswith(RAR4) else Rar5)(j, 4 if first.startswith(RAR4) else 5)
    a.walk()
    if a.volume:
        j.fire("ARC009")
    if j.fire("ARC008", a.encrypted):
        a.stopped = True
    if not a.stopped:
        j.fire("ARC182", not a.begins, lesser=True)
        defects = [*copy_defects(a), *hidden_copies(a)] if a.version == 5 else []
        j.fire("ARC153", defects, lesser=all(defects))
        j.fire("ARC121", not a.has_end and a.needs_end())
        judge_tail(j, a)
        j.fire("ARC014", all(m.kind == DIRECTORY for m in a.members))
        j.fire("ARC007", any(m.encrypted for m in a.members))
    covers = [(second.PACKED if not m.stored else second.PART if m.split else second.WHOLE, m.at, m.packed) for m in a.members]
    second.judge(j, "rar", file.bytes(0, a.size), a.size if a.encrypted else a.end, covers)
    for m in a.members:
        judge_stream(j, m)
    return judge_bytes(j, a, promises)


def judge_tail(j, a):
    tail = j.file.bytes(a.end, a.size - a.end)
    if tail and not (a.volume and a.version == 5 and tail == bytes(7)):
        j.fire("ARC006", lesser=not any(tail))


def judge_stream(j, m):
    name = m.name
    if len(name) > 1 and name[1] == ":" and name[0].isascii() and name[0].isalpha():
        name = name[2:]
    last = name.replace("\\", "/").rpartition("/")[2]
    j.fire("ARC126", ":" in last and last.index(":") + 1 < len(last))


def judge_bytes(j, a, promises):
    """The files in it whose bytes lie there."""
    inside, parts = [], []
    for m in a.members:
        is_file = m.kind is None or (m.kind == LINK and a.version == 4)
        if not is_file or m.encrypted or m.split or m.cut or (m.packed == 0 and m.size == 0):
            continue
        if not m.stored:
            if not m.unknown and j.file.level != "structure":
                j.leave_open("rar is not decompressed", *DECODED, "ARC124")
            continue
        data = bytes(j.file.data[m.at:m.at + m.packed])
        if j.file.level != "structure":
            j.work.spend(m.packed // 64 + 1)
            if not j.fire("ARC012", m.packed != m.size):
                j.fire("ARC011", m.crc is not None and zlib.crc32(data) != m.crc)
        if m.kind is None and m.packed == m.size:
            seen = j.file.level != "structure" and (data.startswith((PACKAGE, CONTAINER)) or members.signature(data))
            place = (m.at, m.packed) if promises(m.name) is not None else (data,)
            if seen or len(place) == 2:
                (parts if m.name.lower().endswith(".pak") else inside).append((m.name, *place))
    return members.without_sets(j, inside + parts)
