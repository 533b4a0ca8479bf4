"""Checks copies of real files in which a few bytes were changed: edited.check_all(uvet, folder, rows).

A file by itself tells whether a rule cries wolf; changed in one place it tells whether the rule still bites, and how hard.
Each row: the file, its changes (offset, bytes), the verdict, and what is found beyond the notes: rule and severity.
Then of each good package every body that the editor alone loads is overwritten: no game meets it, so it stays valid.
"""
import json
import os
import subprocess
import tempfile

SPACES = b"\x20" * 8
LOADED_BY_GAMES = 0x30000               # LoadForClient, LoadForServer

EDITED = [
    # A list of properties that is wiped, in a ScriptText, which the editor alone loads (flags 0x340000) ...
    ("ue1/CacoFFF+NewNet-for-UT99/System__NewNetIGv0_9.u", [(758, SPACES)], "valid",
     {("PRP001", "warning"), ("PRP004", "warning"), ("PRP007", "warning")}),
    # ... and in an object that every game loads.
    ("ue1/OldUnreal+Unreal-PubSrc/UnrealShare__Textures__ShaneFx.utx", [(762, SPACES)], "invalid",
     {("PRP004", "error"), ("PRP008", "error"), ("PRP007", "warning")}),
    # An object of UE2 without mips becomes a ScriptedTexture, which has none there.
    ("ue1/StrikerTheHedgefox+Strikers-UT2k4-Mutators/ServerLogo4b_SM__ServerLogo4b_SM.utx",
     [(2258, b"ScriptedTexture"), (37275, b"\x49\x02")], "valid", set()),
]


def findings_of(uvet, path):
    done = subprocess.run([uvet, "check", "--format", "json", path], capture_output=True, check=False)
    report = json.loads(done.stdout)
    return report["summary"]["verdict"], {(f["rule"], f["severity"]) for f in report["findings"] if f["severity"] != "note"}


def bodies_of_editor(uvet, path):
    """Offset and length of each body whose export has neither LoadForClient nor LoadForServer."""
    done = subprocess.run([uvet, "map", "--format", "json", path], capture_output=True, check=True)
    regions = json.loads(done.stdout)["regions"]
    flags = {r["index"]: next(int(f["value"], 16) for f in r["fields"] if f["name"] == "flags") for r in regions if r.get("label") == "export"}
    return [(r["offset"], r["length"]) for r in regions if r.get("label") == "body" and not flags[r["index"]] & LOADED_BY_GAMES]


def write_edited(path, changes, scratch):
    """Writes a changed copy, and returns its path."""
    copy = os.path.join(scratch, os.path.basename(path))
    with open(path, "rb") as f:
        data = bytearray(f.read())
    for at, new in changes:
        data[at:at + len(new)] = new
    with open(copy, "wb") as f:
        f.write(data)
    return copy


def problems_of(uvet, path, changes, verdict, expected, scratch):
    got, found = findings_of(uvet, write_edited(path, changes, scratch))
    out = [] if got == verdict else [f"edited: verdict {got}, not {verdict}"]
    out += [f"edited: no {severity} {rule}" for rule, severity in sorted(expected - found)]
    return out + [f"edited: {severity} {rule}" for rule, severity in sorted(found - expected)]


def problems_of_bodies(uvet, path, scratch):
    """None where the editor has nothing of its own."""
    bodies = bodies_of_editor(uvet, path)
    if not bodies:
        return None
    problems = []
    for byte in (b"\x20", b"\xFF"):
        changes = [(at, byte * n) for at, n in bodies]
        copy = write_edited(path, changes, scratch)
        verdict, found = findings_of(uvet, copy)
        if verdict != "valid":
            problems.append(f"bodies of the editor overwritten: {verdict}, {sorted(found)[:5]}")
    return problems


def check_all(uvet, folder, rows):
    """Returns how many were checked, and what is wrong by path."""
    present, n, problems = {row["path"] for row in rows}, 0, {}
    with tempfile.TemporaryDirectory() as scratch:
        for path, changes, verdict, expected in EDITED:
            if path in present:
                n += 1
                problems.setdefault(path, []).extend(problems_of(uvet, os.path.join(folder, path), changes, verdict, expected, scratch))
        for path in (row["path"] for row in rows if row["kind"] == "package"):
            found = problems_of_bodies(uvet, os.path.join(folder, path), scratch)
            n += found is not None
            problems.setdefault(path, []).extend(found or [])
    return n, {path: found for path, found in problems.items() if found}
