#!/usr/bin/env python3
"""Compares what the libraries export with the committed list: symbols.py LIST SHARED STATIC [--update]

Both define the names of the list for others, and no other names.
"""
import subprocess
import sys


def names(*args):
    out = subprocess.run(["nm", *args], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in out.splitlines()]
    return {row[-1].split("@")[0]: row[-2] for row in rows if len(row) >= 2}


def exported(shared):
    return {name for name, kind in names("-D", "--defined-only", shared).items() if kind != "A"}


def complain(what, found):
    for name in sorted(found):
        print(f"FAIL {what}: {name}")
    return len(found)


def main(path, shared, static, *update):
    found = exported(shared)
    if update:
        with open(path, "w", encoding="ascii", newline="\n") as f:
            f.writelines(f"{name}\n" for name in sorted(found))
    with open(path, encoding="ascii") as f:
        listed = set(f.read().split())
    failures = complain("exported but not listed", found - listed) + complain("listed but not exported", listed - found)
    inside = set(names("-g", "--defined-only", static))
    failures += complain("global in the static library but not listed", inside - listed)
    failures += complain("listed but not in the static library", listed - inside)
    print(f"symbols: {len(found)} exported, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
