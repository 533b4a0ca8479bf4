"""Black-box tests of what is said of words that were mistyped, and of the words that explain takes."""
import os
import unittest

import samples
from case import Case


class Suggestions(Case):
    def test_commands(self):
        for typed, meant in [("chekk", "check"), ("xplain", "explain"), ("CHECK", "check"), ("mpa", "map"), ("ruless", "rules")]:
            self.expect_usage(typed, "good.umod", says=[f"there is no command and no file '{typed}'", f"did you mean {meant}?"])
        self.expect(1, "good.umod", "chekk", "bad.umod")

    def test_files_with_names_like_commands(self):
        self.write("chekk", samples.BAD_CRC)
        os.mkfifo(self.folder / "mpa")
        self.expect(1, "chekk")
        self.expect(2, "mpa")
        self.expect(2, "./rulse")
        self.expect(2, "nothing")

    def test_options(self):
        for typed, meant in [("--jbos", "--jobs"), ("--jbos=3", "--jobs"), ("--formt", "--format"), ("--max-wrok", "--max-work"),
                             ("--SELECT=x", "--select")]:
            self.expect_usage(typed, "good.umod", says=[f"unknown option '{typed}'", f"did you mean {meant}?"])
        for typed, meant in [("--json", "json"), ("--sarif-github", "sarif-github"), ("--csv=out.csv", "csv")]:
            self.expect_usage(typed, "good.umod", says=[f"unknown option '{typed}'; did you mean --format {meant}? see: uvet help check"])
        self.assertNotIn(b"--format", self.expect_usage("map", "--json", "good.umod").stderr)
        self.expect_usage("map", "--jobs=3", "good.umod", says=["unknown option '--jobs=3'", "uvet help map"])
        self.expect_usage("--" + "j" * 4000, "good.umod", says=["unknown option"])
        self.expect_usage("--=3", "good.umod", says=["unknown option"])

    def test_help(self):
        self.expect_usage("help", "chekk", says=["did you mean check?"])
        self.assertNotIn(b"mean", self.expect_usage("help", "nothing").stderr)


class Explain(Case):
    def test_any_case(self):
        page = self.expect(0, "explain", "UMD006").stdout
        for word in ["umd006", "Umd006", "crc_mismatch", "CRC_mismatch"]:
            self.assertEqual(self.expect(0, "explain", word).stdout, page)

    def test_families(self):
        lines = self.expect(0, "explain", "UMD").stdout.decode().splitlines()
        rules = [line for line in self.expect(0, "rules").stdout.decode().splitlines() if line.startswith("UMD")]
        self.assertEqual([line.split()[0] for line in lines], [line.split()[0] for line in rules])
        self.assertIn("crc_mismatch", "\n".join(lines))
        self.assertEqual(self.expect(0, "explain", "umd").stdout.decode().splitlines(), lines)

    def test_what_is_no_rule(self):
        self.expect_usage("explain", "UMD06", says=["'UMD06' is not a rule", "did you mean UMD006?"])
        self.expect_usage("explain", "crc_missmatch", says=["did you mean crc_mismatch?"])
        self.expect_usage("explain", "nothing-like-it", says=["is not a rule; see: uvet rules"])
        self.expect_usage("explain", "", says=["is not a rule"])
        self.expect_usage("explain", "u" * 5000, says=["is not a rule"])


if __name__ == "__main__":
    unittest.main()
