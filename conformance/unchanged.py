#!/usr/bin/env python3
"""What a change of structure must not change: two programs give the same report, to the byte, and the same exit code.

    unchanged.py OLDER NEWER [--real DIR] [--seconds N] [--seed TEXT]

For all vectors with their options, for every file below DIR, and then for N seconds for copies of these in which some bytes are others, are
gone or are new. A rule that only has another name is the same rule: names are translated by ids. Ends with one line "unchanged: ...";
exit 1 if anything differs. The copies that differ are kept in build/unchanged.
"""
import argparse
import concurrent.futures
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import typing

import assembled
import builds

KEPT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "build", "unchanged")
LARGEST = 300000            # bytes of a file that is copied
VALUES = (b"\0\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\1\0\0\0")


class Run(typing.NamedTuple):
    """One check: where, of which file, with which options."""
    folder: str
    name: str
    options: list


class Pair:
    """Both programs."""

    def __init__(self, older, newer):
        self.programs = [os.path.abspath(older), os.path.abspath(newer)]
        old, new = (self.names(program) for program in self.programs)
        self.renamed = {name.encode(): new[rule].encode() for rule, name in old.items() if new.get(rule, name) != name}
        self.pattern = re.compile(b'"(' + b"|".join(self.renamed or [b"(?!)"]) + b')"')

    @staticmethod
    def names(program):
        done = subprocess.run([program, "rules", "--format", "json"], capture_output=True, check=True)
        return {rule["id"]: rule["name"] for rule in json.loads(done.stdout)["rules"]}

    def differs(self, run):
        old, new = (subprocess.run([program, "check", "--format", "json", *run.options, run.name], cwd=run.folder, capture_output=True, check=False)
                    for program in self.programs)
        said = self.pattern.sub(lambda m: b'"' + self.renamed[m[1]] + b'"', old.stdout)
        return (old.returncode, said, old.stderr) != (new.returncode, new.stdout, new.stderr)


def change(data, rng):
    """The bytes with one to four changes; most lie near the beginning, where headers are."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        if not data:
            break
        at = rng.randrange(len(data)) if rng.random() < .5 else min(len(data) - 1, int(rng.expovariate(1 / 150)))
        how = rng.randrange(8)
        if how < 3:
            data[at] ^= 1 << rng.randrange(8)
        elif how == 3:
            data[at] = rng.randrange(256)
        elif how == 4:
            data[at:at + 4] = rng.choice(VALUES)
        elif how == 5:
            del data[at:at + rng.randrange(1, 9)]
        elif how == 6:
            data[at:at] = rng.randbytes(rng.randrange(1, 9))
        else:
            del data[at:]
    return bytes(data)


def companions(run):
    """The files that are read with it: those beside it of its name, and the keys."""
    stem = run.name.rpartition(".")[0]
    for name in sorted(os.listdir(run.folder)):
        path = os.path.join(run.folder, name)
        if (name.startswith(stem) or name == "DefaultCrypto.ini") and os.path.isfile(path) and os.path.getsize(path) <= LARGEST:
            yield name


def check_copy(pair, run, seed):
    """Checks a copy of which one file was changed; gives what differs."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        names = list(companions(run))
        victim = run.name if rng.random() < .7 else rng.choice(names)
        for name in names:
            with open(os.path.join(run.folder, name), "rb") as source, open(os.path.join(folder, name), "wb") as out:
                out.write(change(source.read(), rng) if name == victim else source.read())
        if not pair.differs(run._replace(folder=folder)):
            return None
        kept = os.path.join(KEPT, str(seed))
        shutil.copytree(folder, kept, dirs_exist_ok=True)
        return f"{kept}/{run.name} {' '.join(run.options)}"


def find_runs(real):
    folder, vectors, _ = assembled.take_or_exit()
    for v in vectors:
        if not v.fault and not v.missing:
            yield Run(os.path.join(folder, v.id), v.path[len(v.id) + 1:], v.options)
    for at, folders, names in os.walk(real) if real else ():
        folders.sort()
        yield from (Run(at, name, []) for name in sorted(names))


def main(argv):
    parser = argparse.ArgumentParser(description="Compares the reports of two programs.")
    parser.add_argument("older")
    parser.add_argument("newer")
    parser.add_argument("--real")
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--seed", default="uvet")
    args = parser.parse_args(argv)
    pair, runs = Pair(args.older, args.newer), list(find_runs(args.real))
    small = [run for run in runs if "/" not in run.name and os.path.getsize(os.path.join(run.folder, run.name)) <= LARGEST]
    rng, n_copies, different = random.Random(args.seed), 0, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for run, differs in zip(runs, pool.map(pair.differs, runs)):
            if differs:
                different.append(f"{run.folder}/{run.name} {' '.join(run.options)}")
        end = time.monotonic() + args.seconds
        while time.monotonic() < end:
            tasks = [(rng.choice(small), rng.randrange(1 << 60)) for _ in range(builds.PORTION)]
            different += [found for found in pool.map(lambda task: check_copy(pair, *task), tasks) if found]
            n_copies += len(tasks)
    for what in itertools.islice(different, 40):
        print(f"another report: {what}")
    print(f"unchanged: {len(runs)} files and {n_copies} changed copies, {len(pair.renamed)} rules have another name, {len(different)} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
