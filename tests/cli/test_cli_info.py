"""Black-box tests of info for many files and folders."""
import json
import os
import unittest

import samples
from case import Case


class Info(Case):
    def setUp(self):
        super().setUp()
        self.write("m/a.umod", samples.GOOD)
        self.write("m/b/c.umod", samples.BAD_CRC)
        self.write("m/notes.txt", samples.UNKNOWN)
        self.write("m/Mod_P.ucas", samples.UNKNOWN)

    def paths(self, *args, code=0, **more):
        return [json.loads(line)["path"] for line in self.expect(code, "info", "-f", "json", *args, **more).stdout.splitlines()]

    def test_a_line_of_json_for_each(self):
        self.assertEqual(self.paths("good.umod"), ["good.umod"])
        self.assertEqual(self.paths("bad.umod", "-", "good.umod", stdin=samples.GOOD), ["bad.umod", "stdin", "good.umod"])
        self.assertEqual(self.paths("m", "good.umod"), ["m/a.umod", "m/b/c.umod", "good.umod"])
        self.assertEqual(self.paths("-r", "m", "--exclude", "b"), ["m/a.umod"])
        self.assertEqual(self.paths("m", "--include", "c*"), ["m/b/c.umod"])

    def test_texts_are_kept_apart(self):
        one, two = (self.expect(0, "info", path).stdout for path in ["m/a.umod", "m/b/c.umod"])
        self.assertEqual(self.expect(0, "info", "m").stdout, one + b"\n" + two)
        self.assertEqual(self.expect(0, "info", "m/b/c.umod", "m/a.umod").stdout, two + b"\n" + one)

    def test_what_is_unknown_or_not_there(self):
        """Of what is named everything is told, of what is found only what is known."""
        self.assertEqual(self.paths("unknown.txt", "m/Mod_P.ucas", "good.umod", code=2), ["unknown.txt", "m/Mod_P.ucas", "good.umod"])
        self.assertEqual(self.paths("m", "--exclude", "*.umod"), [])
        done = self.expect(2, "info", "none", "good.umod")
        self.assertIn(b"uvet: 'none' cannot be read: ", done.stderr)
        self.assertIn(b"good.umod", done.stdout)

    def test_links_are_not_followed(self):
        os.symlink("../good.umod", self.folder / "m" / "link.umod")
        self.assertEqual(self.paths("m"), ["m/a.umod", "m/b/c.umod"])
        self.assertEqual(self.paths("m/link.umod"), ["m/link.umod"])

    def test_usage(self):
        self.expect_usage("info", says=["PATH"])
        self.expect_usage("info", "-", "-", says=["standard input"])


if __name__ == "__main__":
    unittest.main()
