#!/usr/bin/env python3
"""Every function of the public interface is called by a harness, and its seeds lead there.

    ci/harness_reach.py              each name of tests/api.symbols is declared and called in the source of a harness (lint)
    ci/harness_reach.py COVERAGE     each was entered, by what libFuzzer's -print_coverage wrote (ci/fuzz.sh reach)

First proves on bad samples that it can fail.
"""

import pathlib
import re
import sys

from lint import public_headers, strip

ROOT = pathlib.Path(__file__).resolve().parent.parent
DECLARED = re.compile(r"^UVET_API\b[^;()]*?\b(uvet_\w+)\(", re.M)
ENTERED = re.compile(r"^COVERED_FUNC: .* (uvet_\w+) \S+$", re.M)


def declared(header):
    return set(DECLARED.findall(strip(header)))


def not_called(names, sources):
    code = "\n".join(strip(text) for text in sources)
    return [name for name in names if not re.search(rf"\b{name}\b", code)]


def not_entered(names, coverage):
    entered = set(ENTERED.findall(coverage))
    return [name for name in names if name not in entered]


def self_test():
    names = ["uvet_a", "uvet_b", "uvet_c"]
    header = "UVET_API int uvet_a(void);\nUVET_API const char *uvet_b(int x,\n\t\t\tint y);\n/* UVET_API int uvet_c(void); */\n"
    source = '/* uvet_b(1, 2) is called elsewhere */\nint f(void)\n{\n\treturn uvet_a() + g("uvet_c()");\n}\n'
    coverage = "COVERED_FUNC: hits: 3 edges: 2/9 uvet_a src/a.c:1\nUNCOVERED_FUNC: hits: 0 edges: 0/9 uvet_b src/a.c:9\n"
    if declared(header) != {"uvet_a", "uvet_b"} or not_called(names, [source]) != ["uvet_b", "uvet_c"]:
        sys.exit("harness_reach: does not find its bad source")
    if not_entered(names, coverage) != ["uvet_b", "uvet_c"]:
        sys.exit("harness_reach: does not find its bad coverage")


def main():
    self_test()
    names = (ROOT / "tests/api.symbols").read_text().split()
    odd = declared(public_headers()) ^ set(names)
    if odd or not names:
        sys.exit(f"harness_reach: not in both, the headers and api.symbols: {' '.join(sorted(odd))}")
    if sys.argv[1:]:
        missing = not_entered(names, pathlib.Path(sys.argv[1]).read_text(errors="replace"))
    else:
        missing = not_called(names, [path.read_text() for path in sorted((ROOT / "fuzz/targets").glob("*.c"))])
    word = "entered" if sys.argv[1:] else "called"
    for name in missing:
        print(f"tests/api.symbols: {name} is {word} by no harness")
    print(f"harness_reach: {len(names)} functions, {len(missing)} {word} by no harness")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
