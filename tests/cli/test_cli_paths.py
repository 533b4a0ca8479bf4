"""Black-box tests of how reports call files: as they are named, or from --path-root on."""
import json
import os
import re
import shutil
import subprocess
import unittest
import urllib.parse

import jsonschema

import samples
from case import FORMATS, PIPELINES, UVET, Case
from test_cli_machine import SARIF_SCHEMA

# Names whose bytes mean something in a URI, or are no UTF-8.
NAMES = ["a b.umod", "a:b.umod", "100%.umod", "a#b?c.umod", "a\\b.umod", "%41.umod", "\u00e4.umod", b"\xff.umod"]


class PathRoot(Case):
    def paths(self, *args, cwd=None):
        """The paths of the files in a report, without those of files in them."""
        folder, self.folder = self.folder, cwd or self.folder
        report = json.loads(self.run_uvet("-f", "json", *args).stdout)
        self.folder = folder
        return [artifact["path"] for artifact in report["artifacts"] if artifact["parent"] is None]

    def setUp(self):
        super().setUp()
        for name in ["dist/a/Mod.umod", "dist/Top.umod", "distX/Mod.umod", "dist/..b/Mod.umod"]:
            self.write(name, samples.GOOD)

    def test_without_it(self):
        for path in ["dist/a/Mod.umod", "./dist//a/../Top.umod", str(self.folder / "dist/Top.umod")]:
            self.assertEqual(self.paths(path), [path])

    def test_typed_alike(self):
        self.assertEqual(self.paths("--path-root", "dist", "dist/a/Mod.umod", "dist/Top.umod", "distX/Mod.umod", "good.umod"),
                         ["a/Mod.umod", "Top.umod", "distX/Mod.umod", "good.umod"])
        here = os.path.realpath(self.folder)
        self.assertEqual(self.paths("--path-root", here, f"{here}/dist/a/Mod.umod"), ["dist/a/Mod.umod"])
        self.assertEqual(self.paths(f"--path-root={here}/dist/", f"{here}/dist/a/Mod.umod", f"{here}/distX/Mod.umod"),
                         ["a/Mod.umod", f"{here}/distX/Mod.umod"])

    def test_dots_and_slashes(self):
        for root in ["dist", "./dist/", "dist//", "distX/../dist/a/.."]:
            self.assertEqual(self.paths("--path-root", root, "./dist//a/./Mod.umod", "distX/../dist/Top.umod", "dist/../distX/Mod.umod",
                                        "dist/..b/Mod.umod"),
                             ["a/Mod.umod", "Top.umod", "dist/../distX/Mod.umod", "..b/Mod.umod"])

    def test_relative_and_absolute(self):
        """The working folder makes them comparable."""
        here = os.path.realpath(self.folder)
        self.assertEqual(self.paths("--path-root", here, "dist/Top.umod"), ["dist/Top.umod"])
        self.assertEqual(self.paths("--path-root", f"{here}/dist", "dist/Top.umod"), ["Top.umod"])
        self.assertEqual(self.paths("--path-root", "dist", f"{here}/dist/Top.umod"), ["Top.umod"])
        below = self.folder / "dist/a"
        self.assertEqual(self.paths("--path-root", here, "Mod.umod", "../Top.umod", cwd=below), ["dist/a/Mod.umod", "dist/Top.umod"])
        self.assertEqual(self.paths("--path-root", "..", "Mod.umod", "../Top.umod", "../../distX/Mod.umod", cwd=below),
                         ["a/Mod.umod", "Top.umod", "../../distX/Mod.umod"])

    def test_walked(self):
        self.assertEqual(sorted(self.paths("--path-root", "dist", "dist", "distX")),
                         ["..b/Mod.umod", "Top.umod", "a/Mod.umod", "distX/Mod.umod"])
        self.assertEqual(self.paths("--path-root", "dist", "-j", "4", "dist/a", "dist/Top.umod"), ["a/Mod.umod", "Top.umod"])

    def test_files_in_files_and_beside(self):
        self.write("dist/outer.umod", samples.around(("System\\Inner.umod", samples.BAD_CRC)))
        done = self.run_uvet("-f", "json", "--path-root", "dist", "dist/outer.umod")
        self.assertIn("outer.umod!System\\Inner.umod", [a["path"] for a in json.loads(done.stdout)["artifacts"]])
        os.mkdir(self.folder / "dist/b")
        self.assemble("iostore/BLK008_ucas_truncated_behind", "dist/b/Mod_P.utoc")
        with_root = self.run_uvet("-f", "concise", "--path-root", "dist", "dist/b").stdout
        without = self.run_uvet("-f", "concise", "dist/b").stdout
        self.assertIn(b"b/Mod_P.ucas:", with_root)
        self.assertEqual(with_root.replace(b"b/Mod_P.", b"dist/b/Mod_P."), without)

    def test_the_working_folder_is_gone(self):
        """Then paths are compared as they are typed."""
        gone = self.folder / "gone"
        gone.mkdir()
        here = os.path.realpath(self.folder)
        command = f'cd "{gone}" && rmdir "{gone}" && exec "$0" "$@"'
        done = subprocess.run(["sh", "-c", command, UVET, "check", "-f", "json", "--path-root", here, f"{here}/dist/Top.umod"],
                              stdout=subprocess.PIPE, check=True)
        self.assertEqual(json.loads(done.stdout)["artifacts"][0]["path"], "dist/Top.umod")

    def test_every_report_has_it(self):
        shutil.copy(self.folder / "bad.umod", self.folder / "dist/Bad.umod")
        for form in FORMATS + PIPELINES:
            shown = self.run_uvet("-f", form, "--path-root", "dist", "-v", "dist/Bad.umod").stdout
            self.assertIn(b"Bad.umod", shown, form)
            self.assertNotIn(b"dist/Bad.umod", shown, form)

    def test_what_is_no_folder(self):
        self.expect_usage("--path-root", "", "good.umod", says=["path-root", "folder"])
        self.expect_usage("--path-root", "a" * 4096, "good.umod", says=["path-root", "4095"])
        self.assertEqual(self.paths("--path-root", "a" * 4095, "good.umod"), ["good.umod"])


class SarifPaths(Case):
    def run_of(self, *args, form="sarif"):
        return json.loads(self.run_uvet("-f", form, *args).stdout)["runs"][0]

    def locations(self, value):
        """Every artifact location in a report."""
        if isinstance(value, list):
            for item in value:
                yield from self.locations(item)
        elif isinstance(value, dict):
            for key, item in value.items():
                if key in ("location", "artifactLocation") and "uri" in item:
                    yield item
                yield from self.locations(item)

    def write_all(self):
        for name in NAMES:
            self.write(b"r/" + os.fsencode(name), samples.BAD_CRC)
        self.assemble("iostore/BLK008_ucas_truncated_behind", "r/Mod_P.utoc")

    def test_locations_are_relative_references(self):
        self.write_all()
        for root in [[], ["--path-root", "r"], ["--path-root", os.path.realpath(self.folder)]]:
            for form in ["sarif", "sarif-github"]:
                run = self.run_of(*root, "r", form=form)
                found = list(self.locations(run["artifacts"] + run["results"]))
                self.assertGreater(len(found), 2 * len(NAMES))
                for location in found:
                    self.assertRegex(location["uri"], r"\A(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+\Z")
                    self.assertEqual(location.get("uriBaseId"), "PATHROOT" if root and form == "sarif" and location["uri"][0] != "/" else None)
                folder = "" if root[1:] == ["r"] else "r/"
                uris = {urllib.parse.unquote_to_bytes(location["uri"]) for location in found}
                for name in NAMES:
                    self.assertIn(os.fsencode(folder) + os.fsencode(name), uris)

    def test_the_root(self):
        self.write_all()
        here = os.path.realpath(self.folder)
        self.assertNotIn("originalUriBaseIds", self.run_of("r"))
        self.assertNotIn("originalUriBaseIds", self.run_of("--path-root", here, "r", form="sarif-github"))
        self.assertEqual(list(self.run_of("--path-root", "r", "r")["originalUriBaseIds"]["PATHROOT"]), ["description"])
        for typed, path in [(here, f"{here}/"), (f"{here}/r//..//r/", f"{here}/r/"), ("/", "/"), (f"{here}/a b%", f"{here}/a b%/")]:
            uri = self.run_of("--path-root", typed, "r")["originalUriBaseIds"]["PATHROOT"]["uri"]
            self.assertTrue(re.fullmatch(r"file:///(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})*", uri), uri)
            self.assertEqual(urllib.parse.unquote(uri), f"file://{path}")

    def test_no_machine_is_named(self):
        """What was not typed is in no report."""
        self.write_all()
        here = os.path.realpath(self.folder).encode()
        for form in FORMATS + PIPELINES:
            self.assertNotIn(here, self.run_uvet("-f", form, "--path-root", "r", "r").stdout)

    def test_what_lies_outside(self):
        run = self.run_of("--path-root", "r", "bad.umod")
        for location in self.locations(run["artifacts"] + run["results"]):
            self.assertNotIn("uriBaseId", location)

    @unittest.skipUnless(SARIF_SCHEMA.exists(), "SARIF's schema is not there; ci/install.sh all provides it")
    def test_schema(self):
        self.write_all()
        schema = json.loads(SARIF_SCHEMA.read_text(encoding="utf-8"))
        for root in ["r", os.path.realpath(self.folder), "/"]:
            for form in ["sarif", "sarif-github"]:
                report = json.loads(self.run_uvet("-f", form, "--path-root", root, "r", "bad.umod").stdout)
                jsonschema.validators.validator_for(schema)(schema).validate(report)


if __name__ == "__main__":
    unittest.main()
