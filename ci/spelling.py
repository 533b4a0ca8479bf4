#!/usr/bin/env python3
"""Looks for misspelt words with codespell, which ci/install.sh installs; .codespellrc says which words are ours. Without it nothing is said."""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WRONG = "recieve"               # which codespell knows in every version


def misspelt(arguments, text=None):
    """What codespell says, a line for each word."""
    run = subprocess.run(["codespell", *arguments], cwd=ROOT, input=text, capture_output=True, text=True)
    return [line for line in run.stdout.splitlines() if " ==> " in line]


def vector_comments():
    """Of vectors the comments are prose, and the rest is parts of files."""
    lines = []
    for path in sorted((ROOT / "conformance/vectors").rglob("*.vec")):
        lines += [line for line in path.read_text().splitlines() if line.startswith("#")]
    return "\n".join(lines) + "\n"


def main():
    if not shutil.which("codespell"):
        print("spelling: codespell is not installed")
        return 0
    if not misspelt(["-"], WRONG):
        print("spelling: codespell does not find a word that is misspelt", file=sys.stderr)
        return 1
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    complaints = misspelt([path for path in files.splitlines() if (ROOT / path).is_file() and path != "ci/spelling.py"])
    complaints += misspelt(["-"], vector_comments())
    for line in complaints:
        print(line)
    print(f"spelling: {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
