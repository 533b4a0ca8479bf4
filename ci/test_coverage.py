#!/usr/bin/env python3
"""Tests of how coverage's exclusions are matched: python3 ci/test_coverage.py"""
import collections
import os
import sys
import tempfile
import types
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import coverage  # noqa: E402

SOURCE = """static bool f(int a);

static bool other(int a)
{
	return a == 1;
}

static bool f(int a)
{
	if (a == 1 || a == 2)           /* a comment */
		return false;
	return a == 1;
}
"""
ENTRY = "src/x.c: f: if (a == 1 || a == 2): never asked\n"


class Exclusions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.addCleanup(setattr, coverage, "ROOT", coverage.ROOT)
        coverage.ROOT = self.folder
        os.mkdir(os.path.join(self.folder, "src"))

    def read(self, source, entries):
        for name, text in (("src/x.c", source), ("entries", entries)):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as f:
                f.write(text)
        return coverage.read_exclusions(os.path.join(self.folder, "entries"))

    def judge(self, uncovered, exclusions):
        source = types.SimpleNamespace(path="src/x.c", lines=collections.defaultdict(int), uncovered=lambda: uncovered,
                                       function_of=lambda line: "f", text_of=lambda line: "", branches_of=lambda line: [])
        with open(os.devnull, "w", encoding="utf-8") as out:
            before, sys.stdout = sys.stdout, out
            try:
                return coverage.judge({"src/x.c": source}, exclusions)
            finally:
                sys.stdout = before

    def test_a_text_is_found_in_its_function(self):
        self.assertEqual(self.read(SOURCE, ENTRY)[0].lines, {10})
        self.assertEqual(self.read(SOURCE, "src/x.c: f: return a == 1;: why\n")[0].lines, {12})

    def test_however_its_lines_are_broken(self):
        broken = SOURCE.replace("(a == 1 || a == 2)           /* a comment */", "(a == 1 ||      /* a\n\t\tcomment */\n\t    a==2)")
        self.assertEqual(self.read(broken, ENTRY)[0].lines, {10, 12})
        joined = "src/x.c: f: if (a == 1 || a == 2) return false;: why\n"
        self.assertEqual(self.read(SOURCE, joined)[0].lines, {10, 11})

    def test_what_is_not_there_is_told(self):
        for entry in ("src/x.c: f: return true;: why\n", "src/x.c: g: return false;: why\n", "src/x.c: other: return false;: why\n",
                      "src/x.c: f: return false;\n", "src/x.c: f: /* nothing */: why\n"):
            with self.subTest(entry=entry), self.assertRaises(SystemExit):
                self.read(SOURCE, entry)

    def test_lines_are_excluded_and_others_fail(self):
        exclusions = self.read(SOURCE, ENTRY)
        self.assertEqual(self.judge([10], exclusions), (0, 1))
        self.assertEqual(self.judge([10, 11], exclusions), (1, 1))

    def test_what_a_coverage_build_leaves_out(self):
        for text, lines in (("\tif (NEVER(a))\n\t\treturn;\n\tb();", {2}), ("\tif (NEVER(a &&\n\t          (b)))\n\t\treturn f(1,\n\t\t         2); /* c */\n", {3, 4}),
                            ("\tif (!ALWAYS(a)) {\n\t\tb();\n\t\tc();\n\t}\n\td();", {1, 2, 3, 4}), ("\tif (NEVER(a) || b)\n\t\treturn;", set()),
                            ("\tif (MUTANT(13))\n\t\ta(); /* mutant: why */", {2})):
            with self.subTest(text=text):
                self.assertEqual(coverage.left_out(text.split("\n")), lines)

    def test_functions_that_only_assertions_call(self):
        asserts = SOURCE + "void g(void)\n{\n\tPLAIN(f(1) == 2 &&\n\t      other(2));\n%s}\n"
        self.assertEqual(coverage.left_out((asserts % "").split("\n")), {3, 4, 5, 6, 8, 9, 10, 11, 12, 13})
        self.assertEqual(coverage.left_out((asserts % "\tother(3);\n").split("\n")), {8, 9, 10, 11, 12, 13})

    def test_functions_that_only_guards_call(self):
        for guard in ("\tif (NEVER(!f(1)))\n\t\treturn;\n", "\treturn ALWAYS(f(1));\n"):
            guards = SOURCE + f"void g(void)\n{{\n{guard}}}\n"
            self.assertLessEqual({8, 9, 10, 11, 12, 13}, coverage.left_out(guards.split("\n")))
            self.assertNotIn(3, coverage.left_out(guards.split("\n")))

    def test_an_entry_that_excludes_nothing_fails(self):
        self.assertEqual(self.judge([], self.read(SOURCE, ENTRY)), (1, 0))


if __name__ == "__main__":
    unittest.main()
