"""Where the fields of an archive are: what a change hits, what the format says twice, and how checksums of headers are made right again. It
reads good archives alone, so it takes for granted what they are."""
import collections
import struct
import zlib


class Layout:
    """A file of which no more is known than its bytes."""

    def __init__(self, data):
        self.data = data
        self.fields = collections.defaultdict(list)     # name: (begin, end) of each
        self.twins = []                                 # places that must hold the same byte
        self.names = {}                                 # of single bytes
        self.find()

    def find(self):
        """Fills in the fields."""

    def add(self, name, begin, end):
        if 0 <= begin < end <= len(self.data):
            self.fields[name].append((begin, end))
            self.names.update(dict.fromkeys(range(begin, end), name))

    def place(self, rng):
        """A byte to change: mostly one of a field, each field as likely as another one."""
        if self.fields and rng.random() < 0.85:
            begin, end = rng.choice(rng.choice(sorted(self.fields.items()))[1])
            return rng.randrange(begin, end)
        return rng.randrange(len(self.data))

    def name(self, at):
        return self.names.get(at, "content")

    def mend(self, out, places):
        """Makes the checksums right again of what a change hit."""


def put(out, form, at, value):
    if at + struct.calcsize(form) <= len(out):
        struct.pack_into(form, out, at, value)


# ---- tar ------------------------------------------------------------------------------------------------------------------------

BLOCK = 512
TAR_FIELDS = ((0, "name"), (100, "mode"), (108, "uid"), (116, "gid"), (124, "size"), (136, "mtime"), (148, "sum"), (156, "type"), (157, "link"),
              (257, "magic"), (263, "version"), (265, "uname"), (297, "gname"), (329, "major"), (337, "minor"), (345, "prefix"), (500, "pad"), (BLOCK, None))
CHECKSUM = range(148, 156)


def tar_sum(block):
    return sum(block[:148]) + 8 * 32 + sum(block[156:])


def is_tar_header(block):
    digits = block[148:156].strip(b"\0 ")
    return len(block) == BLOCK and digits.isdigit() and not set(digits) & set(b"89") and int(digits, 8) == tar_sum(block)


class Tar(Layout):
    def find(self):
        self.headers, records = [], None
        for at in range(0, len(self.data) - BLOCK + 1, BLOCK):
            block = self.data[at:at + BLOCK]
            if is_tar_header(block):
                self.headers.append(at)
                records = {b"x": "pax", b"g": "pax", b"L": "longname", b"K": "longlink"}.get(block[156:157])
                for (begin, name), (end, _) in zip(TAR_FIELDS, TAR_FIELDS[1:]):
                    self.add(name, at + begin, at + end)
            elif records and any(block):
                self.add(records, at, at + len(block.rstrip(b"\0")))

    def mend(self, out, places):
        for at in self.headers:
            hit = [place - at for place in places if at <= place < at + BLOCK]
            if at + BLOCK <= len(out) and not any(place in CHECKSUM for place in hit):
                block = out[at:at + BLOCK]
                if any(block) and not is_tar_header(block):
                    out[at + 148:at + 156] = b"%06o\0 " % tar_sum(block)


# ---- zip ------------------------------------------------------------------------------------------------------------------------

LOCAL, CENTRAL, END, LOCATOR, RECORD = (b"PK" + pair for pair in (b"\3\4", b"\1\2", b"\5\6", b"\6\7", b"\6\6"))
ZIP_FIELDS = {
    LOCAL: ("local", 30, ((0, "signature"), (4, "version"), (6, "flags"), (8, "method"), (10, "time"), (14, "crc"), (18, "packed"), (22, "unpacked"),
                          (26, "name_length"), (28, "extra_length"), (30, None))),
    CENTRAL: ("central", 46, ((0, "signature"), (4, "made_by"), (6, "version"), (8, "flags"), (10, "method"), (12, "time"), (16, "crc"), (20, "packed"),
                              (24, "unpacked"), (28, "name_length"), (30, "extra_length"), (32, "comment_length"), (34, "disk"), (36, "internal"),
                              (38, "external"), (42, "offset"), (46, None))),
    END: ("end", 22, ((0, "signature"), (4, "disk"), (6, "start_disk"), (8, "here"), (10, "total"), (12, "length"), (16, "offset"),
                      (20, "comment_length"), (22, None))),
    LOCATOR: ("locator", 20, ((0, "signature"), (4, "disk"), (8, "offset"), (16, "disks"), (20, None))),
    RECORD: ("record64", 56, ((0, "signature"), (4, "size"), (12, "made_by"), (14, "version"), (16, "disk"), (20, "start_disk"), (24, "here"), (32, "total"),
                              (40, "length"), (48, "offset"), (56, None))),
}
SAID_TWICE = ("version", "flags", "method", "time", "crc", "packed", "unpacked", "name", "extra")


class Zip(Layout):
    def find(self):
        self.heads = collections.defaultdict(list)
        at = self.data.find(b"PK")
        while at >= 0:
            if self.data[at:at + 4] in ZIP_FIELDS:
                self.add_record(at)
            at = self.data.find(b"PK", at + 1)
        self.pair()

    def add_record(self, at):
        name, size, fields = ZIP_FIELDS[self.data[at:at + 4]]
        if at + size > len(self.data):
            return
        self.heads[name].append(at)
        for (begin, what), (end, _) in zip(fields, fields[1:]):
            self.add(f"{name}.{what}", at + begin, at + end)
        counts = {"local": (26, 28), "central": (28, 30, 32), "end": (20,)}.get(name, ())
        parts = ("comment",) if name == "end" else ("name", "extra", "comment")
        end = at + size
        for what, count in zip(parts, counts):
            length = int.from_bytes(self.data[at + count:at + count + 2], "little")
            self.add(f"{name}.{what}", end, end + length)
            end += length

    def members(self):
        """(central, local) headers that belong together, by their offset."""
        stub = self.heads["local"][0] if self.heads["local"] else 0
        for central in self.heads["central"]:
            offset = int.from_bytes(self.data[central + 42:central + 46], "little")
            local = offset if offset in self.heads["local"] else offset + stub
            if local in self.heads["local"]:
                yield central, local

    def pair(self):
        for central, local in self.members():
            for what in SAID_TWICE:
                one, other = (self.of(f"{kind}.{what}", head) for kind, head in (("central", central), ("local", local)))
                self.twins += zip(range(*one), range(*other)) if one and other and self.data[slice(*one)] == self.data[slice(*other)] else ()

    def of(self, name, head):
        """The field of the header at head: the first one of this name from there on."""
        behind = [span for span in self.fields.get(name, ()) if span[0] >= head]
        return min(behind) if behind and min(behind)[0] - head < 46 + 65536 else None

    def mend(self, out, places):
        """CRC and size of each member of which stored bytes were changed become those of what zlib makes of them."""
        for central, local in self.members():
            method, = struct.unpack_from("<H", self.data, central + 10)
            packed, unpacked, names, extras = struct.unpack_from("<IIHH", self.data, local + 18)
            begin = local + 30 + names + extras
            if self.data[central + 8] & 9 or not any(begin <= at < begin + packed for at in places) or len(out) != len(self.data):
                continue
            content = bytes(out[begin:begin + packed])
            if method == 8:
                try:
                    content = zlib.decompressobj(-15).decompress(content, unpacked + BLOCK)
                except zlib.error:
                    continue
            for crc, size in ((local + 14, local + 22), (central + 16, central + 24)):
                put(out, "<I", crc, zlib.crc32(content))
                put(out, "<I", size, len(content))


# ---- 7z and rar -------------------------------------------------------------------------------------------------------------------

SEVENZIP = b"7z\xbc\xaf\x27\x1c"
RAR4, RAR5 = b"Rar!\x1a\x07\x00", b"Rar!\x1a\x07\x01\x00"


class SevenZip(Layout):
    def find(self):
        self.begin = begin = self.data.find(SEVENZIP)
        fields = ((0, "signature"), (6, "version"), (8, "start_crc"), (12, "offset"), (20, "size"), (28, "crc"), (32, None))
        for (first, name), (last, _) in zip(fields, fields[1:]):
            self.add(f"start.{name}", begin + first, begin + last)
        offset, size = struct.unpack_from("<QQ", self.data, begin + 12)
        self.header = begin + 32 + offset
        for i in range(0, size, 16):            # as often as they have bytes
            self.add(f"header.{i // 16}", self.header + i, min(self.header + i + 16, self.header + size))

    def mend(self, out, places):
        begin = self.begin
        if len(out) < begin + 32 or any(begin + 28 <= at < begin + 32 or begin + 8 <= at < begin + 12 for at in places):
            return
        offset, size = struct.unpack_from("<QQ", out, begin + 12)
        if any(at >= self.header or begin + 12 <= at < begin + 28 for at in places) and offset + size <= len(out):
            put(out, "<I", begin + 28, zlib.crc32(out[begin + 32 + offset:begin + 32 + offset + size]))
        put(out, "<I", begin + 8, zlib.crc32(out[begin + 12:begin + 32]))


def vint(data, at):
    """A number of RAR 5, and the place behind it."""
    value = shift = 0
    while at < len(data) and shift < 70:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not data[at - 1] & 0x80:
            break
    return value, at


class Rar(Layout):
    def find(self):
        self.blocks = []                        # (place of the CRC, its bytes, what it is over)
        at = self.data.find(RAR5)
        if at >= 0:
            self.find_rar5(at + len(RAR5))
        else:
            self.find_rar4(self.data.find(RAR4) + len(RAR4))

    def add_block(self, at, width, end):
        self.blocks.append((at, width, (at + width, end)))
        kind = "rar5" if width == 4 else "rar4"
        n = min(len(self.blocks) - 1, 4)
        self.add(f"{kind}.{n}.crc", at, at + width)
        for i in range(at + width, end, 8):
            self.add(f"{kind}.{n}.{(i - at) // 8}", i, min(i + 8, end))

    def find_rar5(self, at):
        while at + 7 < len(self.data):
            size, begin = vint(self.data, at + 4)
            kind, place = vint(self.data, begin)
            flags, place = vint(self.data, place)
            _, place = vint(self.data, place) if flags & 1 else (0, place)
            packed, _ = vint(self.data, place) if flags & 2 else (0, place)
            self.add_block(at, 4, begin + size)
            at = begin + size + packed
            if kind == 5:
                break

    def find_rar4(self, at):
        while at + 7 <= len(self.data):
            kind, flags, size = struct.unpack_from("<BHH", self.data, at + 2)
            packed = int.from_bytes(self.data[at + 7:at + 11], "little") if flags & 0x8000 or kind == 0x74 else 0
            if size < 7:
                break
            self.add_block(at, 2, at + size)
            at += size + packed
            if kind == 0x7B:
                break

    def mend(self, out, places):
        for at, width, (begin, end) in self.blocks:
            if end <= len(out) and any(begin <= place < end for place in places):
                put(out, "<I" if width == 4 else "<H", at, zlib.crc32(out[begin:end]) & (1 << 8 * width) - 1)


# ---- streams ----------------------------------------------------------------------------------------------------------------------

GZIP, XZ = b"\x1f\x8b", b"\xfd7zXZ\0"


class Stream(Layout):
    def find(self):
        if self.data.startswith(GZIP):
            for begin, end, name in ((0, 3, "signature"), (3, 4, "flags"), (4, 8, "time"), (8, 9, "extra_flags"), (9, 10, "system"), (10, 32, "begin")):
                self.add(f"gzip.{name}", begin, end)
            self.add("gzip.trailer", len(self.data) - 8, len(self.data))
        elif self.is_xz():
            self.find_xz()
        else:
            self.add("head", 0, min(24, len(self.data)))
            self.add("tail", max(0, len(self.data) - 16), len(self.data))

    def is_xz(self):
        """One stream of xz with nothing behind it."""
        return self.data.startswith(XZ) and self.data.endswith(b"YZ")

    def find_xz(self):
        size = len(self.data)
        self.index = size - 12 - (int.from_bytes(self.data[-8:-4], "little") + 1) * 4
        self.block = 12 + (self.data[12] + 1) * 4
        for begin, end, name in ((0, 6, "signature"), (6, 8, "flags"), (8, 12, "crc"), (12, self.block, "block"), (self.index, size - 12, "index"),
                                 (size - 12, size, "footer")):
            self.add(f"xz.{name}", begin, end)

    def mend(self, out, places):
        if len(out) != len(self.data):
            return
        if self.is_xz():
            size = len(out)
            for begin, end, at in ((6, 8, 8), (12, self.block - 4, self.block - 4), (self.index, size - 16, size - 16), (size - 8, size - 2, size - 12)):
                if any(begin <= place < end for place in places):
                    put(out, "<I", at, zlib.crc32(out[begin:end]))
        elif self.data.startswith(GZIP) and not any(place >= len(out) - 8 for place in places):
            self.mend_gzip(out)

    def mend_gzip(self, out):
        """CRC and size at the end become those of what zlib makes of it."""
        reader = zlib.decompressobj(31)
        head = bytes(out[:-8])
        try:
            content = reader.decompress(head, 1 << 20)
        except zlib.error:
            return
        if not reader.unconsumed_tail and not reader.unused_data:
            put(out, "<I", len(out) - 8, zlib.crc32(content))
            put(out, "<I", len(out) - 4, len(content))


OF = {"tar": Tar, "zip": Zip, "7z": SevenZip, "rar": Rar, "stream": Stream}


def layout_of(form, data):
    return OF[form](data)
