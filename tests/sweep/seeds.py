#!/usr/bin/env python3
"""Writes list.txt with the paths of every conformance vector as files: seeds.py FOLDER"""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "conformance"))

import assembled  # noqa: E402

SPARSE = 64 << 20       # what is larger is nearly all holes, and takes a sweep days; smaller vectors have the same defects


def lines_of(paths):
    """What lies in one folder: each file by itself, but with a container, or else with an archive, all that lies beside it."""
    heads = [path for path in paths if path.endswith(".utoc")] or [path for path in paths if path.endswith(".pak")]
    if not heads:
        return [[path] for path in paths]
    return [[head] + [path for path in paths if path != head] for head in heads]


def write_list(folder, out):
    """list.txt, for the vectors in a folder: for each seed its name, and the paths of its files."""
    lines = []
    for top, _, names in os.walk(folder):
        if top != folder:
            lines += lines_of(sorted(os.path.join(top, name) for name in names if os.path.getsize(os.path.join(top, name)) < SPARSE))
    with open(os.path.join(out, "list.txt"), "w", encoding="utf-8", newline="\n") as f:
        for line in sorted(lines):
            name = "/".join(os.path.relpath(line[0], folder).split(os.sep)[:2])
            f.write("\t".join([name, *line]) + "\n")


def main(out):
    os.makedirs(out, exist_ok=True)
    write_list(assembled.take_or_exit().folder, out)


if __name__ == "__main__":
    main(sys.argv[1])
