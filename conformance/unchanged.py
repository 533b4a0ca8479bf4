#!/usr/bin/env python3
"""What a change of structure must not change: two programs give the same report, to the byte, and the same exit code.

    unchanged.py OLDER NEWER [--real DIR] [--copies N]

For all vectors with their options, for every file below DIR, and for N copies of each in which something is changed (reference/compare.py
makes them). A rule that only has another name is the same rule: names are translated by ids. Ends with one line "unchanged: ..."; exit 1 if
anything differs. The copies that differ are kept in build/unchanged.
"""
import argparse
import concurrent.futures
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "reference"))

import assembled  # noqa: E402
import compare  # noqa: E402

KEPT = os.path.join(os.path.dirname(HERE), "build", "unchanged")


class Pair:
    """Both programs."""

    def __init__(self, older, newer):
        self.programs = [os.path.abspath(older), os.path.abspath(newer)]
        old, new = (self.names(program) for program in self.programs)
        self.renamed = {name.encode(): new[rule].encode() for rule, name in old.items() if new.get(rule, name) != name}
        self.pattern = re.compile(b'"(' + b"|".join(self.renamed or [b"(?!)"]) + b')"')

    @staticmethod
    def names(program):
        done = subprocess.run([program, "rules", "--format", "json"], capture_output=True, check=True)
        return {rule["id"]: rule["name"] for rule in json.loads(done.stdout)["rules"]}

    def differs(self, case):
        folder, name = os.path.split(case.path)
        old, new = (subprocess.run([program, "check", "--format", "json", *case.options, name], cwd=folder, capture_output=True, check=False)
                    for program in self.programs)
        said = self.pattern.sub(lambda m: b'"' + self.renamed[m[1]] + b'"', old.stdout)
        return (old.returncode, said, old.stderr) != (new.returncode, new.stdout, new.stderr)

    def compare(self, case, n):
        """Names what differs, the file itself or copies of it; and how many copies there were."""
        different, copies = [case.name] if self.differs(case) else [], 0
        with tempfile.TemporaryDirectory() as folder:
            for copy in compare.changed_copies(case, None, n, folder):
                copies += 1
                if self.differs(copy):
                    different.append(copy.name)
                    shutil.copytree(os.path.dirname(copy.path), os.path.join(KEPT, copy.name), dirs_exist_ok=True)
        return different, copies


def find_cases(real):
    folder, vectors, _ = assembled.take_or_exit()
    for v in vectors:
        if not v.fault and not v.missing:
            yield compare.whole_vector(folder, v)
    for at, folders, names in os.walk(real) if real else ():
        folders.sort()
        yield from (compare.real(os.path.join(at, name), real) for name in sorted(names))


def main(argv):
    parser = argparse.ArgumentParser(description="Compares the reports of two programs.")
    parser.add_argument("older")
    parser.add_argument("newer")
    parser.add_argument("--real")
    parser.add_argument("--copies", type=int, default=0)
    args = parser.parse_args(argv)
    pair, cases, n_copies, different = Pair(args.older, args.newer), list(find_cases(args.real)), 0, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found, copies in pool.map(lambda case: pair.compare(case, args.copies), cases):
            different += found
            n_copies += copies
    for what in itertools.islice(different, 40):
        print(f"another report: {what}")
    print(f"unchanged: {len(cases)} files and {n_copies} changed copies, {len(pair.renamed)} rules have another name, {len(different)} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
