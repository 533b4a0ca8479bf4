"""Black-box tests of what a verdict means: levels, scope, what was not judged, severities, exit codes."""
import json
import os
import struct
import unittest
import zlib

import samples
from case import FORMATS, Case, needs


def download(text):
    """A .uz2 of these bytes."""
    packed = zlib.compress(text)
    return struct.pack("<II", len(packed), len(text)) + packed


class Verdicts(Case):
    def head(self, *args, code, **more):
        """The first line of the text report, and the last."""
        lines = self.expect(code, *args, **more).stdout.decode().splitlines()
        return lines[0], lines[-1]

    def report(self, *args, code, **more):
        return json.loads(self.expect(code, *args, "-f", "json", **more).stdout)

    def artifact(self, *args, code, **more):
        return self.report(*args, code=code, **more)["artifacts"][0]


class Containers(Verdicts):
    """What lies beside an input is judged, or it is said that it was not."""

    def setUp(self):
        super().setUp()
        self.toc = self.assemble("iostore/good_minimal")

    @needs("blake3")
    def test_whole(self):
        first, last = self.head("Mod_P.utoc", code=0)
        self.assertTrue(first.startswith("VALID  Mod_P.utoc   "), first)
        self.assertIn("2 files: 2 valid, 0 invalid, 0 undetermined.", last)
        scope = self.artifact("Mod_P.utoc", code=0)["scope"]
        self.assertEqual(scope, {"level": "content", "not_evaluated": [], "rules_lowered": 0, "rules_off": 0, "whole": True})
        for level in ["default", "content"]:
            self.assertEqual(self.expect(0, "--level", level, "Mod_P.utoc").stdout, self.expect(0, "Mod_P.utoc").stdout)

    def test_not_looked_for(self):
        for args, more in [(["--siblings=none", "Mod_P.utoc"], {}), (["-", "--stdin-name", "Mod_P.utoc"], {"stdin": self.toc}),
                           (["--level=default", "--siblings=none", "Mod_P.utoc"], {}),
                           (["--level=content", "--siblings=none", "Mod_P.utoc"], {})]:
            lines = self.expect(2, *args, **more).stdout.decode().splitlines()
            self.assertTrue(lines[0].startswith("UNDETERMINED  Mod_P.utoc   "))
            self.assertEqual(lines[1], "   = not judged: 808 bytes: no file beside the input was looked for")
            self.assertTrue(lines[3].startswith("undetermined[RUN008] "))
            coverage = self.artifact(*args, code=2, **more)["coverage"]
            self.assertEqual(coverage["not_judged"], [{"bytes": 808, "reason": "companion", "what": ""}])

    def test_missing_is_another_thing(self):
        (self.folder / "Mod_P.ucas").unlink()
        self.assertTrue(self.head("Mod_P.utoc", code=1)[0].startswith("INVALID  "))
        (self.folder / "Mod_P.pak").unlink()
        self.assertIn(b"SET001", self.expect(1, "Mod_P.utoc").stdout)

    @unittest.skipIf(os.name == "nt", "such a name has another meaning there")
    def test_names_that_are_not_tried(self):
        for extension in ["utoc", "ucas", "pak"]:
            self.write(f"a:b_P.{extension}", self.read(f"Mod_P.{extension}"))
        artifact = self.artifact("a:b_P.utoc", code=2)
        self.assertEqual(artifact["findings"]["error"], 0)
        self.assertEqual([u["reason"] for u in artifact["coverage"]["not_judged"]], ["companion"])

    @unittest.skipIf(os.name == "nt", "a backslash separates folders there")
    def test_a_backslash_that_is_a_letter(self):
        """What lies beside a container of another name is not this one's, good or bad."""
        self.write("a\\Mod_P.utoc", self.read("Mod_P.utoc"))
        for there in [None, b"junk"]:
            for extension in ["ucas", "pak"] if there else []:
                self.write(f"a\\Mod_P.{extension}", there)
            for path in ["a\\Mod_P.utoc", str(self.folder / "a\\Mod_P.utoc")]:
                done = self.expect(2, "-f", "concise", path)
                self.assertIn(b"a\\Mod_P.utoc: undetermined[RUN008]", done.stdout)
                self.assertNotIn(b"error", done.stdout)

    @needs("nettle")
    def test_tables_only(self):
        first, last = self.head("--level=structure", "Mod_P.utoc", code=0)
        self.assertTrue(first.startswith("VALID (tables only)  Mod_P.utoc   "), first)
        self.assertIn("2 files: 2 valid (tables only), 0 invalid", last)
        self.assertIn(b"Mod_P.utoc: VALID (tables only), ", self.expect(0, "--level=structure", "-f", "concise", "Mod_P.utoc").stdout)
        report = self.report("--level=structure", "Mod_P.utoc", code=0)
        for scope in [report["artifacts"][0]["scope"], report["summary"]["scope"]]:
            self.assertEqual((scope["level"], scope["whole"]), ("structure", False))
        sarif = json.loads(self.expect(0, "--level=structure", "-f", "sarif", "Mod_P.utoc").stdout)["runs"][0]
        self.assertEqual(sarif["artifacts"][0]["properties"]["scope"]["level"], "structure")
        self.assertFalse(sarif["properties"]["scope"]["whole"])

    def test_tables_of_the_input_alone(self):
        for args, more in [(["--siblings=none", "Mod_P.utoc"], {}), (["-", "--stdin-name", "Mod_P.utoc"], {"stdin": self.toc})]:
            first, _ = self.head("--level=structure", *args, code=0, **more)
            self.assertTrue(first.startswith("VALID (tables only, without the files beside it)  "), first)
            scope = self.artifact("--level=structure", *args, code=0, **more)["scope"]
            self.assertEqual(scope["not_evaluated"], ["companions"])

    def test_tables_and_the_files_beside_them(self):
        self.write("Mod_P.ucas", self.read("Mod_P.ucas")[:-32])
        first, _ = self.head("--level=structure", "Mod_P.utoc", code=1)
        self.assertTrue(first.startswith("INVALID (tables only)  "), first)

    @needs("nettle")
    def test_no_key(self):
        self.assemble("iostore/RUN009_key_missing")
        coverage = self.artifact("Mod_P.utoc", code=2)["coverage"]
        self.assertEqual({(u["reason"], u["what"]) for u in coverage["not_judged"]},
                         {("key", "no key was given for these bytes"), ("key", "there is no key for the directory index")})
        self.assertTrue(all(u["bytes"] > 0 for u in coverage["not_judged"]))
        self.assertTrue(self.head("--level=structure", "Mod_P.utoc", code=2)[0].startswith("UNDETERMINED (tables only)  "))


class Rules(Verdicts):
    """Rules that are off, or count for less, narrow what a verdict is about."""

    def test_asked_for_in_words(self):
        for option in ["--only", "--select"]:
            first, last = self.head(option, "UMD005", "bad.umod", code=0)
            self.assertRegex(first, r"\AVALID \(\d+ rules off\)  bad.umod   ")
            self.assertRegex(last, r"1 file: 1 valid \(\d+ rules off\), 0 invalid")
        scope = self.artifact("--only", "UMD005", "bad.umod", code=0)["scope"]
        self.assertGreater(scope["rules_off"], 20)
        self.assertFalse(scope["whole"])

    def test_ignored(self):
        first, _ = self.head("--ignore", "UMD006", "bad.umod", code=0)
        self.assertTrue(first.startswith("VALID (1 rule off)  bad.umod   "), first)
        first, _ = self.head("--ignore", "UMD006", "--severity", "UMD010=warning", "good.umod", code=0)
        self.assertTrue(first.startswith("VALID (1 rule off, 1 lowered)  good.umod   "), first)
        self.assertTrue(self.head("--ignore", "UMD018", "bad.umod", code=1)[0].startswith("INVALID (1 rule off)  "))
        self.assertTrue(self.head("--ignore", "HDR", "good.umod", code=0)[0].startswith("VALID  "))

    def test_lowered(self):
        first, _ = self.head("--severity", "UMD006=note", "bad.umod", code=0)
        self.assertTrue(first.startswith("VALID (1 rule lowered)  bad.umod   "), first)
        self.assertEqual(self.artifact("--severity", "UMD006=note", "bad.umod", code=0)["scope"]["rules_lowered"], 1)
        self.assertTrue(self.head("--severity", "UMD018=error", "good.umod", code=0)[0].startswith("VALID  "))

    def test_every_severity_that_is_taken_has_its_effect(self):
        """Of a rule that finds a warning or a note, of one that is as mandatory as it is undetermined, and of both as they were."""
        self.assemble("uz/UZT005_chunks_no_package", "T.run.uz2")
        self.assemble("uz/UZT005_chunks_no_package_text", "T.ucl.uz2")
        self.assemble("iostore/good_minimal", "Mod_P.utoc")
        runs = [("UZT005", level, ["T.run.uz2"], code) for level, code in
                [("", 0), ("note", 0), ("warning", 0), ("undetermined", 2), ("error", 1), ("off", 0)]]
        runs += [(rule, level, ["T.ucl.uz2"], code) for rule, level, _, code in runs]
        runs += [("RUN008", level, ["--siblings=none", "Mod_P.utoc"], code) for level, code in [("", 2), ("undetermined", 2), ("error", 1)]]
        standard = {"T.run.uz2": "warning", "T.ucl.uz2": "note", "Mod_P.utoc": "undetermined"}
        for rule, level, args, code in runs:
            options = ["--severity", f"{rule}={level}"] if level else []
            report = json.loads(self.expect(code, *options, *args, "-f", "json").stdout)
            found = [f["severity"] for f in report["findings"] if f["rule"] == rule]
            self.assertEqual(found, [] if level == "off" else [level or standard[args[-1]]], (rule, level, args))

    def test_nothing_left(self):
        for args in [["--ignore", "all"], ["--ignore", "all", "--fail-on=never"], ["--only", "HDR001"], ["--select", "HDR"],
                     ["--only", "UMD018"], ["--select", "UMD018"], ["--only", "UMD006", "--severity", "UMD006=warning"]]:
            for form in FORMATS:
                done = self.expect(2, *args, "bad.umod", "-f", form)
                self.assertIn(b"RUN011", done.stdout)
        first, last = self.head("--ignore", "all", "bad.umod", code=2)
        self.assertRegex(first, r"\AUNDETERMINED \(\d+ rules off\)  ")
        self.assertIn("0 invalid, 1 undetermined.", last)
        unjudged = self.artifact("--ignore", "all", "bad.umod", code=2)["coverage"]["not_judged"]
        self.assertEqual(unjudged, [{"bytes": len(samples.BAD_CRC), "reason": "rules", "what": ""}])

    def test_mandatory(self):
        self.expect_usage("--ignore", "RUN011", "good.umod", says=["mandatory"])
        self.expect_usage("--severity", "RUN008=note", "good.umod", says=["mandatory", "RUN008"])
        self.expect_usage("--severity", "RUN011=off", "good.umod", says=["mandatory"])

    def test_folders(self):
        self.write("m/bad.umod", samples.BAD_CRC)
        done = self.expect(2, "-r", "--ignore", "all", "m")
        self.assertIn(b"nothing was checked", done.stderr)
        self.assertIn(b"1 not applicable", done.stdout)
        self.write("m/text.uz2", download(b"These bytes stand for a text."))
        self.assertIn(b"1 valid (", self.expect(0, "-r", "--only", "UMD005", "m").stdout)
        done = self.expect(2, "-r", "--only", "UMD006", "--severity", "UMD006=warning", "m")
        self.assertIn(b"NOT APPLICABLE (", done.stdout)
        self.assertIn(b"warning[UMD006]", done.stdout)
        self.expect(1, "-r", "--only", "UMD006", "--severity", "UMD006=warning", "--fail-on=warning", "m")


class Severities(Verdicts):
    """Whoever raises a rule raises what it says whenever it fires."""

    def setUp(self):
        super().setUp()
        self.write("readme.uz2", download(b"These bytes stand for a text."))

    def test_the_lesser_severity_is_raised_too(self):
        self.assertIn(b"note[UZT005]", self.expect(0, "readme.uz2").stdout)
        self.assertIn(b"undetermined[UZT005]", self.expect(2, "--severity", "UZT005=undetermined", "readme.uz2").stdout)
        self.assertIn(b"error[UZT005]", self.expect(1, "--severity", "UZT005=error", "readme.uz2").stdout)
        self.assertIn(b"warning[UZT005]", self.expect(0, "--severity", "UZT005=warning", "readme.uz2").stdout)
        coverage = self.artifact("--severity", "UZT005=undetermined", "readme.uz2", code=2)["coverage"]
        self.assertEqual(coverage["not_judged"], [{"bytes": 0, "reason": "rule", "what": "UZT005"}])

    def test_rules_of_the_check(self):
        self.assemble("iostore/good_minimal")
        self.assertIn(b"undetermined[RUN008]",
                      self.expect(2, "--severity", "RUN008=undetermined", "--siblings=none", "Mod_P.utoc").stdout)
        self.assertIn(b"error[RUN008]", self.expect(1, "--severity", "RUN008=error", "--siblings=none", "Mod_P.utoc").stdout)

    def test_off(self):
        self.assertNotIn(b"UZT005", self.expect(0, "--severity", "UZT005=off", "readme.uz2").stdout)
        self.assertIn(b"RUN011", self.expect(2, "--only", "UZT005", "--severity", "UZT005=off", "readme.uz2").stdout)


class Reasons(Verdicts):
    """What was not judged is said first, whatever is left out of the report."""

    def test_caps(self):
        self.assemble("iostore/good_minimal")
        for cap in ["--max-findings=0", "--max-per-rule=0"]:
            done = self.expect(2, cap, "--siblings=none", "Mod_P.utoc")
            self.assertIn(b"not judged: 808 bytes", done.stdout)
            self.expect(1, cap, "bad.umod")
        inside = samples.around(("System\\Inner.umod", samples.GOOD))
        self.write("outer.umod", inside[:-4] + bytes(byte ^ 0xFF for byte in inside[-4:]))
        done = self.expect(1, "--max-findings=1", "--max-depth=0", "outer.umod")
        self.assertIn(b"undetermined[RUN001]", done.stdout)
        self.assertNotIn(b"error[UMD006]", done.stdout)

    def test_unreadable(self):
        unjudged = self.artifact("missing.umod", code=2)["coverage"]["not_judged"]
        self.assertEqual(unjudged, [{"bytes": 0, "reason": "unreadable", "what": "there is no such file"}])
        unjudged = self.artifact("unknown.txt", code=2)["coverage"]["not_judged"]
        self.assertEqual(unjudged, [{"bytes": len(samples.UNKNOWN), "reason": "format", "what": ""}])

    def test_limits(self):
        lines = self.expect(2, "--max-entries", "1", "good.umod").stdout.decode().splitlines()
        self.assertRegex(lines[1], r"\A   = not judged: .*the limit max-entries of 1 was reached\Z")

    def test_versions(self):
        self.assemble("upkg/good_level_ue2", "Level.ut2")
        first, _ = self.head("Level.ut2", code=0)
        self.assertRegex(first, r"\AVALID \([a-z, ]+ of this version not judged\)  Level.ut2 ")
        scope = self.artifact("Level.ut2", code=0)["scope"]
        self.assertIn("levels", scope["not_evaluated"])
        self.assertFalse(scope["whole"])

    def test_data_that_no_reader_knows(self):
        self.assemble("upkg/NAT002_good_cubemap_ue1", "Wall.utx")
        first, _ = self.head("Wall.utx", code=0)
        self.assertRegex(first, r"\AVALID \(other data of this version not judged\)  Wall.utx ")
        self.assertEqual(self.artifact("Wall.utx", code=0)["scope"]["not_evaluated"], ["other_data"])


if __name__ == "__main__":
    unittest.main()
