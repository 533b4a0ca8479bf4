"""Black-box tests of --policy-from: files that are held against one that is known to be good."""
import json
import shutil
import unittest

import samples
from case import FORMATS, PIPELINES, Case, needs, sound

SOUND, SIGNED = sound("blake3"), sound("blake3", "nettle")          # of a whole container


class Reference(Case):
    def setUp(self):
        super().setUp()
        for name, vector in [("v8", "good_minimal"), ("v7", "good_v7"), ("signed", "good_signed"), ("locked", "good_encrypted")]:
            (self.folder / name).mkdir()
            self.assemble(f"iostore/{vector}", f"{name}/Mod_P.utoc")

    def found(self, *args, code=SOUND):
        """(rule, path) of each finding of the family REF, and the report."""
        report = json.loads(self.expect(code, "-f", "json", *args).stdout)
        paths = {a["id"]: a["path"] for a in report["artifacts"]}
        return [(f["rule"], paths[f["artifact"]]) for f in report["findings"] if f["rule"].startswith("REF")], report

    def not_applicable(self, report):
        """Whether no rule of the family was asked of anything."""
        told = json.dumps([a["coverage"] for a in report["artifacts"]])
        return "REF0" not in told

    def test_the_same_version_passes(self):
        found, report = self.found("--policy-from", "v8/Mod_P.utoc", "v8/Mod_P.utoc", "--show-passed")
        self.assertEqual(found, [])
        self.assertEqual([r for r in report["artifacts"][0]["coverage"]["rules_passed"] if r.startswith("REF")],
                         ["REF001", "REF002", "REF003", "REF004"])
        self.assertTrue(report["summary"]["scope"]["whole"])
        self.assertEqual(report["policy"]["references"], 1)

    def test_without_a_reference_nothing_is_compared(self):
        found, report = self.found("v8/Mod_P.utoc", "v7/Mod_P.utoc", "--show-passed")
        self.assertEqual(found, [])
        self.assertTrue(self.not_applicable(report))
        self.assertNotIn("references", report["policy"])

    def test_another_version_is_a_warning(self):
        found, report = self.found("--policy-from", "v7/Mod_P.utoc", "v8/Mod_P.utoc", "v7/Mod_P.utoc")
        self.assertEqual(found, [("REF001", "v8/Mod_P.utoc")])
        self.assertIn("format version 8, expected 7 as in the reference", [f["message"] for f in report["findings"]])
        self.assertTrue(report["summary"]["scope"]["whole"])
        self.expect(1, "--policy-from", "v7/Mod_P.utoc", "v8/Mod_P.utoc", "--fail-on", "warning")
        self.expect(SOUND, "--policy-from", "v7/Mod_P.utoc", "v7/Mod_P.utoc", "--fail-on", "warning")

    def test_a_rule_that_is_raised_or_ignored(self):
        found, report = self.found("--policy-from", "v7/Mod_P.utoc", "v8/Mod_P.utoc", "--severity", "REF001=error", code=1)
        self.assertEqual((found, report["summary"]["verdict"]), ([("REF001", "v8/Mod_P.utoc")], "invalid"))
        self.assertEqual(report["artifacts"][0]["scope"]["whole"], True)
        for option in [["--ignore", "REF001"], ["--ignore", "REF"], ["--severity", "REF001=off"], ["--ignore", "version_unlike_reference"]]:
            found, report = self.found("--policy-from", "v7/Mod_P.utoc", "v8/Mod_P.utoc", *option)
            self.assertEqual((found, report["summary"]["scope"]["whole"]), ([], True))

    def test_several_references(self):
        """A value of any of them will do, each fact by itself."""
        both = ["--policy-from", "v7/Mod_P.utoc", "--policy-from", "signed/Mod_P.utoc"]
        found, report = self.found(*both, "v8/Mod_P.utoc", "v7/Mod_P.utoc", "signed/Mod_P.utoc", code=SIGNED)
        self.assertEqual((found, report["policy"]["references"]), ([], 2))
        many = ["--policy-from", "v7/Mod_P.utoc"] * 64
        self.assertEqual(self.found(*many, "v7/Mod_P.utoc")[0], [])
        self.expect_usage(*many, "--policy-from", "v7/Mod_P.utoc", "v7/Mod_P.utoc", says=["--policy-from", "one too many"])

    def test_references_are_not_held_against_each_other(self):
        raised = ["--severity", "REF001=error"]
        self.assertEqual(self.found(*raised, "--policy-from", "v7/Mod_P.utoc", "--policy-from", "v8/Mod_P.utoc", "v8/Mod_P.utoc")[0], [])

    def test_another_format_is_not_compared(self):
        found, report = self.found("--policy-from", "v7/Mod_P.utoc", "good.umod", "--show-passed", code=0)
        self.assertEqual(found, [])
        self.assertTrue(self.not_applicable(report))

    def test_what_the_file_does_not_tell_is_not_evaluated(self):
        """The mount point of an encrypted index, without its key."""
        found, report = self.found("--policy-from", "v8/Mod_P.utoc", "locked/Mod_P.utoc", code=2)
        self.assertEqual(found, [("REF004", "locked/Mod_P.utoc")])
        self.assertIn({"reason": "reference", "rule": "REF003"}, report["artifacts"][0]["coverage"]["rules_skipped"])
        text = self.expect(2, "-v", "--policy-from", "v8/Mod_P.utoc", "locked/Mod_P.utoc").stdout
        self.assertRegex(text, rb"REF003.*\n?.*not known of this file")

    def test_a_file_of_which_little_is_known(self):
        """What ends in its header tells nothing that could be compared."""
        self.assemble("upkg/good_minimal", "v69.u")
        self.write("short.u", self.read("v69.u")[:8])
        self.write("short.utoc", self.read("v8/Mod_P.utoc")[:20])
        for good, name, rules in [("v69.u", "short.u", ["REF005"]), ("v8/Mod_P.utoc", "short.utoc", ["REF002", "REF003", "REF004"])]:
            found, report = self.found("--policy-from", good, name, code=1)
            self.assertEqual(found, [])
            skipped = [r["rule"] for r in report["artifacts"][0]["coverage"]["rules_skipped"] if r["reason"] == "reference"]
            self.assertEqual([rule for rule in skipped if rule != "REF001"], rules)

    @needs("nettle")
    def test_a_reference_that_lacks_only_a_key(self):
        """Its tables are sound, and its protection and version are known; keys of the command line count for it."""
        found, report = self.found("--policy-from", "locked/Mod_P.utoc", "v8/Mod_P.utoc", "--show-passed")
        self.assertEqual(found, [("REF004", "v8/Mod_P.utoc")])
        self.assertNotIn("REF003", report["artifacts"][0]["coverage"]["rules_passed"])
        _, report = self.found("--aes-key-file", "locked/keys.txt", "--policy-from", "locked/Mod_P.utoc", "v8/Mod_P.utoc", "--show-passed")
        self.assertIn("REF003", report["artifacts"][0]["coverage"]["rules_passed"])

    def test_files_in_files(self):
        """A package that was named is compared with packages in installers, and the other way round."""
        self.assemble("umod/good_installed_as_package", "in.umod")
        self.assemble("upkg/good_minimal", "v69.u")
        self.assemble("upkg/good_v61", "v61.u")
        self.assertEqual(self.found("--policy-from", "v69.u", "in.umod", code=0)[0], [])
        self.assertEqual(self.found("--policy-from", "v61.u", "in.umod", code=0)[0], [("REF001", "in.umod!System\\Foo.u")])
        self.assertEqual(self.found("--policy-from", "in.umod", "v69.u", "v61.u", "in.umod", code=0)[0], [("REF001", "v61.u")])

    def test_every_format_and_any_number_of_threads(self):
        args = ["--policy-from", "v7/Mod_P.utoc", "v8", "v7", "signed", "good.umod"]
        for form in FORMATS + PIPELINES:
            done = [self.expect(SIGNED, "-f", form, *args, "-j", n).stdout for n in ["1", "2", "4"]]
            self.assertEqual(done[0], done[1])
            self.assertEqual(done[0], done[2])
            self.assertIn(b"REF001" if form != "text" else b"version_unlike_reference", done[0])

    def test_explain(self):
        for name in ["REF001", "ref002", "mount_point_unlike_reference", "REF004", "licensee_unlike_reference"]:
            self.assertIn(b"reference", self.expect(0, "explain", name).stdout)
        self.assertEqual(self.expect(0, "explain", "REF").stdout.count(b"_unlike_reference"), 5)


class Refused(Case):
    """One learns nothing from a file that is not known to be good; nothing is checked then."""

    def refuse(self, good, *says, args=()):
        self.expect_usage("--policy-from", good, *args, "good.umod", "-f", "json=out", says=["--policy-from: the good file", *says])
        self.assertFalse((self.folder / "out").exists())

    def test_what_cannot_be_read(self):
        self.refuse("none.utoc", "cannot be read", "none.utoc", "there is no such file")
        (self.folder / "folder.utoc").mkdir()
        self.refuse("folder.utoc", "cannot be read", "it is a folder")
        self.refuse("", "cannot be read")

    def test_what_is_broken(self):
        self.refuse("bad.umod", "is invalid", "bad.umod", "UMD")
        self.assemble("iostore/good_minimal")
        (self.folder / "Mod_P.ucas").unlink()
        self.refuse("Mod_P.utoc", "is invalid")

    def test_a_broken_file_in_it(self):
        self.assemble("umod/good_nested", "outer.umod")
        data = self.read("outer.umod")
        at = data.rindex(b"[Setup]")
        self.write("outer.umod", data[:at] + b"[Sexup]" + data[at + 7:])
        self.refuse("outer.umod", "is invalid")

    def test_an_unknown_format(self):
        self.refuse("unknown.txt", "no format", "unknown.txt", "RUN004")
        self.refuse("unknown.txt", "was not judged", args=["--unknown", "skip"])

    def test_what_was_not_judged_to_its_end(self):
        self.refuse("good.umod", "not judged to its end", "RUN001", args=["--max-work", "1"])
        self.refuse("good.umod", "not judged to its end", "RUN011", args=["--select", "TOC"])

    def test_the_first_cause_is_told(self):
        """Of several files in it that were not judged."""
        inner = samples.around(("System\\Inner.umod", samples.GOOD))
        self.write("outer.umod", samples.around(("System\\One.umod", inner), ("System\\Two.umod", inner)))
        self.refuse("outer.umod", "not judged to its end", "RUN001", args=["--max-depth", "1"])

    def test_a_hostile_name(self):
        name = "a\x1b]0;b\x07\n::error::.utoc"
        done = self.run_uvet("--policy-from", name, "good.umod")
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, rb"\Auvet: [\x20-\x7e]+\n\Z")
        self.assertIn(b"\\x1B]0;b\\x07\\x0A::error", done.stderr)

    def test_hostile_texts_in_it(self):
        """What makes a good file a bad one is told with texts of that file."""
        data = self.assemble("umod/good_minimal", "texts.umod")
        place = data.index(b"Foo.u") if b"Foo.u" in data else data.index(b"System")
        self.write("texts.umod", data[:place] + b"\x1b[2J" + data[place + 4:])
        done = self.run_uvet("--policy-from", "texts.umod", "good.umod")
        self.assertEqual(done.returncode, 3)
        self.assertNotIn(b"\x1b", done.stderr)
        self.assertEqual(done.stderr.count(b"\n"), 1)

    def test_no_report_replaces_it(self):
        shutil.copy(self.folder / "good.umod", self.folder / "known.umod")
        before = self.read("known.umod")
        self.expect_usage("--policy-from", "known.umod", "good.umod", "-f", "json=known.umod", says=["known.umod"])
        self.assertEqual(self.read("known.umod"), before)

    def test_only_check_takes_it(self):
        for command in ["map", "info", "explain"]:
            self.expect_usage(command, "--policy-from", "good.umod", "good.umod", says=["unknown option"])


class MountPoints(Case):
    def test_a_long_one_is_cut_where_it_is_told_and_no_example(self):
        self.assemble("policy/REF003_mount_point_unlike_reference_long")
        told = json.loads(self.expect(0, "info", "-f", "json", "Mod_P.utoc").stdout)["info"]["mount_point"]
        self.assertEqual(told, "../../../Foo/Content/" + "x" * 239 + "...")
        self.assertIn(told.encode() + b"\n", self.expect(0, "info", "Mod_P.utoc").stdout)
        self.expect_usage("--policy-from", "Mod_P.utoc", "good.umod", says=["Mod_P.utoc", "a mount point that is longer than a path can be"])

    def test_a_mount_point_is_told_and_escaped(self):
        self.assemble("iostore/good_minimal")
        data = self.read("Mod_P.utoc")
        (self.folder / "good").mkdir()
        self.assemble("iostore/good_minimal", "good/Mod_P.utoc")
        self.write("Mod_P.utoc", data.replace(b"../../../Foo/Content/", b"../../../\x1b[2J/Folder/"))
        for form in ["text", "concise", "json", "sarif", "markdown", "html"]:
            done = self.run_uvet("-f", form, "--policy-from", "good/Mod_P.utoc", "Mod_P.utoc")
            self.assertIn(b"REF003" if form != "text" else b"mount_point_unlike_reference", done.stdout)
            self.assertNotIn(b"\x1b", done.stdout)
        done = self.expect(0, "info", "Mod_P.utoc")
        self.assertIn(b"mount_point         ../../../\\x1B[2J/Folder/", done.stdout)
        told = json.loads(self.expect(0, "info", "-f", "json", "Mod_P.utoc").stdout)
        self.assertEqual(told["info"]["mount_point"], "../../../\x1b[2J/Folder/")


if __name__ == "__main__":
    unittest.main()
