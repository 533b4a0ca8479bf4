"""The files in a pak: the record before each, its hash, and its blocks (chapter 5 of conformance/spec/pak.md)."""
import hashlib

from . import streams
from .core import Cut
from .filenames import fold_ascii
from .pak_entries import Cursor, read_record

NO_DECODER = "there is no decoder for Zstd here"
NO_CODEC = {"oodle", "custom"}
LEGACY = bytes.fromhex("C1832A9E")          # a package begins with it
PROBES = 8


class File:
    """A file whose bytes can be looked at."""

    def __init__(self, pak, e):
        self.pak, self.e = pak, e
        self.key = None
        self.begin = pak.form.size(e.method, len(e.blocks))             # of its bytes, from its offset on
        self.stored = pak.file.bytes(e.offset + self.begin, e.stored)

    def judge_header(self):
        """5.1 and 5.2."""
        pak, e, j = self.pak, self.e, self.pak.j
        before = pak.file.bytes(e.offset + pak.form.digest_at, 20)
        try:
            j.fire("PAK026", not self.is_same(read_record(Cursor(pak.file, e.offset), pak.form)))
        except Cut:                                 # it has more blocks than there is room for
            j.fire("PAK026")
        digest = before if e.digest is None else e.digest
        if before == digest and any(digest):
            j.fire("PAK027", hashlib.sha1(self.stored[:e.size]).digest() != digest)

    def is_same(self, header):
        """A packed record has no hash, nor need one have it that could not be packed; of one block or none its size may be any."""
        e = self.e
        any_unit = e.packed and len(e.blocks) <= 1
        return (header.offset == 0 and (header.size, header.whole, header.method, header.blocks, header.flags, header.time)
                == (e.size, e.whole, e.method, e.blocks if e.method else [], e.flags, e.time)
                and e.digest in (None, header.digest) and (any_unit or header.unit == e.unit))

    def pieces(self):
        """The stored bytes of each block, from the beginning of all, and how many they give."""
        e = self.e
        if not self.pak.form.has_blocks:
            yield 0, e.size, e.whole
            return
        base, left = self.begin + (0 if self.pak.form.relative else e.offset), e.whole
        for first, last in e.blocks:
            size = min(left, e.unit) if len(e.blocks) > 1 else left
            yield first - base, last - base, size
            left -= size

    def decrypted(self, key):
        return self.pak.decrypt(self.stored, key, self.e.vector)

    def streams(self, key=None):
        """For each block whether it is broken, and whether bytes follow it. A file without a byte needs none."""
        if self.e.whole == 0:
            return []
        data = self.stored if key is None else self.decrypted(key)
        found = []
        for first, last, size in self.pieces():
            stream = streams.DECODERS[self.e.name](data[first:last], size)
            found.append((stream.data is None or len(stream.data) != size, bool(stream.left)))
        return found

    def decoded(self):
        """The file that its blocks give, or None."""
        if self.e.encrypted and self.key is None:
            return None
        data = self.stored if not self.e.encrypted else self.decrypted(self.key)
        if not self.e.name:
            return data[:self.e.size]
        if self.e.name not in streams.DECODERS:
            return None
        out = []
        for first, last, size in self.pieces():
            stream = streams.DECODERS[self.e.name](data[first:last], size)
            if stream.data is None or len(stream.data) != size:
                return None
            out.append(stream.data)
        return b"".join(out)

    def confirms(self, key):
        """Whether its first block is what it should be by this key (5.4)."""
        if not self.e.name:
            return self.decrypted(key)[:4] == LEGACY
        return not self.streams(key)[0][0]

    def can_confirm(self):
        return self.e.name in streams.DECODERS or (not self.e.name and self.is_package())

    def is_package(self):
        path = self.e.path
        return path is not None and fold_ascii(path.text).endswith((".uasset", ".umap"))

    def is_turned(self):
        """Whether it is called a package and begins with its tag in the other order, so that it is judged as one (5.6)."""
        return self.is_package() and (self.decoded() or b"")[:4] == LEGACY[::-1]


def judge(pak):
    if pak.file.level == "structure":
        return
    files = pak.read = [File(pak, e) for e in pak.entries if e.sound]
    for f in files:
        pak.j.work.spend(16 + f.e.stored // 64)
        f.judge_header()
    judge_streams(pak, [f for f in files if not f.e.encrypted])
    judge_encrypted(pak, [f for f in files if f.e.encrypted and f.e.size])
    judge_packages(pak, [f for f in files if f.is_package()])


def judge_packages(pak, files):
    """5.6."""
    for f in files:
        if f.e.name == "zstd" and f.e.whole:
            pak.j.leave_open(NO_DECODER, "PAK049")
            continue
        data = f.decoded() if f.e.whole else b""
        pak.j.fire("PAK049", data is not None and data[:4] not in (LEGACY, LEGACY[::-1]))


def judge_streams(pak, files, key=None):
    j = pak.j
    for f in files:
        f.key = key
        if f.e.name == "zstd":
            j.leave_open(NO_DECODER, "PAK028", "PAK040", "RUN009")
        elif f.e.name and not j.fire("RUN007", f.e.name in NO_CODEC):
            found = f.streams(key)
            broken = any(block for block, _ in found)
            j.fire("PAK028", broken)
            j.fire("PAK028", not broken and any(left for _, left in found), lesser=True)


def judge_encrypted(pak, files):
    """5.4: a key is right that opened the index, or that a file confirms, of which the shortest are asked."""
    j, keys = pak.j, pak.own_keys()
    if not files:
        return
    if any(f.e.name == "zstd" for f in files) and pak.key is None:
        j.leave_open(NO_DECODER, "PAK028", "PAK040", "RUN007", "RUN009")
        return
    asked = sorted((f for f in files if f.can_confirm()), key=lambda f: f.e.size)[:PROBES]
    key = pak.key or next((k for k in keys if any(f.confirms(k) for f in asked)), None)
    if key is not None:
        judge_streams(pak, files, key)
        return
    j.fire("PAK040", keys and asked)
    j.fire("RUN009")


def members(pak, promises):
    """5.5."""
    out = []
    for f in getattr(pak, "read", ()):
        name = f.e.path.text if f.e.path is not None else ""
        turned = f.is_turned()
        if promises(name) is None and not turned:
            continue
        if not f.e.name and not f.e.encrypted and not turned:
            out.append((name, f.e.offset + f.begin, f.e.size))
        elif (data := f.decoded()) is not None:
            out.append((name, data))
    return out
