"""The conformance vectors, all in a few runs of the program, judged by the gates of conformance/run.py."""
import functools
import json
import multiprocessing
import os
import pickle
import shutil
import sys

from . import process

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[1:1] = [os.path.join(ROOT, "conformance"), os.path.join(ROOT, "tests", "sweep")]
import assemble  # noqa: E402
import details  # noqa: E402
import run as conformance  # noqa: E402
import seeds  # noqa: E402

LONGEST = 2                     # seconds of the processor's that no single vector takes
LARGE = 64 << 20                # files of which one alone takes longer than all others
REPORT = ["check", "--format", "json", "--show-passed"]


class Tally(conformance.Tally):
    """Keeps what failed first, and prints nothing."""

    def __init__(self):
        super().__init__()
        self.first = None

    def fail(self, gate, what, *lines):
        self.failed += 1
        self.first = self.first or f"{gate}: {what}" + (f": {lines[0].strip()}" if lines else "")


class Told(conformance.Answer):
    """What a run over many files tells of one; its exit code is what a run over it alone would end with."""

    def __init__(self, report):
        self.report, self.err, self.trouble = report, "", None
        self.code = conformance.EXIT.get(self.verdict)


class Uvet(conformance.Uvet):
    """Calls that take no more of the processor's time than process.call() gives them; what they complain of is not kept."""

    def __init__(self, bench):
        super().__init__(bench.program("uvet"), bench.program("tests/faultcheck"))
        self.out, self.bounds = os.path.join(bench.folder, "call.out"), process.Bounds(LONGEST)

    def call(self, args, cwd=None):
        code = process.call(args, self.bounds, cwd=cwd, out=self.out)
        with open(self.out, encoding="utf-8", errors="replace") as f:
            return code, f.read(), ""


def split(report):
    """The report of many files as one for each."""
    parts, where = [], {}
    for a in report["artifacts"]:
        if a["parent"] is None:
            parts.append({"artifacts": [], "findings": []})
            where[a["id"]] = len(parts) - 1, 0
        else:
            part = where[a["parent"]][0]
            where[a["id"]] = part, len(parts[part]["artifacts"])
        part, number = where[a["id"]]
        parent = None if a["parent"] is None else where[a["parent"]][1]
        parts[part]["artifacts"].append({**a, "id": number, "parent": parent})
    for f in report["findings"]:
        part, number = where[f["artifact"]]
        parts[part]["findings"].append({**f, "artifact": number})
    for part in parts:
        part["summary"] = {**report["summary"], "verdict": part["artifacts"][0]["verdict"]}
    return parts


def prepare_case(folder, path):
    """One vector as a case with its files written, and without its recipe."""
    v = assemble.load(path)
    case = conformance.Case(v, os.path.join(folder, *v.id.split("/")))
    case.prepare()
    v.nodes, v.edits, v.lets = [], [], {}
    return case


def newest(*folders):
    return max(os.stat(os.path.join(at, name)).st_mtime_ns for folder in folders for at, _, names in os.walk(folder)
               for name in [".", *names] if not name.endswith(".pyc"))


def prepare_cases(folder):
    """All vectors as cases, from what an earlier run left in the folder if no recipe is newer."""
    kept = os.path.join(folder, "cases.pickle")
    if os.path.exists(kept) and os.stat(kept).st_mtime_ns > newest(conformance.VECTORS, os.path.join(ROOT, "conformance", "assembler")):
        with open(kept, "rb") as f:
            return pickle.load(f)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with multiprocessing.Pool() as pool:
        cases = pool.map(functools.partial(prepare_case, folder), list(assemble.find_vectors(conformance.VECTORS)), chunksize=32)
    seeds.write_list(folder, folder)
    with open(kept, "wb") as f:
        pickle.dump(cases, f)
    return cases


def is_large(case):
    return any(os.path.getsize(os.path.join(at, name)) >= LARGE for at, _, names in os.walk(case.folder) for name in names)


class Vectors:
    """The cases, and what the unchanged program answers."""

    def __init__(self, folder):
        self.folder = folder
        cases = prepare_cases(folder)
        self.large = [c for c in cases if not c.fault and is_large(c)]
        self.single = [c for c in cases if c.fault or ((c.v.options or c.v.missing) and c not in self.large)]
        self.plain = [c for c in cases if c not in self.large and c not in self.single]
        self.lists = {None: self.write_list("all", self.plain)}
        self.bounds = process.Bounds()
        self.single_base, self.rule_base = {}, {}
        self.base, self.validator, self.kept = None, None, details.load()
        if conformance.jsonschema:
            with open(os.path.join(ROOT, "conformance", "report.schema.json"), encoding="utf-8") as f:
                self.validator = conformance.jsonschema.Draft202012Validator(json.load(f))

    def write_list(self, name, cases):
        path = os.path.join(self.folder, f"{name}.list")
        with open(path, "wb") as f:
            f.write(b"".join(os.fsencode("/".join([c.v.id, c.target])) + b"\0" for c in cases))
        return path

    # ---- Runs ----------------------------------------------------------------------------------------------------------------

    def check_all(self, bench, ignored=None):
        """Exit code and report, as bytes, of one run over all plain vectors, or over those that expect a rule, with that ignored."""
        out = os.path.join(bench.folder, "report.json")
        args = [bench.program("uvet"), *REPORT, *(["--ignore", ignored] if ignored else []), "--files0-from", self.lists[ignored]]
        code = process.call(args, self.bounds, cwd=self.folder, out=out)
        with open(out, "rb") as f:
            return code, f.read()

    def check_one(self, bench, case):
        out = os.path.join(bench.folder, "report.json")
        if case.fault:
            args = [bench.program("tests/faultcheck"), case.fault, case.target, *case.v.options]
        else:
            args = [bench.program("uvet"), *REPORT, *case.v.options, case.target]
        code = process.call(args, self.bounds, cwd=case.folder, out=out)
        with open(out, "rb") as f:
            return code, f.read()

    # ---- The unchanged program -------------------------------------------------------------------------------------------------

    def learn(self, bench):
        """Keeps the answers of the unchanged program; a complaint if they are wrong, or None."""
        self.rules = Uvet(bench).rules()
        for rule in sorted({e["rule"] for c in self.plain for e in c.expects}):
            self.lists[rule] = self.write_list(rule, [c for c in self.plain if any(e["rule"] == rule for e in c.expects)])
        out = os.path.join(bench.folder, "report.json")
        _, self.bounds = process.measure([bench.program("uvet"), *REPORT, "--files0-from", self.lists[None]], cwd=self.folder, out=out)
        self.base = self.check_all(bench)
        self.parts = split(json.loads(self.base[1]))
        tally = Tally()
        for case, part in zip(self.plain, self.parts, strict=True):
            self.judge_case(case, Told(part), tally)
        for case in self.single:
            self.single_base[case.v.id] = self.check_one(bench, case)
            self.judge_single(case, self.single_base[case.v.id], tally)
        self.rule_base = {rule: self.check_all(bench, rule) for rule in self.lists if rule}
        return tally.first

    # ---- Judging a changed one ------------------------------------------------------------------------------------------------

    def judge(self, bench):
        """What of the answers to each vector is wrong, or None. Leaves the answers in the cases for judge_more."""
        for case, part in zip(self.plain, self.parts):
            case.answer = Told(part)
        self.changed = []
        tally = Tally()
        code, out = self.check_all(bench)
        if code not in conformance.EXIT.values():
            return f"all: {process.describe(code)}"
        if (code, out) != self.base:
            try:
                self.judge_plain(json.loads(out), tally)
            except (ValueError, KeyError, TypeError, IndexError) as e:
                return f"the report: {e!r}"[:200]
        for case in [] if tally.first or not bench.is_changed("uvet") else self.single:
            told = self.check_one(bench, case)
            if told != self.single_base[case.v.id]:
                self.judge_single(case, told, tally)
            if tally.first:
                break
        return tally.first

    def judge_plain(self, report, tally):
        parts = split(report)
        if len(parts) != len(self.plain):
            tally.fail("exact", f"{len(parts)} files are told of, of {len(self.plain)}")
            return
        for case, base, part in zip(self.plain, self.parts, parts):
            if part == base:
                continue
            self.changed.append(case)
            self.judge_case(case, Told(part), tally)
            if tally.first:
                return
        rest = {key: value for key, value in report.items() if key not in ("artifacts", "findings")}
        for answer in [c.answer.report for c in self.changed[:50]] or [{"artifacts": [], "findings": []}]:
            self.judge_schema({**rest, **answer}, tally)

    def judge_case(self, case, answer, tally):
        case.answer = answer
        conformance.gate_exact(case, self.rules, tally)
        conformance.gate_details(case, self.kept, tally)

    def judge_schema(self, report, tally):
        error = next(self.validator.iter_errors(report), None) if self.validator else None
        if error:
            tally.fail("schema", error.message[:200])

    def judge_single(self, case, told, tally):
        answer = conformance.Answer(told[0], told[1].decode("utf-8", "replace"), "")
        try:
            self.judge_case(case, answer, tally)
            if not answer.trouble:
                self.judge_schema(answer.report, tally)
        except (ValueError, KeyError, TypeError, IndexError) as e:
            tally.fail("report", case.v.id, repr(e)[:200])

    def judge_more(self, bench):
        """The gates over all vectors, of work, and with each rule ignored; after judge()."""
        tally, uvet = Tally(), Uvet(bench)
        for gate in (self.judge_whole, self.judge_work, self.judge_rules) if bench.is_changed("uvet") else ():
            gate(bench, uvet, tally)
            if tally.first:
                break
        return tally.first

    def judge_large(self, bench):
        """Files of gigabytes."""
        tally, uvet = Tally(), Uvet(bench)
        for case in self.large if bench.is_changed("uvet") else ():
            self.judge_case(case, uvet.check(case), tally)
        return tally.first

    def judge_whole(self, bench, uvet, tally):
        conformance.gate_fresh(uvet, self.rules, tally, False)
        if self.changed:
            conformance.gate_both_sides(self.plain + self.single, [c.v for c in self.large], self.rules, tally)

    def judge_work(self, bench, uvet, tally):
        for case in self.plain + self.single:
            if details.is_good(case.v):
                conformance.gate_work(case, uvet, self.kept, tally)

    def judge_rules(self, bench, uvet, tally):
        for rule, base in self.rule_base.items():
            cases = self.changed if self.check_all(bench, rule) == base else self.plain
            for case in cases:
                if any(e["rule"] == rule for e in case.expects):
                    conformance.gate_solo(case, rule, uvet, self.rules, tally)
