"""Entries of a pak: records of an index, packed records, and the headers before the files (chapter 4 of conformance/spec/pak.md)."""
from .core import Cut

ENCRYPTED, DELETED = 1, 2
OLD_METHODS = {1: "zlib", 2: "gzip", 4: "custom"}
LOWEST = -1 << 31
GRAIN = 16                      # of encrypted bytes
UNIT_STEP = 11                  # bits that packed records leave out of the size of blocks


class CutField(Cut):
    """The bytes that are missing belong to the size of blocks or to a number of 64 bits."""


class Cursor:
    """Reads a file's numbers one behind the other."""

    def __init__(self, file, at=0, end=None):
        self.file, self.at, self.end = file, at, len(file) if end is None else end

    @property
    def left(self):
        return self.end - self.at

    def bytes(self, n):
        if not 0 <= n <= self.left:
            raise Cut
        self.at += n
        return self.file.bytes(self.at - n, n)

    def number(self, n):
        """Of so many bytes; with a sign if n is negative."""
        return int.from_bytes(self.bytes(abs(n)), "little", signed=n < 0)


def rounded(n):
    return -(-n // GRAIN) * GRAIN


class Form:
    """What the version of a pak says of its records."""

    def __init__(self, version, short_method):
        self.version, self.method_size = version, 1 if short_method else 4
        self.has_time, self.has_blocks, self.relative = version == 1, version >= 3, version >= 5
        self.has_vectors = False                    # of packed records, where the file is encrypted
        self.names_method = version >= 15           # of encryption

    @property
    def digest_at(self):
        """Where the hash begins in a record."""
        return 24 + self.method_size + (8 if self.has_time else 0)

    def least(self):
        """Bytes of the shortest record."""
        return self.digest_at + 20 + (5 if self.has_blocks else 0)

    def size(self, method, n_blocks):
        return self.least() + (4 + 16 * n_blocks if method and self.has_blocks else 0)


class Entry:
    """What a record says of a file. blocks are (begin, end), as they stand there."""

    def __init__(self):
        self.at = self.end = None                   # where the record lies in its index
        self.offset = self.size = self.whole = self.method = 0
        self.time, self.digest, self.blocks, self.flags, self.unit = None, None, [], 0, 0
        self.packed, self.path, self.vector = False, None, None

    @property
    def encrypted(self):
        return bool(self.flags & ENCRYPTED)

    @property
    def deleted(self):
        return bool(self.flags & DELETED)

    @property
    def stored(self):
        return rounded(self.size) if self.encrypted else self.size


def read_record(cursor, form):
    e = Entry()
    e.at = cursor.at
    e.offset, e.size, e.whole, e.method = (cursor.number(n) for n in (-8, -8, -8, form.method_size))
    if form.has_time:
        e.time = cursor.number(8)
    e.digest = cursor.bytes(20)
    if form.has_blocks:
        if e.method:
            n = cursor.number(4)
            if n > cursor.left // 16:
                raise Cut
            e.blocks = [(cursor.number(-8), cursor.number(-8)) for _ in range(n)]
        e.flags, e.unit = cursor.number(1), cursor.number(4)
    e.end = cursor.at
    return e


def wide(cursor, n):
    try:
        return cursor.number(n)
    except Cut:
        raise CutField from None


def read_packed(cursor, form):
    e = Entry()
    e.at, e.packed = cursor.at, True
    word = cursor.number(4)
    unit, n_blocks = word & 0x3F, word >> 6 & 0xFFFF
    e.flags, e.method = word >> 22 & ENCRYPTED, word >> 23 & 0x3F
    e.unit = wide(cursor, 4) if unit == 0x3F else unit << UNIT_STEP
    e.offset = cursor.number(4) if word >> 31 else wide(cursor, -8)
    e.whole = cursor.number(4) if word >> 30 & 1 else wide(cursor, -8)
    if e.encrypted and form.has_vectors:
        e.vector = cursor.bytes(12)
    if not e.method:
        e.size = e.whole
    else:
        e.size = cursor.number(4) if word >> 29 & 1 else wide(cursor, -8)
    at = form.size(e.method, n_blocks)
    if n_blocks == 1 and not e.encrypted:
        e.blocks = [(at, at + e.size)]
    else:
        for _ in range(n_blocks):
            n = cursor.number(4)
            e.blocks.append((at, at + n))
            at += rounded(n) if e.encrypted else n
    e.end = cursor.at
    return e
