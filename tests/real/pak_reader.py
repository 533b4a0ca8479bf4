"""A second reader of .pak, for real files: pak_reader.read(data, keys) lists a pak's files with all that its tables say of each.

Written from conformance/spec/pak.md, and nothing of it is shared with uvet or with the reference reading: it believes its input, and stops
with an exception where that is wrong. Keys are 32 bytes each. Of versions 13 and 14 it knows the footer alone.
"""
import hashlib
import os
import struct
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "conformance"))
from reference import aes  # noqa: E402

MAGIC = 0x5A6F12E1
FOOTERS = {44: (1, 2, 3), 45: (4, 5, 6), 61: (7,), 189: (8,), 221: (8, 10, 11, 12), 222: (9,), 225: (13, 14), 262: (15,)}
BASIS, PRIME, LOW64 = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1
NOWHERE = -1 << 31
ECB, CTR = 1, 2
TABLES = 0x50464451
ENCRYPTED, DELETED = 1, 2
OLD_METHODS = {0: "", 1: "Zlib", 2: "Gzip", 4: "Custom"}


class Unsupported(Exception):
    """A version of which only the footer is known."""


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        if n < 0 or self.at + n > len(self.data):
            raise ValueError(f"{n} bytes at {self.at} of {len(self.data)}")
        self.at += n
        return self.data[self.at - n:self.at]

    def numbers(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))

    def number(self, form):
        return self.numbers(form)[0]

    def string(self):
        n = self.number("i")
        text = self.take(n).decode("cp1252") if n >= 0 else self.take(-2 * n).decode("utf-16-le")
        return text.removesuffix("\0")


class Entry:
    """What an index says of a file. blocks are (begin, end) from the beginning of the entry's header."""

    def __init__(self, offset, size, whole, method, digest=None, blocks=(), flags=0, block_size=0, time=None):
        self.offset, self.size, self.whole, self.method, self.digest = offset, size, whole, method, digest
        self.blocks, self.flags, self.block_size, self.time = list(blocks), flags, block_size, time
        self.path = self.method_number = self.vector = None

    @property
    def encrypted(self):
        return bool(self.flags & ENCRYPTED)

    def key(self):
        return self.offset, self.size, self.whole, self.method, self.blocks, self.flags

    def end(self, begin):
        """Where its bytes end that begin there."""
        return begin + (-(-self.size // 16) * 16 if self.encrypted else self.size)

    def has_block_size(self, other):
        """Records that are packed leave it out where there is one block."""
        return not self.method or self.block_size == other.block_size or (self.block_size == 0 and len(self.blocks) == 1)


def fnv1a(path, seed, version):
    """Version 10 has the two constants the wrong way round."""
    basis, prime = (PRIME, BASIS) if version == 10 else (BASIS, PRIME)
    value = basis + seed & LOW64
    for byte in path.lower().encode("utf-16-le"):
        value = (value ^ byte) * prime & LOW64
    return value


class Pak:
    def __init__(self, data, keys=()):
        self.data, self.keys, self.key = data, keys, None
        self.hashes = {"index": 0, "path hash index": 0, "directory index": 0, "paths": 0, "paths in tables": 0, "payloads": 0, "headers": 0}
        self.entries, self.deleted, self.left = [], [], {}
        self.read_footer()
        index = Bytes(self.stretch(self.index_at, self.index_size, self.index_hash, "index", self.vectors[0]))
        self.mount = index.string()
        if self.version < 10:
            self.read_legacy(index)
        else:
            self.read_index(index)

    # -- the footer

    def read_footer(self):
        for size, versions in FOOTERS.items():
            at = len(self.data) - size + (17 if size > 45 else 1 if size == 45 else 0)
            if at < 0 or size > len(self.data) or struct.unpack_from("<I", self.data, at)[0] != MAGIC:
                continue
            version = struct.unpack_from("<I", self.data, at + 4)[0]
            if version in versions:
                break
        else:
            raise ValueError("no footer")
        self.version, self.footer_size = version, size
        if version in (13, 14):
            raise Unsupported(f"version {version}")
        self.index_encrypted = version >= 4 and self.data[at - 1] == 1
        self.index_at, self.index_size, self.index_hash = struct.unpack_from("<QQ20s", self.data, at + 8)
        names = at + 44 + (version == 9)
        names_end = len(self.data) - (41 if version >= 15 else 0)
        self.names = [self.data[i:i + 32].split(b"\0")[0].decode("ascii") for i in range(names, names_end - 31, 32)]
        self.chunk, self.cipher, self.vectors = -1, ECB, [None] * 3
        if version >= 15:
            self.chunk, self.cipher, *self.vectors = struct.unpack_from("<iB12s12s12s", self.data, names_end)
        self.is_old_8 = size == 189

    def stretch(self, at, size, digest, what, vector):
        data = self.data[at:at + size]
        if len(data) != size:
            raise ValueError(f"{what} outside")
        if self.index_encrypted:
            data = self.decrypted(data, digest, vector)
        if hashlib.sha1(data).digest() != digest:
            raise ValueError(f"{what}: hash")
        self.hashes[what] += 1
        return data

    def opened(self, data, key, vector):
        if self.cipher == CTR:
            return aes.add_counter(data, key, vector)
        if self.cipher != ECB:
            raise ValueError(f"method of encryption {self.cipher}")
        return aes.decrypt(data, key)

    def decrypted(self, data, digest, vector):
        for key in self.keys:
            plain = self.opened(data, key, vector)
            if hashlib.sha1(plain).digest() == digest:
                self.key = key
                return plain
        raise ValueError("no key fits")

    # -- entries

    def method_name(self, number):
        if self.version < 8:
            return OLD_METHODS[number]
        return self.names[number - 1] if number else ""

    def read_entry(self, b, at=None):
        """A record of an index, or the header at a place of the file, which has 0 for its own offset."""
        offset, size, whole = b.numbers("qqq")
        number = b.number("B" if self.is_old_8 else "I")
        method = self.method_name(number)
        time = b.number("q") if self.version == 1 else None
        digest, blocks, flags, block_size = b.take(20), [], 0, 0
        if self.version >= 3:
            if method:
                blocks = [b.numbers("qq") for _ in range(b.number("I"))]
            flags, block_size = b.numbers("BI")
        if self.version < 5:
            blocks = [(begin - (offset if at is None else at), end - (offset if at is None else at)) for begin, end in blocks]
        out = Entry(offset, size, whole, method, digest, blocks, flags, block_size, time)
        out.method_number = number
        return out

    def header_size(self, method, n_blocks):
        size = 24 + (1 if self.is_old_8 else 4) + 20 + (8 if self.version == 1 else 0)
        return size + (5 if self.version >= 3 else 0) + (4 + 16 * n_blocks if method and self.version >= 3 else 0)

    def read_encoded(self, b):
        word = b.number("I")
        block_size = b.number("I") if word & 0x3F == 0x3F else (word & 0x3F) << 11
        n_blocks, flags, method = word >> 6 & 0xFFFF, word >> 22 & 1, self.method_name(word >> 23 & 0x3F)
        offset = b.number("I" if word >> 31 else "Q")
        whole = b.number("I" if word >> 30 & 1 else "Q")
        if flags and self.version >= 15 and self.cipher != CTR:
            raise ValueError("a file that is encrypted, but not in CTR mode")
        vector = b.take(12) if flags and self.cipher == CTR else None
        size = b.number("I" if word >> 29 & 1 else "Q") if method else whole
        begin, blocks = self.header_size(method, n_blocks), []
        if n_blocks == 1 and not flags:
            blocks = [(begin, begin + size)]
        else:
            for _ in range(n_blocks):
                n = b.number("I")
                blocks.append((begin, begin + n))
                begin += -(-n // 16) * 16 if flags else n
        out = Entry(offset, size, whole, method, None, blocks, flags, block_size)
        out.vector = vector
        return out

    # -- indexes

    def read_legacy(self, b):
        for _ in range(b.number("i")):
            path = b.string()
            self.add(path, self.read_entry(b))
        self.left["index"] = len(b.data) - b.at

    def add(self, path, entry):
        entry.path = path
        if entry.flags & DELETED:
            self.deleted.append(path)
        else:
            self.entries.append(entry)

    def read_index(self, b):
        n, self.seed = b.numbers("iQ")
        places = [b.numbers("qq20s") if b.number("I") else None for _ in range(2)]
        self.encoded = b.take(b.number("i"))
        self.plain = [self.read_entry(b) for _ in range(b.number("i"))]
        self.left["index"] = len(b.data) - b.at
        hashes = self.read_path_hashes(places[0]) if places[0] else None
        paths = self.read_directories(places[1]) if places[1] else None
        if paths is None:
            raise ValueError("no directory index: nothing is named")
        for path, location in paths:
            if hashes is not None:
                if hashes[fnv1a(path, self.seed, self.version)] != location:
                    raise ValueError(f"{path}: another location by its hash")
                self.hashes["paths"] += 1
            if location == NOWHERE:
                self.deleted.append(path)
            else:
                self.add(path, self.entry_at(location))
        if len(paths) != n or (hashes is not None and len(hashes) != n):
            raise ValueError(f"{n} files, {len(paths)} paths")

    def entry_at(self, location):
        if location < 0:
            return self.plain[-location - 1]
        b = Bytes(self.encoded)
        b.at = location
        return self.read_encoded(b)

    def read_path_hashes(self, place):
        b = Bytes(self.stretch(*place, "path hash index", self.vectors[1]))
        rows = dict(b.numbers("Qi") for _ in range(b.number("i")))
        if self.version < 15:
            self.read_folders(b)
        elif b.number("i"):
            raise ValueError("the path hash index keeps folders")
        self.left["path hash index"] = len(b.data) - b.at
        return rows

    def read_directories(self, place):
        b = Bytes(self.stretch(*place, "directory index", self.vectors[2]))
        out = self.read_folders(b) if self.version < 15 else self.read_tables(b)
        self.left["directory index"] = len(b.data) - b.at
        return out

    def read_folders(self, b):
        """The paths of a directory index. Names of files are in UTF-8 since version 12, and end without a NUL."""
        out = []
        for _ in range(b.number("i")):
            folder = b.string()
            for _ in range(b.number("i")):
                name = b.take(b.number("i")).decode() if self.version >= 12 else b.string()
                out.append(((folder + name).removeprefix("/"), b.number("i")))
        return out

    def read_tables(self, b):
        """The paths of a directory index of version 15, whose own hashes are compared with them."""
        magic, n_folders, n_files, interval, folders_size, names_size, n_hashes, _ = b.numbers("I7i")
        if magic != TABLES:
            raise ValueError(f"tables begin with {magic:#x}")
        hashes, places = b.numbers(f"{n_hashes}Q"), b.numbers(f"{n_hashes}i")
        anchors = b.numbers(f"{-(-n_folders // interval) + 1}i")
        firsts, starts, locations = b.numbers(f"{n_folders + 1}i"), b.numbers(f"{n_files + 1}i"), b.numbers(f"{n_files}i")
        folders, names = Bytes(b.take(folders_size)), b.take(names_size)
        out, folder, begins = [], b"", []
        for i in range(n_folders):
            begins.append(folders.at)
            same, more = folders.numbers("ii")
            folder = folder[:same] + folders.take(more)
            out += [((folder + names[starts[k]:starts[k + 1]]).decode().removeprefix("/"), locations[k]) for k in range(firsts[i], firsts[i + 1])]
        if [*anchors] != [*begins[::interval], folders_size] or folders.at != folders_size:
            raise ValueError(f"anchors are {anchors}")
        if n_hashes:
            wanted = sorted((fnv1a(path, self.seed, self.version), location) for path, location in out)
            if wanted != list(zip(hashes, places)):
                raise ValueError("the hashes of the directory index are others")
            self.hashes["paths in tables"] += n_hashes
        return out

    # -- the stored bytes

    def check(self, entry):
        """Reads the header before an entry's bytes, hashes them, and decodes them; counts what was compared."""
        b = Bytes(self.data)
        b.at = entry.offset
        header = self.read_entry(b, entry.offset)
        stored = self.data[b.at:entry.end(b.at)]
        header.offset += entry.offset
        if header.key() != entry.key() or not entry.has_block_size(header) or entry.digest not in (None, header.digest):
            raise ValueError(f"{entry.path}: the header is {header.key()}, not {entry.key()}")
        self.hashes["headers"] += 1
        if hashlib.sha1(stored[:entry.size]).digest() != header.digest:
            raise ValueError(f"{entry.path}: hash")
        self.hashes["payloads"] += 1
        return header, self.unpack(entry, stored)

    def unpack(self, entry, stored):
        """The bytes of the file, or None where no decoder is here."""
        if not entry.encrypted:
            return self.decoded(entry, stored)
        for key in [self.key] if self.key else self.keys:
            try:
                return self.decoded(entry, self.opened(stored, key, entry.vector))
            except (zlib.error, ValueError):
                pass
        raise ValueError(f"{entry.path}: no key fits")

    def decoded(self, entry, stored):
        if not entry.method:
            return stored[:entry.size]
        if entry.method.lower() != "zlib":
            return None
        begin = self.header_size(entry.method, len(entry.blocks))
        out = b"".join(zlib.decompress(stored[first - begin:last - begin]) for first, last in entry.blocks)
        if len(out) != entry.whole:
            raise ValueError(f"{entry.path}: {len(out)} bytes, not {entry.whole}")
        return out
