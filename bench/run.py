#!/usr/bin/env python3
"""Measures uvet against yardsticks of the same run, and prints for each case the figure, its range and whether the target is met.

Everything but C6 is CPU time (user and system) of whole processes or of one thread. Rounds go by turns, A B A B, and a figure is the median
of the rounds' own ratios or differences: what else the machine does hits both. No figure is an absolute time."""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys

CASES = []
WRITE_ARCHIVE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "write_archive.py")


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

    def container(self, kind, n, *options):
        """The .utoc of a container of n chunks, written once with what lies beside it."""
        folder = os.path.join(self.files, "-".join([kind, str(n), *options]).replace("--", ""))
        if not os.path.exists(folder):
            os.makedirs(folder + ".part", exist_ok=True)
            subprocess.run([self.program("bench_container"), kind, str(n), os.path.join(folder + ".part", "Bench_P.utoc"), *options], check=True)
            os.rename(folder + ".part", folder)
        return os.path.join(folder, "Bench_P.utoc")

    def archive(self, kind, n):
        """A .pak of n entries, written once."""
        path = os.path.join(self.files, f"{kind}-{n}.pak")
        if not os.path.exists(path):
            subprocess.run([self.program("bench_pak"), kind, str(n), path + ".part"], check=True)
            os.rename(path + ".part", path)
        return path

    def written(self, kind, n):
        """An archive of n members as people upload them, written once."""
        path = os.path.join(self.files, f"{kind}-{n}.zip")
        if not os.path.exists(path):
            subprocess.run([WRITE_ARCHIVE, kind, str(n), path + ".part"], check=True)
            os.rename(path + ".part", path)
        return path

    def real_containers(self, least):
        """The .utoc files of the folder of real files that have so many bytes."""
        found = [os.path.join(folder, name) for folder, _, names in os.walk(self.data) for name in names if name.endswith(".utoc")]
        return sorted((path for path in found if os.path.getsize(path) >= least), key=os.path.getsize, reverse=True)

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
        """CPU microseconds, KiB, and microseconds on the wall of each command, by turns: three columns a command."""
        arguments = []
        for c in commands:
            arguments += (["--"] if arguments else []) + c
        columns = self.table([self.program("bench_launch"), str(self.rounds(rounds)), *arguments], cwd)
        return list(zip(columns[0::3], columns[1::3], columns[2::3]))


WALL = 2             # which column of a launch


def case(name, what):
    def keep(function):
        CASES.append((name, what, function))
        return function
    return keep


def installed(program):
    """Where a program of the system is."""
    return shutil.which(program) or sys.exit(f"bench: {program} is not installed")


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


@case("N1", "1,000,000 names of 32 characters in a batch of Unreal Engine 5, in memory, against one pass over the characters")
def names(b):
    touch, hashes, plain, once = b.table([b.program("bench_names"), str(b.rounds(20))])
    yield "hashes", [32 * 1000000 / h for h in hashes], "GB/s", 2, True
    yield "the pass", [32 * 1000000 / t for t in touch], "GB/s", None, True
    yield "hashes, against the pass", ratios(touch, hashes), "x", None, False
    yield "all rules but for duplicates, a name", [p / 1000000 for p in plain], "ns", None, False
    yield "all rules, a name", [o / 1000000 for o in once], "ns", None, False


@case("UZ", "8 MB unpacked: whole checks against zlib's inflate() on the .uz2, in bytes that come out a second")
def downloads(b):
    chunks = b.pack("uz2", 8192)
    for kind, what in (("uz2", ".uz2"), ("uz", ".uz, 1234"), ("uz_5678", ".uz, 5678")):
        inflated, checked, n = b.table([b.program("bench_unpack"), str(b.rounds(20)), chunks, b.pack(kind, 8192)])
        yield what, ratios(checked, inflated), "x", 0.9, True
        yield what, [1000 * size / c for size, c in zip(n, checked)], "MB/s", None, True
    yield "inflate()", [1000 * size / i for size, i in zip(n, inflated)], "MB/s", None, True


@case("A5", "1 KB installers whose counts say 2^31-1, against P3's file")
def lying_counts(b):
    good = b.forge("small", 4096)
    for kind in ("count_lies", "name_lies", "size_lies"):
        plain, bad = b.launch(100, [b.uvet, "check", good], [b.uvet, "check", b.forge(kind, 1024)])
        yield f"{kind}, CPU", ratios(plain[0], bad[0]), "x", 1.1, False
        yield f"{kind}, memory above", differences(plain[1], bad[1], 1024), "MiB", 1, False


# ---- Containers ----------------------------------------------------------------------------------------------------------------

def allowed(path):
    """How much memory the check of a .utoc may take."""
    return 2 * os.path.getsize(path) + (16 << 20)


def structure(b, path):
    return [b.uvet, "check", "--level", "structure", "--siblings", "none", "--max-memory", str(allowed(path)), path]


def tables_in_memory(b, path, rounds):
    """Columns of bench_tables: the pass, the check, findings of WARNING and above, memory."""
    columns = b.table([b.program("bench_tables"), str(b.rounds(rounds)), path])
    if columns[2][0] > 0:
        print(f"      note: {columns[2][0]} findings of WARNING and above in {os.path.basename(os.path.dirname(path))}")
    return columns


@case("T1", ".utoc of 1,000,000 chunks (127 MB) and smaller ones: all rules of structure")
def container_tables(b):
    for n in (1000, 100000, 1000000):
        touched, check, _, memory = tables_in_memory(b, b.container("tables", n), max(12, 400000 // n))
        yield f"{n} chunks in memory, against a pass", ratios(touched, check), "x", 6 if n == 1000000 else None, False
        yield f"{n} chunks in memory, per chunk", [c / n for c in check], "ns", None, False
    path = b.container("tables", n)
    read, alone, beside = b.launch(8, [b.program("yardstick_read"), path], structure(b, path), [b.uvet, "check", "--level", "structure", path])
    yield "whole process, per chunk", [a * 1000 / n for a in alone[0]], "ns", 100, False
    yield "whole process, against reading", ratios(read[0], alone[0]), "x", None, False
    yield "the same with the .ucas beside it", [c * 1000 / n for c in beside[0]], "ns", None, False
    yield "memory of the check, against twice", [m / allowed(path) for m in memory], "x", 1, False
    yield "peak of the process, against twice", [kib * 1024 / allowed(path) for kib in alone[1]], "x", 1, False


@case("T2", ".utoc of 4,000,000 chunks, against T1")
def huge_tables(b):
    small, large = structure(b, b.container("tables", 1000000)), structure(b, b.container("tables", 4000000))
    one, four = b.launch(4, small, large)
    yield "whole process", ratios(one[0], four[0]), "x", 4.8, False
    most = allowed(b.container("tables", 4000000))
    yield "peak of the process, against twice", [kib * 1024 / most for kib in four[1]], "x", 1, False


@case("T3", "T1 with chunks in another order than their blocks, against T1")
def shuffled_tables(b):
    straight = tables_in_memory(b, b.container("tables", 1000000), 12)
    shuffled = tables_in_memory(b, b.container("tables", 1000000, "--order", "shuffled"), 12)
    yield "in memory", ratios(straight[1], shuffled[1]), "x", 1.3, False


@case("T4", "the largest real .utoc files, in memory, against a pass")
def real_tables(b):
    files = b.real_containers(16384)
    if not files:
        print(f"T4    not measured: no .utoc in {b.data}")
    for path in files[:4]:
        touched, check, *_ = tables_in_memory(b, path, 200)
        yield f"{os.path.basename(path)[-24:]}, {os.path.getsize(path) >> 10} KiB", ratios(touched, check), "x", 12, False


def content_case(name, what, kind, n, target):
    @case(name, what)
    def measure(b):
        path = b.container(kind, n)
        yardstick = b.program("yardstick_container")
        alone, check = b.launch(12, [yardstick, path], [b.uvet, "check", "--level", "content", path])
        yield "whole process, against libraries", ratios(alone[0], check[0]), "x", target, False


CONTENT = (
    ("C1", "content of 256 chunks of 64 KiB to 1 MiB, stored as it is, BLAKE3", "content_none", 256, 1.1),
    ("C2", "the same with zlib", "content_zlib", 256, 1.1),
    ("C3", "the same with LZ4", "content_lz4", 256, 1.1),
    ("C4", "the same with Zstandard", "content_zstd", 256, 1.1),
    ("C5", "content of 65,536 chunks of 1 KB, zlib and SHA-1", "content_small", 65536, 1.2),
)
for row in CONTENT:
    content_case(*row)


@case("C6", "C1 to C4 on two cores, against one: time on the wall, so only where nothing else runs")
def two_cores(b):
    # What decodes quickly is four times as long, or starting the process and its thread would be a tenth of it.
    for kind, n in (("content_none", 1024), ("content_zlib", 256), ("content_lz4", 1024), ("content_zstd", 256)):
        path = b.container(kind, n)
        command, libraries = [b.uvet, "check", "--level", "content", path, "-j"], [b.program("yardstick_container"), path]
        one, two, alone, both = b.launch(12, command + ["1"], command + ["2"], libraries, libraries + ["&"] + libraries)
        yield f"{kind}, {n} chunks", ratios(two[WALL], one[WALL]), "x", 1.8, True
        yield f"{kind}, libraries", ratios(both[WALL], [2 * t for t in alone[WALL]]), "x", None, True


@case("Z1", "header checks of 4,096 packages inside: their container against one of the same bytes into which nobody looks")
def headers_inside(b):
    n = 4096
    for method in ("zlib", "none"):
        hidden, check = b.launch(12, [b.uvet, "check", b.container(f"zen_{method}_hidden", n)], [b.uvet, "check", b.container(f"zen_{method}", n)])
        yield f"{method}, whole process", ratios(hidden[0], check[0]), "x", 1.05, False


def doubling(b, kind, n, rounds=8):
    """What twice the file costs, what a small one costs taken off."""
    none, once, twice = b.launch(rounds, *([b.uvet, "check", b.container(kind, m)] for m in (2, n, 2 * n)))
    return [(t - a) / max(o - a, 1) for a, o, t in zip(none[0], once[0], twice[0])]


@case("A1", "each chunk claims every block: growth where chunks and blocks double")
def chunks_claim_all(b):
    yield "all blocks", doubling(b, "claim_all", 65536), "x", 2.3, False
    yield "all blocks from its own on", doubling(b, "claim_rest", 65536), "x", 2.3, False
    yield "one id", doubling(b, "same_ids", 65536), "x", 2.3, False


@case("A2", "ids and names that collide: growth, and against as many that do not")
def containers_colliding(b):
    for bad, good in (("colliding_siblings", "siblings"), ("colliding_ids", "distinct_ids")):
        yield f"{bad}, growth", doubling(b, bad, 16384), "x", 2.3, False
        few, fine, worse = b.launch(12, *([b.uvet, "check", b.container(kind, n)] for kind, n in ((good, 2), (good, 32768), (bad, 32768))))
        yield f"{bad} against {good}", [(w - a) / max(f - a, 1) for a, f, w in zip(few[0], fine[0], worse[0])], "x", 5, False


@case("A3", "directories in chains: growth, and per directory against T1 per chunk")
def directory_chains(b):
    n = 1000000
    t1 = b.launch(4, structure(b, b.container("tables", n)))[0]
    for kind in ("siblings", "cycle", "shared", "depth"):
        yield f"{kind}, growth", doubling(b, kind, 131072, 4), "x", 2.3, False
        chain = b.launch(4, structure(b, b.container(kind, n)))[0]
        yield f"{kind}, {n} of them", [c / t for c, t in zip(chain[0], t1[0])], "x", 2, False


@case("A4", "zlib blocks of 60 KB with nothing in them")
def empty_blocks(b):
    n = 16384
    yield "growth", doubling(b, "empty_blocks", n), "x", 2.3, False
    size = os.path.getsize(b.container("empty_blocks", n)[:-4] + "ucas")
    check, = b.launch(8, [b.uvet, "check", b.container("empty_blocks", n)])
    yield "stored bytes", [size / us for us in check[0]], "MB/s", 7, True
    check, longer = b.launch(8, [b.uvet, "check", b.container("not_smaller", 2)], [b.uvet, "check", b.container("not_smaller", n)])
    yield "not smaller than what comes out", [size / max(b - a, 1) for a, b in zip(check[0], longer[0])], "MB/s", 100, True


# ---- Archives ------------------------------------------------------------------------------------------------------------------

@case("PK1", ".pak of 1,000,000 entries, level structure, against reading its index")
def archive_tables(b):
    n = 1000000
    for version in (8, 11):
        path = b.archive(f"pak_{version}", n)
        yardstick = [b.program("yardstick_pak"), path, "index"]
        most = 2 * b.table(yardstick)[0][0] + (16 << 20)
        read, check = b.launch(8, yardstick, [b.uvet, "check", "--level", "structure", "--max-memory", str(most), path])
        yield f"version {version}, per entry beyond reading", differences(read[0], check[0], n / 1000), "ns", 250, False
        yield f"version {version}, against reading", ratios(read[0], check[0]), "x", None, False
        yield f"version {version}, peak against twice the index", [kib * 1024 / most for kib in check[1]], "x", 1, False


@case("PK2", ".pak of 256 entries of 1 MiB, against reading them and the library's SHA-1")
def archive_content(b):
    path = b.archive("pak_content", 256)
    command, library = [b.uvet, "check", path, "-j"], [b.program("yardstick_pak"), path, "data"]
    one, two, alone, both = b.launch(12, command + ["1"], command + ["2"], library, library + ["&"] + library)
    yield "whole process", ratios(alone[0], one[0]), "x", 1.1, False
    yield "on two cores, time on the wall", ratios(two[WALL], one[WALL]), "x", 1.8, True
    yield "on two cores, the library", ratios(both[WALL], [2 * t for t in alone[WALL]]), "x", None, True


@case("AR1", "a directory of 1,000,000 zip members, level structure, against reading the file")
def zip_tables(b):
    n = 1000000
    path = b.written("zip_entries", n)
    read, check = b.launch(8, [b.program("yardstick_read"), path], [b.uvet, "check", "--level", "structure", path])
    yield "per member beyond reading", differences(read[0], check[0], n / 1000), "ns", 300, False
    yield "peak memory, bytes a member", [kib * 1024 / n for kib in check[1]], "B", None, False


@case("AR2", "a zip of 2,000 members of 512 KiB, against libdeflate, and unzip -t")
def zip_content(b):
    path = b.written("zip_content", 2000)
    library, unzip, check = b.launch(8, [b.program("yardstick_zip"), path], [installed("unzip"), "-qqt", path], [b.uvet, "check", path])
    yield "against libdeflate", ratios(library[0], check[0]), "x", 1.15, False
    yield "against unzip -t", ratios(unzip[0], check[0]), "x", 1, False
    yield "peak memory", [kib / 1024 for kib in check[1]], "MiB", 16, False


# ---- Running them ----------------------------------------------------------------------------------------------------------------

def report(name, what, values, unit, target, more_is_better):
    median, low, high = middle(values)
    met = target is None or (median >= target if more_is_better else median <= target)
    bound = "" if target is None else f"{'>=' if more_is_better else '<='} {target:g} {unit}"
    verdict = "" if target is None else "met" if met else "NOT MET"
    print(f"{name:5} {what:36} {median:8.2f} {unit:4} {bound:12} {verdict:8} ({low:.2f} to {high:.2f}, {len(values)} rounds)", flush=True)
    return met


def arguments(description):
    """What every measuring asks for."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--build", default="build/release", help="a release build with UVET_BENCH=ON (default %(default)s)")
    parser.add_argument("--quick", action="store_true", help="a quarter of the rounds")
    parser.add_argument("--data", default="../shared/data", help="a folder of real files (default %(default)s)")
    return parser


def main():
    parser = arguments(__doc__)
    parser.add_argument("--strict", action="store_true", help="exit 1 when a target is missed; without it figures are only shown")
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
