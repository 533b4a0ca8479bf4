#!/usr/bin/env python3
"""Measures uvet against an older uvet on the files of run.py, by turns: CPU time of whole processes, new over old.

Says what a change costs. The older tree needs a release build of its own; the newer one makes the files and starts the processes. Where
the older one does less work, because it had not the rules, the ratio says what they cost; the verdicts are not compared here. With
--instructions it counts those that processes run, on smaller files, by valgrind: that is the same however busy the machine is."""
import os
import subprocess
import sys
import tempfile

import run


def commands(bench):
    """What to run: (case, rounds, arguments of uvet, folder to run it in)."""
    def structure(path):
        return run.structure(bench, path)[1:]

    yield "U1", 12, ["check", bench.forge("big", 500)], None
    folder, names = bench.many(10000, 4096)
    yield "P2", 12, ["check", *names], folder
    files, _ = bench.real_packages()
    if files:
        yield "P1", 20, ["check", "--level", "structure", *files * 20], None
        yield "P1, content", 8, ["check", *files], None
    yield "P3", 100, ["check", bench.forge("small", 4096)], None
    yield "P4", 8, ["check", "--level", "structure", bench.package("exports", 5400000)], None
    for kind in ("uz2", "uz", "uz_5678"):
        yield f"UZ, {kind}", 8, ["check", bench.pack(kind, 8192)], None
    yield "T1", 8, structure(bench.container("tables", 1000000)), None
    for name, _, kind, n, _ in run.CONTENT:
        yield name, 12, ["check", "--level", "content", bench.container(kind, n)], None


def small_commands(bench):
    """The same for counting: (case, arguments, folder)."""
    files, _ = bench.real_packages()
    if files:
        yield "P1", ["check", "--level", "structure", *files], None
    folder, names = bench.many(500, 4096)
    yield "P2", ["check", *names], folder
    yield "P3", ["check", bench.forge("small", 4096)], None
    yield "P4", ["check", "--level", "structure", bench.package("exports", 100000)], None
    yield "U2", ["check", bench.forge("listed", 20000)], None
    yield "T1", run.structure(bench, bench.container("tables", 100000))[1:], None
    yield "T2", run.structure(bench, bench.container("tables", 400000))[1:], None
    for path in bench.real_containers(16384)[:2]:
        yield "T4", run.structure(bench, path)[1:], None
    yield "C2", ["check", "--level", "content", bench.container("content_zlib", 16)], None


def count_instructions(program, arguments, folder):
    """How many instructions a process runs."""
    with tempfile.TemporaryDirectory() as scratch:
        out = os.path.join(scratch, "callgrind")
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, *arguments], cwd=folder,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        for line in done.stderr.splitlines():
            if "Collected :" in line:
                return int(line.split()[-1])
    raise SystemExit(f"valgrind did not count: {done.stderr[-500:]}")


def compare_instructions(bench, older, cases):
    for name, arguments, folder in small_commands(bench):
        if cases and name not in cases:
            continue
        old, new = (count_instructions(program, arguments, folder) for program in (older, bench.uvet))
        print(f"{name:4} {new / old:6.3f} x   {new:,} instructions, were {old:,}", flush=True)


def main():
    parser = run.arguments(__doc__)
    parser.add_argument("--instructions", action="store_true", help="count instructions")
    parser.add_argument("older", help="the older program")
    parser.add_argument("cases", nargs="*", help="ids of cases (default: all)")
    args = parser.parse_intermixed_args()
    bench = run.Bench(args.build, args.quick, args.data)
    if args.instructions:
        compare_instructions(bench, os.path.abspath(args.older), args.cases)
        return 0
    for name, rounds, arguments, folder in commands(bench):
        if args.cases and name.split(",")[0] not in args.cases:
            continue
        old, new = bench.launch(rounds, [args.older, *arguments], [bench.uvet, *arguments], cwd=folder)
        ratio, low, high = run.middle(run.ratios(old[0], new[0]))
        print(f"{name:12} {ratio:6.3f} x   ({low:.2f} to {high:.2f}, {len(new[0])} rounds)   "
              f"{run.middle(new[0])[0] / 1000:.2f} ms, was {run.middle(old[0])[0] / 1000:.2f} ms", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
