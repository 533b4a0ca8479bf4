"""UMOD installers, from conformance/spec/umod.md: what stands in them, and which rules of chapters 1 to 5 they break."""
import collections
import zlib

from . import filenames, manifest
from .core import Cut, read_layout
from .index import read_index

TRAILER = (("magic", 4), ("dir_offset", 4), ("file_size", 4), ("version", 4), ("crc", 4))
TRAILER_SIZE = 20
MAGIC = 0x9FE3C5A3
INT_MAX = 0x7FFFFFFF
LOOKED_AT = 4096                # where Arc looks for a program's header
SMALLEST_ENTRY = 15
MAX_UNITS = 260
GAME_FOLDERS = set("system maps textures sounds music help classes staticmeshes animations karmadata web speech manual prefabs forcefeedback "
                   "benchmark scripts saves cache logs userlogs screenshots".split())

RULES = {f"UMD{n:03}" for n in range(1, 33)}
LABELS = {"trailer", "directory", "count", "entry", "member", "executable"}
REVERSED = bytes(int(f"{b:08b}"[::-1], 2) for b in range(256))


class Member:
    """An entry of the directory."""

    def __init__(self, name, units, wide, offset, size, flags):
        self.name, self.units, self.wide = name, units, wide
        self.offset, self.size, self.flags = offset, size, flags
        self.key = filenames.fold(name)
        self.end = offset + size
        self.is_patch = False           # as far as the lines of the manifest were read


def is_uz(member):
    return filenames.extension(member.name) == "uz"


class Program:
    """A Windows program at the beginning of a file: where its sections end, its signature's place, and where a program of the other width would have it."""

    def __init__(self, file, at):
        n_sections, optional = file.u16(at + 6), file.u16(at + 20)
        magic = file.u16(at + 24)
        directories, others = (112, 96) if magic == 0x20B else (96, 112)
        self.signature_at, self.signature_size = self.security(file, at + 24 + directories)
        self.other_at = self.security(file, at + 24 + others)[0]
        self.end = at + 24
        for i in range(n_sections):
            section = at + 24 + optional + i * 40
            try:
                size, place = file.u32(section + 16), file.u32(section + 20)
            except Cut:
                break
            self.end = min(len(file), max(self.end, place + size))

    @staticmethod
    def security(file, directories):
        """Offset and size of the signature, which the fifth of the data directories gives."""
        try:
            return file.u32(directories + 4 * 8), file.u32(directories + 4 * 8 + 4)
        except Cut:
            return 0, 0


def is_of_windows(file):
    """Whether what begins with MZ goes on as a program of Windows (1.2)."""
    try:
        return file.bytes(file.u32(0x3C), 4) == b"PE\0\0"
    except Cut:
        return False


def find_program(file):
    """The program that the engine sees at the beginning of the file, or None."""
    try:
        if len(file) <= LOOKED_AT or file.bytes(0, 2) != b"MZ":
            return None
        at = file.u32(0x3C)
        return Program(file, at) if at + 24 <= LOOKED_AT and file.bytes(at, 4) == b"PE\0\0" else None
    except Cut:
        return None


def is_trailer(file, end):
    return end >= TRAILER_SIZE and file.u32(end - TRAILER_SIZE) == MAGIC


def find_trailer(file, program):
    """Where the trailer ends, how many bytes of padding follow it up to the signature, and whether one stands where only some readers look
    (2.9): at the end of the file, or before the signature that a program of the other width would have."""
    is_signed = program is not None and 0 < program.signature_at <= len(file)
    begin = program.signature_at if is_signed else len(file)
    own = [begin - padding for padding in range(8 if is_signed else 1)]
    elsewhere = [len(file)]
    if program is not None and 0 < program.other_at <= len(file):
        elsewhere += [program.other_at - padding for padding in range(8)]
    found = [end for end in own if is_trailer(file, end)][:1]
    strays = [end for end in elsewhere if is_trailer(file, end) and end not in found]
    if found:
        return found[0], begin - found[0], bool(strays)
    return strays[0] if strays else begin, 0, bool(strays)


def looks_like(file):
    """Whether the magic stands where a trailer would be."""
    if len(file) < TRAILER_SIZE:
        return False
    return is_trailer(file, find_trailer(file, find_program(file))[0])


def crc32_bzip2(data, end):
    """CRC-32 with the highest bit first is the usual one of mirrored bytes, mirrored."""
    crc, step = 0, 1 << 24
    for at in range(0, end, step):
        crc = zlib.crc32(data[at:min(end, at + step)].translate(REVERSED), crc)
    return int(f"{crc:032b}"[::-1], 2)


class Reader:
    def __init__(self, judgement, promises):
        self.j, self.file, self.promises = judgement, judgement.file, promises
        self.members, self.indexes, self.complete, self.further_names = [], [], False, []

    def judge(self):
        j, file = self.j, self.file
        program = find_program(file)
        is_exe = filenames.extension(file.name) == "exe"
        j.fire("UMD022", self.file.data[:2] == b"MZ", lesser=is_exe or not is_of_windows(self.file))
        if j.fire("UMD001", len(file) < TRAILER_SIZE):
            return
        if program:
            j.region("executable", 0, program.end)
        end, padding, stray = find_trailer(file, program)
        j.fire("UMD020", end > INT_MAX)
        if program and 0 < program.signature_at:
            j.fire("UMD030", program.signature_at + program.signature_size > len(file))
        self.trailer = end - TRAILER_SIZE
        if j.fire("UMD002", not is_trailer(file, end)):
            return
        t = read_layout(file, self.trailer, TRAILER)
        j.version = str(t["version"])
        j.region("trailer", self.trailer, TRAILER_SIZE, t)
        if j.fire("UMD003", t["version"] != 1, lesser=t["version"] == 2) and t["version"] == 2:
            return
        j.fire("UMD031", stray)
        j.fire("UMD028", any(file.bytes(end, padding)))
        j.fire("UMD004", t["file_size"] != end)
        j.fire("UMD006", t["crc"] != crc32_bzip2(file.data, self.trailer), lesser=is_exe)
        self.begin = program.end if program else 0
        if j.fire("UMD005", t["dir_offset"] >= self.trailer or t["dir_offset"] > INT_MAX):
            return
        self.directory = t["dir_offset"]
        self.read_directory()
        if not self.complete:
            self.members = []
            return
        for index in self.indexes:
            j.fire("UMD023", not index.shortest or index.negative_zero)
        for m in self.members:
            self.judge_name(m)
            self.judge_member(m)
        self.judge_together()
        self.further_names = manifest.judge(j, self.members, self.directory, self.promises)

    # -- the directory (chapter 3)

    def read_directory(self):
        j = self.j
        count = read_index(self.file, self.directory, self.trailer)
        at = self.directory + count.length
        room = (self.trailer - at) // SMALLEST_ENTRY
        if j.fire("UMD007", count.trouble is not None or count.value < 0 or count.value > room):
            return
        self.rows = [("count", self.directory, count.length, {"count": count.value})]
        self.indexes.append(count)
        for _ in range(count.value):
            at = self.read_entry(at)
            if at is None:
                return
        self.complete = True
        for row in self.rows:
            j.region(*row)
        j.region("directory", self.directory, at - self.directory)
        j.fire("UMD008", at != self.trailer)

    def read_entry(self, at):
        """Where the next entry begins; None where that cannot be known."""
        length = read_index(self.file, at, self.trailer)
        if self.j.fire("UMD009", length.trouble is not None):
            return None
        units, wide = abs(length.value), length.value < 0
        begin = at + length.length
        after = begin + units * (2 if wide else 1)
        if self.j.fire("UMD009", after + 12 > self.trailer):
            return None
        self.indexes.append(length)
        data = self.file.bytes(begin, after - begin)
        text = filenames.from_utf16(data) if wide else filenames.from_cp1252(data)
        sound = 2 <= units <= MAX_UNITS and text[-1] == "\0" and "\0" not in text[:-1]
        self.j.fire("UMD009", not sound or wide, lesser=sound)
        name = text[:-1] if text[-1:] == "\0" else text
        m = Member(name, units, wide, *(self.file.u32(after + i) for i in (0, 4, 8)))
        m.sound = sound
        self.members.append(m)
        self.rows.append(("entry", at, after + 12 - at, {"name": name, "offset": m.offset, "size": m.size, "flags": m.flags}))
        if self.lies_inside(m) and m.size:
            self.rows.append(("member", m.offset, m.size))
        return after + 12

    def lies_inside(self, m):
        return m.end <= self.directory and m.size <= INT_MAX

    def names_of_other_formats(self, promises):
        """5.6: names that promise what neither a member's own name nor an earlier one does. A .uz promises what it is without that, too."""
        out, known = [], {id(m): {promises(m.name), promises(m.name[:-3]) if is_uz(m) else None, None} for m in self.members}
        for name, m in self.further_names:
            if promises(name) not in known[id(m)]:
                known[id(m)].add(promises(name))
                out.append((name + ".uz" if is_uz(m) else name, m))
        return out

    # -- one entry (3.4, 3.6, chapter 4, 5.1, 5.5)

    def judge_name(self, m):
        j, name = self.j, m.name
        last = filenames.components(name)[-1]
        j.fire("UMD014", filenames.is_unsafe(name, m.wide))
        j.fire("UMD024", filenames.is_deceptive(name))
        folder = filenames.components(name)[0] if filenames.SEPARATORS.search(name) else ""
        j.fire("UMD015", "/" in name or (folder != "" and filenames.fold(folder) not in GAME_FOLDERS))
        j.fire("UMD032", "/" in name and manifest.is_manifest(m.key))
        j.fire("UMD018", filenames.is_program(name))
        j.fire("UMD019", len(last) > 31 or " " in name)
        j.fire("UMD025", filenames.has_reserved(name))
        parts = filenames.components(name)
        j.fire("UMD026", "." in parts or "" in parts[1:])

    def judge_member(self, m):
        j = self.j
        j.fire("UMD017", m.flags & ~4 not in ((3,) if manifest.is_manifest(m.key) else (0, 3)))
        j.fire("UMD029", m.flags & 4)
        j.fire("UMD010", not self.lies_inside(m))
        j.fire("UMD027", m.size == 0)

    # -- the entries together (4.4, 5.2 to 5.4)

    def judge_together(self):
        j = self.j
        keys = [m.key for m in self.members]
        for key, n in collections.Counter(keys).items():
            j.fire("UMD013", n > 1, lesser=not manifest.is_manifest(key))
        inside = [m for m in self.members if self.lies_inside(m)]
        j.fire("UMD021", any(b.offset < a.offset for a, b in zip(self.members, self.members[1:])))
        reach, gap_from = 0, self.begin
        for m in sorted((m for m in inside if m.size), key=lambda m: m.offset):
            j.fire("UMD011", m.offset < reach)
            j.fire("UMD012", self.is_gap(gap_from, m.offset, m.offset % 16 == 0))
            reach = max(reach, m.end)
            gap_from = max(gap_from, m.end)
        j.fire("UMD012", self.is_gap(gap_from, self.directory, True))

    def is_gap(self, begin, end, aligned):
        if begin >= end:
            return False
        return end - begin >= 16 or not aligned or any(self.file.bytes(begin, end - begin))


def judge(judgement, promises):
    reader = Reader(judgement, promises)
    reader.judge()
    names = [(m.name, m) for m in reader.members if not m.is_patch] + reader.names_of_other_formats(promises)
    return [(name, m.offset, m.size) for name, m in names if reader.lies_inside(m)]
