"""Checks bare container headers of real games: headers.check_all(uvet, folder, rows). A container is made around each.

It has the header alone, and the name of a patch, for a patch lists packages of the container that it changes: that they are not there is a
note. No header may have an error, nor a warning.
"""
import hashlib
import os
import struct
import sys
import tempfile

import containers

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "conformance"))
from assembler import hashes  # noqa: E402

BLOCK = 65536
HEADER = 144
ALL = 0xFFFFFFFFFFFFFFFF


def is_header(row):
    name = os.path.basename(row["path"])
    return row["kind"] == "chunk/bin" and (name.endswith("__header.bin") or "ContainerHeader" in name)


def toc_version(row, data):
    """Engines of 4.26 write version 2, those of 4.27 version 3, later ones 5."""
    if data[:4] == b"nCoI":
        return 5
    return 3 if row["version"] == "4.27" else 2


def table_of_contents(version, data):
    """The .utoc of a container that has these bytes as its header."""
    container = data[8:16] if version >= 5 else data[:8]
    n_blocks = (len(data) + BLOCK - 1) // BLOCK
    head = struct.pack("<16sB3x7I", b"-==--==--==--==-", version, HEADER, 1, n_blocks, 12, 0, 32, BLOCK)
    head += struct.pack("<II8s16xB3x", 0, 1 if version >= 3 else 0, container, 0)
    head += struct.pack("<IQI44x", version >= 5, ALL if version >= 3 else 0, 0)
    rows = container + bytes([0, 0, 0, 6 if version >= 5 else 10]) + bytes(5) + len(data).to_bytes(5, "big")
    if version >= 5:
        rows += struct.pack("<i", -1)                   # the one chunk is at place 0
    for at in range(0, len(data), BLOCK):
        n = min(BLOCK, len(data) - at)
        rows += at.to_bytes(5, "little") + n.to_bytes(3, "little") * 2 + b"\0"
    digest = hashes.blake3_bytes(data)[:20] if version >= 5 else hashlib.sha1(data).digest()
    return head + rows + digest + bytes(13)


def pak():
    """A pak without files, as lies beside every container."""
    maps = [bytes(8), bytes(4)]
    index = struct.pack("<I10sIQ", 10, b"../../../\0", 0, 0)
    at = len(index) + sum(4 + 8 + 8 + 20 for _ in maps) + 8
    for data in maps:
        index += struct.pack("<IQQ", 1, at, len(data)) + hashlib.sha1(data).digest()
        at += len(data)
    index += bytes(8)
    return index + b"".join(maps) + bytes(17) + struct.pack("<IIQQ", 0x5A6F12E1, 11, 0, len(index)) + hashlib.sha1(index).digest() + bytes(160)


def problems_of_header(uvet, folder, row):
    with open(os.path.join(folder, row["path"]), "rb") as f:
        data = f.read()
    with tempfile.TemporaryDirectory() as scratch:
        stem = os.path.join(scratch, "Header_P")
        toc = table_of_contents(toc_version(row, data), data)
        for extension, content in ((".utoc", toc), (".ucas", data + bytes(-len(data) % 16)), (".pak", pak())):
            with open(stem + extension, "wb") as f:
                f.write(content)
        artifact, findings = containers.check(uvet, stem + ".utoc", [])
    out = [] if artifact["verdict"] == "valid" else [f"verdict {artifact['verdict']}"]
    out += [f"{f['severity']} {f['rule']}: {f['message']}" for f in findings if f["severity"] not in ("note", "none")]
    if not any(f["rule"] == "TOC021" for f in findings):
        out.append("packages without chunks are not noticed: the header was not read")
    return out


def check_all(uvet, folder, rows):
    """How many headers there are, and the problems of each that has some."""
    headers = [r for r in rows if is_header(r)]
    found = {r["path"]: problems_of_header(uvet, folder, r) for r in headers}
    return len(headers), {path: problems for path, problems in found.items() if problems}
