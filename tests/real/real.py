#!/usr/bin/env python3
"""Checks files made by real engines: real.py UVET UNPACK [FOLDER]. The environment variable UVET_REAL_DATA goes before FOLDER.

The folder's MANIFEST.tsv says what each file is. Every installer must be valid without a single warning, and no other file may be
called a valid installer. Every package of Unreal Engine 1 and 2 must be valid, with no warning but those below; one of a later engine is
undetermined. Every compressed download must be valid, but for the few below that are broken, and so must what lies in it;
UNPACK must write the bytes that a second decoder returns, and that the same package has where it lies beside it uncompressed; an empty one
must be invalid. For containers see containers.py, for their headers headers.py, for paks paks.py, for files with a few bytes changed
edited.py, for the script objects of games script_objects.py, for the zen packages of games zen.py, for what packages import deps.py.
Exits with 77 when there is no such folder.
"""
import csv
import json
import os
import subprocess
import sys

import containers
import deps
import edited
import headers
import paks
import reference_uz
import script_objects
import zen

SKIPPED = 77
# Files that are not what their name says, and the only errors that there are to be.
BROKEN = {
    # Tests of a packer: UCC.exe under the name of a package, from "MZ" on. A game that downloads it refuses it as a package.
    "ue1/InsultingPros+KFRedirectTool/crates__tests__reference_files__UCC.u.uz2": {"FIL003"},
}
# The names of files are the collection's, which lengthens them; the warnings of these packages are true.
WARNINGS_OF_NAMES = {"FIL010"}
WARNINGS = {
    # Version 55, before the first release of Unreal.
    "ue1/OldUnreal+Unreal-PubSrc/UnrealI__Textures__STrooper.utx": {"HDR003"},
    # A stub in the place of music: its data are none.
    "ue1/arhadthedev+beyondunreal-wiki-20161217/turniej.unreal.pl__files__RMusicPlayer_Rune__RMusicPlayer__umx__NoMusic.umx": {"MUS003"},
}


def check(uvet, paths):
    done = subprocess.run([uvet, "check", "--format", "json", *paths], capture_output=True, check=False)
    if done.returncode not in (0, 1, 2):
        sys.exit(f"real: exit {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
    return json.loads(done.stdout)


def findings_in(report, path, inner):
    """The findings about a file; with inner, also those about the files in it."""
    parents = {a["id"]: a["parent"] for a in report["artifacts"]}
    own = {a["id"] for a in report["artifacts"] if a["path"] == path}
    for each in parents:                                # a parent stands before what lies in it
        if inner and parents[each] in own:
            own.add(each)
    return [f for f in report["findings"] if f["artifact"] in own]


def problems_of_installer(artifact, findings):
    out = [] if artifact["verdict"] == "valid" and artifact["format"] == "umod" else [f"verdict {artifact['verdict']}"]
    return out + [f"{f['severity']} {f['rule']}: {f['message']}" for f in findings if f["severity"] not in ("note", "none")]


def problems_of_package(row, artifact, findings):
    verdict = "valid" if row["kind"] == "package" else "undetermined"
    expected = WARNINGS_OF_NAMES | WARNINGS.get(row["path"], set())
    out = [] if artifact["verdict"] == verdict and artifact["format"] == "upkg" else [f"verdict {artifact['verdict']}"]
    return out + [f"{f['severity']} {f['rule']}: {f['message']}" for f in findings
                  if f["severity"] == "error" or (f["severity"] == "warning" and f["rule"] not in expected)]


def problems_of_verdict(row, artifact, findings):
    errors = {f["rule"] for f in findings if f["severity"] == "error"}
    expected = BROKEN.get(row["path"], set())
    if row["kind"] == "empty":
        expected = errors or {"an error"}
    verdict = "invalid" if expected else "valid"
    out = [] if artifact["verdict"] == verdict else [f"verdict {artifact['verdict']}"]
    return out + [f"error {rule}" for rule in sorted(errors - expected)]


def problems_of_bytes(unpack, path, row):
    """And whether a package beside it was compared."""
    done = subprocess.run([unpack, path], capture_output=True, check=False)
    with open(path, "rb") as f:
        data = f.read()
    out = []
    expected = reference_uz.DECODERS[os.path.splitext(path)[1].lower()](data)
    if done.returncode != 0 or done.stdout != expected:
        out.append(f"{len(done.stdout)} bytes come out, a second decoder returns {len(expected)} that differ")
    twin = os.path.splitext(path)[0]
    if not os.path.exists(twin):
        return out, False
    with open(twin, "rb") as f:
        out += [] if f.read() == done.stdout else ["the package beside it has other bytes"]
    return out, True


def is_download(row):
    return row["path"].lower().endswith((".uz", ".uz2", ".uz3", ".lzma"))


def main(uvet, unpack, folder):
    manifest = os.path.join(folder, "MANIFEST.tsv")
    if not os.path.exists(manifest):
        print(f"real: skipped, there is no {manifest} (set UVET_REAL_DATA)")
        return SKIPPED
    with open(manifest, encoding="utf-8", newline="") as f:
        rows = [r for r in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE) if os.path.exists(os.path.join(folder, r["path"]))]
    failures = n_installers = n_packages = n_downloads = n_twins = 0
    alone = [r for r in rows if not r["path"].lower().endswith((".ucas", ".pak"))]      # these are checked with their .utoc
    for start in range(0, len(alone), 50):
        part = alone[start:start + 50]
        report = check(uvet, [os.path.join(folder, r["path"]) for r in part])
        by_path = {a["path"]: a for a in report["artifacts"]}
        for row in part:
            path = os.path.join(folder, row["path"])
            artifact = by_path[path]
            problems = []
            if row["kind"] == "umod":
                n_installers += 1
                problems = problems_of_installer(artifact, findings_in(report, path, False))
            elif row["kind"] in ("package", "legacy package"):
                n_packages += 1
                problems = problems_of_package(row, artifact, findings_in(report, path, False))
            elif is_download(row):
                n_downloads += 1
                problems = problems_of_verdict(row, artifact, findings_in(report, path, True))
                if row["kind"] != "empty":
                    of_bytes, compared = problems_of_bytes(unpack, path, row)
                    problems += of_bytes
                    n_twins += compared
            elif artifact.get("format") == "umod" and artifact["verdict"] == "valid":
                problems = ["called a valid installer"]
            for problem in problems:
                print(f"FAIL {row['path']}: {problem}")
            failures += bool(problems)
    n_containers, problems = containers.check_all(uvet, folder, rows)
    for path, found in problems.items():
        print("\n".join(f"FAIL {path}: {problem}" for problem in found))
    n_headers, of_headers = headers.check_all(uvet, folder, rows)
    for path, found in of_headers.items():
        print("\n".join(f"FAIL {path}: {problem}" for problem in found))
    n_edited, of_edited = edited.check_all(uvet, folder, rows)
    for path, found in of_edited.items():
        print("\n".join(f"FAIL {path}: {problem}" for problem in found))
    n_names, n_scripts, of_scripts = script_objects.check_all(uvet, folder, rows)
    for path, found in of_scripts.items():
        print("\n".join(f"FAIL {path}: {problem}" for problem in found))
    n_paks, recomputed, of_paks = paks.check_all(uvet, folder, rows)
    for path, found in of_paks.items():
        print("\n".join(f"FAIL {path}: {problem}" for problem in found))
    print("real: of paks computed anew and equal: " + ", ".join(f"{n} {what}" for what, n in recomputed.items()))
    of_zen, of_packages = zen.check_all(uvet, folder, rows)
    for path, found in of_packages.items():
        print("\n".join(f"FAIL {path}: {problem}" for problem in found))
    of_imports, of_sets = deps.check_all(uvet, folder, rows)
    print("\n".join(["real: " + of_imports, *(f"FAIL {problem}" for problem in of_sets)]))
    failures += len(of_sets) + len(problems) + len(of_headers) + len(of_edited) + len(of_scripts) + len(of_paks) + len(of_packages)
    n_others = len(rows) - n_installers - n_packages - n_downloads - n_containers - n_headers - n_paks
    print(f"real: {n_installers} installers, {n_packages} packages, {n_downloads} downloads, {n_twins} of them beside their package, "
          f"{n_containers} containers, {n_headers} bare headers of such, {n_paks} paks, {n_edited} edited, "
          f"{n_scripts} script objects with {n_names} names, {of_zen}, and {n_others} other files, {failures} failures")
    return 1 if failures or not n_installers else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], os.environ.get("UVET_REAL_DATA") or sys.argv[3]))
