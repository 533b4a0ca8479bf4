"""Writes packages of Unreal Engine 1: for tests and benchmarks that need many which import from each other."""
import hashlib
import struct

LOAD, PUBLIC = 0x00070000, 4


def index(value):
    sign, value = (0x80, -value) if value < 0 else (0, value)
    out, value = [sign | value & 0x3F], value >> 6
    if value:
        out[0] |= 0x40
    while value:
        out.append(value & 0x7F | (0x80 if value >> 7 else 0))
        value >>= 7
    return bytes(out)


class Package:
    """One package, version 69. References are as in the file: exports from 1 on, imports from -1 down."""

    def __init__(self, seed, version=69):
        self.seed, self.version = seed, version
        self.names, self.imports, self.exports = {}, {}, []
        self.name("None")

    def name(self, text):
        return self.names.setdefault(text.lower(), (len(self.names), text))[0]

    def add_import(self, class_package, class_name, outer, name):
        row = (self.name(class_package), self.name(class_name), outer, self.name(name))
        return -1 - self.imports.setdefault(row, len(self.imports))

    def add_class(self, package, name):
        return self.add_import("Core", "Class", self.add_import("Core", "Package", 0, package), name)

    def add_export(self, of_class, outer, name, flags=LOAD | PUBLIC, body=b"\0"):
        self.exports.append((of_class, outer, self.name(name), flags, body))
        return len(self.exports)

    def to_bytes(self):
        start = 64
        names = b"".join(index(len(text) + 1) + text.encode("latin-1") + b"\0" + struct.pack("<I", LOAD | 0x10)
                         for _, text in sorted(self.names.values()))
        at, bodies, rows = start + len(names), b"", b""
        for of_class, outer, name, flags, body in self.exports:
            rows += index(of_class) + index(0) + struct.pack("<i", outer) + index(name) + struct.pack("<I", flags) + index(len(body))
            rows += index(at + len(bodies)) if body else b""
            bodies += body
        imports = b"".join(index(a) + index(b) + struct.pack("<i", outer) + index(name) for a, b, outer, name in self.imports)
        header = struct.pack("<IHHI6i", 0x9E2A83C1, self.version, 0, 1, len(self.names), start, len(self.exports),
                             at + len(bodies) + len(imports), len(self.imports), at + len(bodies))
        guid = hashlib.md5(self.seed.encode()).digest()
        return (header + guid + struct.pack("<3i", 1, len(self.exports), len(self.names)) + names + bodies + imports + rows)
