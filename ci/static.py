#!/usr/bin/env python3
"""Runs gcc's analyzer and clang-tidy, and judges what they say: static.py GCC CLANG WINDOWS, each a build folder with a compile_commands.json.

A warning is fixed, or it is listed in ci/static_exclusions.txt, one a line:

    FILE: CHECK: FUNCTION: REASON

Of a warning of gcc's analyzer, FILE and FUNCTION are where its path begins: what it says of an inline function is true of one caller. Instead
of a function there may be the text of the line. An entry argues one warning; one that nothing needs any more fails, too, and so does one
that is too many.

Checks that are off are listed in .clang-tidy, each with its reason. They run all the same, and one that says nothing of any file fails.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXCLUSIONS = "ci/static_exclusions.txt"
EXCLUSIONS_MAX = 20
TIDY = "clang-tidy-19"
CONFIG = ".clang-tidy"                  # and one in each folder that asks for less
# Steps that clang's analyzer goes from one function; by default 225,000, which takes several times as long.
NODES = {"src": 20000, "tests": 2000, "fuzz": 2000}
# gcc 12 takes a variable that the compiler will set to 0 for one that its function forgot; without the flag it looks at each by itself.
NOT_FOR_GCC = {"-Werror", "-ftrivial-auto-var-init=zero"}
NOT_FOR_CLANG = ("-mmemset-strategy=", "-mmemcpy-strategy=")

Warning = collections.namedtuple("Warning", "file check function text line message details")
Exclusion = collections.namedtuple("Exclusion", "file check place reason")
Unit = collections.namedtuple("Unit", "path folder args")
Config = collections.namedtuple("Config", "path on off")               # globs of checks, and {check: reason}


def in_tree(path, folder=ROOT):
    """A path from the tree's root on; None for a file outside."""
    path = os.path.normpath(os.path.join(folder, path))
    return os.path.relpath(path, ROOT) if path.startswith(f"{ROOT}/") else None


# ---- What is compiled ------------------------------------------------------------------------------------------------------------

def read_units(build):
    """The commands of a build, once for each file and its definitions. What is compiled once more without warnings counts where it has no
    other command."""
    units, seen = [], set()
    entries = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    for entry in sorted(entries, key=lambda e: " -Wall " not in e["command"]):
        path, args = in_tree(entry["file"]), shlex.split(entry["command"])
        key = path, *sorted(a for a in args if a.startswith(("-D", "-U")))
        if not path or not path.endswith(".c") or key in seen or ("-Wall" not in args and path in {u.path for u in units}):
            continue
        seen.add(key)
        units.append(Unit(path, entry["directory"], args))
    return units


def lacking(units):
    """The libraries and the files that a run without them would be silent about."""
    text = "".join((ROOT / "cmake" / name).read_text() for name in ("libraries.cmake", "blake3.cmake"))
    wanted = re.findall(r"^uvet_use\((\w+)", text, re.M) + re.findall(r"INTERFACE UVET_WITH_(BLAKE3)", text)
    paths = {u.path for u in units}
    return [name for name in wanted if f"-DUVET_WITH_{name}" not in units[0].args] + sorted(
        str(p.relative_to(ROOT)) for p in (ROOT / "src").rglob("*.c") if str(p.relative_to(ROOT)) not in paths)


# ---- Where a warning stands -----------------------------------------------------------------------------------------------------

class Text:
    """The lines of the tree's files."""

    def __init__(self):
        self.files = {}

    def lines(self, path):
        if path not in self.files:
            self.files[path] = (ROOT / path).read_text().split("\n")
        return self.files[path]

    def line(self, path, number):
        return " ".join(self.lines(path)[number - 1].split())

    def function(self, path, number):
        """The function that a line belongs to, or the rule; nothing outside."""
        lines = self.lines(path)
        start = number - 1
        while start >= 0 and lines[start] not in ("{", "}"):
            start -= 1
        if start < 0 or lines[start] == "}":
            start = next((n for n in range(number - 1, len(lines)) if lines[n] == "{"), -1)
            if start < 0 or "" in lines[number - 1:start]:
                return ""
        while start > 0 and re.match(r"[\s{]", lines[start]):
            start -= 1
        match = re.match(r"(?:RULE|EACH)\((\w+)", lines[start]) or re.search(r"(\w+)\(", lines[start])
        return match[1] if match else ""


TEXT = Text()


# ---- The two tools -------------------------------------------------------------------------------------------------------------

def command(unit, left_out, *more):
    args = [a for a in unit.args if not a.startswith(tuple(left_out))]
    args[args.index("-o") + 1] = os.devnull
    return args + list(more)


def run_gcc(unit):
    done = subprocess.run(command(unit, NOT_FOR_GCC, "-fanalyzer", "-fdiagnostics-format=json"), cwd=unit.folder, capture_output=True, text=True)
    try:
        found = json.loads(done.stderr)
    except ValueError:
        sys.exit(f"static: gcc and {unit.path}: {done.stderr or done.returncode}")
    return [gcc_warning(unit, d) for d in found if d["kind"] != "note"]


def gcc_warning(unit, d):
    """A diagnostic as gcc writes it in JSON. What gcc made of the code by itself has no place."""
    def place(at):
        return in_tree(at["file"], unit.folder) or at["file"], at["line"]

    path = [e for e in d.get("path", []) if "file" in e.get("location", {})]
    carets = [place(at["caret"]) for at in d["locations"] if "file" in at["caret"]]
    at, line = carets[0] if carets else place(path[0]["location"]) if path else (unit.path, 1)
    file, function = (unit.path, path[0]["function"]) if path else (at, TEXT.function(at, line))
    details = ["{}:{}: {}".format(*place(e["location"]), e["description"]) for e in path]
    return Warning(file, d.get("option", d["kind"]), function, TEXT.line(at, line), line, f"{at}: {d['message']}", details)


def run_tidy(path, folder, configs):
    """What is on says of a file, and what is off would say: the latter as (configuration, check)."""
    nodes = NODES.get(path.split("/")[0], NODES["src"])
    extra = [f"--extra-arg={a}" for a in ("-Xclang", "-analyzer-config", "-Xclang", f"max-nodes={nodes}")]
    done = subprocess.run([TIDY, "--quiet", "-p", str(folder), "--checks=" + ",".join(configs[0].on), *extra, path], cwd=ROOT,
                          capture_output=True, text=True)
    if done.returncode < 0 or (done.returncode and ": error: " not in done.stdout):
        sys.exit(f"static: {TIDY} and {path}: {done.stderr or done.returncode}")
    return tidy_warnings(done.stdout, [c for c in configs if path.startswith(c.path.removesuffix(CONFIG))])


def tidy_warnings(said, configs):
    """A check may have several names; it is on if one of them is."""
    out, off, notes = [], set(), []
    for line in said.split("\n"):
        match = re.fullmatch(r"(\S+?):(\d+):(\d+): (warning|error|note): (.*?)(?: \[([^\[\]]+)\])?", line)
        if not match:
            continue
        file, number = in_tree(match[1]) or match[1], int(match[2])
        if match[4] == "note":
            notes.append(f"{file}:{number}: {match[5]}")
            continue
        names = (match[6] or "error").split(",")
        would = {(c.path, name) for c in configs for name in names if name in c.off}
        on = [name for name in names if name not in {check for _, check in would}]
        off |= would
        notes = []
        if on:
            out.append(Warning(file, on[0], TEXT.function(file, number), TEXT.line(file, number), number, match[5], notes))
    return out, off


def write_commands(units, folder):
    """A compile_commands.json for clang-tidy, which goes by clang's flags."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for u in units:
        args = command(u, NOT_FOR_CLANG)
        if "mingw" in args[0]:
            args[:1] = ["clang", "--target=x86_64-w64-mingw32"]
        entries.append({"directory": u.folder, "file": str(ROOT / u.path), "arguments": args})
    (folder / "compile_commands.json").write_text(json.dumps(entries, indent=1))


# ---- Judging -------------------------------------------------------------------------------------------------------------------

def read_exclusions(text):
    out = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = re.fullmatch(r"(\S+): (\S+): (.+): ([^:]+)", line.strip())
        if not match:
            sys.exit(f"static: {EXCLUSIONS}:{number}: not FILE: CHECK: FUNCTION: REASON")
        out.append(Exclusion(*match.groups()))
    return out


def judge(warnings, exclusions):
    """What is wrong: warnings that nobody argues, arguments that nobody needs."""
    unused, wrong = list(exclusions), []
    for w in warnings:
        hit = next((e for e in unused if (e.file, e.check) == (w.file, w.check) and e.place in (w.function, w.text)), None)
        if hit:
            unused.remove(hit)
        else:
            wrong.append("\n    ".join([f"{w.file}:{w.line}: {w.function or w.text}: {w.message} [{w.check}]", *w.details[:40]]))
    wrong += [f"{EXCLUSIONS}: stale: {e.file}: {e.check}: {e.place}" for e in unused]
    if len(exclusions) > EXCLUSIONS_MAX:
        wrong.append(f"{EXCLUSIONS}: {len(exclusions)} places, at most {EXCLUSIONS_MAX}")
    return wrong


def read_config(path, text):
    entries = re.findall(r"^  - '?([^'#\s]+)'?[ \t]*(?:# *)?(.*)$", text, re.M)
    return Config(path, [check for check, _ in entries if not check.startswith("-")],
                  {check[1:]: why for check, why in entries if check.startswith("-") and check != "-*"})


def read_configs():
    folders = ["", *(f"{folder}/" for folder in NODES)]
    return [read_config(f + CONFIG, (ROOT / (f + CONFIG)).read_text()) for f in folders if (ROOT / (f + CONFIG)).exists()]


def judge_config(config, needed):
    """What is wrong with the checks that are off: a reason is missing, or nothing would be said anyway."""
    return [f"{config.path}: {check} is off, and nobody says why" for check, why in config.off.items() if not why] + \
           [f"{config.path}: stale: {check}" for check in config.off if (config.path, check) not in needed]


def unknown_checks(config):
    done = subprocess.run([TIDY, "--verify-config", f"--config-file={config.path}"], cwd=ROOT, capture_output=True, text=True)
    return [f"{config.path}: {line}" for line in (done.stdout + done.stderr).split("\n") if "warning" in line or "error:" in line]


def silenced(path, text):
    return [f"{path}: NOLINT hides a place that {EXCLUSIONS} should argue"] if "NOLINT" in text else []


def judge_sources():
    files = [p for folder in (*NODES, "include") for p in (ROOT / folder).rglob("*.[ch]")]
    return [wrong for p in sorted(files) for wrong in silenced(p.relative_to(ROOT), p.read_text())]


# ---- The self-test --------------------------------------------------------------------------------------------------------------

PLANTED = """#include <stdlib.h>

void planted_twice(char *p);
int planted_atoi(const char *text);
int planted_loop(int n);
int planted_swap(int width, int height);

void planted_twice(char *p)
{
	free(p);
	free(p);
}

int planted_atoi(const char *text)
{
	return atoi(text);
}

int planted_loop(int n)
{
	int i = 0, calls = 0;

	while (i < n)
		calls++;
	return calls;
}

int planted_swap(int width, int height)
{
	int area = width;

	area *= 2;
	return height > 2 ? area : 0;
}
"""


def self_test(of_gcc, of_clang, folder, configs):
    """Each tool finds what was planted, with the flags and the configuration of this run; the judges let nothing pass."""
    folder.mkdir(parents=True)
    path = folder / "planted.c"
    path.write_text(PLANTED)
    name = str(path.relative_to(ROOT))
    planted = [Unit(name, u.folder, [str(path) if a == str(ROOT / u.path) else a for a in u.args]) for u in (of_gcc, of_clang)]
    write_commands(planted[1:], folder)
    by_tidy, off = run_tidy(name, folder, configs)
    said = run_gcc(planted[0]) + by_tidy
    for check, function in (("-Wanalyzer-double-free", "planted_twice"), ("clang-analyzer-unix.Malloc", "planted_twice"),
                            ("cert-err34-c", "planted_atoi"), ("bugprone-infinite-loop", "planted_loop")):
        if (name, check, function) not in {(w.file, w.check, w.function) for w in said}:
            sys.exit(f"static: the defect planted for {check} is not found")
    entry = read_exclusions(f"{name}: cert-err34-c: planted_atoi: planted")
    if len(judge(said, entry)) != len(judge(said, [])) - 1 or len(judge([], entry)) != 1 or len(judge(said, entry * 2)) != len(judge(said, [])) \
            or len(judge([], entry * (EXCLUSIONS_MAX + 1))) != EXCLUSIONS_MAX + 2:
        sys.exit("static: an exclusion argues more or less than its place, or stale ones pass")
    swapped = "bugprone-easily-swappable-parameters"
    bare = read_config(CONFIG, f"Checks:\n  - 'cert-*'\n  - '-{swapped}'\n")
    if (CONFIG, swapped) not in off or any(w.check == swapped for w in said) or len(judge_config(bare, off)) != 1 \
            or len(judge_config(bare, set())) != 2:
        sys.exit("static: a check that is off needs no reason, or is not missed")
    if not silenced("planted.c", "return *p; /* NOLINT */"):
        sys.exit("static: warnings can be silenced")


def main(gcc, clang, windows):
    here = pathlib.Path(gcc).resolve().parent
    configs = read_configs()
    of_gcc, of_clang, of_windows = read_units(gcc), read_units(clang), read_units(windows)
    of_windows = [u for u in of_windows if u.path not in {v.path for v in of_gcc}]
    of_gcc, of_clang = [u for u in of_gcc + of_windows if u.path.startswith("src/")], of_clang + of_windows
    missing = lacking(of_gcc)
    if missing:
        sys.exit("static: not looked at: " + " ".join(missing))
    self_test(of_gcc[0], next(u for u in of_clang if u.path.startswith("src/")), here / "planted", configs)

    write_commands([u for u in of_clang if u.path.split("/")[0] in NODES], here / "tidy")
    paths = sorted({u.path for u in of_clang if u.path.split("/")[0] in NODES})
    work = [(u.path, lambda u=u: (run_gcc(u), set())) for u in of_gcc]
    work += [(path, lambda path=path: run_tidy(path, here / "tidy", configs)) for path in paths]
    work.sort(key=lambda job: -(ROOT / job[0]).stat().st_size)              # the long ones first, so that no core waits for one at the end
    warnings, off = {}, set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for said, would in pool.map(lambda job: job[1](), work):
            warnings.update(((w.file, w.check, w.line, w.message), w) for w in said)
            off |= would
    exclusions = read_exclusions((ROOT / EXCLUSIONS).read_text())
    wrong = [w for config in configs for w in judge_config(config, off) + unknown_checks(config)]
    wrong += judge_sources() + judge([warnings[key] for key in sorted(warnings)], exclusions)
    print("".join(f"FAIL {w}\n" for w in wrong), end="")
    print(f"static: gcc's analyzer over {len(of_gcc)} files, clang-tidy over {len(paths)}: {len(wrong)} complaints; "
          f"{len(exclusions)} places argued, {len(configs[0].off)} checks off, and {sum(len(c.off) for c in configs[1:])} in tests and harnesses")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
