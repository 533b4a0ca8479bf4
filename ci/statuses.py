#!/usr/bin/env python3
"""Every function of the public headers that returns a uvet_status says which ones, and tests/fault/test_statuses.c provokes each of them.

A comment says so from a line that begins with "Returns", "Each returns" or the function's name and "returns", to its end. First proves
on bad samples that it can fail.
"""

import pathlib
import re
import sys

from lint import public_headers

ROOT = pathlib.Path(__file__).resolve().parent.parent
PART = re.compile(r"/\*.*?\*/|UVET_API[^;]*;|typedef[^;{]*;|^[}#].*?$", re.S | re.M)
FUNCTION = re.compile(r"UVET_API uvet_status (uvet_\w+)\(")
RETURNS = re.compile(r"^(?: \* |/\* )(?:Returns|Each returns|uvet_\w+ returns) (UVET_.*)", re.S | re.M)
ROW = re.compile(r"^\tSAYS\((uvet_\w+)\([^;]*?\),\s+(UVET_[A-Z_]+),\s", re.M)
ROW_OF_TWO = re.compile(r"^\tEACH_SAYS\((\w+),\s+\([^;]*?\),\s+(UVET_[A-Z_]+),\s", re.M)


def said(header):
    """What each function returns by its comment, which stands before it or before those that stand directly above it."""
    functions, comment = {}, ""
    for part in PART.findall(header):
        if part.startswith("/*"):
            comment = part
        elif FUNCTION.match(part):
            found = RETURNS.search(comment)
            functions[FUNCTION.match(part).group(1)] = set(re.findall(r"\bUVET_[A-Z_]+", found.group(1))) if found else set()
    return functions


def provoked(test):
    functions = {}
    for name, status in ROW.findall(test):
        functions.setdefault(name, set()).add(status)
    for name, status in ROW_OF_TWO.findall(test):
        for function in (f"uvet_map_{name}", f"uvet_info_{name}"):
            functions.setdefault(function, set()).add(status)
    return functions


def compare(header, test):
    promises, seen = said(header), provoked(test)
    for name in sorted(promises.keys() | seen.keys()):
        if not promises.get(name):
            yield f"no header says what {name} returns"
        for status in sorted(promises.get(name, set()) - seen.get(name, set())):
            yield f"no test provokes {status} of {name}"
        for status in sorted(seen.get(name, set()) - promises.get(name, set())):
            yield f"no header says that {name} returns {status}"


GOOD_HEADER = """
/* uvet_a does it.
 * Each returns UVET_OK, UVET_BAD_CALL (for
 * NULL). */
UVET_API uvet_status uvet_a(int x,
\t\t\t    int y);
UVET_API uvet_status uvet_b(void);
UVET_API void uvet_c(void);
/* uvet_map_io returns UVET_OK. */
UVET_API uvet_status uvet_map_io(void);
UVET_API uvet_status uvet_info_io(void);
"""
GOOD_TEST = "".join(f"\tSAYS(uvet_{name}(1, f(2)), {status},\n\t     (void)0);\n" for name in "ab" for status in ("UVET_OK", "UVET_BAD_CALL"))
GOOD_TEST += "\tEACH_SAYS(io, (1, f(2)), UVET_OK,\n\t\t  (void)0);\n"
BAD = [
    (GOOD_HEADER.replace("Each returns", "It gives"), GOOD_TEST),
    (GOOD_HEADER.replace(", UVET_BAD_CALL", ""), GOOD_TEST),
    (GOOD_HEADER.replace("UVET_OK,", "UVET_OK, UVET_CUT,"), GOOD_TEST),
    (GOOD_HEADER + "/* uvet_d does it. */\nUVET_API uvet_status uvet_d(void);\n", GOOD_TEST),
    (GOOD_HEADER, GOOD_TEST.replace("uvet_b", "uvet_a")),
    (GOOD_HEADER, GOOD_TEST.replace("EACH_SAYS(io", "EACH_SAYS(path")),
]


def main():
    if list(compare(GOOD_HEADER, GOOD_TEST)):
        sys.exit("statuses: complains of its good sample")
    if not all(list(compare(*bad)) for bad in BAD):
        sys.exit("statuses: does not find its bad samples")
    header = public_headers()
    found = list(compare(header, (ROOT / "tests/fault/test_statuses.c").read_text()))
    for line in found:
        print(f"FAIL {line}")
    functions = said(header)
    print(f"statuses: {len(functions)} functions, {sum(map(len, functions.values()))} statuses, {len(found)} failures")
    return 1 if found or not functions else 0


if __name__ == "__main__":
    sys.exit(main())
