"""The tests that are to find a mutant, the quick ones first."""
import collections
import functools
import os

from . import process
from .build import UNITS

VECTORS, UNIT, CLI, OTHER = "vectors", "unit", "cli", "other"
STAGES, TESTS = (VECTORS, UNIT, CLI, OTHER), (UNIT, CLI)
# The rest of ctest's list looks at files of other people, at the library as it is installed, or is done here already.
OTHERS = ("secrets", "sweep.", "reference", "conformance")
SLOW = ("cli.test_cli_memory",)         # as long as all others of its kind together, and therefore among the rest


class Trial:
    """One test of ctest's list: its command, with the programs of a mutant."""

    def __init__(self, test, build, vectors):
        self.name, self.build, self.vectors = test["name"], build, vectors
        self.command, self.env = test["command"], {}
        for p in test.get("properties", []):
            if p["name"] == "ENVIRONMENT":
                self.env = dict(value.split("=", 1) for value in p["value"])
        if self.name.startswith("cli."):
            self.command = [*self.command, "--failfast"]
        self.number = build.unit_numbers.get(self.name)
        self.programs = [UNITS] if self.number is not None else [n for n in map(self.program_of, [*self.command, *self.env.values()]) if n]
        self.bounds = None

    def program_of(self, word):
        name = os.path.relpath(word, self.build.folder) if os.path.isabs(word) else ""
        return name if name in self.build.links else None

    def word_for(self, word, bench):
        name = self.program_of(word)
        return bench.program(name) if name else word.replace(os.path.join(self.build.folder, "tests", "seeds"), self.vectors.folder)

    def arguments(self, bench):
        if self.number is not None:
            return [bench.program(UNITS), str(self.number)]
        return [self.word_for(word, bench) for word in self.command]

    def environment(self, bench):
        folder = os.path.join(bench.folder, "tmp")
        os.makedirs(folder, exist_ok=True)
        return {**os.environ, **{key: self.word_for(value, bench) for key, value in self.env.items()}, "TMPDIR": folder,
                "PYTHONDONTWRITEBYTECODE": "1"}

    def concerns(self, bench):
        return any(bench.is_changed(name) for name in self.programs)

    def learn(self, bench):
        """Runs the unchanged program; its exit code."""
        code, self.bounds = process.measure(self.arguments(bench), cwd=bench.folder, env=self.environment(bench), log=self.log_of(bench))
        return code

    def run(self, bench):
        return process.call(self.arguments(bench), self.bounds, cwd=bench.folder, env=self.environment(bench), log=self.log_of(bench))

    def log_of(self, bench):
        return os.path.join(bench.folder, "log")

    def said(self, bench):
        """The end of what it said when it was run last."""
        with open(self.log_of(bench), encoding="utf-8", errors="replace") as f:
            return f.read()[-2000:]


class Trials:
    """All stages. A worker asks first what killed mutants of the same file before."""

    def __init__(self, build, vectors):
        self.vectors = vectors
        tests = [Trial(t, build, vectors) for t in build.tests if t.get("command")]
        self.by_stage = {UNIT: [t for t in tests if t.name.startswith("unit.")],
                         CLI: [t for t in tests if t.name.startswith("cli.") and t.name not in SLOW],
                         OTHER: [t for t in tests if t.name.startswith((*OTHERS, *SLOW))]}
        self.killers = collections.defaultdict(collections.Counter)

    def learn(self, bench, stages, tell):
        """Runs everything on the unchanged program; what is wrong, or None."""
        complaint = self.vectors.learn(bench)
        if complaint:
            return complaint
        for stage in stages:
            for trial in self.by_stage[stage]:
                code = trial.learn(bench)
                if code != 0 and trial.run(bench) != 0:
                    return f"{trial.name}: {process.describe(code)}\n{trial.said(bench)}"
                tell(f"{trial.name}: {trial.bounds.base:.2f} s")
        return None

    def in_order(self, stage, path):
        """What killed most of this file first, then what takes least."""
        return sorted(self.by_stage[stage], key=lambda t: (-self.killers[path][t.name], t.bounds.base))

    def kill(self, bench, path, stages):
        """The stage and the test that notice the mutant on the bench, or None: first what takes a second, files of gigabytes after the
        command's tests, the sweeps last."""
        attempts = [(VECTORS, self.vectors.judge)]
        for stage in stages:
            attempts.append((stage, functools.partial(self.kill_by_tests, path=path, stage=stage)))
            attempts += [(VECTORS, self.vectors.judge_more)] if stage == UNIT else [(VECTORS, self.vectors.judge_large)] if stage == CLI else []
        for stage, attempt in attempts:
            what = attempt(bench)
            if what:
                return stage, what
        return None

    def kill_by_tests(self, bench, path, stage):
        for trial in self.in_order(stage, path):
            if not trial.concerns(bench):
                continue
            code = trial.run(bench)
            if code != 0 and trial.run(bench) != 0:     # on a busy machine a test that looks at the clock may fail once
                self.killers[path][trial.name] += 1
                return f"{trial.name}: {process.describe(code)}"
        return None
