"""Black-box tests of files within files: what each kind of report tells of them."""
import json
import unittest

import samples
from case import FORMATS, GENERAL, Case

MIDDLE = samples.around(("Help\\Core.rmod", samples.BAD_CRC))
OUTER = samples.around(("System\\Inner.umod", MIDDLE), ("Maps\\Sound.ut2mod", samples.GOOD))
NAMES = ["outer.umod", "outer.umod!System\\Inner.umod", "outer.umod!System\\Inner.umod!Help\\Core.rmod",
         "outer.umod!Maps\\Sound.ut2mod"]
PLACES = [(None, None), (0, OUTER.index(MIDDLE)), (1, MIDDLE.index(samples.BAD_CRC)), (0, OUTER.index(samples.GOOD))]


class Nested(Case):
    def setUp(self):
        super().setUp()
        self.write("outer.umod", OUTER)

    def report(self, form, *args, code=1):
        return self.expect(code, "-f", form, *args).stdout.decode()

    def test_text(self):
        lines = self.report("text", "outer.umod").splitlines()
        blame = f"   = inside: {NAMES[2]} is invalid"
        self.assertEqual([line.split("   ")[0] for line in lines if line.startswith(("VALID", "INVALID"))],
                         ["INVALID  " + name for name in NAMES[:3]])
        self.assertEqual(lines[-2], "... 1 file in it not listed: 1 valid; -v shows it")
        self.assertEqual([i for i, line in enumerate(lines) if line == blame], [1, 4])
        self.assertIn("4 files: 1 valid, 3 invalid, 0 undetermined.", lines[-1])
        self.assertIn("VALID  " + NAMES[3], self.report("text", "-v", "outer.umod"))

    def test_text_of_many(self):
        """What is wrong fills no more than a page, however many files are in it."""
        for name, member in (("many.umod", samples.GOOD), ("bad.umod", samples.BAD_CRC)):
            self.write(name, samples.around(*(("Help\\%d.umod" % i, member) for i in range(40))))
        lines = self.report("text", "many.umod", code=0).splitlines()
        self.assertEqual(sum(line.startswith("VALID") for line in lines), 21)
        self.assertIn("... 20 files in it not listed: 20 valid; -v shows them", lines)
        lines = self.report("text", "bad.umod").splitlines()
        self.assertLessEqual(len(lines), 60)
        self.assertEqual(sum(line.startswith("INVALID") for line in lines), 12)
        self.assertIn("... 29 files in it not listed: 29 invalid; -v shows them", lines)
        lines = self.report("text", "-v", "bad.umod").splitlines()
        self.assertEqual(sum(line.startswith("INVALID") for line in lines), 41)

    def test_concise(self):
        lines = self.report("concise", "outer.umod").splitlines()
        self.assertEqual(lines[0], f"{NAMES[0]}: INVALID, no findings, inside: {NAMES[2]} is invalid")
        self.assertTrue(lines[2].startswith(NAMES[2] + ": diagnosis[damaged] most likely: "))
        self.assertTrue(lines[3].startswith(NAMES[2] + ":0x"))
        self.assertEqual(lines[5], NAMES[3] + ": VALID, no findings")

    def test_json(self):
        report = json.loads(self.report("json", "good.umod", "outer.umod"))
        found = report["artifacts"][1:]
        self.assertEqual([a["path"] for a in found], NAMES)
        self.assertEqual([a["id"] for a in found], [1, 2, 3, 4])
        self.assertEqual([a["parent"] for a in found], [None if p is None else p + 1 for p, _ in PLACES])
        self.assertEqual([a.get("offset") for a in found], [offset for _, offset in PLACES])
        self.assertEqual([f["artifact"] for f in report["findings"]], [3])
        self.assertEqual(report["summary"]["artifacts"], {"invalid": 3, "not_applicable": 0, "undetermined": 0, "valid": 2})
        self.assertEqual(report["summary"]["verdict"], "invalid")

    def test_ndjson(self):
        lines = [json.loads(line) for line in self.report("ndjson", "outer.umod").splitlines()]
        self.assertEqual([line["type"] for line in lines], ["artifact", "artifact", "finding", "artifact", "artifact", "summary"])

    def test_sarif(self):
        run = json.loads(self.report("sarif", "outer.umod"))["runs"][0]
        self.assertEqual([a.get("parentIndex") for a in run["artifacts"]], [parent for parent, _ in PLACES])
        self.assertEqual([a.get("offset") for a in run["artifacts"]], [offset for _, offset in PLACES])
        self.assertEqual([a["length"] for a in run["artifacts"]], [len(OUTER), len(MIDDLE), len(samples.BAD_CRC), len(samples.GOOD)])
        self.assertEqual([a["location"]["uri"] for a in run["artifacts"]],
                         ["outer.umod", "/System/Inner.umod", "/Help/Core.rmod", "/Maps/Sound.ut2mod"])
        allowed = {"length", "location", "offset", "parentIndex", "properties", "roles"}       # of what the standard has
        self.assertTrue(all(set(a) <= allowed for a in run["artifacts"]))
        location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
        self.assertEqual(location, {"index": 2, "uri": "/Help/Core.rmod"})

    def test_sarif_paths_begin_with_one_slash(self):
        self.write("odd.umod", samples.around(("\\\\host\\a b#.umod", b""), ("/x/y.umod", b"")))
        run = json.loads(self.report("sarif", "odd.umod"))["runs"][0]
        self.assertEqual([a["location"]["uri"] for a in run["artifacts"]], ["odd.umod", "/host/a%20b%23.umod", "/x/y.umod"])

    def test_github_is_shown_the_file_of_the_repository(self):
        run = json.loads(self.report("sarif-github", "good.umod", "outer.umod"))["runs"][0]
        result = run["results"][0]
        self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"], {"index": 1, "uri": "outer.umod"})
        self.assertIn("[in " + NAMES[2] + "]", result["message"]["text"])

    def test_hostile_names_stay_harmless(self):
        names = ["a\n::error::x.umod", "##[error].umod", "\x1b[31m.umod", "!.umod"]
        self.write("hostile.umod", samples.around(*((name, samples.BAD_CRC) for name in names)))
        for form in GENERAL:
            text = self.report(form, "hostile.umod")
            self.assertNotIn("\x1b", text)
            self.assertFalse(any(line.startswith("::") or "##[" in line for line in text.split("\n")), text)

    def test_quiet_leaves_out_what_has_nothing_to_say(self):
        text = self.report("text", "-q", "outer.umod", "good.umod")
        self.assertNotIn(NAMES[3], text)
        self.assertIn("3 files: 3 invalid", text)
        self.write("sound.umod", samples.around(("System\\Inner.umod", samples.GOOD)))
        self.assertEqual(self.report("text", "-q", "sound.umod", code=0), "")

    def test_jobs_change_nothing(self):
        names = [f"{i}.umod" for i in range(40)]
        for i, name in enumerate(names):
            self.write(name, OUTER if i % 3 else samples.GOOD)
        for form in FORMATS:
            self.assertEqual(self.report(form, "-j1", *names), self.report(form, "-j4", *names))

    def test_limits(self):
        self.assertIn("max-depth of 1", self.report("concise", "--max-depth=1", "outer.umod", code=2))
        self.assertIn("max-nested of 2", self.report("concise", "--max-nested=2", "outer.umod", code=2))

    def test_names_within_are_not_those_of_files(self):
        """That no game looks for a name is said of files that a player has, not of members."""
        self.assemble("iostore/good_minimal", "Mod_P.utoc.bak")
        container = self.read("Mod_P.utoc.bak")
        self.write("mod.umod", samples.around(("System\\Mod_P.utoc", container), ("System\\Old_P.utoc.bak", container)))
        self.assertIn("SET031", self.report("concise", "Mod_P.utoc.bak", code=2))
        found = self.report("concise", "mod.umod", code=2)
        self.assertIn("Mod_P.utoc", found)
        self.assertNotIn("SET031", found)

    def test_map_and_info_leave_them_alone(self):
        for command in ["map", "info"]:
            self.assertNotIn("!", self.expect(0, command, "outer.umod").stdout.decode())


if __name__ == "__main__":
    unittest.main()
