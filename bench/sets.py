#!/usr/bin/env python3
"""Measures what judging packages as a set costs: 10,000 packages in the folders of a game, which import from each other, in a run with and
without --sets none, at structure level, with one job. It fails where the set takes the run to more than three times the time, where it holds
more than 1 KiB for each export, or where twice as many packages take more than 2.25 times as long; that also of packages of one name, in one
folder, and of packages that all import each other in a circle.

Time is that of the processor, memory the most that the process had."""
import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "real"))
import package_writer                   # pylint: disable=wrong-import-position

RATIO_MAX, PER_EXPORT_MAX, GROWTH_MAX, EXPORTS, IMPORTED = 3.0, 1024, 2.25, 30, 8
FOLDERS = {"System": ".u", "Textures": ".utx", "Sounds": ".uax", "Music": ".umx"}


def package_of(number, n, imported):
    """Exports objects of its own, and imports some of others."""
    p = package_writer.Package(f"package {number}")
    text = p.add_class("Core", "TextBuffer")
    for other in imported:
        outer = p.add_import("Core", "Package", 0, f"Pack{other % n:05}")
        for k in range(4):
            p.add_import("Core", "TextBuffer", outer, f"Object{other % n}_{k}")
    for k in range(EXPORTS):
        p.add_export(text, 0, f"Object{number}_{k}")
    return p.to_bytes()


def write(folder, name, data):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)


def make_mod(folder, n):
    kinds = list(FOLDERS.items())
    for i in range(n):
        where, ending = kinds[i % len(kinds)]
        imported = [i * 7 + 4 * k + 1 for k in range(IMPORTED)]
        write(os.path.join(folder, where), f"Pack{i:05}{ending}", package_of(i, n, imported))


def make_one_name(folder, n):
    """One stem, in as many spellings and extensions as there are files."""
    for i in range(n):
        name = "".join(c.upper() if i >> k & 1 else c for k, c in enumerate("packageofonenamehere"))
        write(os.path.join(folder, "System"), f"{name}.u", package_of(0, 1, []))


def make_circle(folder, n):
    for i in range(n):
        write(os.path.join(folder, "System"), f"Pack{i:05}.u", package_of(i, n, [i + 1]))


def run(uvet, *args):
    """The seconds of a run and the bytes that it had at most."""
    command = ["/usr/bin/env", "python3", "-c",
               "import os,resource,subprocess,sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL);"
               "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime + resource.getrusage(resource.RUSAGE_CHILDREN).ru_stime,"
               "resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)",
               uvet, "check", "--isolated", "-q", "-j", "1", "--level", "structure", "--max-memory=4G", *args]
    seconds, kilobytes = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(seconds), int(kilobytes) * 1024


def best(uvet, *args, of=3):
    runs = [run(uvet, *args) for _ in range(of)]
    return min(seconds for seconds, _ in runs), max(held for _, held in runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uvet", default="build/release/uvet")
    parser.add_argument("--packages", type=int, default=10_000)
    args = parser.parse_args()
    n, met, folder = args.packages, True, tempfile.mkdtemp(prefix="sets-")
    try:
        mod = os.path.join(folder, "mod")
        make_mod(mod, n)
        alone, held_alone = best(args.uvet, "--sets", "none", mod)
        for words, options in (("a set", []), ("a set and a game", ["--game", mod + "2"])):
            if options:
                make_mod(mod + "2", n)
            seconds, held = best(args.uvet, *options, mod)
            per_export = (held - held_alone) / (n * EXPORTS * (2 if options else 1))
            times = seconds / alone / (2 if options else 1)             # the game's packages are read, too
            fine = times <= RATIO_MAX and per_export <= PER_EXPORT_MAX
            met = met and fine
            print(f"{n:,} packages one by one {alone:.2f} s, as {words} {seconds:.2f} s, times {times:.2f}; "
                  f"{per_export:.0f} bytes an export more  {'met' if fine else 'NOT MET'}", flush=True)
        for words, make in (("of a mod", make_mod), ("of one name", make_one_name), ("in a circle", make_circle)):
            seconds = []
            for many in (n, 2 * n):
                here = os.path.join(folder, f"{make.__name__}{many}")
                make(here, many)
                seconds.append(best(args.uvet, here, of=5)[0])
                shutil.rmtree(here)
            growth = seconds[1] / seconds[0]
            met = met and growth <= GROWTH_MAX
            print(f"{n:,} packages {words} {seconds[0]:.2f} s, {2 * n:,} {seconds[1]:.2f} s, times {growth:.2f}  "
                  f"{'met' if growth <= GROWTH_MAX else 'NOT MET'}", flush=True)
    finally:
        shutil.rmtree(folder)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
