"""Black-box tests of the reports for pipelines: each read by a parser that is not ours, whatever files are called."""
import json
import os
import re
import resource
import unittest
import xml.etree.ElementTree as ElementTree

import samples
from case import PIPELINES, Case
from pipelines import READERS, commands

HOSTILE = [b"new\nline.umod", b"esc\x1b[31m.umod", b"c1\xc2\x9b31m.umod", b"bad\xff\xfe.umod", b"quote\"'<&>.umod", b"-dash.umod",
           b"##[error].umod", b"::error::x.umod", "rtl\u202e.umod".encode(), b"\\x1b.umod", b"]]>.umod", b"<script>alert(1)<.umod",
           b"=cmd+1,2;3.umod", b"@SUM(A1).umod", b"+1.umod", "\uff1d1.umod".encode(), b"100%0A%25.umod", b"a,title=b::c.umod",
           b"![x](y) @user #1 |.umod", b"`code`.umod", "\ufffe\u0085\u2028.umod".encode()]


class Pipelines(Case):
    def report(self, form, *args, code=1):
        """With None as code any is right."""
        done = self.run_uvet("-f", form, *args) if code is None else self.expect(code, "-f", form, *args)
        return READERS[form](done.stdout.decode("utf-8"))

    def assert_shown(self, text):
        for character in map(ord, text.replace("\r\n", "\n")):
            self.assertFalse((character < 0x20 and character != 0x0A) or 0x7F <= character <= 0x9F or
                             0x202A <= character <= 0x202E or character in (0x2028, 0xFFFE, 0xFFFF), text)


def without_diagnoses(form, found):
    """What a reader found of a report, but for the lines that say what happened to a file: in order, and of no suite the only case."""
    if form == "junit":
        return {suite: {case: outcome for case, outcome in cases.items() if not case.startswith("diagnosis ")} for suite, cases in found.items()}
    found = found[0] if form == "github" else found
    is_one = {"checkstyle": lambda row: row[2] == "uvet.diagnosis", "github": lambda row: row[1]["title"].startswith("diagnosis "),
              "gitlab": lambda row: row["check_name"] == "diagnosis", "csv": lambda row: row["rule"] == "diagnosis"}.get(form)
    return [row for row in found if not is_one or not is_one(row)]


class Formats(Pipelines):
    def test_junit(self):
        suites = self.report("junit", "good.umod", "bad.umod", "unknown.txt")
        self.assertEqual(suites["good.umod"], {"sound": "passed"})
        self.assertEqual(suites["bad.umod"], {"diagnosis damaged": "failure", "UMD006 crc_mismatch": "failure"})
        self.assertEqual(list(suites["unknown.txt"].values()), ["error"])

    def test_junit_follows_fail_on(self):
        lower = ["--severity", "UMD006=warning", "bad.umod"]
        self.assertEqual(self.report("junit", *lower, code=0)["bad.umod"], {"UMD006 crc_mismatch": "system-out"})
        self.assertEqual(self.report("junit", *lower, "--fail-on=warning")["bad.umod"], {"UMD006 crc_mismatch": "failure"})
        self.assertEqual(self.report("junit", *lower, "--fail-on=corruption")["bad.umod"], {"UMD006 crc_mismatch": "failure"})
        self.assertEqual(self.report("junit", *lower, "--fail-on=security", code=0)["bad.umod"], {"UMD006 crc_mismatch": "system-out"})
        self.assertEqual(self.report("junit", "--severity=UMD006=note", "bad.umod", "--fail-on=warning", code=0)["bad.umod"],
                         {"UMD006 crc_mismatch": "system-out"})
        self.assertEqual(self.report("junit", "bad.umod", "--fail-on=never", code=0)["bad.umod"],
                         {"diagnosis damaged": "failure", "UMD006 crc_mismatch": "failure"})

    def test_checkstyle(self):
        _, (name, severity, source, message), second = self.report("checkstyle", "good.umod", "bad.umod", "unknown.txt")
        self.assertEqual((name, severity, source), ("bad.umod", "error", "uvet.UMD006"))
        self.assertRegex(message, r"\Astored CRC 0x\w+, .* \[trailer\.crc, 0x\w+\+4\]\Z")
        self.assertEqual((second[0], second[1], second[3][:12]), ("unknown.txt", "error", "not judged: "))

    def test_github(self):
        found, last = self.report("github", "unknown.txt", "./bad.umod", "good.umod", "--severity", "FIL001=note")
        _, (kind, properties, message), undetermined = found
        self.assertEqual((kind, properties), ("error", {"file": "bad.umod", "title": "UMD006 crc_mismatch"}))
        self.assertRegex(message, r"\Astored CRC 0x\w+, .*\]\nGet the file again; ")
        self.assertEqual((undetermined[0], undetermined[1]["file"]), ("error", "unknown.txt"))
        self.assertEqual(last, "uvet: 3 files: 1 valid, 1 invalid, 1 undetermined; 1 error, 1 undetermined")

    def test_github_severest_first(self):
        self.write("a.umod", samples.BAD_CRC)
        self.assemble("iostore/SET002_ucas_missing", "b.utoc")
        found, _ = self.report("github", "--severity", "UMD006=note", "a.umod", "b.utoc", "unknown.txt")
        kinds = [kind for kind, _, _ in found]
        self.assertEqual(kinds, sorted(kinds, key=["error", "warning", "notice"].index))
        self.assertEqual((kinds[0], kinds[-1]), ("error", "notice"))

    def test_gitlab(self):
        os.mkdir(self.folder / "folder")
        self.write("folder/bad.umod", samples.BAD_CRC)
        _, one, _, other, unknown = self.report("gitlab", "./bad.umod", "folder/bad.umod", "unknown.txt", "good.umod")
        self.assertEqual((one["check_name"], one["severity"], one["location"]["path"]), ("UMD006", "critical", "bad.umod"))
        self.assertEqual(other["location"], {"lines": {"begin": 1}, "path": "folder/bad.umod"})
        self.assertEqual(unknown["severity"], "major")

    def test_csv(self):
        _, bad, unknown = self.report("csv", "bad.umod", "unknown.txt", "good.umod")
        self.assertEqual((bad["path"], bad["verdict"], bad["rule"], bad["severity"], bad["class"]),
                         ("bad.umod", "invalid", "UMD006", "error", "corruption"))
        self.assertEqual((int(bad["offset"]), bad["length"], bad["field"]), (len(samples.BAD_CRC) - 4, "4", "trailer.crc"))
        self.assertRegex(bad["message"], r"\Astored CRC")
        self.assertEqual((unknown["verdict"], unknown["severity"]), ("undetermined", "undetermined"))

    def test_markdown_and_html(self):
        for form in ["markdown", "html"]:
            found = self.report(form, "bad.umod", "good.umod", "unknown.txt")
            self.assertEqual(found, [("bad.umod", "INVALID"), ("good.umod", "VALID"), ("unknown.txt", "UNDETERMINED")])
            text = self.expect(1, "-f", form, "bad.umod").stdout.decode()
            for words in ["stored CRC 0x", "trailer.crc", "Get the file again.", "Most likely:"]:
                self.assertIn(words, text)
        shown = self.expect(1, "-f", "html", "bad.umod").stdout.decode()
        stored = [f"{byte:02x}" for byte in samples.BAD_CRC[-4:]]          # they lie in two rows
        self.assertRegex(shown, f"\\[?{stored[0]} {stored[1]} +\\|[^\n]*\n +180 \\|[ \\[]{stored[2]} {stored[3]}")

    def test_html_shows_what_lies_where(self):
        """The picture covers the file, and marks the findings; other reports do not pay for it."""
        text = self.expect(1, "-f", "html", "bad.umod").stdout.decode()
        picture = re.search("<svg .*?</svg>", text, re.S)[0]
        rects = [rect.attrib for rect in ElementTree.fromstring(picture).iter("rect")]
        bar = [(int(r["x"]), int(r["width"])) for r in rects if r["y"] == "0"]
        self.assertEqual(sum(width for _, width in bar), 193)           # cells of 2 bytes, in a file of 386
        self.assertEqual([r["x"] for r in rects if r["class"] == "mark"], [str((len(samples.BAD_CRC) - 4) // 2)])
        rows = re.findall("</span> ([a-z]+)</th><td>([0-9]+)</td>", text)
        self.assertEqual(sum(int(n) for _, n in rows), len(samples.BAD_CRC))
        self.assertIn("<svg", self.expect(0, "-f", "html", "good.umod").stdout.decode())
        self.assertNotIn("<svg", self.expect(2, "-f", "html", "unknown.txt").stdout.decode())

    def test_diagnosis_comes_first(self):
        """What happened to the file and what to do, for who got it and who made it, stands before the findings and is as severe."""
        self.write("cut.umod", samples.GOOD[:-30])
        said = json.loads(self.expect(1, "-f", "json", "cut.umod").stdout)["artifacts"][0]["diagnosis"]
        message, fix = f"most likely: {said['message']}", said["fix"]
        self.assertRegex(fix, r"\AGet the file again: .*\. Compare .*\.\Z")
        self.assertEqual(self.report("checkstyle", "cut.umod")[0], ("cut.umod", "error", "uvet.diagnosis", f"{message}. {fix}"))
        self.assertEqual(self.report("github", "cut.umod")[0][0],
                         ("error", {"file": "cut.umod", "title": "diagnosis truncated"}, f"{message}\n{fix}"))
        issue = self.report("gitlab", "cut.umod")[0]
        self.assertEqual((issue["check_name"], issue["severity"], issue["description"]), ("diagnosis", "critical", f"{message}. {fix}"))
        self.assertEqual(issue["location"]["path"], "cut.umod")
        row = self.report("csv", "cut.umod")[0]
        self.assertEqual((row["path"], row["verdict"], row["rule"], row["name"], row["severity"]),
                         ("cut.umod", "invalid", "diagnosis", "truncated", "error"))
        self.assertEqual((row["message"], row["fix"]), (message, fix))
        self.assertEqual({row[key] for key in ["class", "offset", "length", "field", "fingerprint"]}, {""})
        self.assertEqual(list(self.report("junit", "cut.umod")["cut.umod"].items())[0], ("diagnosis truncated", "failure"))
        case = ElementTree.fromstring(self.expect(1, "-f", "junit", "cut.umod").stdout)[0][0]
        self.assertEqual((case[0].get("message"), case[0].get("type"), case[0].text), (message, "truncated", f"{message}. {fix}"))
        first = self.expect(1, "-f", "concise", "cut.umod").stdout.decode().splitlines()[0]
        self.assertEqual(first, f"cut.umod: diagnosis[truncated] {message}. {fix}")

    def test_diagnosis_is_as_severe_as_the_findings(self):
        """So no gate that looks at the worst says something else for it."""
        self.assemble("iostore/SET002_ucas_missing", "a.utoc")
        self.write("b.bin", b"PK\x07\x08" + bytes(60))
        for name, kind, level, outcome in [("a.utoc", "missing_companion", "error", None), ("b.bin", "other_format", "undetermined", "error")]:
            rows = self.report("csv", name, code=None)
            self.assertEqual((rows[0]["name"], rows[0]["severity"]), (kind, level), name)
            self.assertEqual(rows[0]["severity"], max((row["severity"] for row in rows[1:]), key=["note", "warning", "undetermined", "error"].index))
            cases = self.report("junit", name, code=None)[name]
            self.assertEqual(cases[f"diagnosis {kind}"], outcome or "failure")
        self.assertEqual(self.report("csv", "b.bin", code=2)[0]["message"], "cause: the file is a part of a zip archive, which this version does not read")
        self.assertEqual(self.report("gitlab", "b.bin", code=2)[0]["severity"], "major")

    def test_diagnosis_of_a_file_that_is_not_invalid(self):
        """A warning has an explanation, too: its case passes."""
        self.write("a.u", self.assemble("upkg/good_minimal", "a.u") + 100 * b"x")
        appended = self.report("csv", "a.u", code=0)[0]
        self.assertEqual((appended["verdict"], appended["name"], appended["severity"]), ("valid", "appended", "warning"))
        self.assertEqual(self.report("github", "a.u", code=0)[0][0][0], "warning")
        self.assertEqual(self.report("github", "--severity=HDR024=note", "a.u", code=0)[0][0][0], "notice")
        self.assertEqual(self.report("junit", "a.u", code=0)["a.u"], {"diagnosis appended": "system-out", "HDR024 bytes_after_package": "system-out"})
        self.assertEqual(self.report("junit", "--fail-on=warning", "a.u")["a.u"]["diagnosis appended"], "failure")

    def test_no_damage_is_an_attack(self):
        """What a diagnosis explains is no matter of security."""
        self.assemble("iostore/BLK023_block_size_mismatch_long", "Mod_P.utoc")
        report = json.loads(self.run_uvet("-f", "json", "Mod_P.utoc").stdout)
        classes = {finding["fingerprint"]: finding["class"] for finding in report["findings"]}
        rules = {r["id"]: r["class"] for r in json.loads(self.run_uvet("rules", "-f", "json").stdout)["rules"]}
        self.assertTrue(any(rules[f["rule"]] == "security" for f in report["findings"]))
        rows = self.report("csv", "Mod_P.utoc")
        self.assertEqual({row["fingerprint"]: row["class"] for row in rows[1:]}, classes)
        self.assertNotIn("blocker", {issue["severity"] for issue in self.report("gitlab", "Mod_P.utoc")})
        kinds = {element.get("type") for element in ElementTree.fromstring(self.run_uvet("-f", "junit", "Mod_P.utoc").stdout).iter("failure")}
        self.assertNotIn("security", kinds)

    def test_no_files(self):
        os.mkdir(self.folder / "empty")
        empty = {form: self.report(form, "-r", "empty", code=2) for form in PIPELINES}
        self.assertEqual((empty["checkstyle"], empty["gitlab"], empty["csv"], empty["github"][0]), ([], [], [], []))
        self.assertEqual((empty["markdown"], empty["html"]), ([], []))
        self.assertEqual(empty["junit"], {"uvet": {"files": "error"}})
        self.assertEqual(empty["github"][1], "uvet: 0 files: 0 valid, 0 invalid, 0 undetermined; no findings")

    def test_missing_files(self):
        for form in PIPELINES:
            self.assertTrue(self.report(form, "nowhere.umod", code=2), form)


class Nested(Pipelines):
    def setUp(self):
        super().setUp()
        self.write("outer.umod", samples.around(("System\\In,ner.umod", samples.BAD_CRC)))

    def test_files_of_a_repository(self):
        """GitHub and GitLab show a finding at the outermost file, and say which one it is in."""
        found, _ = self.report("github", "outer.umod")
        self.assertEqual({properties["file"] for _, properties, _ in found}, {"outer.umod"})
        self.assertTrue(any("[in outer.umod!System\\In,ner.umod]" in message for _, _, message in found), found)
        issues = self.report("gitlab", "outer.umod")
        self.assertEqual({issue["location"]["path"] for issue in issues}, {"outer.umod"})
        self.assertTrue(any(issue["description"].endswith("[in outer.umod!System\\In,ner.umod]") for issue in issues))

    def test_files_of_their_own(self):
        inner = "outer.umod!System\\In,ner.umod"
        self.assertEqual(self.report("junit", "outer.umod")[inner], {"diagnosis damaged": "failure", "UMD006 crc_mismatch": "failure"})
        self.assertIn((inner, "uvet.UMD006"), [(name, source) for name, _, source, _ in self.report("checkstyle", "outer.umod")])
        self.assertIn((inner, "UMD006"), [(row["path"], row["rule"]) for row in self.report("csv", "outer.umod")])

    def test_verdict_of_the_outer_file(self):
        """It is told where no finding of its own says it."""
        self.write("sound.umod", samples.around(("System\\Inner.umod", samples.BAD_CRC)))
        self.assertEqual(self.report("junit", "sound.umod")["sound.umod"], {"verdict invalid": "failure"})
        verdict = [row["message"] for row in self.report("csv", "sound.umod") if row["rule"] == "verdict"]
        self.assertEqual(verdict, ['the file is invalid: in it, "System\\Inner.umod" is invalid'])

    def test_hostile_members(self):
        members = ["a\n::error::x.umod", "##[error].umod", "\x1b[31m.umod", "]]><x>.umod", "=1.umod"]
        self.write("hostile.umod", samples.around(*((name, samples.BAD_CRC) for name in members)))
        for form in PIPELINES:
            done = self.expect(1, "-f", form, "hostile.umod")
            self.assertTrue(READERS[form](done.stdout.decode()), form)
            self.assert_shown(done.stdout.decode())


class Hostile(Pipelines):
    def setUp(self):
        super().setUp()
        for name in HOSTILE:
            self.write(name, samples.BAD_CRC)

    def test_names(self):
        """Each file is told of once, after what happened to it, and nothing that is not text is in a report."""
        for form in PIPELINES:
            text = self.expect(1, "-f", form, "--", *HOSTILE).stdout.decode()
            self.assert_shown(text)
            self.assertNotIn("##[", text)
            found = READERS[form](text)
            self.assertEqual(len(without_diagnoses(form, found)), len(HOSTILE), form)

    def test_names_come_through(self):
        """What a reader can be given unchanged, it is."""
        plain = ["quote\"'<&>.umod", "]]>.umod", "<script>alert(1)<.umod", "100%0A%25.umod", "a,title=b::c.umod", "`code`.umod"]
        self.assertLessEqual(set(plain), set(self.report("junit", "--", *HOSTILE)))
        self.assertLessEqual(set(plain), {name for name, *_ in self.report("checkstyle", "--", *HOSTILE)})
        self.assertLessEqual(set(plain), {row["path"] for row in self.report("csv", "--", *HOSTILE)})
        self.assertLessEqual(set(plain), {name for name, _ in self.report("html", "--", *HOSTILE)})
        self.assertLessEqual({*plain[:5], "\\x60code\\x60.umod", "![x](y) @user #1 \\x7C.umod"},
                             {name for name, _ in self.report("markdown", "--", *HOSTILE)})
        files = {properties["file"] for _, properties, _ in self.report("github", "--", *HOSTILE)[0]}
        self.assertLessEqual({*plain, "new\nline.umod"}, files)
        self.assertLessEqual({*plain, "new\nline.umod"}, {i["location"]["path"] for i in self.report("gitlab", "--", *HOSTILE)})

    def test_missing(self):
        missing = [b"no" + name for name in HOSTILE]
        for form in PIPELINES:
            text = self.expect(2, "-f", form, "--", *missing).stdout.decode()
            self.assert_shown(text)
            found = READERS[form](text)
            self.assertEqual(len(without_diagnoses(form, found)), len(HOSTILE), form)


class Many(Pipelines):
    N = 2000

    def setUp(self):
        super().setUp()
        self.names = [f"{i:04}.umod" for i in range(self.N)]
        for name in self.names:
            self.write(name, samples.BAD_CRC)

    def test_two_thousand_findings(self):
        for form in PIPELINES:
            found = self.report(form, "-j2", *self.names)
            self.assertEqual(len(without_diagnoses(form, found)), 150 if form == "markdown" else self.N, form)
            self.assertEqual(self.report(form, "-j1", *self.names), found)

    def test_github_says_what_it_does_not_show(self):
        few = commands(self.expect(1, "-f", "github", *self.names[:5]).stdout.decode())[1]
        many = commands(self.expect(1, "-f", "github", *self.names[:6]).stdout.decode())[1]
        self.assertNotIn("GitHub", few)
        self.assertRegex(many, r"; 6 errors; GitHub shows 10 annotations of a kind, this log has all\Z")

    def test_markdown_says_what_it_does_not_show(self):
        text = self.expect(1, "-f", "markdown", *self.names).stdout.decode()
        self.assertIn("\n1850 more files not listed here.\n", text)
        self.assertIn("2000 errors; 1920 of these are not listed here.\n", text)
        self.assertEqual(text.count("UMD006"), 80)

    def test_markdown_keeps_room_for_what_is_not_sound(self):
        sound = [f"s{i:04}.umod" for i in range(200)]
        for name in sound:
            self.write(name, samples.GOOD)
        found = self.report("markdown", *sound, "bad.umod")
        self.assertEqual((len(found), found[-1]), (51, ("bad.umod", "INVALID")))

    def test_findings_that_are_not_shown(self):
        """A file of whose findings there was no room is told as invalid all the same."""
        for form in PIPELINES:
            found = self.report(form, "--max-findings=1", *self.names[:3])
            self.assertEqual(len(without_diagnoses(form, found)), 3, form)
        self.assertIn("not all of them shown", self.report("github", "--max-findings=1", *self.names[:3])[1])


class Faults(Pipelines):
    def test_full_disk(self):
        for form in PIPELINES:
            with open("/dev/full", "wb") as full:
                done = self.expect(4, "bad.umod", "-f", form, stdout=full)
            self.assertIn(b"standard output could not be written", done.stderr)
            for size in [0, 1, 40]:
                limit = {"env": {"LLVM_PROFILE_FILE": os.devnull},
                         "preexec_fn": lambda size=size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))}
                self.expect(4, "bad.umod", "-f", f"{form}=out", **limit)
                self.assertFalse((self.folder / "out").exists())

    def test_several_at_once(self):
        args = [arg for form in PIPELINES for arg in ["-f", f"{form}=out.{form}"]]
        self.expect(1, "good.umod", "bad.umod", "unknown.txt", *args)
        for form in PIPELINES:
            self.assertEqual(self.read(f"out.{form}"), self.expect(1, "good.umod", "bad.umod", "unknown.txt", "-f", form).stdout)


if __name__ == "__main__":
    unittest.main()
