#!/usr/bin/env python3
"""Damages good uploads in the ways of kinds.py and compares the diagnosis that uvet makes of each with what was done.

    run.py UVET [--real DIR] [--kind GLOB] [--show]

Good uploads are the vectors that are valid without options, and the files below DIR in which no error is found, as MANIFEST.tsv there lists
them. It fails if
fewer than 95 % are named rightly, if any is called hostile, or if a good one has a diagnosis. Damage that uvet finds nothing wrong with is
not counted: formats have bytes that nothing protects."""
import argparse
import collections
import csv
import fnmatch
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import assembled  # noqa: E402
import kinds  # noqa: E402

ENOUGH = 0.95
SMALLEST, LARGEST = 256, 16 << 20         # bytes of an upload: of its main file, and of all of it
EXTENSIONS = (".umod", ".ut2mod", ".ut4mod", ".u", ".unr", ".utx", ".uax", ".umx", ".usx", ".ukx", ".ut2", ".dx", ".utoc",
              ".uz", ".uz2", ".uz3", ".lzma", ".pak", ".uzenasset")
BESIDE = (".ucas", ".pak", ".sig")


def read(path):
    with open(path, "rb") as f:
        return f.read()


def companions(folder, stem):
    return {n: read(os.path.join(folder, n)) for n in os.listdir(folder)
            if n.lower().endswith(BESIDE) and n.split(".")[0].split("_s")[0].startswith(stem)}


def upload(path):
    """The file with those beside it that belong to it."""
    folder, main = os.path.split(path)
    files = {main: read(path)}
    if main.lower().endswith(".utoc"):
        files |= companions(folder, main.rsplit(".", 1)[0])
    return files, main


def vector_paths():
    all_of_them = assembled.take_or_exit()
    for written in all_of_them.vectors:
        if written.v.verdict == "valid" and not written.options and not written.fault and "/good_" in written.id:
            yield written.id, os.path.join(all_of_them.folder, *written.path.split("/"))


def real_paths(folder):
    if not folder or not os.path.exists(os.path.join(folder, "MANIFEST.tsv")):
        return
    with open(os.path.join(folder, "MANIFEST.tsv"), newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f, delimiter="\t"):
            yield row["path"], os.path.join(folder, row["path"])


def check(uvet, paths):
    """The artifact of each file, in one run; that of the set which they form is none of them."""
    listed = b"\0".join(os.fsencode(p) for p in paths) + b"\0"
    out = subprocess.run([uvet, "check", "-f", "ndjson", "-j", "0", "--files0-from", "-"], input=listed, stdout=subprocess.PIPE,
                         check=False).stdout
    artifacts = {}
    for line in out.splitlines():
        item = json.loads(line)
        if item.get("type") != "artifact":
            continue
        artifacts[item["id"]] = item
        top = item
        while top["parent"] is not None:
            top = artifacts[top["parent"]]
        if "diagnosis" in item:             # of the file, or else of one in it
            top.setdefault("diagnosis", item["diagnosis"])
        if item is not top:
            for severity in ("error", "warning"):
                top["findings"][severity] += item["findings"][severity]
    return {a["path"]: a for a in artifacts.values() if a["parent"] is None and a["path"] in paths}


def told(artifact):
    """What a damage must change to be one that is noticed."""
    return artifact["verdict"], artifact["findings"]["error"], artifact["findings"]["warning"]


def good_uploads(uvet, real):
    """Names and paths of the valid ones that are worth damaging, and complaints about good files with a diagnosis."""
    paths = {path: name for name, path in [*vector_paths(), *real_paths(real)]
             if path.lower().endswith(EXTENSIONS) and os.path.isfile(path)}
    uploads, complaints = [], []
    for path, artifact in check(uvet, list(paths)).items():
        if artifact["findings"]["error"] > 0 or artifact["verdict"] in ("invalid", "not_applicable"):
            continue
        if artifact.get("diagnosis", {}).get("id") == "missing_companion":       # an empty .pak is good, and here for a container
            continue
        if "diagnosis" in artifact:
            complaints.append(f"{paths[path]} is good and has a diagnosis: {artifact['diagnosis']['message']}")
        files, main = upload(path)
        if len(files[main]) >= SMALLEST and sum(map(len, files.values())) <= LARGEST:
            uploads.append((paths[path], files, main, told(artifact)))
    return uploads, complaints


def write(folder, files):
    os.makedirs(folder)
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as f:
            f.write(data)


def try_kind(uvet, k, uploads, scratch):
    """What uvet says of each damaged upload: its name and the diagnosis, or None; not those in which it finds nothing."""
    where = {}
    for number, (name, files, main, before) in enumerate(uploads):
        says = ""
        if k.is_of_two:
            _, others, other, _ = uploads[(number + 1) % len(uploads)]
            damaged, says = k.damage(files, main, others, other) or (None, "")
        else:
            damaged = k.damage(files, main)
        if damaged is None:
            continue
        folder = os.path.join(scratch, str(number))
        write(folder, damaged)
        where[os.path.join(folder, main)] = name, before, says
    said = []
    for path, artifact in (check(uvet, list(where)) if where else {}).items():
        name, before, says = where[path]
        if told(artifact) != before:
            d = artifact.get("diagnosis")
            said.append((name, d if not d or says in d["message"] else {**d, "id": d["id"] + " of no known one"}))
    shutil.rmtree(scratch, ignore_errors=True)
    return said


def main(argv):
    parser = argparse.ArgumentParser(description="Damages good uploads and compares the diagnoses.")
    parser.add_argument("uvet")
    parser.add_argument("--real", help="a folder of real files with a MANIFEST.tsv")
    parser.add_argument("--kind", default="*", help="only kinds whose name fits")
    parser.add_argument("--show", action="store_true", help="print each that is named otherwise")
    args = parser.parse_args(argv)
    uploads, complaints = good_uploads(args.uvet, args.real)
    n_right = n_all = 0
    for k in kinds.KINDS.values():
        if not fnmatch.fnmatch(k.name, args.kind):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            said = try_kind(args.uvet, k, uploads, os.path.join(scratch, "uploads"))
        right = [name for name, d in said if d and d["id"] in k.expected]
        others = collections.Counter(d["id"] if d else "nothing" for name, d in said if not d or d["id"] not in k.expected)
        n_right, n_all = n_right + len(right), n_all + len(said)
        print(f"{k.name:24} {k.expected[0]:20} {len(right):4} of {len(said):4}   "
              + ", ".join(f"{n} {what}" for what, n in others.most_common()))
        for name, d in said:
            if d and d["id"] == "hostile":
                complaints.append(f"{name}, {k.name}: called hostile")
            if args.show and not (d and d["id"] in k.expected):
                print(f"    {name}: {d['id'] + ', ' + d['message'] if d else 'nothing'}")
    share = n_right / n_all if n_all else 1
    print(f"damage: {len(uploads)} uploads, {n_right} of {n_all} named rightly ({share:.1%})")
    if share < ENOUGH:
        complaints.append(f"only {share:.1%} are named rightly, {ENOUGH:.0%} are demanded")
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
