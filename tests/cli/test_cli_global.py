"""Black-box tests of --global: the game's global container, whose script objects packages import."""
import json
import shutil
import unittest

from case import Case, sound

SOUND = sound("blake3", "nettle")         # of a whole container


class Global(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "game").mkdir()
        (self.folder / "mod").mkdir()
        self.assemble("iostore/good_global", "game/global.utoc")
        self.assemble("iostore/good_minimal", "mod/Mod_P.utoc")

    def refuse(self, path, *says, args=()):
        self.expect_usage("--global", path, *args, "mod/Mod_P.utoc", "-f", "json=out", says=["--global: ", *says])
        self.assertFalse((self.folder / "out").exists())

    def test_its_script_objects_are_known(self):
        report = json.loads(self.expect(SOUND, "-f", "json", "--global", "game/global.utoc", "mod/Mod_P.utoc").stdout)
        self.assertEqual(report["policy"]["script_objects"], 1)
        self.assertFalse([a["path"] for a in report["artifacts"] if not a["path"].startswith("mod/Mod_P.")])
        self.assertTrue(report["summary"]["scope"]["whole"])

    def test_without_it_none_are_known(self):
        self.assertNotIn("script_objects", json.loads(self.expect(SOUND, "-f", "json", "mod/Mod_P.utoc").stdout)["policy"])

    def test_the_last_one_counts(self):
        self.expect(SOUND, "--global", "nothing", "--global", "game/global.utoc", "mod/Mod_P.utoc")
        self.refuse("nothing", args=["--global", "nothing"])

    def test_its_tables_are_enough(self):
        report = json.loads(self.expect(sound("nettle"), "-f", "json", "--level", "structure", "--global", "game/global.utoc", "mod/Mod_P.utoc").stdout)
        self.assertEqual(report["policy"]["script_objects"], 1)

    def test_together_with_a_reference(self):
        report = json.loads(self.expect(SOUND, "-f", "json", "--global", "game/global.utoc", "--policy-from", "mod/Mod_P.utoc", "mod/Mod_P.utoc").stdout)
        self.assertEqual((report["policy"]["references"], report["policy"]["script_objects"]), (1, 1))

    def test_a_bad_reference_is_told_first(self):
        self.expect_usage("--global", "none.utoc", "--policy-from", "bad.umod", "mod/Mod_P.utoc", says=["--policy-from: the good file is invalid"])

    def test_what_cannot_be_read(self):
        self.refuse("game/none.utoc", "cannot be read", "none.utoc", "there is no such file")
        self.refuse("game", "cannot be read", "it is a folder")

    def test_what_is_no_global_container(self):
        self.refuse("mod/Mod_P.utoc", "no global container", "Mod_P.utoc")
        self.refuse("good.umod", "no global container")
        self.refuse("unknown.txt", "no global container", args=["--unknown", "skip"])
        shutil.copytree(self.folder / "game", self.folder / "renamed")
        for end in [".utoc", ".ucas"]:
            (self.folder / f"renamed/global{end}").rename(self.folder / f"renamed/game{end}")
        self.refuse("renamed/game.utoc", "no global container, which is called global.utoc")

    def test_what_is_broken(self):
        self.assemble("iostore/GLB005_script_object_id_mismatch_hash", "game/global.utoc")
        self.refuse("game/global.utoc", "is invalid", "GLB005", "is not the hash of its path")
        (self.folder / "game/global.ucas").unlink()
        self.refuse("game/global.utoc", "is invalid", "SET002")

    def test_what_was_not_judged_to_its_end(self):
        self.refuse("game/global.utoc", "not judged to its end", "RUN001", args=["--max-work", "1"])
        self.refuse("game/global.utoc", "not judged to its end", args=["--siblings", "none"])

    def test_an_empty_list(self):
        data = self.assemble("iostore/GLB002_script_objects_size_mismatch_more", "game/global.utoc")
        self.assertTrue(data)
        self.refuse("game/global.utoc", "is invalid", "GLB002")

    def test_a_hostile_name(self):
        done = self.run_uvet("--global", "a\x1b]0;b\x07\n::error::.utoc", "good.umod")
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, rb"\Auvet: [\x20-\x7e]+\n\Z")

    def test_no_report_replaces_it(self):
        before = self.read("game/global.utoc")
        self.expect_usage("--global", "game/global.utoc", "good.umod", "-f", "json=game/global.utoc", says=["global.utoc"])
        self.assertEqual(self.read("game/global.utoc"), before)

    def test_only_check_takes_it(self):
        for command in ["map", "info", "explain"]:
            self.expect_usage(command, "--global", "game/global.utoc", "good.umod", says=["unknown option"])


if __name__ == "__main__":
    unittest.main()
