#!/usr/bin/env python3
"""Holds a build that lacks libraries against the full one, over the vectors or over any files.

    builds.py FULL OTHER [--every N] [--but GLOB]... [--most BYTES] [--list FILE]

OTHER may be a command of several words, as under an emulator. FILE lists paths, each ended by a zero byte; without it these are the vectors,
with their options, or every Nth of them, but for those of the patterns and those with a file above BYTES. A build that lacks a library (RUN007) may say less, and then
it says undetermined where the full one says valid; otherwise, but for rules of the family RUN, it says the same. Ends with one line
"builds: ..."; exit 1 if a file is judged in another way.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import json
import os
import shlex
import subprocess
import sys
import tempfile

import assembled

PORTION = 100               # of files that one run checks: few enough that all processors have some to the end
LACKS, LIMIT = "RUN007", "RUN001"


class Told:
    """What one build tells of one file and of all that lies in it."""

    def __init__(self, verdict):
        self.verdict, self.findings, self.lacking, self.limited = verdict, collections.Counter(), set(), False

    def add(self, path, f):
        if f["rule"] == LACKS:
            self.lacking.add(f["data"].get("codec"))
        elif f["rule"] == LIMIT:
            self.limited = True
        elif not f["rule"].startswith("RUN"):
            self.findings[(path, f["rule"], f["severity"], f["message"], json.dumps(f.get("location"), sort_keys=True))] += 1


def read_report(report, paths):
    """What is told of each path; the artifacts of a report that have no parent stand in the order of the paths. What is told of files as
    those of one folder depends on which are checked in one run, and is left out."""
    root, out = {}, []
    sets = {a["id"] for a in report["artifacts"] if a["parent"] is None and a.get("format") == "set"}
    for a in report["artifacts"]:
        if a["id"] in sets:
            continue
        if a["parent"] is None:
            root[a["id"]] = len(out)
            out.append(Told(a["verdict"]))
        else:
            root[a["id"]] = root[a["parent"]]
    inner = {a["id"]: a["path"] for a in report["artifacts"]}
    for f in (f for f in report["findings"] if f["artifact"] not in sets):
        out[root[f["artifact"]]].add(inner[f["artifact"]], f)
    if len(out) != len(paths):
        sys.exit(f"builds.py: {len(out)} files are told of, {len(paths)} were asked for, from {paths[0]} on")
    return dict(zip(paths, out))


def check(command, folder, options, paths):
    with tempfile.NamedTemporaryFile() as f:
        f.write(b"".join(os.fsencode(path) + b"\0" for path in paths))
        f.flush()
        done = subprocess.run([*command, "check", "--format", "json", *options, "--files0-from", os.path.relpath(f.name, folder)],
                              cwd=folder, capture_output=True, check=False)
    try:
        return read_report(json.loads(done.stdout), paths)
    except ValueError:
        sys.exit(f"builds.py: {shlex.join(command)}: exit {done.returncode}, no report: {done.stderr[-300:]!r}")


def problem(full, other):
    """What is wrong with the other build's answer; None: nothing."""
    more = other.findings - full.findings
    if more and not full.limited:           # what is not computed costs no work, so that more may be reached
        return f"the full build does not find {sorted(more)[0]}"
    if other.lacking - full.lacking or full.limited:
        if other.verdict == "valid" or (other.verdict == "invalid" and full.verdict != "invalid"):
            return f"{other.verdict} without {', '.join(sorted(other.lacking)) or 'a library'}, the full build says {full.verdict}"
        return None
    less = full.findings - other.findings
    if less:
        return f"not found, though no library is missed: {sorted(less)[0]}"
    return None if other.verdict == full.verdict else f"{other.verdict}, the full build says {full.verdict}"


def small(folder, most):
    return all(os.path.getsize(os.path.join(at, name)) <= most for at, _, names in os.walk(folder) for name in names)


def is_part(folder, path):
    """Whether a file is a .pak beside a container, with which the program would check the container."""
    stem, ending = os.path.splitext(os.path.join(folder, path))
    return ending.lower() == ".pak" and os.path.exists(stem + ".utoc")


def portions(folder, paths, portion=PORTION):
    """Groups of paths; parts of containers are checked alone."""
    parts = [path for path in paths if is_part(folder, path)]
    others = [path for path in paths if not is_part(folder, path)]
    return [(folder, options, some[i:i + portion]) for options, some in (([], others), (["--siblings", "none"], parts))
            for i in range(0, len(some), portion)]


def groups_of(folder, vectors, portion=PORTION):
    """Where to run, with which options, and the paths: vectors without options together, the others each in its own folder. Those of folders are
    left out: every build runs the vectors themselves."""
    vectors = [v for v in vectors if not os.path.isdir(os.path.join(folder, v.path))]
    own = [(os.path.join(folder, v.id), v.options, [v.path[len(v.id) + 1:]]) for v in vectors if v.options]
    return portions(folder, [v.path for v in vectors if not v.options], portion) + own


def chosen_groups(args):
    if args.list:
        with open(args.list, "rb") as f:
            paths = [os.fsdecode(path) for path in f.read().split(b"\0") if path]
        return portions(os.curdir, paths)
    folder, vectors, _ = assembled.take_or_exit()
    chosen = [v for v in vectors if not v.fault and not v.missing and not any(fnmatch.fnmatch(v.id, glob) for glob in args.but)]
    chosen = chosen[::args.every]
    return groups_of(folder, [v for v in chosen if small(os.path.join(folder, v.id), args.most)])


def main(argv):
    parser = argparse.ArgumentParser(description="Compares two builds.")
    parser.add_argument("full")
    parser.add_argument("other")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--but", action="append", default=[])
    parser.add_argument("--most", type=int, default=1 << 62)
    parser.add_argument("--list")
    args = parser.parse_args(argv)
    full, other = [os.path.abspath(args.full)], shlex.split(args.other)
    other[-1] = os.path.abspath(other[-1])
    n, n_lacking, n_wrong, lacking = 0, 0, 0, set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        told = pool.map(lambda group: (group, check(full, *group), check(other, *group)), chosen_groups(args))
        for (_, options, paths), by_full, by_other in told:
            for path in paths:
                wrong = problem(by_full[path], by_other[path])
                n += 1
                n_lacking += bool(by_other[path].lacking - by_full[path].lacking)
                lacking |= by_other[path].lacking - by_full[path].lacking
                if wrong:
                    n_wrong += 1
                    print(f"{path} {' '.join(options)}: {wrong}")
    print(f"builds: {n} files, {n_lacking} of them lack {', '.join(sorted(lacking)) or 'nothing'}, {n_wrong} judged in another way")
    return 1 if n_wrong or n == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
