"""Checks the script objects of real games: script_objects.check_all(uvet, folder, rows), with a second reader, written from chapters 9 and 11
of conformance/spec/iostore.md.

A global container is copied under the name by which engines know it; around the bare chunks of one of Unreal Engine 4 a container is made.
Each must be valid, list as many script objects as the second reader finds, and have for each the id and for each name the hash that
it computes. With --global it must be taken, and the containers beside it import nothing else; with an id or an outer changed, exactly that
must be told.
"""
import hashlib
import os
import shutil
import struct
import sys
import tempfile

import containers

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "conformance"))
from assembler import hashes  # noqa: E402

BLOCK = 65536
ALL = 0xFFFFFFFFFFFFFFFF
ALGORITHM = 0xC1640000
OLD_PARTS = [("LoaderGlobalNames_1.bin", 8), ("LoaderGlobalNameHashes_1.bin", 9), ("LoaderInitialLoadMeta_1.bin", 7)]


# ---- Containers ----------------------------------------------------------------------------------------------------------------

def write_container(path, chunks):
    """A container of version 3, of (type, bytes), stored as they are."""
    ids, ranges, blocks, metas, stored = b"", b"", b"", b"", b""
    for kind, data in chunks:
        ids += struct.pack("<QHBB", 0, 0, 0, kind)
        ranges += (len(blocks) // 12 * BLOCK).to_bytes(5, "big") + len(data).to_bytes(5, "big")
        for at in range(0, len(data), BLOCK):
            part = data[at:at + BLOCK]
            blocks += len(stored).to_bytes(5, "little") + len(part).to_bytes(3, "little") * 2 + b"\0"
            stored += part + bytes(-len(part) % 16)
        metas += hashlib.sha1(data).digest() + bytes(13)
    head = struct.pack("<16sB3x7I", b"-==--==--==--==-", 3, 144, len(chunks), len(blocks) // 12, 12, 0, 32, BLOCK)
    head += struct.pack("<IIQ16xB3xIQ", 0, 1, ALL, 0, 0, ALL).ljust(144 - len(head), b"\0")
    with open(path + ".utoc", "wb") as f:
        f.write(head + ids + ranges + blocks + metas)
    with open(path + ".ucas", "wb") as f:
        f.write(stored)


def read_script_objects(path):
    """The only chunk of a container that stores it as it is, and where its first byte is stored."""
    with open(path + ".utoc", "rb") as f:
        toc = f.read()
    with open(path + ".ucas", "rb") as f:
        stored = f.read()
    n_chunks, n_blocks = struct.unpack_from("<II", toc, 24)
    n_seeds, _, n_rest = struct.unpack_from("<IQI", toc, 84)
    length = int.from_bytes(toc[144 + 12 + 5:144 + 22], "big")
    out, at = b"", 144 + 22 * n_chunks + 4 * (n_seeds + n_rest)
    for i in range(at, at + 12 * n_blocks, 12):
        place, n = int.from_bytes(toc[i:i + 5], "little"), int.from_bytes(toc[i + 5:i + 8], "little")
        if toc[i + 11]:
            return None
        out += stored[place:place + n]
    return out[:length]


# ---- The second reader ---------------------------------------------------------------------------------------------------------

def lower(data):
    return bytes(c + 32 if 65 <= c <= 90 else c for c in data)


def problems_of_hash(data, wide, stored):
    """The real names have no letters beyond ASCII whose case would matter."""
    return [] if hashes.cityhash64_bytes(data if wide else lower(data)) == stored else [f"the hash of {data!r}"]


def read_new(data):
    """Names, problems, and where the count of script objects stands."""
    n, size, algorithm = struct.unpack_from("<IIQ", data)
    stored = struct.unpack_from(f"<{n}Q", data, 16)
    heads = struct.unpack_from(f">{n}H", data, 16 + 8 * n)
    at, names, out = 16 + 10 * n, [], [] if algorithm == ALGORITHM else ["the algorithm"]
    for head, hash_ in zip(heads, stored):
        width = (head & 0x7FFF) * (2 if head & 0x8000 else 1)
        out += problems_of_hash(data[at:at + width], head & 0x8000, hash_)
        names.append(data[at:at + width].decode("utf-16-le" if head & 0x8000 else "latin-1"))
        at += width
    return names, out + ([] if at == 16 + 10 * n + size else ["the bytes of names"]), at


def read_old(data, stored):
    algorithm, *stored = struct.unpack(f"<{len(stored) // 8}Q", stored)
    at, names, out = 0, [], [] if algorithm == ALGORITHM else ["the algorithm"]
    while at < len(data):
        head = int.from_bytes(data[at:at + 2], "big")
        at += 2 + (head >= 0x8000 and at % 2)
        width = (head & 0x7FFF) * (2 if head & 0x8000 else 1)
        out += problems_of_hash(data[at:at + width], head & 0x8000, stored[len(names)])
        names.append(data[at:at + width].decode("utf-16-le" if head & 0x8000 else "latin-1"))
        at += width
    return names, out + ([] if len(names) == len(stored) else ["the count of hashes"])


def problems_of_objects(rows, names):
    by_id = {row[2]: row for row in rows}
    out = [] if len(by_id) == len(rows) else ["an id twice"]
    for row in rows:
        path, at = "", row
        while True:
            text = names[at[0] & 0x3FFFFFFF] + (f"_{at[1] - 1}" if at[1] else "")
            path = text + ("/" + path if path else "")
            if at[3] == ALL:
                break
            at = by_id[at[3]]
        path = path.lower().replace(".", "/").replace(":", "/")
        id_ = hashes.cityhash64_bytes(path.encode("utf-16-le")) % (1 << 62) + (1 << 62)
        if id_ != row[2] or row[0] >> 30 != 2 or not (row[4] == ALL or row[4] in by_id):
            out.append(path)
    return out


def read_rows(data, at):
    n = struct.unpack_from("<I", data, at)[0]
    return [struct.unpack_from("<IIQQQ", data, at + 4 + 32 * i) for i in range(n)]


# ---- What uvet says ------------------------------------------------------------------------------------------------------------

def problems_of_changes(uvet, stem, place):
    """An id and an outer of the first script object are others; `place` is where it is stored."""
    out = []
    with open(stem + ".ucas", "rb") as f:
        data = f.read()
    for at, expected in ((place + 8, "GLB005"), (place + 16, "GLB006")):
        with open(stem + ".ucas", "wb") as f:
            f.write(data[:at] + bytes([data[at] ^ 1]) + data[at + 1:])
        _, findings = containers.check(uvet, stem + ".utoc", [])
        told = [f for f in findings if f["rule"].startswith("GLB") and f["data"]["object"] == 0]
        out += [] if [f["rule"] for f in told if f["rule"] == expected] else [f"a change at {at} is not told by {expected}"]
    with open(stem + ".ucas", "wb") as f:
        f.write(data)
    return out


def problems_of_global(uvet, stem, n):
    artifact, findings = containers.check(uvet, stem + ".utoc", [])
    out = [f"{f['severity']} {f['rule']}: {f['message']}" for f in findings if f["severity"] != "note" and f["rule"] != "SET013"]
    out += [] if artifact["verdict"] == "valid" else [f"verdict {artifact['verdict']}"]
    out += [] if artifact["info"].get("script_objects") == n else [f"{artifact['info'].get('script_objects')} script objects, not {n}"]
    artifact, _ = containers.check(uvet, stem + ".utoc", [], "--global", stem + ".utoc")
    return out + ([] if artifact["verdict"] == "valid" else ["it is not taken as the game's"])


def problems_beside(uvet, stem, rows, folder, row):
    """The packages in the game's other containers import nothing that the game does not have."""
    prefix = row["path"][:-len("global.utoc")]
    out = []
    for other in rows:
        if other["kind"] == "utoc" and other["path"].startswith(prefix) and other is not row:
            _, findings = containers.check(uvet, os.path.join(folder, other["path"]), containers.KEYS, "--global", stem + ".utoc")
            out += [f"{other['path']}: {f['message']}" for f in findings if f["rule"] == "ZEN026"]
    return out


def check_old(uvet, folder, row):
    """Of bare chunks."""
    prefix = os.path.join(folder, row["path"])[:-len(OLD_PARTS[0][0])]
    chunks = []
    for name, kind in OLD_PARTS:
        with open(prefix + name, "rb") as f:
            chunks.append((kind, f.read()))
    names, out = read_old(chunks[0][1], chunks[1][1])
    rows = read_rows(chunks[2][1], 0)
    out += problems_of_objects(rows, names)
    with tempfile.TemporaryDirectory() as made:
        stem = os.path.join(made, "global")
        write_container(stem, chunks)
        out += problems_of_global(uvet, stem, len(rows))
        out += problems_of_changes(uvet, stem, sum(len(data) + -len(data) % 16 for _, data in chunks[:2]) + 4)
    return len(names), len(rows), out


def check_new(uvet, folder, rows_of_all, row):
    """Of a container, in a copy."""
    original = os.path.splitext(os.path.join(folder, row["path"]))[0]
    data = read_script_objects(original)
    names, out, at = read_new(data)
    rows = read_rows(data, at)
    out += problems_of_objects(rows, names)
    with tempfile.TemporaryDirectory() as made:
        stem = os.path.join(made, "global")
        for end in (".utoc", ".ucas"):
            shutil.copyfile(original + end, stem + end)
        out += problems_of_global(uvet, stem, len(rows))
        out += problems_beside(uvet, stem, rows_of_all, folder, row)
        out += problems_of_changes(uvet, stem, at + 4)
    return len(names), len(rows), out


def check_all(uvet, folder, rows):
    """How many names and script objects there are, and the problems of each file that has some."""
    n_names = n_objects = 0
    problems = {}
    for row in rows:
        name = os.path.basename(row["path"])
        if name.endswith(OLD_PARTS[0][0]):
            checked = check_old(uvet, folder, row)
        elif row["kind"] == "utoc" and name.endswith("global.utoc") and os.path.exists(os.path.join(folder, row["path"])[:-4] + "ucas"):
            checked = check_new(uvet, folder, rows, row)
        else:
            continue
        n_names, n_objects = n_names + checked[0], n_objects + checked[1]
        if checked[2]:
            problems[row["path"]] = checked[2][:20]
    return n_names, n_objects, problems
