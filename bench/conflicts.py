#!/usr/bin/env python3
"""Measures what uvet conflicts costs of folders of 1,250 to 10,000 small sets, each a .utoc, a .ucas and a .pak, and fails where twice as many take more
than 2.25 times as long, where the conflicts are not those that were made, or where less memory finds others.

Every set has a package of its own, and every tenth one that the set before it has, too. Time is that of the processor, the least of three runs."""
import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "conformance"))
from assembler.hashes import cityhash64_bytes  # noqa: E402
from assembler.layout import assemble  # noqa: E402
from assembler.vector import load  # noqa: E402

SIZES = (1250, 2500, 5000, 10000)
GROWTH_MAX = 2.25
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def base_set(folder):
    """The bytes of a good set, by ending."""
    v = load(os.path.join(HERE, "..", "conformance", "vectors", "iostore", "good_minimal.vec"))
    assemble(v).write_with_companions(os.path.join(folder, v.file), v.absent)
    out = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as f:
            out[name.rsplit(".")[-1]] = f.read()
    return out


def package_id(path):
    return cityhash64_bytes(path.lower().encode("utf-16-le")).to_bytes(8, "little")


def name_of(number):
    """Three letters, which differ in more than case."""
    return "".join(LETTERS[number // 36 ** k % 36 + (26 if number // 36 ** k % 36 >= 26 else 0)] for k in range(3))


def write_set(folder, base, number):
    """Another name and id for each package; Bar is that of the set before it in each tenth set."""
    own, other = name_of(2 * number), name_of(2 * (number - 1 if number % 10 == 9 else number) + 1)
    for ending, data in base.items():
        for old, new in (("Foo", own), ("Bar", other)):
            data = data.replace(package_id(f"/Game/Mods/{old}"), package_id(f"/Game/Mods/{new}")).replace(old.encode(), new.encode())
        with open(os.path.join(folder, f"Mod{number}_P.{ending}"), "wb") as f:
            f.write(data.replace(b"../../../" + own.encode(), b"../../../Foo"))           # the mount point is the same


def seconds_of(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 1:
        raise RuntimeError(f"exit {done.returncode}: {' '.join(command)}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, json.loads(done.stdout)


def measure(uvet, folder, number):
    """The seconds, and whether the conflicts are the ones that were made."""
    command = [uvet, "conflicts", "--format", "json", "--max-findings", "1000000", folder]
    seconds, said = min((seconds_of(command) for _ in range(3)), key=lambda run: run[0])
    _, again = seconds_of([*command, "--max-memory", "1M"])
    summary = said["summary"]
    made = [number // 10] * 3
    kept = {json.dumps(c) for c in said["conflicts"]}           # with less memory they come in another order
    return seconds, again["summary"] == summary and [summary[kind] for kind in ("paths", "packages", "chunks")] == made and all(c in kept for c in map(json.dumps, again["conflicts"])) and not said["unjudged"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--quick", action="store_true", help="two sizes instead of four")
    args = parser.parse_args()
    uvet, failed, last = os.path.join(args.build, "uvet"), False, None
    for number in SIZES[:2] if args.quick else SIZES:
        folder = tempfile.mkdtemp(prefix="uvet-conflicts-")
        try:
            os.mkdir(os.path.join(folder, "base"))
            os.mkdir(os.path.join(folder, "~mods"))
            base = base_set(os.path.join(folder, "base"))
            for i in range(number):
                write_set(os.path.join(folder, "~mods"), base, i)
            seconds, is_right = measure(uvet, os.path.join(folder, "~mods"), number)
        finally:
            shutil.rmtree(folder)
        growth = seconds / last if last else 0
        failed = failed or not is_right or growth > GROWTH_MAX
        print(f"{number:6} sets  {seconds:7.3f} s  {1e6 * seconds / number:6.1f} us a set  {f'x{growth:.2f}' if last else ''}{'' if is_right else '  WRONG'}", flush=True)
        last = seconds
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
