"""Black-box tests of the engine and the game that files are for."""
import json
import unittest

from case import Case, needs, sound

SOUND = sound("blake3", "nettle")
RULES = {"SET032", "SET033", "SET034", "PAK057"}


class Targets(Case):
    def setUp(self):
        super().setUp()
        self.assemble("iostore/good_v6", "Mod_P.utoc")

    def check(self, code, *args):
        return json.loads(self.expect(code, "check", "-f", "json", "--show-passed", *args, "Mod_P.utoc").stdout)

    @staticmethod
    def asked(report):
        """The target rules that were asked, of the container and of the .pak in it."""
        passed = {rule for a in report["artifacts"] for rule in a["coverage"]["rules_passed"]}
        return RULES & (passed | {f["rule"] for f in report["findings"]})

    def test_without_a_target_the_rules_do_not_apply(self):
        report = self.check(SOUND)
        self.assertEqual(self.asked(report), set())
        self.assertFalse(any(rule in str(a["coverage"]["rules_skipped"]) for a in report["artifacts"] for rule in RULES))
        self.assertNotIn("engine", report["policy"])
        self.assertEqual(report["policy"]["ignored"], [])

    def test_engines(self):
        report = self.check(SOUND, "--engine", "5.4")
        self.assertEqual(self.asked(report), RULES - {"SET034"})
        self.assertEqual(report["policy"]["engine"], "5.4")
        self.assertEqual(self.asked(self.check(SOUND, "--engine=5.6")), RULES - {"SET034"})
        report = self.check(1, "--engine", "5.3")
        self.assertEqual({f["rule"] for f in report["findings"] if f["severity"] == "error"}, {"SET032"})
        self.assertIn(b"and 5 is the newest that Unreal Engine 5.3 can read", self.expect(1, "--engine", "5.3", "Mod_P.utoc").stdout)

    def test_games(self):
        self.assertEqual(self.check(SOUND, "--game", "gothic-1-remake")["policy"]["engine"], "5.4")
        self.assertEqual(self.check(1, "--game", "sd-gundam-ba")["policy"]["engine"], "4.27")
        report = self.check(1, "--game", "gothic-1-remake", "--game-signs")
        self.assertEqual(({f["rule"] for f in report["findings"]}, report["policy"]["game_signs"]), ({"SET034"}, True))
        self.check(SOUND, "--game-signs", "--game", "gothic-1-remake")            # what is known of the game comes last

    def test_refusals(self):
        self.expect_usage("--engine", "5.9", "Mod_P.utoc", says=["5.0 to 5.8", "5.9"])
        self.expect_usage("--engine", "", "Mod_P.utoc", says=["--engine"])
        self.expect_usage("--game", "unreal", "Mod_P.utoc", says=["gothic-1-remake", "option engine"])

    @needs("inih")
    def test_configuration(self):
        self.write("game.ini", b"[uvet]\nengine = 5.3\ngame-signs = yes\n")
        report = self.check(1, "--config", "game.ini")
        self.assertEqual({f["rule"] for f in report["findings"]}, {"SET032", "SET034"})
        self.check(1, "--config", "game.ini", "--engine", "5.4")              # SET034 is left
        shown = self.expect(0, "--config", "game.ini", "--show-settings").stdout.decode()
        self.assertIn("engine = 5.3", shown)

    def test_rules_can_be_left_out_and_lowered(self):
        self.check(SOUND, "--engine", "5.3", "--ignore", "SET032")
        self.check(SOUND, "--engine", "5.3", "--severity", "SET032=warning")
        self.assertIn("SET032", self.check(SOUND, "--ignore", "SET032")["policy"]["ignored"])

    def test_explain(self):
        self.assertIn(b"--engine or --game", self.expect(0, "explain", "SET032").stdout)
        self.assertIn(b"--game-signs", self.expect(0, "explain", "SET034").stdout)


class Signatures(Case):
    """The sums of a .sig, and one that is missing."""

    def test_a_changed_pak(self):
        self.assemble("iostore/good_signed", "Mod_P.utoc")
        self.assertNotIn(b"PAK060", self.expect(SOUND, "check", "Mod_P.utoc").stdout)
        sig = bytearray(self.read("Mod_P.sig"))
        sig[-1] ^= 1
        self.write("Mod_P.sig", bytes(sig))
        self.assertIn(b"warning[PAK060]", self.expect(SOUND, "check", "Mod_P.utoc").stdout)
        (self.folder / "Mod_P.sig").unlink()
        text = self.expect(SOUND, "check", "Mod_P.utoc").stdout.decode()
        self.assertIn('"Mod_P.sig" is missing', text.split("[")[0])

    def test_a_pak_alone(self):
        self.assemble("pak/good_stub_347", "Mod_P.pak")
        text = self.expect(SOUND, "check", "Mod_P.pak").stdout.decode()
        self.assertIn('"Mod_P.utoc" is missing', text.split("[")[0])
        self.assertNotIn(b"PAK061", self.expect(sound("nettle"), "check", "--siblings=none", "Mod_P.pak").stdout)


if __name__ == "__main__":
    unittest.main()
