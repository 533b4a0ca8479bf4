"""Files that are compressed as a whole, from conformance/spec/tar.md, chapter 4. The frame of gzip is read here; xz and bzip2 are read by the libraries
of the clauses. There is no decoder of Zstandard."""
import bz2
import lzma
import zlib

from . import filenames, members, second

RULES = members.FILE_RULES | {"ARC013", "ARC015", "ARC018", "ARC148", "ARC149", "ARC150", "ARC151", "ARC185"}
LABELS = set()
FORMS = ("gzip", "xz", "zstd", "bzip2")
EXTENSIONS = [extension for extension, what in members.PROMISES.items() if what in FORMS]
SHORTS = ("tgz", "txz", "tzst", "tbz", "tbz2")
LIMIT, RATIO, ALWAYS = 268435456, 1000, 1 << 24
WINDOW_MAX = (1 << 27) + (1 << 20)
FLAG_SUM, FLAG_EXTRA, FLAG_NAME, FLAG_COMMENT = 2, 4, 8, 16
CHECKS = (lzma.CHECK_NONE, lzma.CHECK_CRC32, lzma.CHECK_CRC64, lzma.CHECK_SHA256)


class End(Exception):
    """A stream ended otherwise than it should: by a rule, or at a limit (None)."""


def looks_like(file):
    found = members.signature(file.data)
    return found in FORMS or (found is None and members.promise(file.name) in FORMS)


class Reader:
    def __init__(self, j):
        self.j, self.data, self.at, self.out = j, bytes(j.file.data), 0, bytearray()
        self.max = min(LIMIT, max(ALWAYS, RATIO * len(self.data)))
        self.n, self.stored = 0, b""

    def take(self, n):
        if self.at + n > len(self.data):
            raise End("ARC004")
        self.at += n
        return self.data[self.at - n:self.at]

    def text(self):
        end = self.data.find(b"\0", self.at)
        if end < 0:
            raise End("ARC004")
        self.at = end + 1

    def run(self, decoder, broken):
        """Decodes from here to the end of a stream. A step in of so much is a step out of a bounded number of bytes."""
        while not decoder.eof:
            piece = self.data[self.at:self.at + 65536]
            self.at += len(piece)
            self.j.work.spend(len(piece) // 16 + 1)
            try:
                self.out += self.step(decoder, piece)
            except broken as error:
                raise End(self.why(str(error))) from None
            if len(self.out) > self.max:
                raise End(None)
            if not piece and not decoder.eof:
                raise End("ARC004")
        self.at -= len(decoder.unused_data)

    def step(self, decoder, piece):
        room = self.max - len(self.out) + 1
        if hasattr(decoder, "needs_input"):
            return decoder.decompress(piece, room)
        out = decoder.decompress(piece, room)
        if decoder.unconsumed_tail:
            raise End(None)
        return out

    @staticmethod
    def why(text):
        return "ARC151" if "limit" in text.lower() else "open" if "unsupported" in text.lower() else "ARC013"

    def gzip(self):
        begin, before = self.at, len(self.out)
        head = self.take(10)
        flags, first = head[3], not before and not begin
        if head[2] != 8 or flags & 0xE0:
            raise End("ARC013")
        if flags & FLAG_EXTRA:
            self.take(int.from_bytes(self.take(2), "little"))
        for flag in (FLAG_NAME, FLAG_COMMENT):
            if flags & flag:
                here = self.at
                if first and flag == FLAG_NAME:
                    self.stored = self.data[here:here + 1024].partition(b"\0")[0]
                self.text()
        if flags & FLAG_SUM:
            own = zlib.crc32(self.data[begin:self.at]) & 0xFFFF
            if int.from_bytes(self.take(2), "little") != own:
                raise End("ARC149")
        self.run(zlib.decompressobj(-15), zlib.error)
        tail = self.take(8)
        body = bytes(self.out[before:])
        if tail != zlib.crc32(body).to_bytes(4, "little") + (len(body) & 0xFFFFFFFF).to_bytes(4, "little"):
            raise End("ARC149")

    def xz(self):
        decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=WINDOW_MAX)
        try:
            self.run(decoder, lzma.LZMAError)
        finally:
            if decoder.check not in CHECKS and decoder.check != lzma.CHECK_UNKNOWN:
                raise End("open")

    def bzip2(self):
        self.run(bz2.BZ2Decompressor(), OSError)

    def goes_on(self, what):
        magic = {"gzip": b"\x1f\x8b", "xz": b"\xfd7zXZ\0", "bzip2": b"BZh"}[what]
        here = self.at
        if what == "xz":
            while self.data[here:here + 1] == b"\0":
                here += 1
            if (here - self.at) % 4:
                return False
        more = self.data.startswith(magic, here)
        if more or here == len(self.data):
            self.at = here
        return more

    def read(self, what):
        while True:
            self.n += 1
            getattr(self, what)()
            if not self.goes_on(what):
                return


def inner_name(name):
    last, extension = filenames.components(name)[-1], filenames.extension(name)
    if members.promise(name) not in FORMS:
        return last
    return last[:-len(extension) - 1] + (".tar" if extension in SHORTS else "")


def judge_second(j, what, reader):
    """1.15 of archive.md: what comes out may have been stored."""
    data, found = reader.data, second.find_zip(reader.data, len(reader.data), [])
    hidden = found and what == "gzip" and data[3] & FLAG_EXTRA and found[0] < 12 + int.from_bytes(data[10:12], "little")
    inside = found and not hidden and found[0] + 22 <= reader.at and data[found[0]:found[0] + 22] in reader.out
    if found and (not inside or reader.n > 1 or what == "zstd"):
        j.fire("ARC015", lesser=inside)
    else:
        other = second.follows(data, reader.at)
        tail = data[reader.at:]
        resumed = what == "gzip" and tail[:1] == b"\0" and tail.lstrip(b"\0").startswith(b"\x1f\x8b")
        j.fire("ARC015", resumed or (other and other != what) or second.is_tar(data[:512]))


def stored_name(j, reader, own, promises):
    """4.7: the name under which the file inside is checked, too, or None."""
    name = members.Name(reader.stored, False).text
    whole = filenames.components(j.file.name)[-1]
    if not name or name.translate(filenames.SMALL) in (own.translate(filenames.SMALL), whole.translate(filenames.SMALL)):
        return None
    last = filenames.components(name)[-1]
    kept = members.cut(last)
    form = promises(kept) if promises(kept) not in (None, "shared", promises(own)) else None
    other = form or last != name or filenames.extension(kept) in members.PROGRAMS
    j.fire("ARC185", other or members.promise(j.file.name), lesser=not other)
    return kept if form else None


def judge(j, promises):
    what = members.signature(j.file.data)
    if not members.judge_file(j, what):
        return []
    if j.file.level == "structure":
        return []
    if what == "zstd":
        j.leave_open("there is no decoder of Zstandard", *(RULES - {"ARC001", "ARC002"}), "RUN001")
        return []
    reader, own = Reader(j), inner_name(j.file.name)
    try:
        reader.read(what)
        further = stored_name(j, reader, own, promises)
    except End as end:
        rule = end.args[0]
        if rule not in (None, "open"):
            stored_name(j, reader, own, promises)
        if rule == "open":
            j.leave_open("it asks for what liblzma has not", *RULES)
        elif rule:
            j.fire(rule)
        return []
    tail = reader.data[reader.at:]
    j.fire("ARC148", tail or reader.n > 1, lesser=not tail or (what in ("gzip", "bzip2") and not tail.strip(b"\0")))
    judge_second(j, what, reader)
    j.fire("ARC150", members.signature(reader.out) != "tar")
    j.fire("ARC018", len(reader.out) > 1 << 20 and len(reader.out) // 200 > len(reader.data))
    return [(name, bytes(reader.out)) for name in (own, further) if name is not None]
