#!/usr/bin/env python3
"""Judges coverage: coverage.py LCOV JSON EXCLUSIONS, or the exclusions alone: coverage.py --check EXCLUSIONS

Below src, every line and branch shall have been run, or be listed in EXCLUSIONS, one a line:

    FILE: FUNCTION: TEXT: REASON

with `: ` between the parts (TEXT may hold it too; REASON may not). Excluded are the lines of the function on which TEXT lies, however they
are broken and indented: blanks and comments do not count. An entry whose text is not there, or that nothing needs any more, fails, too.
"""
import collections
import glob
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What no program has code of: another system compiles it, or it is a table alone.
ELSEWHERE = re.compile(r"src/platform/windows_\w+\.c|src/core/rows\.c|src/rule/ids\.c|src/formats/upkg/classes/operands\.c")
BLANK = re.compile(r"/\*.*?\*/|\s+", re.DOTALL)
Exclusion = collections.namedtuple("Exclusion", "file function text reason lines")


class Source:
    """One file's lines and branches, as they were run."""

    def __init__(self, path):
        self.path = path
        self.lines, self.functions = {}, []
        self.branches = collections.defaultdict(lambda: [0, 0])         # by place: how often true, how often false
        with open(os.path.join(ROOT, path), encoding="utf-8") as f:
            self.text = f.read().split("\n")
        self.left_out = left_out(self.text)

    def uncovered(self):
        """The numbers of lines that were not run, or of which a branch was not. A condition that was never asked is no branch of
        its own: constant ones never are, and for others the one that leads there is listed."""
        lines = {n for n, count in self.lines.items() if count == 0} - self.left_out
        return sorted(lines | {place[0] for place, counts in self.branches.items() if 0 in counts and any(counts)})

    def is_past_all_cases(self, line, column):
        """Whether a branch is the way past all cases of a switch over an enumeration, which has no default: the compiler (-Wswitch) sees
        to it that no enumerator lacks a case. Labels are enumerators if they are spelt like ours."""
        head = self.text[line - 1]
        if not re.fullmatch(r"\s*switch \(", head[:column - 1]):
            return False
        end = self.text.index(head[:len(head) - len(head.lstrip())] + "}", line)
        labels = [m for text in self.text[line:end] for m in re.findall(r"\bcase (.+?):|\b(default):", text)]
        return all(re.fullmatch(r"[A-Z][A-Z0-9]*_\w+", label) for label, default in labels)

    def branches_of(self, line):
        return [f"column {place[1]}: {counts[0]} true, {counts[1]} false" for place, counts in sorted(self.branches.items())
                if place[0] == line and 0 in counts]

    def function_of(self, line):
        before = [(n, name) for n, name in self.functions if n <= line]
        return max(before)[1] if before else ""

    def text_of(self, line):
        return " ".join(self.text[line - 1].split())


def in_tree(path):
    """A path from the tree's root on, of one that the compiler wrote relative to some other folder; None if it is not below src."""
    match = re.search(r"(?:^|/)(src/.*)$", path)
    return match and match[1]


def read_lines(path):
    """The lines, from an LCOV file: counts of every instance of a function together."""
    sources, current = {}, None
    with open(path, encoding="utf-8") as f:
        for line in f:
            kind, _, rest = line.rstrip("\n").partition(":")
            fields = rest.split(",")
            if kind == "SF":
                current = sources.setdefault(in_tree(rest), Source(in_tree(rest))) if in_tree(rest) else None
            elif current and kind == "FN":
                current.functions.append((int(fields[0]), fields[1].split(":")[-1]))
            elif current and kind == "DA":
                current.lines[int(fields[0])] = int(fields[1])
    return sources


def add_branches(sources, functions):
    """The branches, from the functions of the JSON export; those of tests and harnesses do not count."""
    for function in functions:
        names = function["filenames"]
        if any("/tests/" in name or "/fuzz/" in name for name in names):
            continue
        for from_line, from_column, to_line, to_column, n_true, n_false, file, *_ in function.get("branches", []):
            source = sources.get(in_tree(names[file]))
            if source and not source.is_past_all_cases(from_line, from_column):
                counts = source.branches[from_line, from_column, to_line, to_column]
                counts[0] += n_true
                counts[1] += n_false


def function_in(lines, name):
    """The first line of a function's definition and its text, of a file's lines; None and nothing if it is not there."""
    for i, line in enumerate(lines):
        if re.match(rf"(?![\s#*/]).*\b{name}\(", line):
            for end in range(i, len(lines)):
                if lines[end].endswith(";") and lines[end][:1] not in ("\t", " ", "}") and "{" not in lines[end]:
                    break                                       # it is only declared
                if lines[end].startswith("}"):
                    return i + 1, "\n".join(lines[i:end + 1])
    return None, ""


def closing(text, at):
    """Where the parenthesis closes that opens at a place."""
    depth = 0
    for m in re.compile(r"[()]").finditer(text, at):
        depth += 1 if m[0] == "(" else -1
        if depth == 0:
            return m.start()
    raise ValueError(f"a parenthesis is open: {text[at:at + 60]}")


def left_out(lines):
    """The numbers of the lines that a coverage build leaves out, where these words are constants: what NEVER, ALWAYS and MUTANT guard alone, and
    functions that only NEVER, ALWAYS and PLAIN call."""
    out, text = set(), "\n".join(lines)
    for m in re.finditer(r"(?m)^([ \t]*)if (\()(?:NEVER|!ALWAYS|MUTANT)(\()", text):
        end = closing(text, m.start(2))
        if closing(text, m.start(3)) != end - 1:
            continue
        begin = re.compile(r"(\s|/\*.*?\*/)*", re.DOTALL).match(text, end + 1).end()
        until = text.index(f"\n{m[1]}}}", begin) + 1 if text[begin] == "{" else text.index(";", begin)
        out |= set(range(text.count("\n", 0, begin) + 1, text.count("\n", 0, until) + 2))
    asserted = [(m.end(), closing(text, m.end() - 1)) for m in re.finditer(r"\b(?:NEVER|ALWAYS|PLAIN)\(", text)]
    for name in {name for begin, end in asserted for name in re.findall(r"\b(\w+)\(", text[begin:end])}:
        calls = [m.start() for m in re.finditer(rf"(?<=[\s(!]){name}\(", text) if text[text.rfind("\n", 0, m.start()) + 1] in " \t"]
        first, body = function_in(lines, name)
        if first and all(any(begin <= call < end for begin, end in asserted) for call in calls):
            out |= set(range(first, first + body.count("\n") + 1))
    return out


def lines_of(text, first, wanted):
    """The numbers of the lines on which a wanted text lies, in a text that begins on the first."""
    wanted, packed, numbers, at = BLANK.sub("", wanted), "", [], 0
    for blank in [*BLANK.finditer(text), None]:
        end = blank.start() if blank else len(text)
        packed += text[at:end]
        numbers += [first + text.count("\n", 0, at)] * (end - at)
        at = blank.end() if blank else end
    places = [m.start() for m in re.finditer(f"(?={re.escape(wanted)})", packed)] if wanted else []
    return {number for place in places for number in numbers[place:place + len(wanted)]}


def read_exclusions(path):
    out, sources = [], {}
    with open(path, encoding="utf-8") as f:
        entries = [(number, line.strip()) for number, line in enumerate(f, 1) if line.strip() and not line.startswith("#")]
    for number, line in entries:
        match = re.fullmatch(r"(\S+): (\w+): (.+): ([^:]+)", line)
        if not match:
            sys.exit(f"coverage: {path}:{number}: not FILE: FUNCTION: TEXT: REASON")
        file, function, text, reason = match.groups()
        if file not in sources:
            with open(os.path.join(ROOT, file), encoding="utf-8") as f:
                sources[file] = f.read().split("\n")
        first, body = function_in(sources[file], function)
        lines = lines_of(body, first, text) if first else set()
        if not lines:
            sys.exit(f"coverage: {path}:{number}: {file} has no {function} with this text")
        out.append(Exclusion(file, function, text, reason, frozenset(lines)))
    return out


def judge_files(sources):
    """Prints what is in no program that was measured; returns how many files that are."""
    files = {os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, "src/**/*.c"), recursive=True)}
    missing = sorted(path for path in files - set(sources) if not ELSEWHERE.fullmatch(path))
    for path in missing:
        print(f"FAIL {path}: it is in no program that was measured")
    return len(missing)


def judge(sources, exclusions):
    """Prints what is wrong; returns how much, and how many branches are excluded."""
    needed, failures, excluded = set(), 0, 0
    for source in sources.values():
        for line in source.uncovered():
            function, text = source.function_of(line), source.text_of(line)
            hits = [e for e in exclusions if e.file == source.path and line in e.lines]
            needed.update(hits)
            if hits:
                excluded += 1
                continue
            failures += 1
            what = "never run" if source.lines.get(line) == 0 else "; ".join(source.branches_of(line))
            print(f"FAIL {source.path}:{line}: {function}: {text}    ({what})")
    for e in exclusions:
        if e not in needed:
            failures += 1
            print(f"FAIL stale exclusion: {e.file}: {e.function}: {e.text}")
    return failures, excluded


def print_summary(sources, files):
    """Lines and branches are those of the gate, every instance of an inline function together; MC/DC is as clang counts it."""
    folders = collections.defaultdict(collections.Counter)
    for source in sources.values():
        c = folders["/".join(source.path.split("/")[:2])]
        outcomes = [n for counts in source.branches.values() if any(counts) for n in counts]
        c.update({"lines": len(source.lines), "lines covered": sum(n > 0 for n in source.lines.values()),
                  "branches": len(outcomes), "branches covered": sum(n > 0 for n in outcomes)})
    for file in files:
        path = in_tree(file["filename"])
        if path:
            part = file["summary"].get("mcdc", {"count": 0, "covered": 0})
            folders["/".join(path.split("/")[:2])].update({"mcdc": part["count"], "mcdc covered": part["covered"]})
    print(f"{'folder':<16} {'lines':>18} {'branches':>18} {'mc/dc':>18}")
    for folder, c in sorted(folders.items()):
        cells = [f"{c[k + ' covered']}/{c[k]} {100 * c[k + ' covered'] / c[k]:6.2f}" if c[k] else "-" for k in ("lines", "branches", "mcdc")]
        print(f"{folder:<16} " + " ".join(f"{cell:>18}" for cell in cells))


def main(lcov, full, exclusions_path):
    exclusions = read_exclusions(exclusions_path)
    sources = read_lines(lcov)
    with open(full, encoding="utf-8") as f:
        data = json.load(f)["data"][0]
    add_branches(sources, data["functions"])
    failures, excluded = judge(sources, exclusions)
    failures += judge_files(sources)
    print_summary(sources, data["files"])
    print(f"coverage: {failures} lines, branches or files lack a test, {excluded} are explained")
    return 1 if failures else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--check"]:
        print(f"coverage: {len(read_exclusions(sys.argv[2]))} exclusions name what is there")
        sys.exit(0)
    sys.exit(main(*sys.argv[1:]))
