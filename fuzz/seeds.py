#!/usr/bin/env python3
"""Writes the seeds of each harness: seeds.py OUTPUT. What they are stands in corpus/seeds.txt."""
import ast
import hashlib
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LARGEST = 65536


def read_index(data, at):
    """Reads a compact index; returns its value and where it ends."""
    first = data[at]
    value, shift, more, at = first & 0x3F, 6, first & 0x40, at + 1
    while more:
        value |= (data[at] & 0x7F) << shift
        more, shift, at = data[at] & 0x80, shift + 7, at + 1
    return (-value if first & 0x80 else value), at


def manifests(data):
    """Gives the harness's form of an installer's manifests, or None where there are none to be read."""
    found = {}
    try:
        at = struct.unpack_from("<I", data, len(data) - 16)[0]
        count, at = read_index(data, at)
        for _ in range(min(count, 64)):
            units, at = read_index(data, at)
            name = data[at:at + abs(units) * (2 if units < 0 else 1)].rstrip(b"\0").lower()
            at += abs(units) * (2 if units < 0 else 1)
            offset, size, _ = struct.unpack_from("<III", data, at)
            at += 12
            found.setdefault(name, data[offset:offset + size])
    except (IndexError, struct.error):
        pass
    ini = found.get(b"system\\manifest.ini")
    return None if ini is None else ini + b"[[INT]]\n" + found.get(b"system\\manifest.int", b"")


def assembled(folder, globs):
    """Gives the bytes of the small files of the vectors that match."""
    for glob in globs:
        for vector in sorted((ROOT / "conformance/vectors").glob(glob)):
            for path in sorted((folder / vector.parent.name / vector.stem).rglob("*")):
                if path.is_file() and path.stat().st_size <= LARGEST:
                    yield path.read_bytes()


def write(folder, data):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def main():
    out = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        subprocess.run([sys.executable, ROOT / "conformance/assemble.py", "--all", ROOT / "conformance/vectors", "-o", scratch],
                       check=True, stdout=subprocess.DEVNULL)
        for line in (ROOT / "corpus/seeds.txt").read_text().splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            harness, kind, rest = line.split(None, 2)
            if kind == "text":
                write(out / harness, ast.literal_eval(rest).encode("latin-1"))
                continue
            for data in assembled(scratch, rest.split()):
                seed = manifests(data) if kind == "manifests" else data
                if seed is not None:
                    write(out / harness, seed)


main()
