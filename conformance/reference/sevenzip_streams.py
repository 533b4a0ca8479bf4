"""The header of a 7z: how it is written, its lists of streams, and its folders. From conformance/spec/sevenzip.md, chapter 3."""
import lzma

START = 32
CODERS_MAX, INS_MAX = 32, 64
ENTRIES_MAX = 1 << 24
PACKS, FOLDERS, PARTS, SIZE, CRC, FOLDER, SIZES, COUNTS = 6, 7, 8, 9, 10, 11, 12, 13
LINKS = {0x03: lzma.FILTER_DELTA, 0x04: lzma.FILTER_X86, 0x05: lzma.FILTER_POWERPC, 0x06: lzma.FILTER_IA64, 0x07: lzma.FILTER_ARM,
         0x08: lzma.FILTER_ARMTHUMB, 0x09: lzma.FILTER_SPARC, 0x0A: None, 0x0B: None, 0x21: lzma.FILTER_LZMA2, 0x030101: lzma.FILTER_LZMA1,
         0x03030103: lzma.FILTER_X86, 0x03030205: lzma.FILTER_POWERPC, 0x03030401: lzma.FILTER_IA64, 0x03030501: lzma.FILTER_ARM,
         0x03030701: lzma.FILTER_ARMTHUMB, 0x03030805: lzma.FILTER_SPARC}
PPMD = 0x030401
OTHERS = {PPMD, 0x040108, 0x040202, 0x0303011B}


class Bad(Exception):
    """The header cannot be read on: the rule that says so, or None where it is left open."""


# ------------------------------------------------------------------------------------------------ how a header is written

class Reader:
    def __init__(self, j, data):
        self.j, self.data, self.at = j, data, 0

    def left(self):
        return len(self.data) - self.at

    def take(self, n):
        if n > self.left():
            raise Bad("ARC104")
        self.at += n
        return self.data[self.at - n:self.at]

    def byte(self):
        return self.take(1)[0]

    def u32(self):
        return int.from_bytes(self.take(4), "little")

    def number(self):
        first = self.byte()
        n = next((n for n in range(8) if not first & 0x80 >> n), 8)
        low = int.from_bytes(self.take(n), "little")
        return low | (first & 0x7F >> n) << 8 * n if n < 7 else low

    def count(self, each):
        n = self.number()
        if n > self.left() // each:
            raise Bad("ARC104")
        if n > ENTRIES_MAX:
            raise Bad(None)
        self.j.work.spend(n)
        return n

    def bits(self, n):
        data = self.take((n + 7) // 8)
        return [bool(data[i // 8] & 0x80 >> i % 8) for i in range(n)]

    def all_or_bits(self, n):
        return [True] * n if self.byte() else self.bits(n)

    def sums(self, n):
        return [self.u32() if has else None for has in self.all_or_bits(n)]

    def skip(self):
        self.take(self.number())

    def ends(self, wanted):
        """Passes over what is not known, to the id that is wanted."""
        while (found := self.number()) != wanted:
            if found == 0:
                raise Bad("ARC104")
            self.skip()

    def no_external(self):
        if self.byte():
            raise Bad("ARC104")


# --------------------------------------------------------------------------------------------------------------- folders

class Coder:
    def __init__(self, r, folder):
        flags = r.byte()
        if flags & 0xC0 or flags & 15 > 8:
            raise Bad("ARC104")
        self.id = int.from_bytes(r.take(flags & 15), "big")
        self.ins, outs = (r.number(), r.number()) if flags & 0x10 else (1, 1)
        if self.ins > INS_MAX or outs != 1:
            raise Bad("ARC104")
        self.properties = r.take(r.number()) if flags & 0x20 else b""
        if folder.ins + self.ins > INS_MAX:
            raise Bad("ARC104")

    def memory(self):
        p = self.properties
        if self.id == 0x030101:
            return int.from_bytes(p[1:], "little") if len(p) == 5 else 0
        if self.id == 0x21:
            return dictionary(p[0]) if len(p) == 1 and p[0] <= 40 else 0
        return int.from_bytes(p[1:5], "little") if self.id == PPMD and len(p) >= 5 else 0


def dictionary(byte):
    return 0xFFFFFFFF if byte == 40 else (2 | byte & 1) << byte // 2 + 11


class Folder:
    def __init__(self, r):
        n = r.number()
        if n > CODERS_MAX:
            raise Bad("ARC104")
        self.coders, self.ins, self.owner = [], 0, []
        for i in range(n):
            coder = Coder(r, self)
            self.coders.append(coder)
            self.ins += coder.ins
            self.owner += [i] * coder.ins
        self.sound = n > 0
        self.source, self.into = {}, {}
        for _ in range(n - 1):
            self.bind(r.number(), r.number())
        self.packs = max(0, self.ins - max(0, n - 1))
        self.sound = self.sound and self.packs > 0
        listed = [next((i for i in range(self.ins) if i not in self.source), None)] if self.packs == 1 else [r.number() for _ in range(self.packs)]
        for place in listed:
            if place is None or place >= self.ins or place in self.source:
                self.sound = False
            else:
                self.source[place] = "packed"
        free = [i for i in range(n) if i not in self.into]
        self.main = free[-1] if free else 0
        self.sound = self.sound and len(self.source) == self.ins and all(self.leads(i) for i in range(n))
        self.crc, self.size, self.at, self.packed, self.rows, self.parts = None, 0, 0, 0, [], 1

    def bind(self, into, out):
        if into >= self.ins or out >= len(self.coders) or into in self.source or out in self.into:
            self.sound = False
        else:
            self.source[into], self.into[out] = out, self.owner[into]

    def leads(self, coder):
        for _ in self.coders:
            if coder == self.main:
                return True
            if coder not in self.into:
                return False
            coder = self.into[coder]
        return False

    def ids(self):
        return [c.id for c in self.coders]

    def is_stored(self):
        return self.sound and self.ids() == [0]

    def is_encrypted(self):
        return any(n >> 16 == 0x06F1 or n >> 8 == 0x06F1 for n in self.ids())

    def is_strange(self):
        return any(n not in LINKS and n not in OTHERS and n != 0 and not (n >> 16 == 0x06F1 or n >> 8 == 0x06F1) for n in self.ids())

    def memory(self):
        return sum(c.memory() for c in self.coders)

    def chain(self):
        """The filters for Python's lzma; None where it has not all of them, or cannot know the end."""
        out, coder = [], self.main
        for _ in self.coders:
            c = self.coders[coder]
            f = filter_of(c, self.size)
            if f is None:
                return None
            out.append(f)
            first = self.owner.index(coder)
            coder = self.source[first]
        if out[-1]["id"] not in (lzma.FILTER_LZMA1, lzma.FILTER_LZMA2) or (out[-1]["id"] == lzma.FILTER_LZMA1 and len(out) > 1):
            return None
        return out


def filter_of(c, size):
    p, kind = c.properties, LINKS.get(c.id)
    if kind is None or c.ins != 1:
        return None
    if kind == lzma.FILTER_DELTA:
        return {"id": kind, "dist": p[0] + 1} if len(p) == 1 else None
    room = max(4096, size)
    if kind == lzma.FILTER_LZMA2:
        return {"id": kind, "dict_size": min(dictionary(p[0]), room)} if len(p) == 1 and p[0] <= 40 else None
    if kind == lzma.FILTER_LZMA1:
        if len(p) != 5 or p[0] >= 225 or p[0] % 9 + p[0] // 9 % 5 > 4:
            return None
        return {"id": kind, "dict_size": min(int.from_bytes(p[1:], "little"), room), "lc": p[0] % 9, "lp": p[0] // 9 % 5, "pb": p[0] // 45}
    return {"id": kind} if not p else None


class Part:
    def __init__(self, folder, size):
        self.folder, self.size, self.crc = folder, size, None


class Streams:
    """The lists of streams (3.2 to 3.4)."""

    def __init__(self, r):
        self.at, self.packs, self.folders, self.parts = START, [], [], []
        found = r.number()
        if found == PACKS:
            self.read_packs(r)
            found = r.number()
        if found == FOLDERS:
            self.read_folders(r)
            found = r.number()
        if found == PARTS:
            self.read_parts(r)
            found = r.number()
        else:
            self.parts = [Part(f, f.size) for f in self.folders]
            self.inherit()
        if found:
            raise Bad("ARC104")

    def read_packs(self, r):
        self.at = START + r.number()
        n, sizes = r.count(1), None
        while found := r.number():
            if found == SIZE and sizes is None:
                sizes = [r.number() for _ in range(n)]
            elif found == CRC:
                r.sums(n)
            else:
                r.skip()
        if n and sizes is None:
            raise Bad("ARC104")
        self.packs = sizes or []

    def read_folders(self, r):
        r.ends(FOLDER)
        n = r.count(1)
        r.no_external()
        self.folders = [Folder(r) for _ in range(n)]
        r.ends(SIZES)
        at, pack = self.at, 0
        for f in self.folders:
            sizes = [r.number() for _ in f.coders]
            f.size = sizes[f.main] if sizes else 0
        for f in self.folders:
            if pack + f.packs > len(self.packs):
                raise Bad("ARC104")
            f.at, f.packed = at, sum(self.packs[pack:pack + f.packs])
            at, pack = at + f.packed, pack + f.packs
        while found := r.number():
            if found == CRC:
                for f, crc in zip(self.folders, r.sums(n)):
                    f.crc = crc
            else:
                r.skip()

    def read_parts(self, r):
        found = r.number()
        if found == COUNTS:
            most = r.left() + len(self.folders)
            for f in self.folders:
                f.parts = r.number()
                most -= f.parts
                if most < 0:
                    raise Bad("ARC104")
            found = r.number()
        while found not in (0, SIZE, CRC):
            r.skip()
            found = r.number()
        for f in self.folders:
            left = f.size
            if f.parts > 1 and found != SIZE:
                raise Bad("ARC104")
            for i in range(f.parts):
                size = r.number() if i + 1 < f.parts else left
                if size > left:
                    raise Bad("ARC104")
                left -= size
                self.parts.append(Part(f, size))
        self.inherit()
        found = r.number() if found == SIZE else found
        told = False
        while found:
            if found == CRC and not told:
                told, open_ = True, [p for p in self.parts if p.crc is None]
                for part, crc in zip(open_, r.sums(len(open_))):
                    part.crc = crc
            else:
                r.skip()
            found = r.number()

    def inherit(self):
        for p in self.parts:
            if p.folder.parts == 1:
                p.crc = p.folder.crc

    def end(self):
        return self.folders[-1].at + self.folders[-1].packed if self.folders else self.at
