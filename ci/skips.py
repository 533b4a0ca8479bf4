#!/usr/bin/env python3
"""Lists what the last run of ctest in a build left out, and why: skips.py BUILD

A test may be left out because of a library that the build was made without, or for one of the reasons in ALLOWED, which are about the
machine and not about uvet; so in a full build none is for want of a library. Ends with one line "skips: ..."; exit 1 for any other reason,
or for none. First proves on a bad sample that it can fail.
"""
import ast
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "conformance"))
import libraries  # noqa: E402

# What an administrator can do and another user cannot, or the other way round, and what a system does not let anyone do.
ALLOWED = re.compile(r"root (reads|may read|writes) every\w*( folder)?$|only root |this system (lets nobody mount|dumps nothing)\b|no file system can be mounted here$|"
                     r"needs a small file system$|there is no \S*MANIFEST[.]tsv |its files are of machines with 64 bits$")
TEST = re.compile(r"^\d+/\d+ Testing: (\S+)\n(.*?)^<end of output>", re.S | re.M)
OF_PYTHON = re.compile(r"\.\.\. skipped (['\"].*['\"])$", re.M)
OF_CMOCKA = re.compile(r"^\[ RUN      \] (\w+)\n((?:(?!\[).*\n)*)\[  SKIPPED \] \1$", re.M)
OF_SCRIPTS = re.compile(r"^\w+: skipped, (.*)$", re.M)
MISSING = re.compile(r"this build has no (\w+)$")

SAMPLE = """1/9 Testing: unit.aes
[ RUN      ] published_values
this build has no nettle
[  SKIPPED ] published_values
[ RUN      ] a_counter_counts
[       OK ] a_counter_counts
[ RUN      ] vectors
[  SKIPPED ] vectors
[  SKIPPED ] 2 test(s), listed below:
[  SKIPPED ] published_values
[  SKIPPED ] vectors
<end of output>
2/9 Testing: cli.test_cli
test_one (__main__.A.test_one) ... ok
test_two (__main__.A.test_two)
Why. ... skipped 'only root becomes somebody else'
test_three (__main__.A.test_three) ... skipped "it's late"
<end of output>
3/9 Testing: real
real: skipped, there is no ../data/MANIFEST.tsv (set UVET_REAL_DATA)
<end of output>
"""


def skips(log):
    """(test, reason) of each that was left out."""
    out = []
    for name, said in TEST.findall(log):
        out += [(name, ast.literal_eval(reason)) for reason in OF_PYTHON.findall(said)]
        out += [(f"{name}: {test}", (text.splitlines() or ["no reason is given"])[-1]) for test, text in OF_CMOCKA.findall(said)]
        out += [(name, reason) for reason in OF_SCRIPTS.findall(said)]
    return out


def is_allowed(reason, missing):
    library = MISSING.match(reason)
    return library[1] in missing if library else ALLOWED.match(reason) is not None


def refused(log, missing):
    return [(name, reason) for name, reason in skips(log) if not is_allowed(reason, missing)]


def prove():
    assert len(skips(SAMPLE)) == 5
    assert refused(SAMPLE, {"nettle"}) == [("unit.aes: vectors", "no reason is given"), ("cli.test_cli", "it's late")]
    assert ("unit.aes: published_values", "this build has no nettle") in refused(SAMPLE, {"blake3"})


def main(build):
    prove()
    build = pathlib.Path(build).resolve()
    log = (build / "Testing" / "Temporary" / "LastTest.log").read_text(encoding="utf-8", errors="replace")
    wrong = refused(log, libraries.missing(str(build / "uvet")))
    for name, reason in wrong:
        print(f"{name} was left out: {reason}")
    n = collections.Counter(reason for _, reason in skips(log))
    print(f"skips: {sum(n.values())} tests were left out" + "".join(f"; {k} of them: {reason}" for reason, k in sorted(n.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
