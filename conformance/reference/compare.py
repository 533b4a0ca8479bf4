#!/usr/bin/env python3
"""Holds uvet against the reference reader: compare.py UVET [--sample N] [--mutations N] [--only GLOB] [--format NAME,...] [--keep]

Both judge every vector, every real file, and changed copies of each. For each file and each file in it they must agree on the format, on
which of the rules that the reference reader knows are broken and how badly, on whether the file is invalid, and on every row that both see.
A file that a build without some library does not judge whole is not valid, and compared in what is said of it. With --sample, of every N files
one is taken. Exits with 1 if a difference is not explained in explained.py, or a list in uncovered.py is wrong.
"""
import argparse
import collections
import fnmatch
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import assembled  # noqa: E402
import libraries  # noqa: E402
from reference import explained, kinds, mutate, targets, uncovered  # noqa: E402
from reference.core import File, Folder, contents  # noqa: E402

LARGE = 1 << 22                  # bytes from which on a file is not changed
HUGE = 1 << 28                   # and not compared, if it is not asked for: it is holes for the most part
TOGETHER = 200                   # files that one run of uvet checks
SHOWN = 60                       # characters that a map shows of a text at least
NO_LIMIT = str(1 << 40)
LIMITS = {"RUN001", "BLK034"}
LACKS = "RUN007"
SEVERITIES = ("none", "note", "warning", "undetermined", "error")


class Case:
    """A file to judge, in a folder of its own."""

    def __init__(self, name, path, options=()):
        self.name, self.path, self.options = name, path, tuple(options)

    def file(self):
        folder, own = os.path.split(self.path)
        beside = None if "none" in self.options else Folder(folder, own)
        level = self.options[self.options.index("--level") + 1] if "--level" in self.options else "default"
        file = File(own, contents(self.path), beside, keys_of(self, "--aes-key-file"), level, keys_of(self, "--signing-key-file"))
        file.engine = targets.GAMES.get(option_of(self, "--game"), option_of(self, "--engine"))
        file.signs = "--game-signs" in self.options
        return file


def option_of(case, option):
    return case.options[case.options.index(option) + 1] if option in case.options else None


def keys_of(case, option):
    if option not in case.options:
        return None
    with open(os.path.join(os.path.dirname(case.path), case.options[case.options.index(option) + 1]), encoding="latin-1") as f:
        return f.read().splitlines()


UNDERSTOOD = {"--level", "--aes-key-file", "--signing-key-file", "--siblings", "--engine", "--game", "--game-signs"}


def is_for_readers(v):
    """Whether a vector is about a format, and not about uvet's own limits and faults."""
    return not (v.fault or v.missing or v.target or {o for o in v.options if o.startswith("-")} - UNDERSTOOD)


# ------------------------------------------------------------------------------------------------------------- uvet

class Program:
    """The program under test."""

    def __init__(self, path):
        self.path, self.lacking = path, libraries.lacking(path)

    def run(self, *args, stdin=b"", cwd=None):
        done = subprocess.run([self.path, *args], input=stdin, capture_output=True, check=False, cwd=cwd)
        try:
            return json.loads(done.stdout)
        except ValueError:
            raise RuntimeError(f"{' '.join(args)}: exit {done.returncode}: {done.stderr.decode(errors='replace').strip()}") from None

    def rules(self):
        return {r["id"]: r for r in self.run("rules", "--format", "json")["rules"]}

    def check(self, cases):
        """For each case its artifacts: those that lie in another follow it."""
        out, alike = {}, collections.defaultdict(list)
        for case in cases:
            alike[case.options, os.path.dirname(case.path) if case.options else None].append(case)
        for (options, folder), group in alike.items():
            by_path = self.check_together(group, options, folder)
            for c in group:
                # A part of a container that is checked in the same run has no report of its own there.
                out[c.path] = by_path.get(c.path) or self.check_together([c], options, folder)[c.path]
        return out

    def check_together(self, group, options, folder):
        paths = b"".join(os.fsencode(c.path) + b"\0" for c in group)
        return artifacts_of(self.run("check", "--format", "json", "--max-findings", NO_LIMIT, "--max-per-rule", NO_LIMIT, *options,
                                     "--files0-from", "-", stdin=paths, cwd=folder), self.lacking)

    def map(self, case):
        options, folder = list(case.options), os.path.dirname(case.path)
        for option in ("--level", "--engine", "--game"):
            if option in options:
                del options[options.index(option):options.index(option) + 2]
        options = [o for o in options if o != "--game-signs"]
        return self.run("map", "--format", "json", *options, case.path, cwd=folder)


class Artifact:
    def __init__(self, a):
        self.name, self.format, self.verdict = a["path"], a.get("format"), a["verdict"]
        self.severities, self.nested, self.lacks = {}, [], False

    @property
    def rules(self):
        return set(self.severities)


def worst(severities):
    return max(severities, key=SEVERITIES.index)


def artifacts_of(report, lacking):
    made, roots, parts = {}, {}, {}       # a .pak beside a container is a part of that, also where it is named
    for a in report["artifacts"]:
        made[a["id"]] = artifact = Artifact(a)
        if a["parent"] is None:
            roots[a["path"]] = artifact
        else:
            parent = made[a["parent"]]
            around = next(b["path"] for b in report["artifacts"] if b["id"] == a["parent"]) + "!"
            artifact.name = a["path"][len(around):] if a["path"].startswith(around) else os.path.basename(a["path"])
            parent.nested.append(artifact)
            if not a["path"].startswith(around):
                parts[a["path"]] = artifact
    for f in report["findings"]:
        if f["rule"] == LACKS and f["data"]["codec"] in lacking:
            made[f["artifact"]].lacks = True
            continue
        severities = made[f["artifact"]].severities
        severities[f["rule"]] = worst((severities.get(f["rule"], "none"), f["severity"]))
    return parts | roots


# ------------------------------------------------------------------------------------------------------- comparing

class Tally:
    def __init__(self):
        self.counts = collections.Counter()
        self.fired = collections.Counter()
        self.open = collections.Counter()
        self.explained = collections.Counter()
        self.differences = []

    def add(self, other):
        for own, its in ((self.counts, other.counts), (self.fired, other.fired), (self.open, other.open), (self.explained, other.explained)):
            own.update(its)
        self.differences += other.differences


class Comparer:
    def __init__(self, program, rules, tally):
        self.program, self.rules, self.tally = program, rules, tally

    def compare(self, case, artifact, judgement):
        if judgement is None:
            self.tally.counts["beyond the reference reader's work"] += 1
            return
        self.tally.counts["files"] += 1
        self.compare_artifact(case, artifact, judgement, "")
        if judgement.format is not None and artifact.format == judgement.format and not artifact.lacks:
            self.compare_rows(case, judgement)

    def differ(self, case, judgement, what, rule=None):
        for e in explained.EXPLAINED:
            if rule in e.rules and e.when(case, judgement):
                self.tally.explained[e.reason] += 1
                return
        self.tally.differences.append((case.name, case.path, what))

    def compare_artifact(self, case, artifact, judgement, inside):
        if judgement.format is None and artifact.format not in (None, "", "unknown", *kinds.JUDGES):
            self.tally.counts["artifacts of formats that the reference reader does not know"] += 1
            return
        if (artifact.format or None) != judgement.format and artifact.format != "unknown":
            self.differ(case, judgement, f"{inside}format: uvet {artifact.format}, reference {judgement.format}")
            return
        self.tally.counts["artifacts"] += 1
        known = kinds.RULES.get(judgement.format, set()) - set(judgement.open)
        reference, uvet = judgement.rules() & known, artifact.rules & known
        if artifact.rules & LIMITS:
            self.tally.counts["files at a limit of uvet's, of which only what it says is compared"] += 1
            reference &= uvet
            listed = {n.name for n in artifact.nested}
            judgement.nested = [n for n in judgement.nested if n.file.name in listed]
        if artifact.lacks:
            self.tally.counts["files that need a library that this build lacks, of which only what it says is compared"] += 1
            reference &= uvet
        for rule, reason in judgement.open.items():
            self.tally.open[reason] += 1
        self.tally.fired.update(reference & uvet)
        for rule in sorted(reference - uvet):
            self.differ(case, judgement, f"{inside}{rule}: reference only", rule)
        for rule in sorted(uvet - reference):
            self.differ(case, judgement, f"{inside}{rule}: uvet only", rule)
        for rule in sorted(reference & uvet):
            own = worst(self.rules[rule]["lesser" if lesser else "severity"] for r, lesser in judgement.fired if r == rule)
            if own != artifact.severities[rule]:
                self.differ(case, judgement, f"{inside}{rule}: uvet {artifact.severities[rule]}, reference {own}", rule)
        if artifact.lacks:
            if artifact.verdict == "valid":
                self.differ(case, judgement, f"{inside}verdict: uvet valid, though it lacks a library for it")
        elif reference == uvet:
            self.compare_verdict(case, artifact, judgement, reference, inside)
        artifact.nested = [n for n in artifact.nested if n.format in kinds.JUDGES]
        if artifact.lacks and not artifact.nested:
            return
        if judgement.open:              # what this reader does not decode may hold files
            listed = {n.file.name for n in judgement.nested}
            artifact.nested = [n for n in artifact.nested if n.name in listed]
        if [n.format for n in artifact.nested] != [n.format for n in judgement.nested]:
            self.differ(case, judgement, f"{inside}files inside: uvet {[n.name for n in artifact.nested]}, reference {[n.file.name for n in judgement.nested]}")
            return
        for a, j in zip(artifact.nested, judgement.nested):
            self.compare_artifact(case, a, j, f"{inside}{a.name}: ")

    def compare_verdict(self, case, artifact, judgement, reference, inside):
        """Where what makes uvet's is of rules that the reference reader knows, and no nested file decides."""
        if any(n.verdict != "valid" for n in artifact.nested) or any(severity in ("error", "undetermined") for r, severity in artifact.severities.items() if r not in reference):
            return
        self.tally.counts["verdicts"] += 1
        own = {"error": "invalid", "undetermined": "undetermined"}.get(worst(artifact.severities[r] for r in reference) if reference else "none", "valid")
        if own != artifact.verdict:
            self.differ(case, judgement, f"{inside}verdict: uvet {artifact.verdict}, reference {own}")

    def compare_rows(self, case, judgement):
        labels = kinds.LABELS.get(judgement.format)
        if not labels:
            return
        if judgement.rows_overlap:
            self.tally.counts["files whose rows lie in each other"] += 1
            return
        page = self.program.map(case)
        if page.get("truncated"):
            self.tally.counts["maps that uvet cuts"] += 1
            return
        theirs = {(r["label"], r["offset"], r["length"]): fields_of(r) for r in page["regions"] if r["label"] in labels and "file" not in r}
        ours = {(r.label, r.at, r.length): r.fields for r in judgement.regions if r.label in labels}
        for key in sorted(set(theirs) ^ set(ours)):
            self.differ(case, judgement, f"row {key}: {'uvet' if key in theirs else 'reference'} only")
            return
        for key, fields in ours.items():
            self.tally.counts["rows"] += 1
            self.tally.counts["fields"] += len(fields)
            if not alike(fields, theirs[key]):
                self.differ(case, judgement, f"row {key}: uvet {theirs[key]}, reference {fields}")
                return


def fields_of(region):
    return {f["name"]: value_of(f["value"]) for f in region.get("fields", ())}


def alike(ours, theirs):
    """Whether fields are the same; a map shows the beginning of a long text."""
    return ours.keys() == theirs.keys() and all(a == b or (isinstance(a, str) and matches(a, b))
                                                for a, b in ((ours[k], theirs[k]) for k in ours))


def matches(name, shown):
    """Names are kept in units of UTF-16; halves of pairs cannot be shown."""
    name = name.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return name == shown or (len(shown) >= SHOWN and name.startswith(shown))


def value_of(value):
    if isinstance(value, str) and value[:2] == "0x":
        return int(value, 16)
    return value


# ------------------------------------------------------------------------------------------------------------ cases

def changed_copies(case, judgement, n, folder):
    """Copies of the file, and of those beside it, with something changed in one of them, but not in a file of keys."""
    names = [os.path.basename(case.path)] + case.companions
    sources = [(name, os.path.join(os.path.dirname(case.path), name)) for name in names]
    sources = [(name, path) for name, path in sources if os.path.exists(path)]
    if not sources or any(os.path.getsize(path) > LARGE for _, path in sources):
        return
    regions = [(r.at, r.length) for r in judgement.regions] if judgement else []
    for i in range(n):
        rng = mutate.seeded(case.name, i)
        others = [k for k in range(1, len(sources)) if sources[k][0] not in case.options]
        chosen = rng.choice(others) if others and rng.random() >= 0.7 else 0
        where = os.path.join(folder, f"changed{i}")
        os.mkdir(where)
        for k, (name, path) in enumerate(sources):
            data = contents(path)
            if k == chosen:
                data = mutate.mutate(data, regions if k == 0 else [], rng)
            with open(os.path.join(where, name), "wb") as f:
                f.write(data)
        yield Case(f"{case.name} #{i}", os.path.join(where, names[0]), case.options)


def whole_vector(folder, w):
    """The case of a vector, with the files beside it."""
    case = Case(w.id, os.path.join(folder, w.path), w.options)
    case.companions = w.companions
    return case


def vector(folder, w):
    """The case of a vector; None for one that is not about a format."""
    return whole_vector(folder, w) if is_for_readers(w.v) else None


def real(path, root):
    case = Case(os.path.relpath(path, root), path)
    folder, own = os.path.split(path)
    stem = os.path.splitext(own)[0]
    case.companions = sorted(n for n in os.listdir(folder) if own.endswith(".utoc") and n != own and n.startswith(stem))
    return case


class Job:
    """Compares some sources: vectors, or paths of real files, each with the folder that they are in."""

    def __init__(self, args):
        self.args = args

    def __call__(self, sources):
        tally, folder = Tally(), tempfile.mkdtemp(prefix="reference-")
        program = Program(os.path.abspath(self.args.uvet))
        comparer = Comparer(program, self.args.rules, tally)
        try:
            originals = []
            for i, (what, root) in enumerate(sources):
                own = os.path.join(folder, str(i))
                os.mkdir(own)
                case = real(what, root) if isinstance(what, str) else vector(root, what)
                if case is None:
                    tally.counts["vectors about uvet itself"] += 1
                elif os.path.getsize(case.path) > HUGE and not self.args.large:
                    tally.counts["left out for their size (--large)"] += 1
                else:
                    originals.append((case, own))
            self.compare(comparer, originals, tally)
        finally:
            if self.args.keep is None:
                shutil.rmtree(folder)
        return tally

    def compare(self, comparer, originals, tally):
        judged = []
        for case, own in originals:
            judgement = self.judge(case, tally)
            judged.append((case, judgement))
            for changed in changed_copies(case, judgement, self.args.mutations, own):
                judged.append((changed, None))
        judged = [(c, j or self.judge(c, tally)) for c, j in judged]
        wanted = self.args.format and self.args.format.split(",")
        judged = [(c, j) for c, j in judged if wanted is None or (j and j.format in wanted)]
        artifacts = comparer.program.check([c for c, _ in judged])
        for case, judgement in judged:
            comparer.compare(case, artifacts[case.path], judgement)

    @staticmethod
    def judge(case, tally):
        begin = time.monotonic()
        out = kinds.judge(case.file())
        took = time.monotonic() - begin
        if took > 5:
            print(f"slow: {case.name}: {took:.1f} s", file=sys.stderr)
        return out


def sources(args):
    out = []
    if "vectors" in args.what:
        folder, vectors, _ = assembled.take_or_exit()
        out += [(w, folder) for w in vectors]
    root = os.environ.get("UVET_REAL_DATA", args.real)
    if "real" in args.what and os.path.isdir(root):
        for folder, _, names in sorted(os.walk(root)):
            out += [(os.path.join(folder, name), root) for name in sorted(names) if not name.endswith(".ucas")]
    elif "real" in args.what:
        print(f"note: there are no real files in {root} (set UVET_REAL_DATA)")
    out = [(what, root) for what, root in out if fnmatch.fnmatch(os.path.relpath(what, root) if isinstance(what, str) else what.id, args.only)]
    return out[args.offset::args.sample]


def report(tally, args):
    per_rule = collections.Counter()
    for name, path, what in tally.differences:
        key = what.split(": ")[-2] + ": " + what.split(": ")[-1] if " only" in what and "row" not in what else what.split(" ")[0]
        per_rule[key] += 1
        if per_rule[key] <= args.show:
            print(f"DIFFERENCE {name}: {what}" + (f"\n    {path}" if args.keep is not None else ""))
    for key, n in sorted(per_rule.items()):
        print(f"{n:6} of {key}")
    known = set().union(*kinds.RULES.values())
    print(f"rules: {len(known & set(args.rules))} of {len(args.rules)} covered, {len(tally.fired)} of them broken by some file in both readings")
    for family in sorted({r[:3] for r in args.rules}):
        all_, ours = {r for r in args.rules if r[:3] == family}, {r for r in known if r[:3] == family}
        print(f"  {family} {len(ours & all_)} of {len(all_)}")
    left_out = uncovered.not_covered(set(args.rules))
    for reason in sorted(set(left_out.values())):
        print(f"not covered, {reason}: {' '.join(sorted(r for r, why in left_out.items() if why == reason))}")
    for what, n in sorted(tally.counts.items()):
        print(f"{what}: {n}")
    for reason, n in sorted(tally.open.items()):
        print(f"left open: {n} times a rule, {reason}")
    for reason, n in sorted(tally.explained.items()):
        print(f"explained: {n} of {reason}")
    complaints = uncovered.complaints(set(args.rules), known, set(tally.fired) if is_complete(args) else None)
    for complaint in complaints:
        print(f"COMPLAINT {complaint}")
    print(f"reference: {tally.counts['files']} files, {len(tally.differences)} unexplained differences, {len(complaints)} complaints of the lists of rules")
    return 1 if tally.differences or complaints else 0


def is_complete(args):
    """Whether all vectors are compared, and wholly."""
    return not libraries.lacking(args.uvet) and args.sample == 1 and args.offset == 0 and args.only == "*" and args.format is None and "vectors" in args.what


def main(argv):
    parser = argparse.ArgumentParser(description="Holds uvet against the reference reader.")
    parser.add_argument("uvet")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="take one file of every N")
    parser.add_argument("--offset", type=int, default=0, metavar="N", help="begin with this one")
    parser.add_argument("--mutations", type=int, default=10, metavar="N", help="changed copies of each file")
    parser.add_argument("--only", default="*", metavar="GLOB", help="only vectors format/name and real files of this name")
    parser.add_argument("--format", metavar="NAME,...", help="only files of these formats")
    parser.add_argument("--what", default="vectors,real", help="vectors, real, or both")
    parser.add_argument("--real", default=os.path.join(HERE, "..", "..", "..", "shared", "data"), metavar="DIR", help="where the real files are")
    parser.add_argument("--large", action="store_true", help=f"also files of more than {HUGE} bytes")
    parser.add_argument("--keep", action="store_true", default=None, help="leave the files, and say where they are")
    parser.add_argument("--show", type=int, default=3, metavar="N", help="differences of one kind that are printed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args(argv)
    args.rules = Program(os.path.abspath(args.uvet)).rules()
    todo, tally = sources(args), Tally()
    step = max(1, TOGETHER // (args.mutations + 1))
    parts = [todo[i:i + step] for i in range(0, len(todo), step)]
    with multiprocessing.Pool(args.jobs) as pool:
        for part in pool.imap_unordered(Job(args), parts):
            tally.add(part)
    return report(tally, args)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
