#!/usr/bin/env python3
"""Executions of each harness per second of CPU time, in this tree and, if one is named, in an older one.

    bench/fuzz_rate.py [--seconds N] [--before TREE] [--write] [HARNESS...]

A tree is a checkout whose build/fuzz holds its harnesses for libFuzzer (cmake --preset fuzz). Each runs for N seconds of CPU time as a
fuzzing run does: from its own tree's seeds and corpus, with its own tree's longest input, from the same start of chance. What the seeds
themselves take counts. With --write the rows of fuzz/RATES.tsv are replaced; a harness that the older tree has not got has no figure there.
"""

import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "fuzz/RATES.tsv"
TICKS = os.sysconf("SC_CLK_TCK")
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def lengths(tree):
    """The longest input of each harness."""
    rows = tree / "fuzz/harnesses.def"
    if rows.exists():
        return dict(re.findall(r"^HARNESS \((\w+), .* (\d+), \d+\)$", rows.read_text(), re.M))
    script = next(path for path in (tree / "fuzz/harnesses.sh", tree / "ci/fuzz.sh") if path.exists())      # of older trees
    rows = re.search(r'^harnesses="(.*?)"$', script.read_text(), re.S | re.M).group(1)
    return {row.split()[0]: row.split()[1] for row in rows.splitlines()}


def cpu_of(pid):
    """The CPU time of a process that runs, in seconds."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def run(command, log, seconds, **how):
    """Runs a fuzzer until its CPU time is over; gives the time that it took then."""
    with open(log, "wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, **how)
        cpu = 0.0
        while process.poll() is None and cpu < seconds:
            time.sleep(0.05)
            cpu = cpu_of(process.pid)
        process.send_signal(signal.SIGINT)
        process.wait()
    return cpu


def rate(tree, seeds, harness, seconds):
    """Executions per second of CPU time; None where the tree has no such harness."""
    program = tree / f"build/fuzz/fuzz/fuzz_{harness}"
    if harness not in lengths(tree) or not program.exists():
        return None
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="uvet-rate-", dir=MEMORY))
    for name in ("found", "files"):
        (scratch / name).mkdir()
    folders = [p for p in (seeds / harness, tree / f"corpus/{harness}", tree / f"corpus/regress/{harness}") if p.is_dir()]
    options = ASAN | {"TMPDIR": str(scratch / "files")}
    cpu = run([program, scratch / "found", *folders, f"-max_len={lengths(tree)[harness]}", f"-dict={next(tree.glob('fuzz/dict/*.dict'))}", "-entropic=0",
               "-seed=1", "-timeout=25", "-print_final_stats=1", f"-artifact_prefix={scratch}/"],
              scratch / "log", seconds, cwd=tree, env=os.environ | options)
    log = (scratch / "log").read_text(errors="replace")
    shutil.rmtree(scratch)
    done = re.search(r"stat::number_of_executed_units: (\d+)", log)
    if cpu < seconds or not done:
        sys.exit(f"fuzz_rate: fuzz_{harness} of {tree} ended by itself:\n{log[-2000:]}")
    return int(done.group(1)) / cpu


ASAN = {"ASAN_OPTIONS": "quarantine_size_mb=8:detect_stack_use_after_return=0:allocator_may_return_null=1"}


def row(harness, before, after):
    shown = ["-" if v is None else f"{v:.0f}" for v in (before, after)]
    return [harness, *shown, f"{after / before:.2f}" if before and after else "-"]


def write(rows):
    old = [line.split("\t") for line in TABLE.read_text().splitlines()[1:]] if TABLE.exists() else []
    kept = {fields[0]: fields for fields in old} | {fields[0]: fields for fields in rows}
    lines = [["harness", "before", "after", "factor"], *(kept[h] for h in lengths(ROOT) if h in kept)]
    TABLE.write_text("".join("\t".join(fields) + "\n" for fields in lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--before", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("harness", nargs="*")
    args = parser.parse_args()
    trees = [tree and tree.resolve() for tree in (args.before, ROOT)]
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="uvet-rate-", dir=MEMORY))
    for i, tree in enumerate(trees):
        if tree:
            subprocess.run([sys.executable, tree / "fuzz/seeds.py", scratch / str(i)], check=True)
    rows = []
    for harness in args.harness or lengths(ROOT):
        both = [tree and rate(tree, scratch / str(i), harness, args.seconds) for i, tree in enumerate(trees)]
        rows.append(row(harness, *both))
        print("\t".join(rows[-1]), flush=True)
    shutil.rmtree(scratch)
    if args.write:
        write(rows)


if __name__ == "__main__":
    main()
