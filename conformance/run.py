#!/usr/bin/env python3
"""Runs every conformance vector through uvet and holds the answers against what the vectors say.

    run.py UVET [--faultcheck PROGRAM] [--only GLOB] [--keep DIR] [--update] [--no-schema] [--once]

Gates: exact (the expected findings and no others, verdict and exit code), both sides (each rule fails in two vectors and
passes in another), solo (with a rule ignored its finding is gone and the others stay), details and work (values, whole places
and costs are those that were kept), fresh (generated pages match the binary), schema (reports fit report.schema.json). A build that lacks a
library may say undetermined of the vectors that need it, and finds nothing there that is not expected. Ends with one line "N passed, N failed";
exit 1 if any failed.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
import threading

import assemble
import assembled
import details
import libraries
import schemas

HERE = os.path.dirname(os.path.abspath(__file__))
VECTORS = os.path.join(HERE, "vectors")
SPEC = os.path.join(HERE, "spec")
LIMIT = "RUN001"
UNCOMPARED = "XFL017"           # a package counts as sound for its set if the rules that are asked find nothing: it goes with what they find
EXIT = {"valid": 0, "invalid": 1, "undetermined": 2}
TIMEOUT = 300
LEAST_FAILING = 2               # a rule with one vector may be right about that one alone
RULE_ROW = re.compile(r"^\| ([A-Z]{3}\d{3}) \| ([\d.]+) \| `?(\w+)`? \|$", re.M)
LAYOUT = re.compile(r"(<!-- layout:(\w+) -->\n)(.*?)(<!-- /layout -->)", re.S)

try:
    import jsonschema
except ImportError:
    jsonschema = None


class Tally:
    """Counts and prints what passed and failed."""

    def __init__(self):
        self.passed, self.failed, self.lock = 0, 0, threading.Lock()

    def ok(self):
        with self.lock:
            self.passed += 1

    def fail(self, gate, what, *lines):
        with self.lock:
            self.failed += 1
            print(f"FAIL {gate}: {what}")
            for line in lines:
                print(f"     {line}")

    def check(self, good, gate, what, *lines):
        if good:
            self.ok()
        else:
            self.fail(gate, what, *lines)
        return good


def in_set(v, artifact, name):
    """A file of a set, as places in its report name it; name is None for the vector's main file, and for a companion as the vector has it."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(v.file), name or posixpath.basename(v.file)))
    return path[len(artifact.path):] if path.startswith(artifact.path) else path


class Nested:
    """A nested file of a report: its name without that of the outermost file, or without the folder if it lies beside that
    one, and where it begins in it; what was decoded, or lies beside it, has no place there: its places are its own."""

    def __init__(self, artifact, parent):
        self.verdict = artifact.get("verdict")
        self.name, self.base = None, 0
        if parent:
            inside = parent.path + "!"
            own = artifact["path"][len(inside):] if artifact["path"].startswith(inside) else artifact["path"].rpartition("/")[2]
            self.name = own if parent.name is None else f"{parent.name}!{own}"
            self.base = parent.base + artifact["offset"] if "offset" in artifact else 0
        self.path, self.is_set = artifact.get("path", ""), artifact.get("format") == "set"


class Answer:
    """One run's exit code and report."""

    def __init__(self, code, out, err):
        self.code, self.err, self.trouble = code, err, None
        try:
            self.report = json.loads(out)
        except ValueError as e:
            self.report, self.trouble = {}, f"exit {code}, no JSON on stdout ({e}): {(err or out)[-300:].strip()}"

    @property
    def findings(self):
        return self.report.get("findings", [])

    @property
    def artifacts(self):
        """By id; a parent stands before what lies in it."""
        out = {}
        for a in self.report.get("artifacts", []):
            out[a.get("id")] = Nested(a, out.get(a.get("parent")))
        return out

    @property
    def scope(self):
        """What the verdict of the file does not cover, in the words of vectors."""
        s = (self.report.get("artifacts") or [{}])[0].get("scope", {})
        words = set(s.get("not_evaluated", [])) | ({"tables"} if s.get("level") == "structure" else set())
        words |= {"rules"} if s.get("rules_off", 0) + s.get("rules_lowered", 0) > 0 else set()
        return words, s.get("whole")

    def unjudged(self, artifact=0):
        artifacts = self.report.get("artifacts") or [{}]
        return [(u["reason"], u["bytes"]) for u in artifacts[artifact].get("coverage", {}).get("not_judged", [])]

    @property
    def codecs(self):
        """What was not decoded for want of."""
        return {f.get("data", {}).get("codec") for f in self.findings if f.get("rule") == "RUN007"}

    def without_codec(self):
        """The rules that were not evaluated for that."""
        return {s["rule"] for a in self.report.get("artifacts", []) for s in a["coverage"]["rules_skipped"] if s["reason"] == "codec"}

    @property
    def verdict(self):
        return self.report.get("summary", {}).get("verdict")

    def rules(self, key):
        return {rule for a in self.report.get("artifacts", []) for rule in a.get("coverage", {}).get(key, [])}


class Uvet:
    """Calls the program under test, or the fault helper, in a vector's own folder."""

    def __init__(self, binary, faultcheck):
        self.binary, self.faultcheck = os.path.abspath(binary), faultcheck and os.path.abspath(faultcheck)
        self.lacking = libraries.lacking(self.binary)

    def call(self, args, cwd=None):
        try:
            p = subprocess.run(args, cwd=cwd, capture_output=True, timeout=TIMEOUT, check=False)
        except subprocess.TimeoutExpired:
            return None, "", f"no answer in {TIMEOUT} seconds"
        return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")

    def check(self, case, ignore=None, work=None):
        extra = (["--ignore", ignore] if ignore else []) + ([f"--max-work={work}"] if work is not None else [])
        if case.fault:
            args = [self.faultcheck, case.fault, case.target, *case.v.options, *extra]
        elif self.faultcheck and case.stands_beside_container():
            args = [self.faultcheck, "none", case.target, "--show-passed", *case.v.options, *extra]
        else:
            args = [self.binary, "check", "--format", "json", "--show-passed", *case.v.options, *extra, case.target]
        return Answer(*self.call(args, case.folder))

    def rules(self):
        code, out, err = self.call([self.binary, "rules", "--format", "json"])
        if code != 0:
            sys.exit(f"run.py: uvet rules --format json: exit {code}: {err.strip()}")
        return {rule["id"]: rule for rule in json.loads(out)["rules"]}

    def page(self, form):
        return self.call([self.binary, "rules", "--format", form])


class Case:
    """One vector in a folder of its own, with its answer. What is expected and a fault have numbers once it is assembled."""

    def __init__(self, v, folder, expects=None, fault=None):
        self.v, self.folder = v, folder
        self.target = v.target or v.file
        self.answer, self.expects, self.fault = None, expects, fault
        self.skipped, self.lacks = False, False

    def stands_beside_container(self):
        """Of a .pak that is named the command checks the container first, which in vectors about a .pak is no more than its first bytes."""
        stem, ending = os.path.splitext(os.path.join(self.folder, self.target))
        return ending == ".pak" and os.path.exists(stem + ".utoc")

    def prepare(self):
        os.makedirs(self.folder, exist_ok=True)
        image = assemble.assemble(self.v)
        self.expects = image.expects
        self.fault = assemble.resolve_fault(self.v, image)
        path = os.path.join(self.folder, *self.v.file.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        image.write_companions(os.path.dirname(path), self.v.absent)
        if not self.v.missing:
            image.write(path)


# ----------------------------------------------------------------------------------------------------------- exact

def severity_of(e, rules):
    return e["severity"] or rules.get(e["rule"], {}).get("severity")


def matches(v, e, f, rules, artifacts):
    """Places of a vector are those in the outermost file."""
    place, inside = f.get("location") or {"offset": None}, artifacts[f.get("artifact")]
    file = in_set(v, inside, e["file"]) if inside.is_set and (e["at"] is not None or e["file"]) else e["file"]

    def lies_at(expected, offset):
        return expected is None or (offset is not None and offset + inside.base == expected)

    return (f.get("rule") == e["rule"] and f.get("severity") == severity_of(e, rules) and inside.name == e["in"]
            and (place.get("file") == file or e["at"] is e["file"] is None) and lies_at(e["at"], place["offset"])
            and e["len"] in (None, place.get("length"))
            and (e["related"] is None or any(lies_at(e["related"], r.get("offset")) for r in f.get("related", []))))


def compare(v, expects, answer, rules):
    """Returns the expectations without a finding, and the findings without an expectation."""
    left, missing, artifacts = list(answer.findings), [], answer.artifacts
    for e in sorted(expects, key=lambda e: (e["at"] is None, e["len"] is None)):
        for _ in range(e["times"]):
            found = next((f for f in left if matches(v, e, f, rules, artifacts)), None)
            if found is None:
                missing.append(e)
            else:
                left.remove(found)
    return missing, left


def show_expected(e, rules):
    out = f"{e['rule']} {severity_of(e, rules)}" + (f" in {e['in']}" if e["in"] else "") + (f" in file {e['file']}" if e["file"] else "")
    if e["at"] is not None:
        out += f" at {e['at']}" + (f" len {e['len']}" if e["len"] is not None else "")
    return out + (f" related {e['related']}" if e["related"] is not None else "")


def show_finding(f):
    place = f.get("location")
    out = f"{f.get('rule')} {f.get('severity')}" + (f" of artifact {f['artifact']}" if f.get("artifact") else "")
    if place:
        out += (f" in file {place['file']}" if place.get("file") else "")
        out += f" at {place.get('offset')} len {place.get('length')} ({place.get('field')})"
    related = [r.get("offset") for r in f.get("related", [])]
    return out + (f" related {related}" if related else "") + f": {f.get('message')}"


def derived_verdict(expects, rules):
    severities = {severity_of(e, rules) for e in expects}
    if "error" in severities:
        return "invalid"
    return "undetermined" if "undetermined" in severities else "valid"


def problems_of_scope(v, a):
    """A verdict says what it does not cover; one that is undetermined why."""
    words, whole = a.scope
    out = [] if words == v.scope else [f"expected the scope {sorted(v.scope)}, got {sorted(words)}"]
    if whole is not (not words):
        out.append(f"the scope {sorted(words)} is called {'' if whole else 'not '}whole")
    if v.unjudged and sorted(v.unjudged) != sorted(a.unjudged()):
        out.append(f"expected not to be judged {v.unjudged}, got {a.unjudged()}")
    return out + problems_of_doubts(a)


def problems_of_doubts(a):
    out = []
    for i, artifact in enumerate(a.report.get("artifacts", [])):
        doubts = artifact["findings"]["undetermined"]
        if bool(a.unjudged(i)) != bool(doubts):
            out.append(f"artifact {i} has {doubts} undetermined findings, and was not judged in {a.unjudged(i)}")
    return out


def is_sound_pak(name, verdict):
    """Whether a file is the .pak beside a container, and nothing is the matter with it: then a vector need not list it."""
    return name.lower().endswith(".pak") and verdict == "valid"


def gate_exact(case, rules, tally):
    v, a = case.v, case.answer
    if a.trouble:
        tally.fail("exact", v.id, a.trouble)
        return
    problems = []
    missing, extra = compare(v, case.expects, a, rules)
    problems += [f"expected {show_expected(e, rules)}" for e in missing]
    problems += [f"got      {show_finding(f)}" for f in extra]
    if a.verdict != v.verdict:
        problems.append(f"expected verdict {v.verdict}, got {a.verdict}")
    if a.code != EXIT.get(v.verdict):
        problems.append(f"expected exit {EXIT.get(v.verdict)}, got {a.code}")
    if derived_verdict(case.expects, rules) != v.verdict:
        problems.append(f"the vector says {v.verdict}, but its findings make it {derived_verdict(case.expects, rules)}")
    problems += problems_of_scope(v, a)
    nested = [(n.name, n.verdict) for n in a.artifacts.values() if n.name is not None]
    if [n for n in nested if n in v.nested or not is_sound_pak(*n)] != v.nested:
        problems.append(f"expected the nested files {v.nested}, got {nested}")
    passed = a.rules("rules_passed")
    problems += [f"expected {rule} to be evaluated and to pass" for rule in v.passes if rule not in passed]
    for f in a.findings:
        if f.get("rule") in rules and f.get("name") != rules[f["rule"]]["name"]:
            problems.append(f"{f['rule']} is called {f.get('name')!r} in the report")
    tally.check(not problems, "exact", v.id, *problems)


def gate_lacking(case, rules, tally):
    """Without a library that it needs a vector is not valid, nor is more found; what is not computed costs no work, so that where a limit
    was expected more may be reached."""
    v, a = case.v, case.answer
    _, extra = compare(v, case.expects, a, rules)
    extra = [f for f in extra if not f["rule"].startswith("RUN")]
    problems = problems_of_doubts(a)
    if not any(e["rule"] == LIMIT for e in case.expects):
        problems += [f"got      {show_finding(f)}" for f in extra]
    if a.verdict != "undetermined" and (a.verdict, v.verdict) != ("invalid", "invalid"):
        problems.append(f"expected verdict undetermined{' or invalid' if v.verdict == 'invalid' else ''}, got {a.verdict}")
    if a.code != EXIT.get(a.verdict):
        problems.append(f"verdict {a.verdict} with exit {a.code}")
    tally.check(not problems, "exact", f"{v.id}, without {', '.join(sorted(a.codecs))}", *problems)


# ------------------------------------------------------------------------------------------------------------ solo

def identity(f):
    return json.dumps([f.get(k) for k in ("rule", "severity", "location", "message", "data", "related")], sort_keys=True)


def gate_solo(case, rule, uvet, rules, tally):
    what = f"{case.v.id} without {rule}"
    a = uvet.check(case, ignore=rule)
    if rules.get(rule, {}).get("mandatory"):
        tally.check(a.code == 3, "solo", what, f"the rule is mandatory: expected exit 3, got {a.code}")
        return
    if a.trouble:
        tally.fail("solo", what, a.trouble)
        return
    problems = []
    before = sorted(identity(f) for f in case.answer.findings if f.get("rule") not in (rule, UNCOMPARED))
    others = [f for f in a.findings if f.get("rule") not in ("ENG001", UNCOMPARED)]
    if any(f.get("rule") == rule for f in a.findings):
        problems.append("the finding is still there")
    if sorted(identity(f) for f in others if f.get("rule") != rule) != before:
        problems.append("the other findings are not what they were:")
        problems += ["now " + show_finding(f) for f in others]
    if case.v.instead and case.expects and rule == case.expects[0]["rule"]:
        if not any(f.get("rule") == case.v.instead for f in a.findings):
            problems.append(f"expected {case.v.instead} instead: what stopped the check is no longer explained")
    if a.code != EXIT.get(a.verdict):
        problems.append(f"verdict {a.verdict} with exit {a.code}")
    tally.check(not problems, "solo", what, *problems)


# --------------------------------------------------------------------------------------------------------- details

def gate_details(case, kept, tally):
    """An answer is what was kept of it; of one without findings nothing is."""
    now = [] if case.answer.trouble else details.lines_of(case.v, case.answer)
    differ = details.difference(details.without_work(kept.get(case.v.id, [])), now)
    tally.check(differ is None, "details", case.v.id, *(differ or ()))


def gate_work(case, uvet, kept, tally):
    """The work that was kept is enough to decode everything, and one step less is not."""
    work = details.work_of(kept.get(case.v.id, []))
    if not tally.check(work is not None, "work", f"{case.v.id}: none was kept"):
        return
    for steps, ends in ((work, False), (work - 1, True)):
        if steps >= 0:
            tally.check(details.work_ended(uvet.check(case, "all", steps)) is ends, "work",
                        f"{case.v.id} is {'' if ends else 'not '}decoded with {steps} steps, though it was {'not ' if ends else ''}when they were kept")


def kept_lines(case, uvet):
    """What is to be kept of a case."""
    lines = details.lines_of(case.v, case.answer)
    if details.is_good(case.v):
        lines.append(details.WORK + str(details.least_work(lambda n: uvet.check(case, "all", n))))
    return lines


def judge_details(cases, uvet, update, once, tally):
    """Holds all answers against what was kept, or keeps them; other vectors keep theirs while they exist."""
    kept, names = details.load(), {assemble.id_of(path) for path in assemble.find_vectors(VECTORS)}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        if update:
            now = pool.map(lambda c: (c.v.id, kept_lines(c, uvet)), [c for c in cases if not c.answer.trouble])
            kept = {name: lines for name, lines in {**kept, **dict(now)}.items() if lines and name in names}
            details.write(kept)
        for case in cases:
            gate_details(case, kept, tally)
        list(pool.map(lambda c: gate_work(c, uvet, kept, tally), [c for c in cases if details.is_good(c.v) and not once]))
    for name in sorted(set(kept) - names):
        tally.fail("details", f"{name} is no vector any more")


# ------------------------------------------------------------------------------------------------- both sides, fresh

def gate_both_sides(cases, skipped, without, rules, tally):
    """Vectors in `without` are judged but for what needs a library that this build lacks."""
    failed = collections.Counter(rule for c in cases for rule in {f.get("rule") for f in c.answer.findings})
    passed = {rule for c in [*cases, *without] for rule in c.answer.rules("rules_passed")}
    held_back = collections.Counter(rule for v in skipped for rule in {e["rule"] for e in v.expects})
    unseen = set().union(*(c.answer.without_codec() for c in without)) | {rule for v in skipped for rule in v.passes}
    for rule in sorted(rules):
        tally.check(failed[rule] + held_back[rule] >= LEAST_FAILING, "both sides",
                    f"{rule} fails in {failed[rule] + held_back[rule]} vectors; there shall be {LEAST_FAILING}, of different kinds")
        if rule in passed or rule not in unseen:
            tally.check(rule in passed, "both sides", f"{rule} is evaluated and passes in no vector")


def whole_rules(rules, pattern):
    """The rules that chosen vectors expect and no others do."""
    chosen, others = set(), set()
    for path in assemble.find_vectors(VECTORS):
        expected = re.findall(r"^expect\s+(\w{6})", read(path), re.M)
        (chosen if is_chosen(assemble.id_of(path), pattern) else others).update(expected)
    return {rule: rules[rule] for rule in (chosen - others) & rules.keys()}


def read(path):
    try:
        with open(path, encoding="utf-8", newline="") as f:
            return f.read()
    except OSError:
        return None


def spec_files():
    return [os.path.join(SPEC, name) for name in sorted(os.listdir(SPEC)) if name.endswith(".md")]


def gate_schemas(tally, update):
    if update:
        schemas.update()
    found = schemas.problems()
    tally.check(not found, "fresh", "the schemas are loose, or one does not follow from the other", *found[:5])


def gate_fresh(uvet, rules, tally, update):
    gate_schemas(tally, update)
    code, page, err = uvet.page("md")
    if update and code == 0:
        write(os.path.join(HERE, "rules.md"), page)
    tally.check(code == 0 and page == read(os.path.join(HERE, "rules.md")), "fresh",
                "conformance/rules.md is not what uvet rules --format md prints", *err.splitlines()[:3])
    code, page, err = uvet.page("layouts")
    layouts = {name: body for _, name, body, _ in LAYOUT.findall(page)}
    tally.check(code == 0, "fresh", f"uvet rules --format layouts: exit {code}", *err.splitlines()[:3])
    for path in spec_files():
        text = read(path)
        if update and layouts:
            text = LAYOUT.sub(lambda m: m[1] + layouts.get(m[2], m[3]) + m[4], text)
            write(path, text)
        for _, name, body, _ in LAYOUT.findall(text):
            tally.check(layouts.get(name) == body, "fresh", f"layout {name} in {os.path.basename(path)} is stale")
    gate_references(rules, tally)


def table_problems(page, text, rules):
    """What is the matter with the table of rules of a page, if it has one: a row for each rule that cites the page, with its clause and name."""
    rows = {rule: (f"{page}#{clause}", name) for rule, clause, name in RULE_ROW.findall(text)}
    right = {rule["id"]: (rule["spec"], rule["name"]) for rule in rules.values() if rule["spec"].startswith(f"{page}#") or rule["id"] in rows}
    return [f"{page} says of {rule} {rows.get(rule, 'nothing')}, expected {right.get(rule, 'no such rule')}"
            for rule in sorted(rows.keys() | right.keys()) if rows and rows.get(rule) != right.get(rule)]


def gate_references(rules, tally):
    anchors = {f"{os.path.basename(path)}#{a}" for path in spec_files() for a in re.findall(r'<a id="([^"]+)"></a>', read(path))}
    for rule in sorted(rules.values(), key=lambda r: r["id"]):
        tally.check(rule.get("spec") in anchors, "fresh", f"{rule['id']} cites {rule.get('spec')}, which is no clause")
    for path in spec_files():
        problems = table_problems(os.path.basename(path), read(path), rules)
        tally.check(not problems, "fresh", f"the table of rules in {os.path.basename(path)} is stale", *problems[:5])
        for said in re.findall(r"^Judged by (.*?)\.$", read(path), re.M | re.S):
            for rule in re.findall(r"\b[A-Z]{3}\d{3}\b", said):
                tally.check(rule in rules, "fresh", f"{os.path.basename(path)} says that {rule} judges, which is no rule")


def write(path, text):
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write(text)


def gate_schema(cases, tally):
    if jsonschema is None:
        print("note: the module jsonschema is not installed; reports were not held against report.schema.json")
        return
    schema = schemas.load("report")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for case in cases:
        if case.answer.trouble:
            continue
        errors = [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in validator.iter_errors(case.answer.report)]
        tally.check(not errors, "schema", case.v.id, *errors[:5])


# ------------------------------------------------------------------------------------------------------------ main

def kept_cases(tally):
    """All vectors, from the files that every test takes."""
    folder, vectors, complaints = assembled.take(VECTORS)
    for complaint in complaints:
        tally.fail("assemble", complaint)
    return [Case(w.v, os.path.join(folder, *w.id.split("/")), w.expects, w.fault) for w in vectors]


def is_chosen(name, pattern):
    return fnmatch.fnmatch(name, pattern) or fnmatch.fnmatch(name.rpartition("/")[2], pattern)


def own_cases(pattern, folder, tally):
    """Some vectors, to be assembled into a folder."""
    out = []
    for path in assemble.find_vectors(VECTORS):
        if not is_chosen(assemble.id_of(path), pattern):
            continue
        try:
            v = assemble.load(path)
        except assemble.VecError as e:
            tally.fail("assemble", str(e))
        else:
            out.append(Case(v, os.path.join(folder, *v.id.split("/"))))
    return out


def sound(cases, tally):
    """The cases that say what they must."""
    for name, n in collections.Counter(c.v.id for c in cases).items():
        if n > 1:
            tally.fail("assemble", f"{n} vectors are called {name}")
    for c in cases:
        if not c.v.verdict or not c.v.description:
            tally.fail("assemble", f"{c.v.id} lacks its verdict or its sentence")
    return [c for c in cases if c.v.verdict and c.v.description]


def lacks_codec(case):
    """Whether this build of uvet says that it cannot decode what the vector is about."""
    return case.v.codec and any(f.get("rule") == "RUN007" and f.get("data", {}).get("codec") == case.v.codec
                                for f in case.answer.findings)


def run_case(case, uvet, rules, once, tally):
    if case.expects is None:
        try:
            case.prepare()
        except assemble.VecError as e:
            tally.fail("assemble", str(e))
            return None
    case.answer = uvet.check(case)
    case.lacks = bool(case.answer.codecs & uvet.lacking)
    case.skipped = case.lacks or lacks_codec(case)
    if case.lacks:
        gate_lacking(case, rules, tally)
    if case.skipped:
        return case
    gate_exact(case, rules, tally)
    for rule in sorted({e["rule"] for e in case.expects if not once}):
        gate_solo(case, rule, uvet, rules, tally)
    return case


def main(argv):
    parser = argparse.ArgumentParser(description="Runs the conformance vectors.")
    parser.add_argument("uvet", help="the program under test")
    parser.add_argument("--faultcheck", help="the helper that checks a file with a fault injected")
    parser.add_argument("--only", default="*", metavar="GLOB", help="only vectors of this name, or format/name; both sides of the rules that have no others")
    parser.add_argument("--keep", metavar="DIR", help="assemble into DIR and leave the files there")
    parser.add_argument("--update", action="store_true", help="write rules.md, the layout tables and details/ from the program first")
    parser.add_argument("--no-schema", action="store_true", help="do not hold reports against the schema, which takes as long as all the rest")
    parser.add_argument("--once", action="store_true", help="check each vector once: not without its rules (solo), nor with less work (work)")
    args = parser.parse_args(argv)
    tally, uvet = Tally(), Uvet(args.uvet, args.faultcheck)
    rules = uvet.rules()
    folder = args.keep or tempfile.mkdtemp(prefix="vectors-")
    try:
        cases = kept_cases(tally) if args.only == "*" and not args.keep else own_cases(args.only, folder, tally)
        cases = sound(cases, tally)
        skipped = [c.v for c in cases if c.v.fault and not args.faultcheck]
        if skipped:
            print(f"note: {len(skipped)} vectors need --faultcheck and were left out")
        cases = [c for c in cases if args.faultcheck or not c.v.fault]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            cases = [c for c in pool.map(lambda c: run_case(c, uvet, rules, args.once, tally), cases) if c]
        without = [c for c in cases if c.skipped]
        n_judged = sum(c.lacks for c in without)
        if n_judged:
            print(f"note: {n_judged} vectors need what this build lacks ({', '.join(sorted(uvet.lacking))}), and are to be undetermined or, if so "
                  "expected, invalid")
        if n_judged < len(without):
            print(f"note: {len(without) - n_judged} vectors need a codec that this build does not have, and were left out")
        skipped += [c.v for c in without]
        cases = [c for c in cases if not c.skipped]
        judge_details(cases, uvet, args.update, args.once, tally)
    finally:
        if not args.keep:
            shutil.rmtree(folder)
    if not args.no_schema:
        gate_schema(cases, tally)
    gate_both_sides(cases, skipped, without, rules if args.only == "*" else whole_rules(rules, args.only), tally)
    gate_fresh(uvet, rules, tally, args.update)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
