"""Black-box tests of sets: packages that are checked in one run, a game beside them, and uvet deps."""
import json
import random
import unittest

from case import Case


class Sets(Case):
    def setUp(self):
        super().setUp()
        for folder in ("mod/System", "mod/Textures", "game/System"):
            (self.folder / folder).mkdir(parents=True)
        self.assemble("set/XFL003_import_object_missing", "mod/System/User.u")
        self.assemble("upkg/good_minimal", "game/System/Core.u")

    def report(self, code, *args):
        return json.loads(self.expect(code, "check", "-f", "json", *args).stdout)

    def sets_of(self, report):
        return [a for a in report["artifacts"] if a.get("format") == "set"]

    def rules_of(self, report):
        ids = {a["id"] for a in self.sets_of(report)}
        return sorted(f["rule"] for f in report["findings"] if f["artifact"] in ids)

    def test_a_folder_has_one_more_report(self):
        report = self.report(1, "mod")
        self.assertEqual([a["path"] for a in report["artifacts"]], ["mod/System/User.u", "mod/Textures/Maker.utx", "mod/"])
        self.assertEqual([c["path"] for c in self.sets_of(report)[0]["companions"]], ["System/User.u", "Textures/Maker.utx"])
        self.assertEqual(self.rules_of(report), ["XFL003"])
        finding = [f for f in report["findings"] if f["rule"] == "XFL003"][0]
        self.assertEqual(finding["location"]["file"], "System/User.u")

    def test_the_order_of_paths_and_threads_do_not_count(self):
        paths = ["mod/System/User.u", "mod/Textures/Maker.utx", "game/System/Core.u"]
        first = self.sets_of(self.report(1, *paths))
        for seed in range(4):
            random.Random(seed).shuffle(paths)
            again = self.sets_of(self.report(1, "-j", str(1 + seed), *paths))
            self.assertEqual([{**a, "id": 0} for a in again], [{**a, "id": 0} for a in first])

    def test_one_file_is_no_set(self):
        self.assertEqual(self.sets_of(self.report(0, "mod/System/User.u")), [])
        self.assertEqual(self.sets_of(self.report(0, "mod/System/User.u", "game/System/Core.u")), [])

    def test_none_wants_no_set(self):
        self.assertEqual(self.sets_of(self.report(0, "--sets", "none", "mod")), [])
        self.expect_usage("check", "--sets", "some", "mod", says=["'some' is not auto or none"])

    def test_a_set_of_which_no_rule_is_asked_is_passed_over(self):
        report = self.report(0, "--only", "FIL", "mod/System/User.u", "mod/Textures/Maker.utx")
        self.assertEqual([a["verdict"] for a in self.sets_of(report)], ["not_applicable"])
        self.assertEqual(report["summary"]["verdict"], "valid")

    def test_a_game(self):
        report = self.report(0, "--ignore", "XFL003", "mod", "--game-dir", "game")
        self.assertEqual(self.sets_of(report)[0]["info"]["packages_of_the_game"], 1)
        self.assertEqual(len(report["artifacts"]), 3)
        (self.folder / "game/System/Core.u").rename(self.folder / "game/System/Engine.u")
        report = self.report(1, "--ignore", "XFL003", "mod", "--game-dir", "game")
        self.assertEqual(self.rules_of(report), ["XFL002", "XFL002"])
        self.assertEqual(self.rules_of(self.report(1, "--ignore", "XFL003", "mod/System/User.u", "--game-dir", "game")), ["XFL002", "XFL002"])
        self.expect_usage("check", "mod", "--game-dir", "no such folder", says=["'no such folder' is no folder of a game"])

    def test_memory_that_is_too_little_is_told(self):
        said = self.expect(2, "check", "-f", "concise", "--max-memory", "50000", "mod").stdout.decode()
        self.assertIn("mod/: undetermined[RUN005]", said)
        self.assertNotIn("XFL003", said)

    def test_deps(self):
        said = self.expect(0, "deps", "mod", "--game", "game").stdout.decode()
        self.assertIn("mod/System/User.u\n    Core: found in the game: Core.u\n    Maker: found: Textures/Maker.utx\n"
                      "        Maker.Shone (TextBuffer): MISSING\n", said)
        answer = json.loads(self.expect(0, "deps", "-f", "json", "mod").stdout)
        self.assertEqual([p["path"] for p in answer["packages"]], ["mod/System/User.u", "mod/Textures/Maker.utx"])
        self.assertEqual([i["state"] for i in answer["packages"][0]["imports"]],
                         ["not_given", "not_judged", "given", "missing", "found", "found"])
        self.expect_usage("deps", "mod", "-f", "xml", says=["'xml' is not text or json"])
        self.expect_usage("deps", "mod", "--game", "none", says=["'none' is no folder of a game"])

    def test_deps_in_archives(self):
        self.assemble("umod/good_minimal", "Mod.umod")
        answer = json.loads(self.expect(0, "deps", "-f", "json", "Mod.umod").stdout)
        self.assertEqual([(p["archive"], p["path"]) for p in answer["packages"]], [("Mod.umod", "Mod.umod!System\\Foo.u")])


if __name__ == "__main__":
    unittest.main()
