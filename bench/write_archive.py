#!/usr/bin/env python3
"""write_archive.py KIND N FILE writes an archive of n members, the worst of a sort; --list names the kinds, each with the extension that it needs
and options of `uvet check`. No member of the many has bytes of its own, so that a file is as large as its tables."""
import random
import struct
import sys
import zlib

KINDS = {}
STRUCTURE = "--level structure"


def kind(extension, options=""):
    def keep(function):
        KINDS[function.__name__] = function, extension, options
        return function
    return keep


def name_of(i):
    return b"Content/Folder%05u/Thing_%07u.uasset.txt" % (i // 1000, i)


# ---- zip ------------------------------------------------------------------------------------------------------------------------

LOCAL, CENTRAL = "<IHHHHHIIIHH", "<IHHHHHHIIIHHHHHII"
END, RECORD, LOCATOR = "<IHHHHIIH", "<IQHHIIQQQQ", "<IIQI"
DATE, NOT_SET16, NOT_SET32 = 0x21, 0xFFFF, 0xFFFFFFFF


class Zip:
    """Local headers go to `data`, central headers to `directory`."""

    def __init__(self):
        self.data, self.directory, self.n = bytearray(), bytearray(), 0

    def local(self, name, packed=0, size=0, crc=0, method=0, extra=b""):
        at = len(self.data)
        self.data += struct.pack(LOCAL, 0x04034B50, 20, 0, method, 0, DATE, crc, packed, size, len(name), len(extra)) + name + extra
        return at

    def listed(self, name, at, packed=0, size=0, crc=0, method=0, extra=b"", comment=b""):
        self.directory += struct.pack(CENTRAL, 0x02014B50, 20, 20, 0, method, 0, DATE, crc, packed, size, len(name), len(extra), len(comment), 0, 0, 0,
                                      at) + name + extra + comment
        self.n += 1

    def member(self, name, **parts):
        comment = parts.pop("comment", b"")
        self.listed(name, self.local(name, **parts), comment=comment, **parts)

    def to_bytes(self):
        at, length = len(self.data), len(self.directory)
        tail = b""
        if self.n >= NOT_SET16:
            tail = struct.pack(RECORD, 0x06064B50, 44, 45, 45, 0, 0, self.n, self.n, length, at)
            tail += struct.pack(LOCATOR, 0x07064B50, 0, at + length, 1)
            tail += struct.pack(END, 0x06054B50, 0, 0, NOT_SET16, NOT_SET16, NOT_SET32, NOT_SET32, 0)
        else:
            tail = struct.pack(END, 0x06054B50, 0, 0, self.n, self.n, length, at, 0)
        return bytes(self.data) + bytes(self.directory) + tail


def zip_of(members):
    z = Zip()
    for name, parts in members:
        z.member(name, **parts)
    return z.to_bytes()


@kind("zip", STRUCTURE)
def zip_entries(n):
    return zip_of((name_of(i), {}) for i in range(n))


@kind("zip", STRUCTURE)
def zip_shuffled(n):
    """Members lie in another order than they are listed in."""
    z, order = Zip(), list(range(n))
    random.Random(1).shuffle(order)
    places = {i: z.local(name_of(i)) for i in order}
    for i in range(n):
        z.listed(name_of(i), places[i])
    return z.to_bytes()


@kind("zip")
def zip_cases(n):
    """One name, in as many spellings as there are members."""
    letters = b"contentfolderofthings"
    return zip_of((bytes(c - 32 if i >> k & 1 else c for k, c in enumerate(letters)), {}) for i in range(n))


@kind("zip")
def zip_same_name(n):
    return zip_of((b"Content/Thing.uasset", {"crc": i}) for i in range(n))


@kind("zip")
def zip_below(n):
    """Each file is a folder of the next, 100 deep."""
    return zip_of((b"T%06u" % (i // 100) + b"/d" * (i % 100), {}) for i in range(n))


@kind("zip")
def zip_deep(n):
    """Folders of their own for each, 60 deep."""
    return zip_of((b"".join(b"%x/" % ((i >> k % 16) + k) for k in range(60)) + b"f%u" % i, {}) for i in range(n))


@kind("zip")
def zip_one_place(n):
    """All list the bytes of one."""
    z = Zip()
    at = z.local(b"First.txt")
    for i in range(n):
        z.listed(name_of(i), at)
    return z.to_bytes()


@kind("zip", STRUCTURE)
def zip_nested_ranges(n):
    """Each member has all that come after it in its bytes."""
    z = Zip()
    step = struct.calcsize(LOCAL) + len(name_of(0))
    for i in range(n):
        left = (n - 1 - i) * step
        z.member(name_of(i), packed=left, size=left)
    return z.to_bytes()


@kind("zip")
def zip_unlisted(n):
    """Every second member is not listed."""
    z = Zip()
    for i in range(n):
        z.local(name_of(i) + b"x")
        z.member(name_of(i))
    return z.to_bytes()


@kind("zip")
def zip_lost(n):
    """No member is where it is said to be."""
    z = Zip()
    z.local(b"First.txt")
    z.data += bytes(4 * n)
    for i in range(n):
        z.listed(name_of(i), 40 + 4 * i)
    return z.to_bytes()


@kind("zip", STRUCTURE)
def zip_extras(n):
    """32 extra fields in each header."""
    return zip_of((name_of(i), {"extra": b"PK\0\0" * 32}) for i in range(n))


@kind("zip", STRUCTURE)
def zip_comments(n):
    return zip_of((name_of(i), {"comment": b"PK\5P" * 64}) for i in range(n))


@kind("zip")
def zip_empty_blocks(n):
    """One member whose stream has n blocks with nothing in them."""
    stream = b"\0\0\0\xff\xff" * n + b"\1\0\0\xff\xff"
    z = Zip()
    z.local(b"Thing.txt", packed=len(stream), method=8)
    z.data += stream
    z.listed(b"Thing.txt", 0, packed=len(stream), method=8)
    return z.to_bytes()


@kind("zip")
def zip_content(n):
    """n members of 512 KB, which compress to a half: what run.py reads."""
    z, numbers = Zip(), random.Random(1)
    for i in range(n):
        data = bytearray(numbers.randbytes(1 << 17))
        data = bytes(b for x in (data[k:k + 32] for k in range(0, len(data), 32)) for b in x + x[::-1] + bytes(32) + x)
        packer = zlib.compressobj(6, zlib.DEFLATED, -15)
        stream = packer.compress(data) + packer.flush()
        parts = {"packed": len(stream), "size": len(data), "crc": zlib.crc32(data), "method": 8}
        at = z.local(b"Thing_%05u.bin" % i, **parts)
        z.data += stream
        z.listed(b"Thing_%05u.bin" % i, at, **parts)
    return z.to_bytes()


# ---- tar ------------------------------------------------------------------------------------------------------------------------

def tar_header(name, size=0, sort=b"0"):
    h = bytearray(512)
    h[:len(name)] = name
    h[100:108], h[108:116], h[116:124] = b"0000644\0", b"0000000\0", b"0000000\0"
    h[124:136], h[136:148], h[156:157], h[257:265] = b"%011o\0" % size, b"00000000000\0", sort, b"ustar\x0000"
    h[148:156] = b"%06o\0 " % (sum(h[:148]) + 8 * 32 + sum(h[156:]))
    return bytes(h)


@kind("tar", STRUCTURE)
def tar_entries(n):
    return b"".join(tar_header(name_of(i)) for i in range(n)) + bytes(1024)


@kind("tar")
def tar_same_name(n):
    return tar_header(b"Content/Thing.uasset") * n + bytes(1024)


@kind("tar")
def tar_pax(n):
    """A pax header of many records for each member."""
    records = b"".join(b"%u a%02u=%s\n" % (20, i, b"x" * 12) for i in range(25)) + b"12 c=000000\n"
    block = tar_header(b"PaxHeader", len(records), b"x") + records.ljust(512, b"\0")
    return b"".join(block + tar_header(name_of(i)) for i in range(n)) + bytes(1024)


@kind("tar.gz")
def gz_streams(n):
    """One empty stream after the other."""
    one = b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + b"\x03\0" + bytes(8)
    return one * n


# ---- 7z -------------------------------------------------------------------------------------------------------------------------

def number7(v):
    """As 7z writes numbers: the first byte's highest bits say how many follow."""
    for more in range(8):
        if v < 1 << 7 * (more + 1):
            first = (0xFF00 >> more) & 0xFF | v >> 8 * more
            return bytes([first]) + (v & ((1 << 8 * more) - 1)).to_bytes(more, "little")
    return b"\xff" + v.to_bytes(8, "little")


def sevenzip(header):
    start = struct.pack("<QQI", 0, len(header), zlib.crc32(header))
    return b"7z\xbc\xaf\x27\x1c\0\4" + struct.pack("<I", zlib.crc32(start)) + start + header


def property7(number, data):
    return bytes([number]) + number7(len(data)) + data


def ones(n):
    return (((1 << n) - 1) << (-n % 8)).to_bytes((n + 7) // 8, "big")


def empty_files(names):
    text = b"".join(name.decode().encode("utf-16-le") + b"\0\0" for name in names)
    n = len(names)
    return sevenzip(b"\1\5" + number7(n) + property7(0x0E, ones(n)) + property7(0x0F, ones(n)) + property7(0x11, b"\0" + text) + b"\0\0")


@kind("7z", STRUCTURE)
def sevenzip_files(n):
    return empty_files([name_of(i) for i in range(n)])


@kind("7z")
def sevenzip_same_name(n):
    return empty_files([b"Content/Thing.uasset"] * n)


# ---- rar ------------------------------------------------------------------------------------------------------------------------

def vint(v):
    out = bytearray()
    while v >= 0x80:
        out.append(v & 0x7F | 0x80)
        v >>= 7
    return bytes(out) + bytes([v])


def rar5_block(body):
    sized = vint(len(body)) + body
    return struct.pack("<I", zlib.crc32(sized)) + sized


def rar5_of(names):
    blocks = [b"Rar!\x1a\7\1\0", rar5_block(vint(1) + vint(0) + vint(0))]
    for name in names:
        blocks.append(rar5_block(vint(2) + vint(2) + vint(0) + vint(4) + vint(0) + vint(0x20) + bytes(4) + vint(0) + vint(0) + vint(len(name)) + name))
    return b"".join(blocks) + rar5_block(vint(5) + vint(0) + vint(0))


@kind("rar", STRUCTURE)
def rar_files(n):
    return rar5_of(name_of(i) for i in range(n))


@kind("rar")
def rar_same_name(n):
    return rar5_of(b"Content/Thing.uasset" for _ in range(n))


# ---- The program ----------------------------------------------------------------------------------------------------------------

def main(argv):
    if argv == ["--list"]:
        for name, (_, extension, options) in KINDS.items():
            print(f"{name} {extension} {options}".rstrip())
        return 0
    if len(argv) != 3 or argv[0] not in KINDS:
        print("usage: write_archive.py KIND N FILE, or write_archive.py --list", file=sys.stderr)
        return 2
    with open(argv[2], "wb") as f:
        f.write(KINDS[argv[0]][0](int(argv[1])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
