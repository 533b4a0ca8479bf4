"""Checks paks made by real engines and packers: paks.check_all(uvet, folder, rows).

No good pak may have an error. One of whose files some are compressed by Oodle, and one of a version of which only the footer is known, is
undetermined. What a second reader (pak_reader.py) lists must be what uvet's map shows: the path of every file, its place, both sizes, how
it is compressed, and its hash. That reader computes every hash itself: of the index and its parts, of paths, and of stored bytes.
"""
import base64
import json
import os
import subprocess
import tempfile

import containers
import pak_reader

CRYPTO = "ue4/trumank+repak/repak__tests__crypto.json"


def keys_of(folder):
    """The keys of the collection, as text."""
    out = list(containers.KEYS)
    path = os.path.join(folder, CRYPTO)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            out.append(base64.b64decode(json.load(f)["EncryptionKey"]["Key"]).hex())
    return out


class Program:
    """uvet, with the keys of the collection."""

    def __init__(self, path, keys):
        self.path, self.keys = path, keys

    def run(self, command, pak):
        with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as f:
            f.write("".join(key + "\n" for key in self.keys))
        try:
            done = subprocess.run([self.path, command, "--format", "json", "--aes-key-file", f.name, pak], capture_output=True, check=False)
        finally:
            os.unlink(f.name)
        return json.loads(done.stdout)


def read(path, keys):
    """A second reading, or None of a version of which only the footer is known."""
    with open(path, "rb") as f:
        data = f.read()
    try:
        return pak_reader.Pak(data, [bytes.fromhex(key) for key in keys])
    except pak_reader.Unsupported:
        return None


# ---------------------------------------------------------------------------------------------------------- verdicts

def doubts_about(pak):
    """The rules that leave something undetermined: nothing tells whether a key fits files that are encrypted and not compressed."""
    if pak is None:
        return {"PAK039"}
    out = {"RUN007"} if any(e.method.lower() == "oodle" for e in pak.entries) else set()
    encrypted = [e for e in pak.entries if e.encrypted]
    return out | ({"RUN009"} if encrypted and not pak.key and not any(e.method for e in encrypted) else set())


def problems_of_verdict(program, path, errors, doubts):
    report = program.run("check", path)
    own = next(a for a in report["artifacts"] if a["path"] == path)     # the container beside it has a report, too
    findings = [f for f in report["findings"] if f["artifact"] == own["id"]]
    return containers.problems_of_verdict(own, findings, errors, doubts)


# ------------------------------------------------------------------------------------------------------------- rows

def ours(pak):
    """What the second reader lists, by the place of each file: its path and what its record says."""
    out = {}
    for e in pak.entries:
        header, _ = pak.check(e)
        digest = [int.from_bytes(header.digest[i:i + 8], "little") for i in (0, 8, 16)]
        out[e.offset] = (e.path, e.end(e.offset + pak.header_size(e.method, len(e.blocks))), e.size, e.whole, header.method_number, *digest)
    return out


def value(number):
    return int(number, 16) if isinstance(number, str) and number.startswith("0x") else number


def theirs(page):
    """The same from a map."""
    out, names = {}, {}
    for region in page["regions"]:
        if region["label"] == "entry" and region["depth"] == 0:
            names[region["offset"]] = (region.get("name"), region["offset"] + region["length"])
        elif region["label"] == "record" and region["depth"] == 1:
            fields = {f["name"]: value(f["value"]) for f in region["fields"]}
            out[region["offset"]] = (*names[region["offset"]], fields["size"], fields["whole"], fields.get("method", fields.get("short_method")),
                                     fields["hash_0"], fields["hash_1"], fields["hash_2"])
    return out


def is_alike(mine, other):
    """A map shows the last part of a path at least, and none where the index is encrypted."""
    return mine[1:] == other[1:] and (other[0] is None or mine[0].endswith(other[0]))


def problems_of_rows(program, path, pak):
    page = program.run("map", path)
    mine, other = ours(pak), theirs(page)
    out = [f"the file at {at} is listed by {'uvet' if at in other else 'the second reader'} alone" for at in sorted(mine.keys() ^ other.keys())]
    out += [f"the file at {at}: uvet {other[at]}, second reader {mine[at]}" for at in mine if at in other and not is_alike(mine[at], other[at])]
    out += [f"{n} bytes of the {what} are left" for what, n in pak.left.items() if n > (15 if pak.index_encrypted else 0)]
    return out + ([] if page["unexplained"] == 0 else [f"{page['unexplained']} bytes that the map does not explain"])


def check_all(uvet, folder, rows):
    """How many paks there are, what was computed anew in them and was equal, and the problems of each that has some."""
    program, problems, counts = Program(uvet, keys_of(folder)), {}, {}
    paks = [r for r in rows if r["path"].lower().endswith(".pak")]
    for row in paks:
        path = os.path.join(folder, row["path"])
        if os.path.getsize(path) == 0:
            found = problems_of_verdict(program, path, {"PAK001"}, set())
        else:
            pak = read(path, program.keys)
            found = problems_of_verdict(program, path, set(), doubts_about(pak))
            found += problems_of_rows(program, path, pak) if pak else []
            for what, n in pak.hashes.items() if pak else ():
                counts[what] = counts.get(what, 0) + n
        if found:
            problems[row["path"]] = found
    return len(paks), counts, problems
