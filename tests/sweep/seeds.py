#!/usr/bin/env python3
"""Fills a folder with every conformance vector as a file, and list.txt with their paths: seeds.py FOLDER"""
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SPARSE = 64 << 20


def main(folder):
    shutil.rmtree(folder, ignore_errors=True)       # of a vector that was renamed, the file would stay
    os.makedirs(folder)
    conformance = os.path.join(ROOT, "conformance")
    subprocess.run([sys.executable, os.path.join(conformance, "assemble.py"), "--all", os.path.join(conformance, "vectors"),
                    "-o", folder], check=True)
    paths = []
    for top, _, names in os.walk(folder):
        if top != folder:
            paths += [os.path.join(top, name) for name in names if os.path.getsize(os.path.join(top, name)) < SPARSE]
    with open(os.path.join(folder, "list.txt"), "w", encoding="utf-8", newline="\n") as f:
        for path in sorted(paths):
            name = "/".join(os.path.relpath(path, folder).split(os.sep)[:2])
            f.write(f"{name}\t{path}\n")


if __name__ == "__main__":
    main(sys.argv[1])
