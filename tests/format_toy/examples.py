#!/usr/bin/env python3
"""Carries out the examples of docs/ADDING_A_RULE.md and docs/ADDING_A_FORMAT.md in a copy of the tree, and counts what a second rule
takes: examples.py [FOLDER]

What the pages show is compared with what is done, what they count is counted, and whatever else has to change fails. FOLDER is where the
copy is built, build/examples if it is not given. A second run there builds what changed.
"""
import pathlib
import re
import shutil
import sys
import time

import format_toy
import rule_toy
from sandbox import ROOT, Copy, Failed, blocks_of, demand, run

OF_RULE = "{vectors} vectors, and {edits} edits of {files} files"
UNITS = ["catalog", "layout", "scope", "results"]


def is_vector(name):
    return name.endswith(".vec")


def count(copy, counted):
    """What was added and edited since it was asked last, and how many those are."""
    added, edited = copy.take_stock()
    vectors = sum(map(is_vector, added))
    return added, edited, counted.format(new=len(added) - vectors, vectors=vectors, edits=sum(map(len, edited.values())), files=len(edited))


def check_page(name, copy, counted):
    """A page shows the new files and the edits of lists as they are, and counts them."""
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    added, edited, said = count(copy, counted)
    shown = set()
    for path, block in blocks_of(page):
        shown.add(path)
        demand(block.rstrip("\n") in copy.wanted.get(path, b"").decode(), f"docs/{name} shows of {path} what is not there:\n{block}")
    missing = ({path for path in added if not is_vector(path)} | edited.keys()) - shown
    demand(not missing, f"docs/{name} does not show {sorted(missing)}")
    demand(said in re.sub(r"\s+", " ", page), f"docs/{name} does not say: {said}")
    return said


def prune(copy):
    """Seeds of fuzzing are all vectors, assembled: of the other formats the good ones are enough, and what those are made of. The regress files
    are of the other formats too."""
    vectors = {name for name in copy.wanted if is_vector(name) and name.startswith("conformance/")}
    todo = {name for name in vectors if "/toy/" in name or "/good_" in name}
    kept = set()
    while todo:
        name = todo.pop()
        kept.add(name)
        for other in re.findall(r"\b(?:base|vector)\s+([\w/]+)", copy.wanted[name].decode()):
            todo |= {f"{name.rpartition('/')[0]}/{other}.vec", f"conformance/vectors/{other}.vec"} & (vectors - kept)
    for name in (vectors - kept) | {name for name in copy.wanted if name.startswith("corpus/regress/")}:
        copy.remove(name)


def main(folder):
    began = time.monotonic()
    copy = Copy(folder)
    format_toy.carry_out(copy)
    of_format = check_page("ADDING_A_FORMAT.md", copy, "{new} new files and {vectors} vectors, and {edits} edits of {files} lists")
    rule_toy.carry_out(copy, rule_toy.MEMBER)
    of_member = count(copy, OF_RULE)[2]
    rule_toy.carry_out(copy, rule_toy.CHUNK)
    copy.write()
    work, files = folder / "work", folder / "work/files"
    shutil.rmtree(work, ignore_errors=True)
    files.mkdir(parents=True)

    rule_toy.check_room(copy)
    copy.compile("uvet")
    rule_toy.check_forgotten(copy, work)
    rule_toy.check_unsummed(copy, work)
    rule_toy.remember(copy)
    of_rule = check_page("ADDING_A_RULE.md", copy, OF_RULE)
    copy.keep()
    copy.compile(*format_toy.TARGETS, *(f"test_{name}" for name in UNITS))
    for name in UNITS:
        run(copy.program(f"tests/test_{name}"))
    rule_toy.check_vectors(copy)

    format_toy.check_lists(copy)
    format_toy.check_vectors(copy, files)
    format_toy.check_command(copy, files)
    format_toy.check_sweeps(copy, files, work)
    prune(copy)
    format_toy.check_fuzzing(copy, files, work)
    format_toy.check_coverage(copy, work)
    written, generated = {name for name in copy.changed() if (copy.tree / name).exists()}, format_toy.GENERATED | rule_toy.GENERATED
    demand(written == generated, f"programs write {sorted(written - generated)} too, and not {sorted(generated - written)}")
    print(f"examples: a rule of .utoc files takes {of_rule}, one of installers {of_member}; a format {of_format}; {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    try:
        main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/examples").resolve())
    except Failed as failure:
        sys.exit(f"examples: {failure}")
