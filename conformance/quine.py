#!/usr/bin/env python3
"""Makes archives that hold themselves, for the vectors of ARC017, and tells whether those are what it makes.

    quine.py [--print]

An archive is a head, a deflate stream and a tail, and the stream has to unpack to all three. Two kinds of blocks of it do that: stored ones,
L(n), after which n bytes stand as they are, and blocks of one or two matches, R(n), which repeat the last n bytes that came out. No block but the last is
one that makes nothing, N. With x for the bytes of X, k times N in W, and R and L for as many bytes as head and L have together, it is

    head L  [head L]  R W L  [R W L R W L]  R W L  [Y]  Z tail

where what stands in brackets is the bytes after an L. It unpacks to

            head L    head L  R W L R W L   R W L R W L  Y  Z tail

which is the same, if Z, the last block, repeats the end of Y, and that is Z and the tail. The lengths fit if the head has 2 * |R W L| - |L| bytes. Both
parts hold the checksum of the whole: CRC-32 is linear, so that a checksum that makes itself is a solution of 32 linear equations.
The idea is Russ Cox's, "Zip Files All The Way Down".
"""
import argparse
import pathlib
import struct
import sys
import zlib

HERE = pathlib.Path(__file__).resolve().parent
STORED = 5  # bytes of L and of N
LENGTHS = [(257 + i, 3 + i, 0) for i in range(8)] + [(261 + 4 * e + i, 3 + (4 + i << e), e) for e in range(1, 6) for i in range(4)]
DISTANCES = [(i, 1 + i, 0) for i in range(4)] + [(2 + 2 * e + i, 1 + (2 + i << e), e) for e in range(1, 14) for i in range(2)]


class Bits:
    def __init__(self):
        self.bits = []

    def put(self, value, n):
        """The lowest bit first, as all numbers of deflate but its codes are."""
        self.bits += [value >> i & 1 for i in range(n)]

    def code(self, value, n):
        self.bits += [value >> i & 1 for i in reversed(range(n))]

    def match(self, length, distance):
        symbol, first, extra = [row for row in LENGTHS if row[1] <= length][-1]
        self.code(symbol - 256, 7) if symbol < 280 else self.code(0xC0 + symbol - 280, 8)
        self.put(length - first, extra)
        symbol, first, extra = [row for row in DISTANCES if row[1] <= distance][-1]
        self.code(symbol, 5)
        self.put(distance - first, extra)

    def whole(self):
        padded = self.bits + [0] * (-len(self.bits) % 8)
        return bytes(sum(bit << i for i, bit in enumerate(padded[at:at + 8])) for at in range(0, len(padded), 8))


def stored(n):
    return struct.pack("<BHH", 0, n, n ^ 0xFFFF)


def repeat(n, last=False):
    """Blocks of fixed codes that repeat the last n bytes. Unless it is the last, at most two bits are left of its last byte, and the block
    after it begins in these: then it has a byte of its own for the rest of its head, and ends where it would have."""
    found = []
    for first in range(n, 2, -1):
        if n - first in (1, 2):
            continue
        for empty in range(3):
            out = Bits()
            out.put(last | 1 << 1, 3)
            for length in (first, n - first):
                if length:
                    out.match(length, n)
            out.code(0, 7)
            for _ in range(0 if last else empty):
                out.put(1 << 1, 3)
                out.code(0, 7)
            if last or -len(out.bits) % 8 <= 2:
                found.append(out.whole())
    return min(found, key=len)


def lay_out(head, tail):
    n = len(head) + STORED
    r, l = repeat(n), stored(n)
    no_ops = (n // 2 - len(r) - STORED) // STORED
    group = r + stored(0) * no_ops + l
    if 2 * len(group) != n:
        raise ValueError(f"a head of {len(head)} bytes does not fit: 2 times {len(group)} are not {n}")
    z = b""
    while z != repeat(len(z) + len(tail), last=True):
        z = repeat(len(z) + len(tail), last=True)
    y = (z + tail).rjust(n, b"\0")
    return head + l + head + l + 4 * group + y + z + tail


def solve(make):
    """The checksum for which make(checksum) has it."""
    base = zlib.crc32(make(0))
    rows = []  # the equations, with what is on the right in bit 32
    columns = [zlib.crc32(make(1 << i)) ^ base ^ 1 << i for i in range(32)]
    for bit in range(32):
        rows.append(sum((columns[i] >> bit & 1) << i for i in range(32)) | (base >> bit & 1) << 32)
    done = {}
    for row in rows:
        for i, other in done.items():
            if row >> i & 1:
                row ^= other
        if row & 0xFFFFFFFF == 0:
            if row:
                return None
            continue
        pivot = (row & -row).bit_length() - 1
        done = {i: other ^ row if other >> pivot & 1 else other for i, other in done.items()}
        done[pivot] = row
    return sum(1 << i for i, row in done.items() if row >> 32)


def gzip_quine():
    """A head of 15 bytes: one with a name of four characters."""
    def make(checksum, size=0):
        return lay_out(b"\x1F\x8B\x08\x08" + b"\0" * 4 + b"\x02\xFF" + b"self\0", struct.pack("<II", checksum, size))
    size = len(make(0))
    return make, size


def zip_quine():
    """A local header with a name of five characters and an extra field, which makes it 83 bytes."""
    name, field = b"q.zip", struct.pack("<HH44x", 0x5155, 44)

    def make(checksum, size=0):
        packed = max(size - 30 - len(name) - len(field) - 46 - len(name) - 22, 0)
        common = struct.pack("<HHHHHIII", 20, 0, 8, 0x6000, 0x5A21, checksum, packed, size)
        head = b"PK\3\4" + common + struct.pack("<HH", len(name), len(field)) + name + field
        central = b"PK\1\2" + struct.pack("<H", 20) + common + struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, 0, 0) + name
        at = len(head) + packed
        return lay_out(head, central + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), at, 0))
    return make, len(make(0))


def build(quine):
    make, size = quine()
    checksum = solve(lambda c: make(c, size))
    whole = make(checksum, size)
    assert zlib.crc32(whole) == checksum and len(whole) == size
    return whole


QUINES = {"stream/ARC017_archive_holds_itself": gzip_quine, "zip/ARC017_archive_holds_itself": zip_quine}


def hex_lines(data):
    return [f"bytes {data[at:at + 64].hex().upper()}" for at in range(0, len(data), 64)]


def main(argv):
    parser = argparse.ArgumentParser(description="Makes archives that hold themselves, and compares the vectors with them.")
    parser.add_argument("--print", action="store_true", help="print their bytes, as vectors have them")
    args = parser.parse_args(argv)
    n_stale = 0
    for name, quine in QUINES.items():
        lines = hex_lines(build(quine))
        if args.print:
            print(f"# {name}", *lines, sep="\n")
            continue
        text = (HERE / "vectors" / f"{name}.vec").read_text(encoding="utf-8")
        if "\n".join(lines) not in text:
            print(f"quine: {name} is not what this makes")
            n_stale += 1
    if not args.print:
        print(f"quine: {len(QUINES)} archives, {n_stale} stale")
    return n_stale > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
