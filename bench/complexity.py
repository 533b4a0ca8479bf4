#!/usr/bin/env python3
"""Counts the instructions that uvet needs for the worst files of each sort, and fails where twice the file costs more than 2.25 times
as many.

Counts are those of valgrind's cachegrind without its caches: the same on every run of one binary, whatever else the machine does.
What the program needs for a small good file is taken off first, because starting it is not part of what grows."""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

GROWTH_MAX = 2.25
WRITE_ARCHIVE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "write_archive.py")
# Kinds that are not about growth, or that only run.py or members.py needs.
LEFT_OUT = {"big", "small", "count_lies", "name_lies", "size_lies", "uz", "uz_5678", "uz2", "content_none", "content_zlib", "content_lz4",
            "content_zstd", "zen_zlib_hidden", "zen_none_hidden", "pak_content", "member_packages", "member_downloads", "zip_content"}


def count_instructions(uvet, path, options):
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", uvet, "check",
               "--format", "json", *options, path]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode not in (0, 1, 2) or not found:
        raise RuntimeError(f"{path}: exit {done.returncode}\n{done.stderr}")
    return int(found.group(1).replace(",", ""))


def list_kinds(build):
    """For each kind the program that writes it, the extension that its files need, and options for their check."""
    kinds = {}
    programs = [os.path.join(build, "bench", name) for name in ("bench_forge", "bench_pack", "bench_package", "bench_container", "bench_pak")]
    for program in [*programs, WRITE_ARCHIVE]:
        listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout
        for line in listed.splitlines():
            kind, extension, *options = line.split() + ([] if " " in line else ["umod"])
            kinds[kind] = program, extension, options
    return kinds


def measure(tools, kind, exponents, folder):
    """The counts for one kind, by size."""
    counts = []
    for e in exponents:
        program, extension, options = tools["kinds"][kind]
        with tempfile.TemporaryDirectory(dir=folder) as own:
            path = os.path.join(own, f"{kind}-{e}_P.{extension}")
            subprocess.run([program, kind, str(1 << e), path], check=True)
            counts.append(count_instructions(tools["uvet"], path, options))
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release", help="a build folder with UVET_BENCH=ON (default %(default)s)")
    parser.add_argument("--quick", action="store_true", help="two sizes instead of five")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("kinds", nargs="*", help="what to measure (default: everything)")
    args = parser.parse_args()
    build = os.path.abspath(args.build)
    tools = {"uvet": os.path.join(build, "uvet"), "kinds": list_kinds(build)}
    exponents = [12, 13] if args.quick else [10, 11, 12, 13, 14]
    kinds = args.kinds or [k for k in tools["kinds"] if k not in LEFT_OUT]
    missed = 0
    print(f"{'kind':16} {'per n':>8}  growth per doubling, at most {GROWTH_MAX}")
    with tempfile.TemporaryDirectory(dir=build) as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        start = measure(tools, "small", [10], folder)[0]
        for kind, counts in zip(kinds, pool.map(lambda k: measure(tools, k, exponents, folder), kinds)):
            own = [max(c - start, 1) for c in counts]
            growth = [b / a for a, b in zip(own, own[1:])]
            good = max(growth) <= GROWTH_MAX
            missed += not good
            print(f"{kind:16} {own[-1] / (1 << exponents[-1]):8.0f}  {'  '.join(f'{g:.2f}' for g in growth)}"
                  f"  {'met' if good else 'NOT MET'}", flush=True)
    print(f"complexity: {len(kinds) - missed} of {len(kinds)} met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
