#!/usr/bin/env python3
"""Measures what files in a file cost: installers of 10,000 and of 100,000 good packages or downloads. It fails where ten times as many take
more than 15 times as long, where a file keeps more than its record, or where more than that and the installer's own tables grows.

Time is that of the processor. `kept` is what the reports of a member hold, those of the files in it included; `tables` is what else is held
for it while the check goes on: its row in the directory, the text of its name, the place of its report."""
import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile

FEW, MANY = 10_000, 100_000
GROWTH_MAX = 15.0
# Bytes that reports keep of a good member, and what the tables of the installer take for one.
KEPT_MAX = {"member_packages": 1024, "member_downloads": 2048}
TABLES_MAX = 512
# No limit is to be reached.
OPTIONS = ["--max-nested=1000000", "--max-work=1000000000000", "--max-memory=4294967296", "--max-unpacked=4294967296"]


def seconds_of(command):
    """The processor's time of a command that finds nothing wrong."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise RuntimeError(f"exit {done.returncode}: {' '.join(command)}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(build, kind, number, folder):
    """The seconds of a check and its report, the bytes that it holds at a time, and those that its reports keep."""
    path = os.path.join(folder, f"{kind}_{number}.umod")
    subprocess.run([os.path.join(build, "bench", "bench_forge"), kind, str(number), path], check=True)
    check = [os.path.join(build, "uvet"), "check", "--format", "json", *OPTIONS, path]
    seconds = min(seconds_of(check) for _ in range(5))
    told = subprocess.run([os.path.join(build, "bench", "bench_room"), *OPTIONS, path], capture_output=True, text=True, check=True).stdout
    found = re.search(r"at a time +(\d+):.*reports (\d+)", told)
    os.remove(path)
    return seconds, int(found[1]), int(found[2])


def judge(build, kind, folder):
    """Prints a line, and tells whether all bounds are kept."""
    few, many = (measure(build, kind, n, folder) for n in (FEW, MANY))
    growth = many[0] / few[0]
    kept = (many[2] - few[2]) / (MANY - FEW)
    tables = (many[1] - many[2] - few[1] + few[2]) / (MANY - FEW)
    met = growth <= GROWTH_MAX and kept <= KEPT_MAX[kind] and tables <= TABLES_MAX
    print(f"{kind:17} {FEW:,} {few[0]:6.2f} s  {MANY:,} {many[0]:6.2f} s, times {growth:5.2f}  kept {kept:5.0f} bytes each,"
          f" tables {tables:4.0f}  {'met' if met else 'NOT MET'}", flush=True)
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release", help="a build folder with UVET_BENCH=ON (default %(default)s)")
    parser.add_argument("kinds", nargs="*", help="what to measure (default: everything)")
    args = parser.parse_args()
    build = os.path.abspath(args.build)
    kinds = args.kinds or list(KEPT_MAX)
    with tempfile.TemporaryDirectory(dir=build) as folder:
        met = sum(judge(build, kind, folder) for kind in kinds)
    print(f"members: {met} of {len(kinds)} met")
    return 0 if met == len(kinds) else 1


if __name__ == "__main__":
    sys.exit(main())
