#!/usr/bin/env python3
"""Zips that readers see in different ways, made anew, and what uvet says of each.

    ambiguous_zips.py UVET [--quick] [--keep FOLDER] [--list CLASS]

The constructions are those of ouuan/ZipDiff (You, Chen, Wang, Duan: "My ZIP isn't your ZIP", USENIX Security 2025), 5,927 archives in 14
classes: what differs between the headers (a), between names (b), between places of the directory (c). They are written here from what the
paper and the project say of each class; names, contents and fields are its, so that counts can be compared. Times are always the same.

Of each class it counts how many archives have an error, a warning, a note, or nothing at all, and holds that against EXPECTED. --quick makes
each class but the two large ones whole, and of these every 16th archive."""
import argparse
import copy
import itertools
import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib

STORED, DEFLATED = 0, 8
ENCRYPTED, DESCRIPTOR, UTF8 = 1, 8, 0x800
FULL16, FULL32 = 0xFFFF, 0xFFFFFFFF
DATA = b"test"
# two texts of one length and one CRC-32
SAME_A, SAME_B = b"oxueekz", b"pyqptgs"
LARGE = ("a2", "b2")
QUICK_STEP = 16

# Class: how many archives have an error, at worst a warning (or are undetermined), at worst a note, nothing. Nothing is told of 160 of a2,
# which are controls: no two of five readers see them in different ways; and of 62 of b2, whose names are printable ASCII, as `a!b`. Of
# c3 and c5 those that say to be one volume of several are undetermined.
EXPECTED = {
    "a1": (2, 0, 0, 0), "a2": (4305, 144, 0, 160), "a3": (5, 0, 2, 0), "a4": (3, 6, 0, 0), "a5": (3, 0, 0, 0),
    "b1": (1, 0, 0, 0), "b2": (31, 1089, 0, 62), "b3": (16, 4, 0, 0), "b4": (0, 1, 0, 0),
    "c1": (5, 2, 0, 0), "c2": (3, 0, 0, 0), "c3": (5, 3, 0, 0), "c4": (1, 0, 0, 0), "c5": (61, 13, 0, 0),
}
QUICK = {"a2": (270, 9, 0, 10), "b2": (3, 67, 0, 4)}     # of every 16th


# ---- Records -------------------------------------------------------------------------------------------------------------------

def crc(data):
    return zlib.crc32(data)


def raw_deflate(data):
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def extra(number, data):
    return struct.pack("<HH", number, len(data)) + data


def zip64(*numbers):
    return extra(1, b"".join(struct.pack("<Q", n) for n in numbers))


def unicode_path(version, checksum, name):
    return extra(0x7075, struct.pack("<BI", version, checksum) + name)


class Header:
    """What a local and a central header share."""

    def __init__(self, name, method=STORED):
        self.name, self.method, self.needed, self.flags = name, method, 20, 0
        self.crc = self.packed = self.size = 0
        self.extra = b""

    def common(self):
        return struct.pack("<HHHHHIII", self.needed, self.flags, self.method, 0x6000, 0x5A21, self.crc, self.packed, self.size)


class Local(Header):
    def to_bytes(self):
        return b"PK\x03\x04" + self.common() + struct.pack("<HH", len(self.name), len(self.extra)) + self.name + self.extra


class Central(Header):
    def __init__(self, local):
        super().__init__(local.name, local.method)
        self.__dict__.update({key: value for key, value in local.__dict__.items()})
        self.made_by, self.comment, self.attributes, self.offset = local.needed, b"", 0, 0

    def to_bytes(self):
        return (b"PK\x01\x02" + struct.pack("<H", self.made_by) + self.common()
                + struct.pack("<HHHHHII", len(self.name), len(self.extra), len(self.comment), 0, 0, self.attributes, self.offset)
                + self.name + self.extra + self.comment)


class Entry:
    """A local header, the bytes of the member, and the data descriptor."""

    def __init__(self, name, data=b"", method=STORED, described=False, long=False):
        name = name.encode() if isinstance(name, str) else name
        self.local, self.after = Local(name, method), b""
        self.data = raw_deflate(data) if method == DEFLATED else data
        self.local.crc, self.local.packed, self.local.size = crc(data), len(self.data), len(data)
        if long:
            self.local.extra = zip64(len(data), len(self.data))
            self.local.packed = self.local.size = FULL32
        if described:
            self.local.flags |= DESCRIPTOR
            self.after = descriptor(self.local.crc, self.local.packed, self.local.size)

    def to_bytes(self):
        return self.local.to_bytes() + self.data + self.after


def descriptor(checksum, packed, size, wide=False):
    return b"PK\x07\x08" + struct.pack("<IQQ" if wide else "<III", checksum, packed, size)


class End:
    """The end record, and the two records of zip64 if they are there."""

    def __init__(self):
        self.disk = self.start_disk = self.here = self.total = self.length = self.offset = 0
        self.comment, self.comment_len, self.record, self.locator = b"", None, None, None

    def to_bytes(self):
        n = len(self.comment) if self.comment_len is None else self.comment_len
        return (self.record or b"") + (self.locator or b"") + b"PK\x05\x06" + struct.pack(
            "<HHHHIIH", self.disk, self.start_disk, self.here, self.total, self.length, self.offset, n) + self.comment


def zip64_record(here, total, length, offset, more=b""):
    return b"PK\x06\x06" + struct.pack("<QHHIIQQQQ", 44 + len(more), 20, 20, 0, 0, here, total, length, offset) + more


def zip64_locator(offset):
    return b"PK\x06\x07" + struct.pack("<IQI", 0, offset, 1)


def joined(items):
    return b"".join(item.to_bytes() for item in items)


class Zip:
    """An archive of entries. `finish` makes its directory, after which headers can be changed."""

    def __init__(self, *entries):
        self.entries, self.directory, self.end = list(entries), [], End()

    def finish(self, base=0):
        self.directory = [Central(e.local) for e in self.entries]
        return self.place(base)

    def place(self, base=0):
        """Gives entries their offsets, and the end record its numbers."""
        for entry, central in zip(self.entries, self.directory):
            central.offset = base
            base += len(entry.to_bytes())
        return self.close(base)

    def close(self, offset, long=False):
        length, n = len(joined(self.directory)), len(self.directory)
        if long:
            self.end.record = zip64_record(n, n, length, offset)
            self.end.locator = zip64_locator(offset + length)
            self.end.disk = self.end.start_disk = self.end.here = self.end.total = FULL16
            self.end.length = self.end.offset = FULL32
        else:
            self.end.here = self.end.total = n
            self.end.length, self.end.offset = length, offset
        return self

    def offset(self):
        """Where the directory is by the entries."""
        return self.directory[-1].offset + len(self.entries[-1].to_bytes())

    def to_bytes(self):
        return joined(self.entries) + joined(self.directory) + self.end.to_bytes()


# ---- a: headers that contradict each other ----------------------------------------------------------------------------------------

def a1():
    """The method differs."""
    for of in ("entries", "directory"):
        z = Zip(Entry("test", DATA, DEFLATED)).finish()
        header = z.entries[0].local if of == "entries" else z.directory[0]
        header.method, header.packed = STORED, len(DATA)
        yield z


def crc_to_zero(data):
    """The four bytes after which the CRC-32 is 0: found by going through the register backwards."""
    table = [crc_step(n) for n in range(256)]
    register = FULL32            # what the register is when the checksum is 0
    want = register
    for _ in range(4):
        top = next(i for i in range(256) if table[i] >> 24 == want >> 24)
        want = ((want ^ table[top]) << 8 | top) & FULL32
    return struct.pack("<I", want ^ (crc(data) ^ FULL32))


def crc_step(n):
    for _ in range(8):
        n = n >> 1 ^ (0xEDB88320 if n & 1 else 0)
    return n


def escape(header, fields):
    """Moves sizes to a field of zip64: 1 the compressed one, 2 the other."""
    if not fields:
        return
    numbers = []
    if fields & 2:
        numbers.append(header.size)
        header.size = FULL32
    if fields & 1:
        numbers.append(header.packed)
        header.packed = FULL32
    header.extra += zip64(*numbers)


def a2_one(data, zeros, described, local_long, central_long):
    z = Zip(Entry("test", data, DEFLATED if zeros & 1 else STORED)).finish()
    local, central = z.entries[0].local, z.directory[0]
    if described is not None:
        z.entries[0].after = descriptor(0, 0 if described & 1 else local.packed, 0 if described & 2 else local.size, described & 4)
        local.flags |= DESCRIPTOR
        central.flags |= DESCRIPTOR
    local.packed = 0 if zeros & 2 else local.packed
    local.size = 0 if zeros & 4 else local.size
    central.packed = 0 if zeros & 8 else central.packed
    central.size = 0 if zeros & 16 else central.size
    escape(local, local_long)
    escape(central, central_long)
    return z.place()


def a2():
    """Sizes differ: between headers, descriptors and fields of zip64. The checksum is 0, so that it fits no bytes as well as all."""
    data = DATA + crc_to_zero(DATA)
    for zeros, described, local_long, central_long in itertools.product(range(32), [*range(8), None], range(4), range(4)):
        yield a2_one(data, zeros, described, local_long, central_long)
    z = Zip(Entry("test", DATA, long=True)).finish()
    for header in (z.entries[0].local, z.directory[0]):
        header.extra += zip64(0, 0) + header.extra
    yield z.place()


def with_paths(name, *paths):
    e = Entry(name, DATA)
    e.local.extra = b"".join(unicode_path(*p) for p in paths)
    return e


def a3():
    """Names differ: between headers, and between a name and Unicode paths for it."""
    z = Zip(Entry("lfh", DATA)).finish()
    z.directory[0].name = b"cdh"
    yield z
    known = crc(b"original")
    z = Zip(with_paths("original", (1, known, b"lfh"))).finish()
    z.directory[0].extra = unicode_path(1, known, b"cdh")
    yield z
    yield Zip(with_paths("v0-original", (0, crc(b"v0-original"), b"v0-up")),
              with_paths("v2-original", (2, crc(b"v2-original"), b"v2-up"))).finish()
    yield Zip(with_paths("original", (1, 0, b"up"))).finish()
    one, two = crc(b"1-original"), crc(b"2-original")
    yield Zip(with_paths("1-original", (1, one, b"1-up1"), (1, one, b"1-up2")),
              with_paths("2-original", (1, two, b"2-up1"), (1, crc(b"2-up1"), b"2-up2"))).finish()
    same = SAME_A + SAME_A
    yield Zip(with_paths("original", (1, known, b"up-valid"), (2, 0, b"up-invalid")),
              with_paths(same, (1, crc(same), SAME_A + SAME_B), (2, 0, SAME_B + SAME_A), (1, crc(same), SAME_B + SAME_B))).finish()
    e = with_paths("original", (1, known, b"up"))
    e.local.flags |= UTF8
    yield Zip(e).finish()


def a4():
    """What is a folder."""
    for name, data in (("test/", DATA), ("test\\", DATA), ("test/", b"")):
        yield Zip(Entry(name, data)).finish()
    for attribute, system in itertools.product((0x10, 0x4000 << 16), (0, 3, 19)):
        z = Zip(Entry("test", DATA)).finish()
        z.directory[0].attributes |= attribute
        z.directory[0].made_by |= system << 8
        yield z


def a5():
    """What is encrypted."""
    z = Zip(Entry("test", DATA)).finish()
    z.entries[0].local.flags |= ENCRYPTED
    yield z
    z = Zip(Entry("test", DATA)).finish()
    z.directory[0].flags |= ENCRYPTED
    yield z
    z = Zip(Entry("first", b"first"), Entry("second", b"second"))
    z.entries[0].local.flags |= ENCRYPTED
    yield z.finish()


# ---- b: names that clash ----------------------------------------------------------------------------------------------------------

def b1():
    """One name twice."""
    yield Zip(Entry("test", b"a"), Entry("test", b"b")).finish()


def plain(byte):
    return bytes([byte]).isalnum()


def b2():
    """A byte that is no letter and no digit in a name, by its system; and two in two names that may become one."""
    special = [byte for byte in range(256) if not plain(byte)]
    for byte in special:
        for systems in ((0,), (3,), (3, 0)):
            z = Zip(*[Entry(bytes([0x61, byte, 0x62])) for _ in systems]).finish()
            z.directory[0].made_by |= systems[0] << 8
            yield z
    for a, b in itertools.product([x for x in special if x % 8 == 0], [x for x in special if x % 8 == 7]):
        yield Zip(Entry(bytes([0x61, a, 0x62])), Entry(bytes([0x61, b, 0x62]))).finish()


def b3():
    """Paths that may be one."""
    for path in ("/a/b", "a//b", "a\\b", "./a/b", "a/./b", "a/b/.", "../a/b", ".../a/b", "a/.../b", "c/../a/b"):
        yield Zip(Entry("a/b", b"a"), Entry(path, b"b")).finish()
        yield Zip(Entry(path, b"a"), Entry("a/b", b"b")).finish()


def b4():
    """Names that differ in case."""
    yield Zip(Entry("test.txt", b"a"), Entry("test.TXT", b"b")).finish()


# ---- c: directories at several places ---------------------------------------------------------------------------------------------

def c1_unlisted():
    z = Zip(Entry("a", b"a"), Entry("b", b"b")).finish()
    z.directory.pop()
    offset = z.end.offset
    return z.close(offset)


def c1_records_in_members():
    """The first member ends in a central header, the second in an end record."""
    z = Zip(*[Entry(x, x.encode()) for x in "abc"]).finish()
    end = End()
    end.here = end.total = 1
    end.length, end.offset = len(z.directory[0].to_bytes()), len(z.entries[0].to_bytes())
    z.entries[0].data += z.directory[0].to_bytes()
    z.entries[1].data += end.to_bytes()
    return z.finish()


def c1_members_in_comments():
    z = Zip(Entry("a", b"a"), Entry("b", b"b"), Entry("c", b"b")).finish()
    last, middle = z.entries.pop(), z.entries.pop()
    offset = z.end.offset = len(joined(z.entries))
    length = z.end.length
    offset += len(z.directory[0].to_bytes())
    # the offsets are the original's, which name the header with the comment, and a place before the end record's
    z.directory[1].comment = middle.to_bytes()
    z.directory[1].offset = offset
    offset += len(z.directory[2].to_bytes()) + len(z.end.to_bytes())
    z.end.comment = last.to_bytes()
    z.directory[2].offset = offset
    z.end.length = length
    return z


def c1_shifted(overlapping):
    """A member that is a local header and a member; the directory in the comment lists the inner one."""
    inner = Entry("a", b"a")
    z = Zip(Entry("junk", inner.to_bytes()), Entry("b", b"b")).finish()
    directory = [Central(inner.local)]
    directory[0].offset = len(Local(b"junk").to_bytes())
    if overlapping:
        directory += [copy.copy(c) for c in z.directory]
    end = End()
    end.here = end.total = len(directory)
    end.length, end.offset = len(joined(directory)), len(z.to_bytes())
    z.end.comment = joined(directory) + end.to_bytes()
    return z


def c1_descriptors(method):
    """Two archives in one: where the first member ends depends on which of two descriptors is taken for its own."""
    file_a, file_b = Entry("a", b"a"), Entry("b", b"b")
    first_b = Entry("junk1", b"", method, described=True)
    second, third = Entry("junk2"), Entry("junk3")

    length = len(first_b.after) + len(file_b.to_bytes()) + len(third.to_bytes()) + 4
    second.local.packed = second.local.size = length
    data = first_b.data + first_b.after + file_b.to_bytes() + second.local.to_bytes()
    first_a = copy.deepcopy(first_b)
    first_a.data, first_a.after = data, descriptor(crc(data), len(data), len(data))

    shown_b = Zip(first_b, file_b, Entry("junk2")).finish()
    length = 4 + len(joined(shown_b.directory)) + len(shown_b.end.to_bytes()) + 4
    third.local.packed = third.local.size = length
    second.data = first_a.after + file_a.to_bytes() + third.local.to_bytes()
    patch = crc_to_zero(second.data)
    second.data += patch

    shown_a = Zip(first_a, file_a, Entry("junk3")).finish()
    shown_b = Zip(first_b, file_b, second).finish()
    described(shown_b.directory[0], 0, len(first_b.data), 0)
    shown_b.end.comment_len = 4 + len(joined(shown_a.directory)) + len(shown_a.end.to_bytes())
    third.data = patch + joined(shown_b.directory) + shown_b.end.to_bytes()
    third.data += crc_to_zero(third.data)
    shown_a = Zip(first_a, file_a, third).finish()
    described(shown_a.directory[0], crc(data), len(data), len(data))
    shown_a.directory[0].method = STORED
    return shown_a


def described(central, checksum, packed, size):
    central.crc, central.packed, central.size = checksum, packed, size


def c1():
    """What a stream shows that the directory does not."""
    yield c1_unlisted()
    yield c1_records_in_members()
    yield c1_members_in_comments()
    yield c1_shifted(False)
    yield c1_shifted(True)
    yield c1_descriptors(STORED)
    yield c1_descriptors(DEFLATED)


class Parts:
    """Several archives after one another."""

    def __init__(self, *parts):
        self.parts = parts

    def to_bytes(self):
        return joined(self.parts)


def c2():
    """Three archives one after the other, whose comments reach the end, or not quite."""
    for more, needed in ((1, 20), (-1, 20), (0, 10)):
        parts = [Zip(Entry(x, x.encode())) for x in "abc"]
        size = len(parts[0].finish().to_bytes()) + 1
        for i, z in enumerate(parts):
            z.finish(i * size)
            z.end.comment = b"\0"
            z.end.comment_len = (2 - i) * size + 1
        for z in (parts[0], parts[2]):
            z.end.comment_len += more
            z.directory[0].needed = needed
        yield Parts(*parts)


def c3():
    """The count of members, and the length of the directory."""
    for what in range(1, 8):
        z = Zip(Entry("a", b"a"), Entry("b", b"b")).finish()
        z.end.here -= what & 1
        z.end.total -= what >> 1 & 1
        if what & 4:
            z.end.length = len(z.directory[0].to_bytes())
        yield z
    z = Zip(*[Entry(f"{i // 256:x}/{i % 256:x}") for i in range(1, 65538)])
    z.directory, offset = [], 0
    for e in z.entries:
        z.directory.append(Central(e.local))
        z.directory[-1].offset = offset
        offset += len(e.to_bytes())
    z.end.here = z.end.total = len(z.entries) - 65536
    z.end.length, z.end.offset = len(joined(z.directory)), offset
    yield z


def two_directories():
    """One directory where the end record says, another one before the end record: parts, and the end record."""
    names = ("stream", "eocdr", "adjac", "adjac")
    width = len(Central(Local(b"eocdr")).to_bytes()) - len(Local(b"adjac").to_bytes())
    stream, stated, *near = (Entry(name, data) for name, data in
                             zip(names, (b"a", b"a", SAME_A.ljust(width, b"A"), SAME_B.ljust(width, b"A"))))
    first, second, third = (Central(e.local) for e in (stream, stated, near[0]))
    head = stream.to_bytes() + first.to_bytes()
    second.offset = len(head)
    third.offset = second.offset + len(stated.to_bytes())
    end = End()
    end.here = end.total = 1
    end.length, end.offset = len(second.to_bytes()), third.offset + len(near[0].to_bytes())
    assert len(near[1].to_bytes()) == end.length == len(third.to_bytes())
    middle = stated.to_bytes() + near[0].to_bytes() + second.to_bytes()
    return head, middle, near[1].to_bytes() + third.to_bytes(), end


class Bytes:
    def __init__(self, data):
        self.data = data

    def to_bytes(self):
        return self.data


def c4():
    """Two directories, one of them at the place that is stated."""
    *parts, end = two_directories()
    yield Bytes(b"".join(parts) + end.to_bytes())


def c5_flags(flags):
    shown = Zip(*[Entry(x, x.encode()) for x in ("a" if flags & 32 else "ab")]).finish()
    hidden = Zip(*[Entry(x, x.encode()) for x in ("cd" if flags & 32 else "c")]).finish()
    hidden.place(len(joined(shown.entries)) + len(joined(shown.directory)))
    hidden.close(hidden.offset(), long=True)
    shown.directory[-1].comment = (joined(hidden.entries) + joined(hidden.directory) + hidden.end.record + hidden.end.locator
                                   + (b"\0" if flags & 16 else b""))
    shown.close(shown.offset())
    if flags & 1:
        shown.end.disk = shown.end.start_disk = FULL16
    if flags & 2:
        shown.end.here = shown.end.total = FULL16
    if flags & 4:
        shown.end.length = FULL32
    if flags & 8:
        shown.end.offset = FULL32
    return shown


def c5_locator():
    """A zip64 record hidden in the extensible data of another: the one is found by its locator, the other by a look before that."""
    z, other = Zip(Entry("a", b"a")).finish(), Zip(Entry("b", b"b")).finish()
    z.close(z.offset(), long=True)
    other.place(len(joined(z.entries)) + len(joined(z.directory)))
    record = z.end.record
    hidden = zip64_record(1, 1, len(joined(other.directory)), other.offset(), struct.pack("<HI", 0x1337, len(record)))
    hidden = hidden[:4] + struct.pack("<Q", 44 + 6 + len(record)) + hidden[12:]
    z.directory[0].comment = joined(other.entries) + joined(other.directory) + hidden
    offset = z.offset()
    z.close(offset, long=True)
    z.end.locator = zip64_locator(offset + len(joined(z.directory)) - len(hidden))
    return z


def c5_count(what):
    z = Zip(Entry("a", b"a"), Entry("b", b"b")).finish()
    offset = z.offset()
    z.close(offset, long=True)
    z.end.record = zip64_record(2 - (what & 1), 2 - (what >> 1 & 1),
                                len((z.directory[0] if what & 4 else Bytes(joined(z.directory))).to_bytes()), offset)
    return z


def c5_place(first):
    *parts, end = two_directories()
    record = zip64_record(1, 1, end.length, end.offset)
    end.locator = zip64_locator(len(b"".join(parts[:2] if first else parts)))
    end.disk = end.start_disk = end.here = end.total = FULL16
    end.length = end.offset = FULL32
    end.record = record
    return Bytes(b"".join(parts) + end.to_bytes())


def c5():
    """Zip64: a second directory, which some readers take."""
    for flags in range(64):
        yield c5_flags(flags)
    yield c5_locator()
    for what in range(1, 8):
        yield c5_count(what)
    yield c5_place(False)
    yield c5_place(True)


CLASSES = {f.__name__: f for f in (a1, a2, a3, a4, a5, b1, b2, b3, b4, c1, c2, c3, c4, c5)}


# ---- Checking -----------------------------------------------------------------------------------------------------------------

ORDER = ("error", "warning", "note", "nothing")


def make(folder, quick):
    """Writes all archives, and returns (class, number, path) of each."""
    made = []
    for name, of in CLASSES.items():
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        for i, z in enumerate(of()):
            if quick and name in LARGE and i % QUICK_STEP:
                continue
            path = os.path.join(folder, name, f"{name}-{i + 1}.zip")
            with open(path, "wb") as f:
                f.write(z.to_bytes())
            made.append((name, i + 1, path))
    return made


def ask(uvet, paths):
    """The worst severity of what is found in each path, and in the files in it."""
    listed = b"".join(os.fsencode(p) + b"\0" for p in paths)
    p = subprocess.run([uvet, "check", "--isolated", "-f", "ndjson", "--ignore", "LAY", "--files0-from", "-"], input=listed, capture_output=True, check=False)
    if p.returncode not in (0, 1, 2):
        raise SystemExit(f"uvet ended with {p.returncode}: {p.stderr.decode(errors='replace')[:400]}")
    of, worst = {}, {}
    for line in p.stdout.splitlines():
        r = json.loads(line)
        if r["type"] != "artifact":         # findings are cut after some thousands; artifacts count all of theirs
            continue
        of[r["id"]] = path = r["path"] if r["parent"] is None else of[r["parent"]]
        found = {"warning" if level == "undetermined" else level for level in ("error", "warning", "note", "undetermined") if r["findings"][level]}
        worst[path] = min([worst.get(path, "nothing"), *found], key=ORDER.index)
    return worst


def count(made, worst):
    counts = {name: [0, 0, 0, 0, 0] for name in CLASSES}
    for name, _, path in made:
        counts[name][0] += 1
        counts[name][1 + ORDER.index(worst[path])] += 1
    return {name: tuple(c) for name, c in counts.items()}


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("uvet")
    parser.add_argument("--quick", action="store_true", help="of the two large classes every 16th archive")
    parser.add_argument("--keep", metavar="FOLDER", help="write the archives there, and leave them")
    parser.add_argument("--list", metavar="CLASS", help="say of which archives of a class nothing is told")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="ambiguous-") as folder:
        made = make(args.keep or folder, args.quick)
        worst = ask(os.path.abspath(args.uvet), [path for *_, path in made])
    missing = [path for *_, path in made if path not in worst]
    for path in missing:
        worst[path] = "nothing"
    counts = count(made, worst)
    print(f"{'class':7}{'archives':>9}" + "".join(f"{level:>9}" for level in ORDER))
    for name, c in counts.items():
        print(f"{name:7}" + "".join(f"{n:9}" for n in c))
    total = tuple(sum(c[i] for c in counts.values()) for i in range(5))
    print(f"{'all':7}" + "".join(f"{n:9}" for n in total))
    if args.list:
        for name, i, path in made:
            if name == args.list and worst[path] == "nothing":
                print(f"nothing is told of {name}-{i}")
    for path in missing[:10]:
        print(f"FAIL: nothing was said of {path}")
    if missing or not judge(counts, args.quick):
        return 1
    print(f"ambiguous zips: {total[0]}, as many errors, warnings and notes as expected")
    return 0


def judge(counts, quick):
    right = True
    for name, (_, *found) in counts.items():
        expected = (QUICK if quick and name in QUICK else EXPECTED)[name]
        if tuple(found) != expected:
            print(f"FAIL: {name} should have", *(f"{level} {n}," for level, n in zip(ORDER, expected)))
            right = False
    return right


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
