"""Black-box tests of info for many files and folders."""
import hashlib
import json
import os
import unittest

import samples
from case import NO_SHA256, Case, has, needs


class WithoutNettle(Case):
    def test_it_is_said(self):
        self.assertEqual(self.expect(0, "info", "good.umod").stderr, NO_SHA256)
        if has("nettle"):
            self.expect(0, "--sha256", "good.umod")
        else:
            self.expect_usage("--sha256", "good.umod", says=["sha256", "no nettle"])


@needs("nettle")
class Digests(Case):
    """The SHA-256 of each file, where it is asked for."""

    def test_reports(self):
        """Of the file, and of each file that lies in it."""
        inner = samples.umod(b"x" * 70000)
        self.write("outer.umod", samples.around(("System\\Inner.umod", inner)))
        self.write("empty.utx", b"")
        expected = {"outer.umod": self.read("outer.umod"), "outer.umod!System\\Inner.umod": inner, "empty.utx": b"", "bad.umod": samples.BAD_CRC,
                    "unknown.txt": samples.UNKNOWN}
        names = [name for name in expected if "!" not in name]
        for args in [[], ["--level=structure"], ["-j2"]]:
            report = json.loads(self.expect(1, "--sha256", "-f", "json", *args, *names).stdout)
            self.assertEqual({a["path"]: a["sha256"] for a in report["artifacts"]},
                             {name: hashlib.sha256(data).hexdigest() for name, data in expected.items()})
        sarif = json.loads(self.expect(1, "--sha256", "-f", "sarif", *names).stdout)["runs"][0]["artifacts"]
        self.assertEqual(sorted(a["hashes"]["sha-256"] for a in sarif), sorted(hashlib.sha256(data).hexdigest() for data in expected.values()))
        sarif = json.loads(self.expect(1, "-f", "sarif", *names).stdout)["runs"][0]["artifacts"]
        self.assertFalse(any("hashes" in a for a in sarif))
        lines = [json.loads(line) for line in self.expect(1, "--sha256", "-f", "ndjson", *names).stdout.splitlines()]
        self.assertEqual(sorted(a["sha256"] for a in lines if "sha256" in a), sorted(hashlib.sha256(data).hexdigest() for data in expected.values()))

    def test_what_comes_out_of_a_download(self):
        self.assemble("uz/good_uz2", "Mod.u.uz2")
        artifacts = json.loads(self.expect(0, "--sha256", "-f", "json", "Mod.u.uz2").stdout)["artifacts"]
        self.assertGreater(len(artifacts), 1)
        self.assertTrue(all(len(a["sha256"]) == 64 for a in artifacts))

    def test_none_where_it_is_not_asked_for_or_not_known(self):
        self.assertNotIn(b"sha256", self.expect(0, "-f", "json", "good.umod").stdout)
        self.assertNotIn(b"sha256", self.expect(2, "--sha256", "-f", "json", "missing").stdout)

    def test_info(self):
        digest = hashlib.sha256(samples.GOOD).hexdigest()
        self.assertIn(f"\nsha256              {digest}\n".encode(), self.expect(0, "info", "good.umod").stdout)
        self.assertEqual(json.loads(self.expect(0, "info", "-f", "json", "-", stdin=samples.GOOD).stdout)["sha256"], digest)
        self.assertIn(hashlib.sha256(samples.UNKNOWN).hexdigest().encode(), self.expect(2, "info", "unknown.txt").stdout)


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

    def origin(self, vector):
        name = "it.utoc" if vector.startswith("iostore/") else "it.u"
        self.assemble(vector, name)
        said = json.loads(self.run_uvet("info", "-f", "json", name).stdout)
        text = self.run_uvet("info", name).stdout.decode()
        for key in ["engine", "games"]:
            self.assertEqual(f"\n{key}  " in text, key in said)
            self.assertIn(said.get(key, ""), text)
        return said.get("engine"), said.get("games")

    def test_engine_and_games(self):
        self.assertEqual(self.origin("iostore/good_v8_header_5_full"), ("Unreal Engine 5.5 or later", None))
        self.assertEqual(self.origin("iostore/BLK032_ucas_empty_v3"), ("Unreal Engine 4.27", None))
        self.assertEqual(self.origin("upkg/good_v61"), ("Unreal Engine 1", "Unreal"))
        self.assertEqual(self.origin("upkg/NAT002_good_vertmesh"), ("Unreal Engine 2", "Unreal Tournament 2003 or 2004"))
        self.assertEqual(self.origin("upkg/HDR026_licensee_tables_95_69"), (None, None))       # neither engine's
        said = json.loads(self.expect(0, "info", "-f", "json", "good.umod").stdout)
        self.assertNotIn("engine", said)

    def test_methods_of_compression(self):
        for vector, word in [("good_minimal", "none"), ("good_zlib", "Zlib"), ("BLK029_good_two_methods", "several"),
                             ("BLK026_method_name_invalid_none_used", "none")]:
            self.assemble(f"iostore/{vector}", "Mod_P.utoc")
            self.assertEqual(json.loads(self.run_uvet("info", "-f", "json", "Mod_P.utoc").stdout)["info"]["method"], word)

    @needs("nettle")
    def test_all_of_the_longest(self):
        """No file has more to tell than a container that is encrypted, called global, and has packages."""
        self.assemble("iostore/GLB001_script_objects_missing_facts")
        said = json.loads(self.run_uvet("info", "--aes-key-file", "keys.txt", "-f", "json", "global.utoc").stdout)["info"]
        self.assertEqual(len(said), 17)
        self.assertEqual(said["key_guid"], "00005EED000000010000000200000003")

    def test_usage(self):
        self.expect_usage("info", says=["PATH"])
        self.expect_usage("info", "-", "-", says=["standard input"])


if __name__ == "__main__":
    unittest.main()
