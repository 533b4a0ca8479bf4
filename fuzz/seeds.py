#!/usr/bin/env python3
"""Writes the seeds of each harness: seeds.py OUTPUT. What they are stands in corpus/seeds.txt."""
import ast
import hashlib
import pathlib
import re
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "conformance"))

import assembled as vectors  # noqa: E402

LARGEST = 65536
CONTAINER = 16384


def read_index(data, at):
    """Reads a compact index; returns its value and where it ends."""
    first = data[at]
    value, shift, more, at = first & 0x3F, 6, first & 0x40, at + 1
    while more:
        value |= (data[at] & 0x7F) << shift
        more, shift, at = data[at] & 0x80, shift + 7, at + 1
    return (-value if first & 0x80 else value), at


def manifests(data):
    """Returns the harness's form of an installer's manifests, or None where there are none to be read."""
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


ENDINGS = (".ucas", "_s1.ucas", "_s2.ucas", ".pak")


def container(toc):
    """Returns a .utoc and the files beside it as one input, in the form that fuzz/inputs/bundle.h has."""
    beside = [toc.with_name(toc.stem + ending) for ending in ENDINGS]
    absent = sum(2 << i for i, path in enumerate(beside) if not path.exists())
    parts = [toc.read_bytes()] + [path.read_bytes() if path.exists() else b"" for path in beside]
    keys = toc.with_name("keys.txt")
    key = bytes.fromhex(keys.read_text().split()[-1].rpartition("=")[2]) if keys.exists() else b""
    return struct.pack("<4B4I", 1 if key else 0, absent, 0, 0, *(len(part) for part in parts[:4])) + key + b"".join(parts)


def stored(toc, chunk, n_chunks, n_blocks):
    """Returns the bytes of a chunk that is stored as it is, or None."""
    at = 144 + 12 * n_chunks + 10 * chunk
    offset, length = int.from_bytes(toc[at:at + 5], "big"), int.from_bytes(toc[at + 5:at + 10], "big")
    block_size, = struct.unpack_from("<I", toc, 44)
    skip = 4 * sum(struct.unpack_from("<I", toc, 84) + struct.unpack_from("<I", toc, 96)) if toc[16] >= 4 else 0
    blocks = [toc[144 + 22 * n_chunks + skip + 12 * i:][:12] for i in range(n_blocks)]
    blocks = blocks[offset // block_size:(offset + length + block_size - 1) // block_size]
    if length == 0 or any(len(b) < 12 or b[11] != 0 for b in blocks):
        return None
    return [(int.from_bytes(b[:5], "little"), int.from_bytes(b[5:8], "little")) for b in blocks]


def chunks(toc, kinds):
    """Returns the bytes of the first chunk of each of these types, or None where one is missing or is not stored as it is."""
    data, cas = toc.read_bytes(), toc.with_suffix(".ucas")
    if len(data) < 144 or not 2 <= data[16] <= 8 or data[80] & 2 or not cas.exists():
        return None
    n_chunks, n_blocks = struct.unpack_from("<II", data, 24)
    if struct.unpack_from("<I", data, 44)[0] == 0:
        return None
    ids = [data[144 + 12 * i:][:12] for i in range(min(n_chunks, 256))]
    types = [row[11] for row in ids if len(row) == 12]
    places = [stored(data, types.index(kind), n_chunks, n_blocks) if kind in types else None for kind in kinds]
    if None in places:
        return None
    return [b"".join(cas.read_bytes()[at:at + n] for at, n in of) for of in places]


def header(toc):
    """Returns a container header with the hints that fuzz/targets/fuzz_container_header.c has, or None where there is none that is stored as it is."""
    data = toc.read_bytes()
    found = chunks(toc, [6 if len(data) > 16 and data[16] >= 5 else 10])
    if found is None:
        return None
    chunk, n_chunks = found[0], struct.unpack_from("<I", data, 24)[0]
    named = data[56:64] == (chunk[8:16] if chunk[:4] == b"nCoI" else chunk[:8])
    return bytes([data[16] - 2, 0 if named else 1, min(n_chunks - 1, 32), 16]) + chunk


def scripts(toc):
    """Returns the chunks of a global container with the hints that fuzz/targets/fuzz_global.c has, or None."""
    data = toc.read_bytes()
    found = chunks(toc, [5] if len(data) > 16 and data[16] >= 5 else [7, 8, 9])
    if found is None:
        return None
    return bytes([data[16] - 2, 0]) + struct.pack("<HH", *(len(part) for part in (found[1:] or (b"", b"")))) + b"".join(found)


PARTS = {"containers": container, "tables": pathlib.Path.read_bytes, "headers": header, "scripts": scripts}


def containers(folder, globs):
    """Returns the .utoc files of the vectors that match and have small files only."""
    for glob in globs:
        for vector in sorted((ROOT / "conformance/vectors").glob(glob)):
            files = sorted((folder / vector.parent.name / vector.stem).rglob("*.*"))
            if all(path.stat().st_size <= LARGEST for path in files):
                yield from (path for path in files if path.suffix == ".utoc")


def directory_index(data):
    """Returns the harness's form of a container's directory index, or None where there is none."""
    if data[:16] != b"-==--==--==--==-" or len(data) < 144 or data[16] == 10 or data[80] & 4:
        return None
    chunks, blocks, _, methods, name_len, _, size = struct.unpack_from("<7I", data, 24)
    seeds = struct.unpack_from("<I", data, 84)[0] if data[16] >= 4 else 0
    rest = struct.unpack_from("<I", data, 96)[0] if data[16] >= 5 else 0
    at = 144 + 22 * chunks + 4 * (seeds + rest) + 12 * blocks + methods * name_len
    return bytes([chunks % 64, data[16] >= 5]) + data[at:at + size]


def assembled(folder, globs):
    """Returns the bytes of the small files of the vectors that match."""
    for glob in globs:
        for vector in sorted((ROOT / "conformance/vectors").glob(glob)):
            for path in sorted((folder / vector.parent.name / vector.stem).rglob("*")):
                if path.is_file() and path.stat().st_size <= LARGEST:
                    yield path.read_bytes()


FORMS = {"manifests": manifests, "dirindex": directory_index}

# The calls that programs are made of, by their numbers in fuzz/targets/fuzz_api.c.
CALLS = """options key signing_key oodle engine sizes cancellation check compare show writer_new writer_output
writer_add writer_end look free rules limits names badly writer_accept learn""".split()

# Each call with all the bytes that it takes: an engine that is not asked for would take its own from the call that needs one.
PROGRAMS = [
    "options 9 2 37, engine 0, compare 1, look 0 5, look 3 9, writer_new, writer_accept 0, writer_output 0 0, writer_output 1 0, writer_output 4 0, writer_add 0 0,"
    "writer_add 1 1, writer_end, names 1, names 4, badly 3",
    "key 3, signing_key 0, oodle 1, options 4 2 13, engine 0, check 3 1 0, look 0 33, show 3 0 0, show 7 0 0, show 4 0 0,"
    "show 12 0 0, writer_new, writer_output 3 0, writer_add 0 1, writer_end, free 0",
    "options 11 2 33, limits 0, engine 0, cancellation 2, check 1 4 0, look 0 1, check 1 4 4 3, cancellation 1, check 2 4 0, look 2 8,"
    "show 16 0 0,"
    "rules 1 48 0, limits 3, names 200, badly 0, badly 1, badly 2, badly 4, sizes 9, sizes 40, sizes 77, check 0 0 0, look 3 2, writer_new,"
    "writer_output 2 0, writer_add 3 0, writer_end",
    "options 6 2 15, options 1 1 48 0 0, engine 255, rules 8 48 0 0, check 5 0 0, check 6 0 0 48, look 0 3, look 1 4, badly 1",
    "engine 0, check 3 1 0, learn 0, engine 0, check 3 1 0, learn 1, check 1 1 0, learn 2, look 0 1, badly 0",
    "engine 0, writer_new, writer_output 5 0, writer_accept 0, check 0 1 0, check 1 0 1 3, writer_add 0 0, writer_add 1 0, writer_end, look 0 7, names 2",
    "options 3 2 24, engine 0, check 1 3 2 2 5, check 0 0 8 20, check 1 0 6, check 4 32 0, look 0 1, look 1 1, look 2 1, look 3 1,"
    "show 0 7 2 0, show 6 0 0, writer_new, writer_output 4 7 9, writer_add 0 0, writer_end, options 23 0 0",
]


def program(text):
    words = [call.split() for call in text.split(",")]
    return b"".join(bytes([CALLS.index(name), *map(int, rest)]) for name, *rest in words)


SET_NAMES = re.findall(r'^\t"((?:mod|other|game)/[^"]+)",$', (ROOT / "fuzz/targets/fuzz_set.c").read_text(), re.M)


def set_of(vector):
    """Returns the files of a vector as one input of fuzz/targets/fuzz_set.c: each with the name there that is most like its own."""
    out = b""
    for path in sorted(p for p in vector.rglob("*") if p.is_file()):
        own = path.relative_to(vector).as_posix()
        like = [n for n in SET_NAMES if n == own] or [n for n in SET_NAMES if n.lower() == own.lower()] or \
               [n for n in SET_NAMES if n.rpartition("/")[0] == own.rpartition("/")[0]] or SET_NAMES[:1]
        data = path.read_bytes()
        out += struct.pack("<BH", SET_NAMES.index(like[0]), len(data)) + data
    return out


# By the ending of a file, which name the input of a program has there.
NAMES = {".utoc": 0, ".umod": 2, ".u": 3, ".uz": 4, ".uz2": 5, ".uz3": 6}
SMALL = 2048


def calls(path, number):
    """Returns one of the programs of calls with its input: a container with the files beside it, or one file."""
    files = container(path) if path.suffix == ".utoc" else struct.pack("<4B4I", 0, 30, 0, 0, 0xFFFFFFFF, 0, 0, 0) + path.read_bytes()
    whole = bytes([NAMES.get(path.suffix, 7)]) + program(PROGRAMS[number % len(PROGRAMS)])
    return bytes([len(whole)]) + whole + files


def inputs(folder, globs):
    """Returns the paths of the small files that are checked in the vectors that match: not those beside a container."""
    for glob in globs:
        for vector in sorted((ROOT / "conformance/vectors").glob(glob)):
            for path in sorted((folder / vector.parent.name / vector.stem).rglob("*")):
                if path.is_file() and path.suffix not in (".ucas", ".pak", ".txt") and path.stat().st_size <= SMALL:
                    yield path


def write(folder, data):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def check_harnesses(seeded):
    """Ends where a seed is for no harness, or a harness has neither seeds nor a corpus."""
    known = set(re.findall(r"^HARNESS \((\w+),", (ROOT / "fuzz/harnesses.def").read_text(), re.M))
    for name, listed in re.findall(r'^FORMAT \((\w+), "([^"]*)"', (ROOT / "fuzz/formats.def").read_text(), re.M):
        known.update({name} & set(listed.split()))
    for name in sorted(set(seeded) - known):
        sys.exit(f"corpus/seeds.txt has seeds of {name}, which is no harness")
    for name in sorted(known - set(seeded)):
        if not (ROOT / "corpus" / name).is_dir():
            sys.exit(f"{name} has neither seeds in corpus/seeds.txt nor a corpus")


def rows():
    """Returns harness, kind and the rest of each row of corpus/seeds.txt."""
    lines = (ROOT / "corpus/seeds.txt").read_text().splitlines()
    return [line.split(None, 2) for line in lines if line.strip() and not line.startswith("#")]


def main():
    out = pathlib.Path(sys.argv[1])
    check_harnesses([harness for harness, *_ in rows()])
    scratch = pathlib.Path(vectors.take_or_exit().folder)
    for harness, kind, rest in rows():
        if kind == "text":
            write(out / harness, ast.literal_eval(rest).encode("latin-1"))
            continue
        if kind in PARTS:
            for toc in containers(scratch, rest.split()):
                seed = PARTS[kind](toc)
                if seed is not None and len(seed) <= CONTAINER:
                    write(out / harness, seed)
            continue
        if kind == "sets":
            for vector in (v for glob in rest.split() for v in sorted((ROOT / "conformance/vectors").glob(glob))):
                seed = set_of(scratch / vector.parent.name / vector.stem)
                if len(seed) <= 2 * SMALL:
                    write(out / harness, seed)
            continue
        if kind == "calls":
            for number, path in enumerate(inputs(scratch, rest.split())):
                seed = calls(path, number)
                if len(seed) <= 2 * SMALL:
                    write(out / harness, seed)
            continue
        for data in assembled(scratch, rest.split()):
            seed = FORMS[kind](data) if kind in FORMS else data
            if seed is not None:
                write(out / harness, seed)


main()
