#!/usr/bin/env python3
"""What uvet calls valid and says nothing about, other readers must all unpack in the same way.

    run.py UVET [--quick] [--seed N] [--times N] [--form FORM] [--only GLOB] [--kind KIND] [--jobs N] [--keep FOLDER]

The archives and compressed files among the vectors that uvet is silent about are changed by a byte, by two, by a field or a stretch of another
one, and by the same byte in two headers of a zip; checksums of headers are made right again. Of what uvet is still silent about, the readers
that are installed must list the same members, with the same names, kinds, sizes, content and targets, and uvet must have counted the same.
known.tsv has the differences that are known, each with its reason. It fails on one that is not there, and, where everything was asked, on a
line there that nothing needs.

--quick makes few changes; --seed makes other changes, --times more of them, which known.tsv need not know."""
import argparse
import collections
import concurrent.futures
import fnmatch
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import typing
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "conformance"))

import assembled  # noqa: E402
import changes  # noqa: E402
import layouts  # noqa: E402
import modules  # noqa: E402
import programs  # noqa: E402
import views  # noqa: E402

KNOWN = os.path.join(HERE, "known.tsv")
FOLDERS = {"tar": "tar", "zip": "zip", "sevenzip": "7z", "rar": "rar", "stream": "stream"}      # of the vectors, and the form of what they are
LARGEST = 20000                     # bytes of a seed
TIMES = {"byte": 96, "two": 32, "twin": 32, "field": 48, "splice": 32}                          # changes of each seed
QUICK_TIMES = {"byte": 2, "twin": 1, "field": 1}
SHOWN = 3                           # differences of one shape that are told
UNCHANGED = "unchanged"


class Seed(typing.NamedTuple):
    form: str
    name: str
    file: str
    data: bytes
    layout: layouts.Layout


class Difference(typing.NamedTuple):
    form: str
    reader: str
    seed: str
    where: str
    words: str

    def shape(self):
        return self._replace(seed="", words=re.sub(r"b?'[^']*'|b\"[^\"]*\"|\d+", "#", self.words))


class Line(typing.NamedTuple):
    """One of known.tsv: patterns of a difference, and the reason."""
    form: str
    reader: str
    seed: str
    where: str
    words: str
    reason: str

    def fits(self, difference):
        return all(fnmatch.fnmatchcase(value, pattern) for value, pattern in zip(difference, self))


def read_known():
    with open(KNOWN, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f if line.strip() and not line.startswith("#")]
    for row in rows:
        if len(row) != 6 or not all(row):
            raise SystemExit(f"known.tsv: a line has six fields, not {len(row)}: {row}")
    return [Line(*row) for row in rows]


# ---- Seeds ------------------------------------------------------------------------------------------------------------------------

def find_seeds(wanted_form, only):
    """The vectors that are one archive, valid without options."""
    vectors = assembled.take_or_exit()
    out = []
    for written in vectors.vectors:
        folder, name = written.id.split("/", 1)
        path = os.path.join(vectors.folder, *written.path.split("/"))
        form = FOLDERS.get(folder)
        if (form and wanted_form in (None, form) and fnmatch.fnmatchcase(name, only) and written.v.verdict == "valid" and not written.options
                and not written.fault and len(os.listdir(os.path.dirname(path))) == 1 and 0 < os.path.getsize(path) <= LARGEST):
            with open(path, "rb") as f:
                data = f.read()
            if is_of_form(form, data):
                out.append(Seed(form, written.id, os.path.basename(path), data, layouts.OF[form](data)))
    return sorted(out, key=lambda seed: seed.name)


def silent(uvet, seeds):
    """Those about which uvet says nothing: the others have a defect already, as near misses of other rules do."""
    with tempfile.TemporaryDirectory(prefix="readers-") as folder:
        paths = [write(folder, i, seed.file, seed.data) for i, seed in enumerate(seeds)]
        answers = ask_uvet(uvet, paths) if paths else {}
    return [seed for path, seed in zip(paths, seeds) if answers[path].silent]


def write(folder, number, name, data):
    """The path of a new file in a folder of its own, since names are judged too."""
    os.mkdir(os.path.join(folder, str(number)))
    path = os.path.join(folder, str(number), name)
    with open(path, "wb") as f:
        f.write(data)
    return path


def is_of_form(form, data):
    magics = {"7z": (layouts.SEVENZIP,), "rar": (layouts.RAR4, layouts.RAR5), "zip": (layouts.END,)}.get(form, ())
    return not magics or any(magic in data for magic in magics)


def other_seed(seeds, key):
    """Another seed of the form, for a change that takes bytes of two. A new vector is the choice of a few keys and leaves the others."""
    return min(seeds, key=lambda seed: zlib.crc32(f"{key}/{seed.name}".encode()))


def changes_of(seed, seeds, times, number):
    """The seed as it is, and its changes."""
    out = [changes.Change(seed.data, UNCHANGED)]
    for kind, n in times.items():
        for i in range(n):
            key = f"{seed.name}/{kind}/{i}/{number}"
            if change := changes.change(kind, seed, other_seed(seeds, key), changes.seeded(key)):
                out.append(change)
    return out


# ---- Asking uvet --------------------------------------------------------------------------------------------------------------------

class Said(typing.NamedTuple):
    verdict: str
    silent: bool
    view: views.View                # what uvet counted

    def word(self):
        return self.verdict if self.silent or self.verdict != "valid" else "valid with a warning"


def ask_uvet(uvet, paths):
    listed = b"".join(os.fsencode(path) + b"\0" for path in paths)
    done = subprocess.run([uvet, "check", "--isolated", "-f", "ndjson", "--unknown", "undetermined", "--ignore", "LAY", "--files0-from", "-"],
                          input=listed, capture_output=True, check=False)
    if done.returncode not in (0, 1, 2):
        raise SystemExit(f"uvet ended with {done.returncode}: {done.stderr.decode(errors='replace')[:400]}")
    tops, of = {}, {}
    for line in done.stdout.splitlines():
        r = json.loads(line)
        if r["type"] != "artifact":             # findings are cut after some thousands; artifacts count all of theirs
            continue
        of[r["id"]] = top = r if r["parent"] is None else of[r["parent"]]
        tops[top["path"]] = top
        top["told"] = top.get("told", 0) + sum(r["findings"][level] for level in ("error", "warning", "undetermined"))
    return {path: said(tops[path]) for path in paths}


def said(top):
    info = top["info"]
    counts = (info["files"], info["unpacked_bytes"]) if "files" in info and "unpacked_bytes" in info else None
    return Said(top["verdict"], top["verdict"] == "valid" and not top["told"], views.View(counts=counts) if counts else None)


# ---- Comparing ----------------------------------------------------------------------------------------------------------------------

class Asked:
    """A seed and its changes, what uvet says of them, and what readers see in those that it is silent about."""

    def __init__(self, uvet, readers, seed, made, folder):
        self.seed, self.made = seed, made
        self.readers = [reader for reader in readers if reader.takes(seed.form, seed.data)]
        self.paths = [write(folder, i, seed.file, change.data) for i, change in enumerate(made)]
        self.said = ask_uvet(uvet, self.paths)
        self.counts = collections.Counter(answer.word() for answer in self.said.values())
        self.left_out, self.differences = set(), []

    def compare(self):
        """(difference, bytes) of each; a reader that differs of the seed itself is asked no more."""
        for change, path in zip(self.made, self.paths):
            if self.said[path].silent:
                found = list(self.compare_one(change, path))
                self.differences += [(Difference(self.seed.form, name, self.seed.name, change.where, words), change.data) for name, words in found]
                if change.where == UNCHANGED:
                    self.left_out = {name for name, _ in found}

    def compare_one(self, change, path):
        first = None
        for reader in self.readers:
            if reader.name in self.left_out:
                continue
            view = reader.read(self.seed.form, path, change.data)
            if view.refusal:
                yield reader.name, f"refuses: {view.refusal}"
            elif first is None:
                first = (reader, view)
            elif words := views.Compared(first[1], view, reader.exact).difference():
                yield reader.name, words
        counted = self.said[path].view
        if first and counted and "uvet" not in self.left_out and (words := views.Compared(first[1], counted, True).difference()):
            yield "uvet", words


def examine(uvet, seed, times, number):
    made = changes_of(seed, [other for other in SEEDS if other.form == seed.form], times, number)
    with tempfile.TemporaryDirectory(prefix="readers-") as folder:
        asked = Asked(uvet, READERS, seed, made, folder)
        asked.compare()
        return asked.counts, asked.differences


# ---- The command line -----------------------------------------------------------------------------------------------------------------

ALL_READERS = [modules.Python(), modules.Libarchive(), modules.LibarchiveStreaming(), *programs.PROGRAMS]
READERS, SEEDS = [], []             # those of this run, for every process of it


def find_readers():
    for reader in ALL_READERS:
        version = reader.version()
        if version:
            READERS.append(reader)
            print(f"{reader.name} {version}: {', '.join(reader.forms)}")
        else:
            print(f"readers: skipped, {reader.name} is not installed")


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("uvet")
    parser.add_argument("--quick", action="store_true", help="few changes")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other changes")
    parser.add_argument("--times", type=int, default=1, metavar="N", help="so many times as many changes")
    parser.add_argument("--form", choices=sorted(FOLDERS.values()), help="archives of this form alone")
    parser.add_argument("--only", default="*", metavar="GLOB", help="of the vectors only these")
    parser.add_argument("--kind", choices=sorted(changes.KINDS), help="changes of this kind alone")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes at once")
    parser.add_argument("--keep", metavar="FOLDER", help="write files of differences there that are not known")
    return parser.parse_args(argv)


def times_of(args):
    return {kind: n * args.times for kind, n in (QUICK_TIMES if args.quick else TIMES).items() if args.kind in (None, kind)}


def answers(args):
    """What was counted and found of each seed, in their order."""
    n = len(SEEDS)
    with concurrent.futures.ProcessPoolExecutor(args.jobs, multiprocessing.get_context("fork")) as pool:
        yield from pool.map(examine, [os.path.abspath(args.uvet)] * n, SEEDS, [times_of(args)] * n, [args.seed] * n)


def keep(folder, number, difference, data):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, f"{number:05}.{difference.form}"), "wb") as f:
        f.write(data)


class Told:
    """The differences of a run, against those that are known."""

    def __init__(self, known, folder):
        self.known, self.folder = known, folder
        self.used, self.shapes = collections.Counter(), collections.Counter()
        self.unknown = self.fitting = 0

    def add(self, difference, data):
        lines = [line for line in self.known if line.fits(difference)]
        self.used.update(lines[:1])
        self.fitting += bool(lines)
        if lines:
            return
        self.unknown += 1
        self.shapes[difference.shape()] += 1
        if self.folder:
            keep(self.folder, self.unknown, difference, data)
        if self.shapes[difference.shape()] <= SHOWN:
            print(f"FAIL {self.unknown:05}: {difference.reader}, {difference.seed}, {difference.where}: {difference.words}", flush=True)

    def unneeded(self):
        there = {reader.name for reader in READERS} | {"uvet"}
        return [line for line in self.known if line not in self.used and any(fnmatch.fnmatchcase(name, line.reader) for name in there)]


def main(argv):
    args = arguments(argv)
    views.prove()
    find_readers()
    SEEDS.extend(silent(os.path.abspath(args.uvet), find_seeds(args.form, args.only)))
    told, counts, n_seeds = Told(read_known(), args.keep), collections.Counter(), 0
    for counted, differences in answers(args):
        n_seeds += 1
        counts += counted
        for difference, data in differences:
            told.add(difference, data)
    for shape, n in told.shapes.most_common():
        print(f"{n:6} {shape.form} {shape.reader}, {shape.where}: {shape.words}")
    whole = not (args.quick or args.seed or args.form or args.kind) and (args.times, args.only) == (1, "*")
    unneeded = told.unneeded() if whole else []
    for line in unneeded:
        print(f"FAIL: nothing needs the line of known.tsv: {' | '.join(line[:5])}")
    print(", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    print(f"readers: {n_seeds} archives, {counts.total() - n_seeds} changes, {counts['valid']} that uvet is silent about; "
          f"{told.fitting} known differences, {told.unknown} others, {len(unneeded)} lines that nothing needs")
    return 1 if told.unknown or unneeded or not n_seeds else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
