#!/usr/bin/env python3
"""Checks files made by real engines: real.py UVET UNPACK [FOLDER]. The environment variable UVET_REAL_DATA goes before FOLDER.

The folder's MANIFEST.tsv says what each file is. Every installer must be valid without a single warning, and no other file may be
called a valid installer. Every compressed download must be valid, and UNPACK must give the bytes that a second decoder gives, and that
the same package has where it lies beside it uncompressed; an empty one must be invalid. Exits with 77 when there is no such folder.
"""
import csv
import json
import os
import subprocess
import sys

import second_uz

SKIPPED = 77


def check(uvet, paths):
    done = subprocess.run([uvet, "check", "--format", "json", *paths], capture_output=True, check=False)
    if done.returncode not in (0, 1, 2):
        sys.exit(f"real: exit {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
    return json.loads(done.stdout)


def problems_of_installer(artifact, findings):
    out = [] if artifact["verdict"] == "valid" and artifact["format"] == "umod" else [f"verdict {artifact['verdict']}"]
    return out + [f"{f['severity']} {f['rule']}: {f['message']}" for f in findings if f["severity"] not in ("note", "none")]


def problems_of_download(unpack, folder, row, artifact):
    path = os.path.join(folder, row["path"])
    if row["kind"] == "empty":
        return [] if artifact["verdict"] == "invalid" else [f"verdict {artifact['verdict']} of an empty file"]
    out = [] if artifact["verdict"] == "valid" else [f"verdict {artifact['verdict']}"]
    done = subprocess.run([unpack, path], capture_output=True, check=False)
    with open(path, "rb") as f:
        data = f.read()
    expected = second_uz.unpack_uz(data) if row["kind"].startswith("uz1") else second_uz.unpack_uz2(data)
    if done.returncode != 0 or done.stdout != expected:
        out.append(f"{len(done.stdout)} bytes come out, a second decoder gives {len(expected)} that differ")
    twin = os.path.splitext(path)[0]
    if os.path.exists(twin):
        with open(twin, "rb") as f:
            out += [] if f.read() == done.stdout else ["the package beside it has other bytes"]
    return out


def is_download(row):
    return row["path"].lower().endswith((".uz", ".uz2", ".uz3", ".lzma"))


def main(uvet, unpack, folder):
    manifest = os.path.join(folder, "MANIFEST.tsv")
    if not os.path.exists(manifest):
        print(f"real: skipped, there is no {manifest} (set UVET_REAL_DATA)")
        return SKIPPED
    with open(manifest, encoding="utf-8", newline="") as f:
        rows = [r for r in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE) if os.path.exists(os.path.join(folder, r["path"]))]
    failures = n_installers = n_downloads = 0
    for start in range(0, len(rows), 50):
        part = rows[start:start + 50]
        report = check(uvet, [os.path.join(folder, r["path"]) for r in part])
        by_path = {a["path"]: a for a in report["artifacts"]}
        for row in part:
            path = os.path.join(folder, row["path"])
            artifact = by_path[path]
            problems = []
            if row["kind"] == "umod":
                n_installers += 1
                number = report["artifacts"].index(artifact)
                problems = problems_of_installer(artifact, [f for f in report["findings"] if f["artifact"] in (number, path)])
            elif is_download(row):
                n_downloads += 1
                problems = problems_of_download(unpack, folder, row, artifact)
            elif artifact.get("format") == "umod" and artifact["verdict"] == "valid":
                problems = ["called a valid installer"]
            for problem in problems:
                print(f"FAIL {row['path']}: {problem}")
            failures += bool(problems)
    n_others = len(rows) - n_installers - n_downloads
    print(f"real: {n_installers} installers, {n_downloads} downloads and {n_others} other files, {failures} failures")
    return 1 if failures or not n_installers else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], os.environ.get("UVET_REAL_DATA") or sys.argv[3]))
