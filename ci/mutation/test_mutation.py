"""Tests of what a mutation changes and of what it leaves alone: ci/mutate --check"""
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import unittest

from . import process, survivors
from .changes import find_sites
from .mutant import Mutant, draw_order, mutants_of, quotas
from .source import Source

SAMPLE = """/* A file, with 1 + 2 < 3 in its comment. */
#include "core/x.h"

#define TWICE(x) ((x) + (x))
#if defined(NO)
#endif

enum { LEAST = 4 };
_Static_assert(LEAST == 4, "as it is");

static const char *const words[] = { "a && b", "if (c)" };

static bool is_small(const struct thing *t, uint64_t n)
{
	uint64_t *p = &t->n, m = 2;

	if (n > t->n + (size_t)MUTANT(7))
		return false;
	if (NEVER(!t))
		return true;
	call(t, A_FLAG | B_FLAG);
	for (uint64_t i = 0; i < n; i++)
		*p += m;
	if (n == 0 || (t->a && !t->b))
		return true;
	return n < 16;
}

RULE(ABC001, small, ERROR, GROUP,
     .title = "It is 3.",
     .spec  = SPEC(31), .versions = SINCE(4))
{
	report(c, DEC(x->n > 1 ? x->n
	                     : 7));
}
"""


def changes(text=SAMPLE):
    """Every mutant of a text as (kind, line before, line after)."""
    source = Source("src/core/x.c", text)
    return {(m.kind, m.before, m.after) for site in mutants_of(source) for m in site}


class Changes(unittest.TestCase):
    def test_operators(self):
        found = changes()
        self.assertIn(("operator", "return n < 16;", "return n <= 16;"), found)
        self.assertIn(("operator", "return n < 16;", "return n >= 16;"), found)
        self.assertIn(("operator", "*p += m;", "*p -= m;"), found)
        self.assertIn(("operator", "if (n == 0 || (t->a && !t->b))", "if (n != 0 || (t->a && !t->b))"), found)
        self.assertIn(("operator", "if (n == 0 || (t->a && !t->b))", "if (n == 0 && (t->a && !t->b))"), found)
        self.assertIn(("operator", "if (n == 0 || (t->a && !t->b))", "if (n == 0 || (t->a && t->b))"), found)
        self.assertIn(("operator", "call(t, A_FLAG | B_FLAG);", "call(t, A_FLAG & B_FLAG);"), found)

    def test_constants(self):
        found = changes()
        for value in ("15", "17", "0"):
            self.assertIn(("constant", "return n < 16;", f"return n < {value};"), found)
        self.assertIn(("constant", "enum { LEAST = 4 };", "enum { LEAST = 5 };"), found)
        self.assertEqual({after for _, before, after in changes("int f(void)\n{\n\treturn 0x1Fu + 010 + 0;\n}\n") if "?" not in after},
                         {f"return {a};" for a in ("0x1Eu + 010 + 0", "0x20u + 010 + 0", "0 + 010 + 0", "0x1Fu + 07 + 0", "0x1Fu + 011 + 0",
                                                   "0x1Fu + 0 + 0", "0x1Fu + 010 + 1", "0x1Fu - 010 + 0", "0x1Fu + 010 - 0", "0")})

    def test_room(self):
        """Of an array no more room is made."""
        found = changes("void f(const int *p)\n{\n\tint a = p[7], b[5];\n\n\tb[3] = a + p[9];\n}\n")
        numbers = {after for kind, before, after in found if kind == "constant"}
        self.assertIn("int a = p[8], b[5];", numbers)
        self.assertIn("int a = p[7], b[4];", numbers)
        self.assertNotIn("int a = p[7], b[6];", numbers)
        self.assertTrue({"b[4] = a + p[9];", "b[3] = a + p[10];"} <= numbers)

    def test_conditions(self):
        found = changes()
        before = "if (n == 0 || (t->a && !t->b))"
        for after in ("if (true)", "if (false)", "if (!(n == 0 || (t->a && !t->b)))"):
            self.assertIn(("condition", before, after), found)
        for after in ("if (n == 0)", "if ((t->a && !t->b))", "if (n == 0 || (t->a))", "if (n == 0 || (!t->b))"):
            self.assertIn(("operand", before, after), found)
        self.assertIn(("condition", "for (uint64_t i = 0; i < n; i++)", "for (uint64_t i = 0; false; i++)"), found)
        self.assertIn(("condition", "report(c, DEC(x->n > 1 ? x->n", "report(c, DEC(true ? x->n"), found)

    def test_statements(self):
        found = changes()
        self.assertIn(("statement", "call(t, A_FLAG | B_FLAG);", "{}"), found)
        self.assertIn(("statement", "*p += m;", "{}"), found)
        self.assertIn(("statement", "report(c, DEC(x->n > 1 ? x->n : 7));", "{}"), found)
        self.assertIn(("flag", "call(t, A_FLAG | B_FLAG);", "call(t, A_FLAG);"), found)
        self.assertIn(("result", "return true;", "return false;"), found)
        self.assertIn(("result", "return n < 16;", "return !(n < 16);"), found)
        self.assertFalse([c for c in found if c[0] == "statement" and "uint64_t" in c[1]], "a declaration is no statement")

    def test_left_alone(self):
        """Comments, strings, directives, static assertions, planted mutants, guards against the impossible, numbers of clauses."""
        for _, before, _ in changes():
            for word in ("MUTANT", "NEVER", "comment", "#", "_Static_assert", "title", "words"):
                self.assertNotIn(word, before)
        self.assertFalse([after for _, _, after in changes() if "SPEC(" in after and "SPEC(31)" not in after])
        found = [c for c in changes() if c[1] == "return true;"]
        self.assertEqual(len(found), 1, "what NEVER leads to is left alone, the other is not")
        steps = [after for _, before, after in changes() if before.startswith("for") and "i--" in after]
        self.assertEqual(steps, [], "a loop is not made endless by its step")

    def test_one_place(self):
        source = Source("src/core/x.c", SAMPLE)
        for site in find_sites(source):
            for choice in site.choices:
                changed = Mutant(source, site, choice, 0).apply(SAMPLE)
                self.assertNotEqual(changed, SAMPLE)
                self.assertEqual(changed[:site.start], SAMPLE[:site.start])
                self.assertTrue(changed.endswith(SAMPLE[site.end:]))

    def test_functions(self):
        source = Source("src/core/x.c", SAMPLE)
        self.assertEqual([(f.name, f.returns) for f in source.functions], [("is_small", "bool"), ("RULE ABC001", None)])


    def test_names(self):
        names = {m.before: m.function for site in mutants_of(Source("src/core/x.c", SAMPLE + "\nstatic const int row[3] = {\n\t7, 8,\n};\n"))
                 for m in site}
        self.assertEqual(names["enum { LEAST = 4 };"], "enum")
        self.assertEqual(names["7, 8,"], "row")
        self.assertEqual(names[".spec = SPEC(31), .versions = SINCE(4))"], "RULE ABC001")
        self.assertEqual(names["return n < 16;"], "is_small")


class Sample(unittest.TestCase):
    def test_ids(self):
        """An id is one mutant's alone, and stays when lines come before it."""
        ids = [m.id for site in mutants_of(Source("src/core/x.c", SAMPLE)) for m in site]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual(ids, [m.id for site in mutants_of(Source("src/core/x.c", "\n\n" + SAMPLE)) for m in site])

    def test_order(self):
        """The same seed draws the same, another other ones; a new function leaves the order of the others as it is."""
        with tempfile.TemporaryDirectory() as root:
            path = os.path.join(root, "src", "core", "x.c")
            os.makedirs(os.path.dirname(path))

            def order(text, seed):
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
                return [m.id for m in draw_order(root, ["src/core/x.c"], seed)["core"]]

            first = order(SAMPLE, "1")
            self.assertEqual(first, order(SAMPLE, "1"))
            self.assertNotEqual(first, order(SAMPLE, "2"))
            longer = order("int other(int a)\n{\n\treturn a + 5;\n}\n\n" + SAMPLE, "1")
            self.assertGreater(len(longer), len(first))
            self.assertEqual([i for i in longer if i in first], first)

    def test_quotas(self):
        order = {"formats": [None] * 9000, "core": [None] * 500, "api": [None] * 500}
        shares = quotas(order, 600)
        self.assertEqual(sum(shares.values()), 600)
        self.assertGreaterEqual(min(shares.values()), 600 // 15)
        self.assertGreater(shares["formats"], 400)


class List(unittest.TestCase):
    ENTRY = ("# a comment\n\nsrc/core/x.c: is_small\n- return n < 16;\n+ return n <= 16;\n- return n < 16;\n+ return n < 17;\n"
             "  Same: nobody calls it\n  with 16.\n")

    def test_parse(self):
        reasons = survivors.Reasons(self.ENTRY)
        mutants = [m for site in mutants_of(Source("src/core/x.c", SAMPLE)) for m in site]
        listed = {m.after: reasons.get(m) for m in mutants if reasons.get(m)}
        self.assertEqual(listed, {after: "Same: nobody calls it with 16." for after in ("return n <= 16;", "return n < 17;")})
        self.assertTrue(all(reasons.is_same(m) for m in mutants if m.after in listed))
        self.assertEqual(reasons.stale(mutants), [])
        self.assertEqual(len(reasons.stale([m for site in mutants_of(Source("src/core/x.c", "int x = 3;\n")) for m in site])), 2)

    def test_whole_function(self):
        reasons = survivors.Reasons("src/core/x.c: RULE ABC001\n- *\n+ *\n  Unseen: of no use.\n")
        mutants = [m for site in mutants_of(Source("src/core/x.c", SAMPLE)) for m in site]
        self.assertEqual({m.function for m in mutants if reasons.get(m)}, {"RULE ABC001"})
        self.assertFalse(any(reasons.is_same(m) for m in mutants))
        self.assertEqual(reasons.stale(mutants), [])

    def test_refused(self):
        for text in (self.ENTRY + "\n" + self.ENTRY, "src/core/x.c: f\n- a\n+ b\n", "src/core/x.c\n- a\n+ b\n  Same: so\n",
                     "src/core/x.c: f\n- a\n+ b\n  because\n", "src/core/x.c: f\n- a\n  Same: so\n", "src/core/x.c: f\n  Same: so\n"):
            with self.assertRaises(survivors.ListError):
                survivors.Reasons(text)


class Process(unittest.TestCase):
    def setUp(self):
        self.bounds = process.Bounds(0)
        self.bounds.cpu = 0.2

    def python(self, code):
        return [sys.executable, "-c", code]

    def test_ends(self):
        self.assertEqual(process.call(self.python("raise SystemExit(7)"), self.bounds), 7)

    def test_endless(self):
        self.assertIn(process.call(self.python("while True: pass"), self.bounds), (-signal.SIGXCPU, -signal.SIGKILL))

    def watch(self, code):
        with subprocess.Popen(self.python(code), start_new_session=True) as p:
            try:
                return process.watch(p, self.bounds, 0.02)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(p.pid, signal.SIGKILL)

    def test_waits(self):
        """For what does not come; for a child that takes too much; and for one that is in time."""
        self.assertIsNone(self.watch("import time; time.sleep(100)"))
        self.assertIsNone(self.watch("import os, sys; os.fork() and os.wait() or [0 for _ in iter(int, 1)]"))
        self.assertEqual(self.watch("import time; time.sleep(0.1); raise SystemExit(7)"), 7)


if __name__ == "__main__":
    unittest.main()
