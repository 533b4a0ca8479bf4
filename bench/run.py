#!/usr/bin/env python3
"""Measures uvet against yardsticks of the same run, and prints for each case the figure, its range and whether the target is met.

Everything is CPU time (user and system) of whole processes or of one thread. Rounds go by turns, A B A B, and a figure is the median
of the rounds' own ratios or differences: what else the machine does hits both. No figure is an absolute time."""
import argparse
import json
import os
import statistics
import subprocess
import sys

CASES = []


class Bench:
    """Where the programs and the files are, and how many rounds to take."""

    def __init__(self, build, quick, data):
        self.build = os.path.abspath(build)
        self.data = os.path.abspath(data)
        self.quick = quick
        self.files = os.path.join(self.build, "bench", "files")
        os.makedirs(self.files, exist_ok=True)
        self.uvet = os.path.join(self.build, "uvet")

    def program(self, name):
        return os.path.join(self.build, "bench", name)

    def rounds(self, n):
        return max(5, n // 4) if self.quick else n

    def forge(self, kind, n):
        """An installer of one kind and size, written once."""
        path = os.path.join(self.files, f"{kind}-{n}.umod")
        if not os.path.exists(path):
            subprocess.run([self.program("bench_forge"), kind, str(n), path + ".part"], check=True)
            os.rename(path + ".part", path)
        return path

    def pack(self, kind, n):
        """A compressed download of n KiB, written once."""
        path = os.path.join(self.files, f"{kind}-{n}", "Big.u." + kind.split("_")[0])
        if not os.path.exists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            subprocess.run([self.program("bench_pack"), kind, str(n), path + ".part"], check=True)
            os.rename(path + ".part", path)
        return path

    def package(self, kind, n):
        """A package of one kind and size, written once."""
        path = os.path.join(self.files, f"{kind}-{n}.u")
        if not os.path.exists(path):
            subprocess.run([self.program("bench_package"), kind, str(n), path + ".part"], check=True)
            os.rename(path + ".part", path)
        return path

    def real_packages(self):
        """The packages of the folder of real files, and how many names, imports and exports they have."""
        listed = subprocess.run([self.uvet, "check", "-r", "--level", "structure", "-f", "json", self.data], stdout=subprocess.PIPE)
        found = [a for a in json.loads(listed.stdout)["artifacts"]
                 if a.get("format") == "upkg" and a["parent"] is None and "exports" in a["info"]] if os.path.isdir(self.data) else []
        return [a["path"] for a in found], sum(a["info"][t] for a in found for t in ("names", "imports", "exports"))

    def many(self, n, size):
        """A folder of n equal installers, and their names in it."""
        folder = os.path.join(self.files, f"many-{n}-{size}")
        names = [f"{i:05}.umod" for i in range(n)]
        if not os.path.exists(folder):
            with open(self.forge("small", size), "rb") as f:
                data = f.read()
            os.makedirs(folder + ".part", exist_ok=True)
            for name in names:
                with open(os.path.join(folder + ".part", name), "wb") as f:
                    f.write(data)
            os.rename(folder + ".part", folder)
        return folder, names

    def table(self, command, cwd=None):
        """The columns of numbers that a program prints."""
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=cwd)
        return list(zip(*([int(v) for v in line.split()] for line in done.stdout.splitlines())))

    def launch(self, rounds, *commands, cwd=None):
        """CPU microseconds and KiB of each command, by turns: one pair of columns a command."""
        arguments = []
        for c in commands:
            arguments += (["--"] if arguments else []) + c
        columns = self.table([self.program("bench_launch"), str(self.rounds(rounds)), *arguments], cwd)
        return list(zip(columns[0::2], columns[1::2]))


def case(name, what):
    def keep(function):
        CASES.append((name, what, function))
        return function
    return keep


def middle(values):
    return statistics.median(values), min(values), max(values)


def ratios(yardstick, measured):
    return [b / a for a, b in zip(yardstick, measured)]


def differences(yardstick, measured, scale):
    return [(b - a) / scale for a, b in zip(yardstick, measured)]


# ---- Cases: each yields (what, values, unit, target, whether more is better) --------------------------------------------------

@case("U1", "500 MB installer, CPU, against reading it in windows of 256 KiB")
def large_file(b):
    path = b.forge("big", 500)
    read, check, table = b.launch(12, [b.program("yardstick_read"), path], [b.uvet, "check", path],
                                  [b.program("yardstick_read"), path, "table"])
    yield "whole process", ratios(read[0], check[0]), "x", 1.3, False
    yield "byte-table CRC instead", ratios(check[0], table[0]), "x", 10, True
    yield "peak memory", [kib / 1024 for kib in check[1]], "MiB", 16, False


@case("U1p", "the same with the portable CRC")
def large_file_portable(b):
    portable, path = b.program("uvet_portable"), b.forge("big", 500)
    if not os.path.exists(portable):
        print("U1p   not measured: this build has no uvet_portable")
        return
    read, check = b.launch(12, [b.program("yardstick_read"), path], [portable, "check", path])
    yield "whole process", ratios(read[0], check[0]), "x", 1.8, False
    yield "peak memory", [kib / 1024 for kib in check[1]], "MiB", 16, False


@case("U2", "100,000 entries: what all rules cost beyond the CRC of the same bytes")
def many_members(b):
    n = 100002
    few = [b.program("bench_members"), str(b.rounds(40)), b.forge("few_listed", n - 2), "MAN007"]
    crc, check = b.table(few)
    yield "per entry", differences(crc, check, n), "ns", 60, False
    crc, check = b.table([b.program("bench_members"), str(b.rounds(40)), b.forge("listed", n - 2)])
    yield "per entry and its line in the manifest", differences(crc, check, n), "ns", None, False


@case("P2", "10,000 files of 4 KB in one call, against open, stat, read and close")
def many_files(b):
    folder, names = b.many(10000, 4096)
    files = [b.program("yardstick_files"), *names]
    read, named = b.launch(20, files, [b.uvet, "check", *names], cwd=folder)
    yield "files named", ratios(read[0], named[0]), "x", 2.5, False
    read, walked = b.launch(20, [b.program("yardstick_files"), "-r", "."], [b.uvet, "check", "-r", "."], cwd=folder)
    yield "folder walked, against listing it too", ratios(read[0], walked[0]), "x", 2.5, False


@case("P1", "real packages in one call, level structure, against reading their tables")
def real_packages(b):
    files, items = b.real_packages()
    if not files:
        print(f"P1    not measured: no packages in {b.data}")
        return
    files *= 20
    read, check = b.launch(20, [b.program("yardstick_tables"), *files], [b.uvet, "check", "--level", "structure", *files])
    yield "whole process", ratios(read[0], check[0]), "x", 5, False
    yield "per table item, beyond reading", differences(read[0], check[0], items * 20 / 1000), "ns", 30, False


@case("P4", "a package of 100 MB with nothing but exports, level structure, against reading its tables")
def dense_package(b):
    n = 5400000
    path = b.package("exports", n)
    read, check = b.launch(8, [b.program("yardstick_tables"), path], [b.uvet, "check", "--level", "structure", path])
    yield "per export, beyond reading", differences(read[0], check[0], n / 1000), "ns", 30, False
    yield "peak memory, in sizes of the file", [kib * 1024 / os.path.getsize(path) for kib in check[1]], "x", 4, False


@case("P5", "32,768 names of one hash, against as many others of the same length")
def colliding_names(b):
    few, fine, bad = b.launch(40, [b.uvet, "check", b.package("names", 8)], [b.uvet, "check", b.package("names", 32768)],
                              [b.uvet, "check", b.package("colliding_names", 32768)])
    yield "names of one hash", [(c - a) / (f - a) for a, f, c in zip(few[0], fine[0], bad[0])], "x", 5, False


@case("P3", "one file of 4 KB, whole process, against a program that does nothing")
def one_file(b):
    path = b.forge("small", 4096)
    nothing, check = b.launch(200, [b.program("yardstick_nothing")], [b.uvet, "check", path])
    yield "more", differences(nothing[0], check[0], 1000), "ms", 0.5, False


@case("ROWS", "1,000,000 rows of 24 bytes under 20 rules, decoded a block at a time")
def rows(b):
    touch, rules = b.table([b.program("bench_rows"), str(b.rounds(20))])
    yield "per row", [r / 1000000 for r in rules], "ns", 30, False
    yield "against one pass over the bytes", ratios(touch, rules), "x", None, False


@case("UZ", "8 MB unpacked: whole checks against zlib's inflate() on the .uz2, in bytes that come out a second")
def downloads(b):
    portable = b.program("bench_unpack_portable")           # without libdeflate; where that is not there, both are
    chunks = b.pack("uz2", 8192)
    cases = [("bench_unpack", "uz", ".uz, 1234", 0.9), ("bench_unpack", "uz_5678", ".uz, 5678", 0.9)]
    if os.path.exists(portable):
        cases = [("bench_unpack", "uz2", ".uz2", 1.8), ("bench_unpack_portable", "uz2", ".uz2 without libdeflate", 0.9)] + cases
    else:
        cases = [("bench_unpack", "uz2", ".uz2 without libdeflate", 0.9)] + cases
    for program, kind, what, target in cases:
        inflated, checked, n = b.table([b.program(program), str(b.rounds(20)), chunks, b.pack(kind, 8192)])
        yield what, ratios(checked, inflated), "x", target, True
        yield what, [1000 * size / c for size, c in zip(n, checked)], "MB/s", None, True
    yield "inflate()", [1000 * size / i for size, i in zip(n, inflated)], "MB/s", None, True


@case("A5", "1 KB installers whose counts say 2^31-1, against P3's file")
def lying_counts(b):
    good = b.forge("small", 4096)
    for kind in ("count_lies", "name_lies", "size_lies"):
        plain, bad = b.launch(100, [b.uvet, "check", good], [b.uvet, "check", b.forge(kind, 1024)])
        yield f"{kind}, CPU", ratios(plain[0], bad[0]), "x", 1.1, False
        yield f"{kind}, memory above", differences(plain[1], bad[1], 1024), "MiB", 1, False


# ---- Running them ----------------------------------------------------------------------------------------------------------------

def report(name, what, values, unit, target, more_is_better):
    median, low, high = middle(values)
    met = target is None or (median >= target if more_is_better else median <= target)
    bound = "" if target is None else f"{'>=' if more_is_better else '<='} {target:g} {unit}"
    verdict = "" if target is None else "met" if met else "NOT MET"
    print(f"{name:5} {what:36} {median:8.2f} {unit:4} {bound:12} {verdict:8} ({low:.2f} to {high:.2f}, {len(values)} rounds)", flush=True)
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release", help="a release build with UVET_BENCH=ON (default %(default)s)")
    parser.add_argument("--quick", action="store_true", help="a quarter of the rounds")
    parser.add_argument("--strict", action="store_true", help="exit 1 when a target is missed; without it figures are only shown")
    parser.add_argument("--data", default="../shared/data", help="a folder of real files (default %(default)s)")
    parser.add_argument("cases", nargs="*", help="ids of cases (default: all)")
    args = parser.parse_args()
    bench = Bench(args.build, args.quick, args.data)
    missed = 0
    for name, what, function in CASES:
        if args.cases and name not in args.cases:
            continue
        print(f"\n{name}: {what}")
        for figure in function(bench):
            missed += not report(name, *figure)
    print(f"\nbench: {missed} targets missed")
    return 1 if missed and args.strict else 0


if __name__ == "__main__":
    sys.exit(main())
