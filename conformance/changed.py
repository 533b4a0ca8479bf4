#!/usr/bin/env python3
"""Runs the conformance vectors of what changed: changed.py UVET [ARGUMENT of run.py]...

Compared are the files of the working tree with where the branch left UVET_BASE: by default what it is pushed to, else main. A change of one
format, or of its vectors, takes that format's vectors; one of anything else that vectors see takes all of them, with the gates over all.
Pages, tests and tools that no vector sees take none.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# The folders of vectors of a format's folder that has others than its own.
VECTORS = {"iostore": ["iostore", "container_header", "zen"], "blocks": ["iostore", "container_header"], "compressed": ["uz", "stream"],
           "archive": ["zip", "sevenzip", "rar", "tar", "stream", "wrap", "layout"]}
OF_ALL = {"policy", "run"}                # folders of vectors that are of no format
FORMAT = re.compile(r"(?:src/formats|conformance/vectors)/(\w+)/")
SEEN = re.compile(r"src/|include/|cmake/|CMake|conformance/.*[.](?:py|json|txt|md)$|tests/fault/faultcheck")


def git(*words):
    said = subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True, check=False)
    return said.stdout.strip() if said.returncode == 0 else None


def changed_paths():
    """The paths that changed, from the tree's root on; None if nothing tells."""
    for base in (os.environ.get("UVET_BASE"), "@{upstream}", "origin/main", "main"):
        left = base and git("merge-base", "HEAD", base)
        if left:
            new = git("ls-files", "--others", "--exclude-standard", "--full-name", ":/")
            return [*(git("diff", "--name-only", left) or "").splitlines(), *(new or "").splitlines()]
    return None


def vectors_of(name):
    """The folders of vectors of a folder of formats or vectors; None if it has none."""
    own = [name] if name not in OF_ALL and os.path.isdir(os.path.join(HERE, "vectors", name)) else None
    return VECTORS.get(name, own)


def folders_of(paths):
    """The folders of vectors that see a change of these paths; None is all of them."""
    folders = set()
    for path in paths:
        format_folder = FORMAT.match(path)
        of_format = vectors_of(format_folder[1]) if format_folder else None
        if of_format:
            folders.update(of_format)
        elif format_folder or SEEN.match(path):
            return None
    return sorted(folders)


def main(*arguments):
    paths = changed_paths()
    folders = None if paths is None else folders_of(paths)
    run = [sys.executable, os.path.join(HERE, "run.py"), *arguments]
    print("changed: " + ("all vectors" if folders is None else f"vectors of {', '.join(folders)}" if folders else "nothing that vectors see"))
    sys.stdout.flush()
    if folders is None:
        return subprocess.call(run)
    return max((subprocess.call([*run, "--only", f"{folder}/*"]) for folder in folders), default=0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
