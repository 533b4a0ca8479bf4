"""Reads the zen packages of real games a second time: zen.check_all(uvet, folder, rows). Small, and written from conformance/spec/zen.md alone.

What it finds of each package (names, imports, exports with offset, size, hash, and where the header ends) must be what `uvet map` shows, and
every hash in it what it computes: of names, of the package's id, of exports, and of imported packages. Packages in containers are read where
they are stored as they are or by zlib; those encrypted, with the keys of the collection.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib

import containers

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "conformance"))
from assembler import hashes  # noqa: E402
from reference import aes  # noqa: E402

NULL = (1 << 64) - 1
LOW62 = (1 << 62) - 1
TAG = 0x9E2A83C1
ALGORITHM = 0xC1640000
PACKAGE_TYPES = (1, 2)
EXPORT = struct.Struct("<QQIIQQQQQIB3x")


def small(text):
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)


def city(text):
    return hashes.cityhash64_bytes(small(text).encode("utf-16-le"))


# ---- Names ---------------------------------------------------------------------------------------------------------------------

class Names:
    """A batch: texts, and how many hashes are not that of the bytes. Letters beyond ASCII, which an engine makes small, too, are left out."""

    def __init__(self):
        self.texts, self.wrong, self.hashes = [], 0, []

    def add(self, data, wide, value):
        self.texts.append(data.decode("utf-16-le" if wide else "latin-1"))
        self.hashes.append(value)
        plain = data if wide else small(data.decode("latin-1")).encode("latin-1")
        self.wrong += self.texts[-1].isascii() and hashes.cityhash64_bytes(plain) != value


def batch(data, at):
    out, n = Names(), struct.unpack_from("<I", data, at)[0]
    if n == 0:
        return out, at + 4
    size = struct.unpack_from("<I", data, at + 4)[0]
    values = struct.unpack_from(f"<{n}Q", data, at + 16)
    heads = struct.unpack_from(f">{n}H", data, at + 16 + 8 * n)
    place = at + 16 + 10 * n
    end = place + size
    for head, value in zip(heads, values):
        width = (head & 0x7FFF) * (2 if head >> 15 else 1)
        out.add(data[place:place + width], head >> 15, value)
        place += width
    assert place == end, "the bytes of names"
    return out, end


def old_batch(data, at, size, hashes_at, hashes_size):
    out, end = Names(), at + size
    values = struct.unpack_from(f"<{hashes_size // 8}Q", data, hashes_at)[1:]
    while at < end:
        head = int.from_bytes(data[at:at + 2], "big")
        at += 2 + (head >= 0x8000 and at % 2)
        width = (head & 0x7FFF) * (2 if head >> 15 else 1)
        out.add(data[at:at + width], head >> 15, values[len(out.texts)])
        at += width
    assert at == end and len(values) == len(out.texts), "the names of 4.27"
    return out


# ---- Packages ------------------------------------------------------------------------------------------------------------------

class Package:
    """form is 4, 50 or 53; what follows a summary of 53 is found by trying."""

    def __init__(self, data, form):
        self.data, self.form = data, form
        self.packages, self.numbers = Names(), ()
        if form == 4:
            self.read_old()
        else:
            self.read_new()

    def table(self, form, begin, end):
        size = struct.calcsize(form)
        assert begin <= end and (end - begin) % size == 0, "a section"
        return list(struct.iter_unpack(form, self.data[begin:end]))

    def read_old(self):
        s = struct.unpack_from("<16I", self.data)
        self.name, self.source, self.end = s[0:2], s[2:4], s[13] + s[14]
        self.names = old_batch(self.data, s[6], s[7], s[8], s[9])
        self.imports = [i for i, in self.table("<Q", s[10], s[11])]
        self.exports = self.table(EXPORT.format, s[11], s[12])
        self.exports_at = s[11]
        assert self.end <= len(self.data) and s[14] >= 4, "the header"

    def read_new(self):
        s = struct.unpack_from("<13I", self.data)
        versioned, self.end, self.name = s[0], s[1], s[2:4]
        self.source = self.name
        at = 44 if self.form == 50 else 52
        if versioned:
            at += 20 + 20 * struct.unpack_from("<I", self.data, at + 16)[0]
        if self.form == 53 and struct.unpack_from("<Q", self.data, at + 8)[0] != ALGORITHM:
            at += 8                                     # the offsets of cells
        self.names, _ = batch(self.data, at)
        self.imported = [h for h, in self.table("<Q", s[6], s[7])]
        self.imports = [i for i, in self.table("<Q", s[7], s[8])]
        end = s[8] + (s[9] - s[8]) // EXPORT.size * EXPORT.size
        self.exports, self.exports_at = self.table(EXPORT.format, s[8], end), s[8]
        assert len(self.table("<II", s[9], s[10])) == 2 * len(self.exports), "the entries"
        assert self.end <= len(self.data), "the header"
        if self.form == 53:
            self.packages, at = batch(self.data, s[12])
            self.numbers = struct.unpack_from(f"<{len(self.packages.texts)}I", self.data, at)
            assert at + 4 * len(self.numbers) == self.end, "the names of imported packages"

    def text(self, name, number):
        return self.names.texts[name] + (f"_{number - 1}" if number else "")

    def path(self, i):
        row = self.exports[i]
        own = self.text(row[2], row[3])
        return own if row[4] == NULL else self.path(row[4]) + "/" + own

    def package_id(self):
        return city(self.text(*self.name))

    def package_ids(self):
        return [city(text + (f"_{number - 1}" if number else "")) for text, number in zip(self.packages.texts, self.numbers)]

    def wrong_exports(self):
        """How many export hashes there are, and how many are not that of the path."""
        n = wrong = 0
        for i, row in enumerate(self.exports):
            none = NULL if self.form == 4 else 0
            if row[8] == none:
                continue
            n += 1
            if self.form == 4:
                path = self.text(*self.source) + "/" + self.path(i)
                wrong += row[8] != city(path.replace(".", "/").replace(":", "/")) & LOW62 | 2 << 62
            else:
                wrong += row[8] != city(self.path(i))
        return n, wrong

    def payload_is_whole(self):
        rest = len(self.data) - self.end - sum(row[1] for row in self.exports)
        if self.form == 53:
            return rest == 4 and struct.unpack_from("<I", self.data, len(self.data) - 4)[0] == TAG
        return rest == 0 or self.form == 50

    def listed(self):
        """What a map is to show as well."""
        return {"names": len(self.names.texts), "header_size": self.end, "imports": self.imports,
                "exports": [(self.exports_at + EXPORT.size * i, row[0], row[1], row[8]) for i, row in enumerate(self.exports)],
                "name_hashes": self.names.hashes}


def read(data):
    """A package in the first form that fits."""
    for form in (4, 53, 50):
        try:
            return Package(data, form)
        except (AssertionError, struct.error, IndexError, UnicodeDecodeError):
            continue
    return None


# ---- Containers ----------------------------------------------------------------------------------------------------------------

class Container:
    """The packages that can be read: stored as they are, or by zlib."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.toc = f.read()
        with open(os.path.splitext(path)[0] + ".ucas", "rb") as f:
            self.stored = f.read()
        toc = self.toc
        self.version, n, self.n_blocks = toc[16], *struct.unpack_from("<II", toc, 24)
        self.n_methods, self.method_size, self.block_size = struct.unpack_from("<III", toc, 36)
        self.flags, self.key = toc[80], None
        n_seeds, self.partition_size, n_rest = struct.unpack_from("<IQI", toc, 84)
        self.ids, self.places = 144, 144 + 12 * n
        self.blocks = self.places + 10 * n + (4 * n_seeds if self.version >= 4 else 0) + (4 * n_rest if self.version >= 5 else 0)
        vectors = struct.unpack_from("<I", toc, 104)[0] if self.version >= 10 else 0
        self.methods = self.blocks + 12 * (self.n_blocks + vectors)
        self.is_encrypted, self.in_blocks = self.flags & 2, self.version < 10       # version 10 encrypts by a counter
        self.n = n

    def packages(self):
        """(id, bytes, or None where they cannot be read) of each."""
        new = self.version >= 5
        for i in range(self.n):
            at = self.ids + 12 * i
            if self.toc[at + 11] == (1 if new else 2):
                yield int.from_bytes(self.toc[at:at + 8], "little"), self.chunk(i)

    def method(self, number):
        if number == 0:
            return "none"
        at = self.methods + self.method_size * (number - 1)
        return self.toc[at:at + self.method_size].rstrip(b"\0").decode("ascii").lower()

    def chunk(self, i):
        at = self.places + 10 * i
        offset, length = int.from_bytes(self.toc[at:at + 5], "big"), int.from_bytes(self.toc[at + 5:at + 10], "big")
        first, out = offset // self.block_size, b""
        while len(out) < length:
            part = self.block(first)
            if part is None:
                return None
            out, first = out + part, first + 1
        return out[:length]

    def block(self, number):
        at = self.blocks + 12 * number
        row = self.toc[at:at + 12]
        place, packed, size = (int.from_bytes(row[a:b], "little") for a, b in ((0, 5), (5, 8), (8, 11)))
        method, whole = self.method(row[11]), -(-packed // 16) * 16
        data = self.stored[place:place + (whole if self.is_encrypted else packed)]
        if method not in ("none", "zlib") or len(data) < packed or (self.is_encrypted and not self.in_blocks):
            return None
        if self.is_encrypted:
            data = self.key(data)
        return data[:size] if method == "none" else zlib.decompress(data[:packed])


def plain(key):
    """What decrypts blocks by a key in hexadecimal."""
    return lambda data: aes.decrypt(data, bytes.fromhex(key))


def packages_of(path):
    """The packages of a container with the key that makes them readable, and how many cannot be read."""
    container = Container(path)
    for key in containers.KEYS if container.is_encrypted else [None]:
        container.key = plain(key) if key else None
        try:
            found = list(container.packages())
        except zlib.error:                              # of another key
            continue
        if any(data is not None and read(data) for _, data in found):
            break
    return [(name, data) for name, data in found if data is not None], sum(data is None for _, data in found)


# ---- What uvet says ------------------------------------------------------------------------------------------------------------

def ask(uvet, *args):
    return json.loads(subprocess.run([uvet, *args], capture_output=True, check=False).stdout)


def number(value):
    return int(value, 16) if isinstance(value, str) else value


def shown(uvet, path):
    """What a map and a report say of a package."""
    report = ask(uvet, "check", "--format", "json", path)
    info = report["artifacts"][0].get("info", {})
    rows = {}
    for region in ask(uvet, "map", "--format", "json", path)["regions"]:
        rows.setdefault(region["label"], []).append((region["offset"], {f["name"]: number(f["value"]) for f in region.get("fields", ())}))
    exports = [(at, *(row[name] for name in ("offset", "size", "hash"))) for at, row in rows.get("export", ())]
    out = {"names": info.get("names"), "header_size": info.get("header_size"), "exports": exports,
           "imports": [row["value"] for _, row in rows.get("import", ())]}
    out["name_hashes"] = [row["hash"] for _, row in rows.get("name_hash", ())]
    return report, info, out


class Counts:
    """How much was compared."""

    def __init__(self):
        self.packages = self.containers = self.unread = self.names = self.exports = self.hashes = self.imported = self.ids = 0

    def __str__(self):
        return (f"{self.packages} zen packages ({self.unread} in containers cannot be read), with {self.names} hashes of names, {self.exports} exports, "
                f"{self.hashes} of them public, {self.imported} imported packages and {self.ids} ids")


def problems_of_package(uvet, path, data, chunk, counts):
    package = read(data)
    if package is None:
        return ["the second reader finds no form that fits"]
    report, info, theirs = shown(uvet, path)
    ours = package.listed()
    out = [f"verdict {report['summary']['verdict']}"] if report["summary"]["verdict"] != "valid" else []
    if package.form != 4:
        theirs["name_hashes"] = theirs["name_hashes"][:len(ours["name_hashes"])]
    else:
        theirs["name_hashes"] = theirs["name_hashes"][-len(ours["name_hashes"]):]
    out += [f"{what}: uvet {str(theirs[what])[:80]}, second reader {str(ours[what])[:80]}" for what in ours if ours[what] != theirs[what]]
    n, wrong = package.wrong_exports()
    out += [f"{wrong} hashes of exports"] if wrong else []
    out += [f"{package.names.wrong + package.packages.wrong} hashes of names"] if package.names.wrong + package.packages.wrong else []
    if info.get("package_id") is not None and number(info["package_id"]) != package.package_id():
        out.append("the package's id")
    if chunk not in (None, package.package_id(), city(package.text(*package.source))):
        out.append("the chunk's id")
    out += [] if package.payload_is_whole() else ["the payload"]
    counts.packages += 1
    counts.names += len(package.names.texts) + len(package.packages.texts)
    counts.exports += len(package.exports)
    counts.hashes += n
    counts.imported += len(package.package_ids())
    counts.ids += chunk is not None
    return out


def of_container(uvet, path, counts):
    found, unread = packages_of(path)
    counts.unread += unread
    out = []
    with tempfile.TemporaryDirectory() as scratch:
        for chunk, data in found:
            copy = os.path.join(scratch, f"{chunk:016x}.uzenasset")
            with open(copy, "wb") as f:
                f.write(data)
            out += [f"package 0x{chunk:X}: {problem}" for problem in problems_of_package(uvet, copy, data, chunk, counts)]
    return out


def check_all(uvet, folder, rows):
    """What was compared, and the problems of each file that has some."""
    counts, problems = Counts(), {}
    for row in rows:
        path = os.path.join(folder, row["path"])
        if row["kind"].startswith("zen"):
            with open(path, "rb") as f:
                found = problems_of_package(uvet, path, f.read(), None, counts)
        elif row["kind"] == "utoc" and os.path.exists(os.path.splitext(path)[0] + ".ucas"):
            found = of_container(uvet, path, counts)
        else:
            continue
        if found:
            problems[row["path"]] = found[:20]
    return counts, problems
