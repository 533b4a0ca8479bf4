"""Black-box tests of what programs read in reports: fingerprints, and when lines come."""
import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import unittest

import jsonschema

import samples
from case import CONFORMANCE, UVET, Case

# SARIF's schema is not part of the project: ci/install.sh provides it.
SARIF_SCHEMA = pathlib.Path(CONFORMANCE).resolve().parent / "build" / "sarif" / "sarif-2.1.0.json"


def fingerprints(form, text):
    """The fingerprints in a report of one file."""
    if form == "ndjson":
        lines = [json.loads(line) for line in text.splitlines()]
        return [line["fingerprint"] for line in lines if line["type"] == "finding"]
    report = json.loads(text)
    if form == "json":
        return [finding["fingerprint"] for finding in report["findings"]]
    return [result["partialFingerprints"]["uvet/v2"] for result in report["runs"][0]["results"]]


class Fingerprints(Case):
    def of(self, *args, form="json", cwd=None):
        folder, self.folder = self.folder, cwd or self.folder
        done = self.run_uvet("-f", form, *args)
        self.folder = folder
        return fingerprints(form, done.stdout)

    def test_folders_and_spellings(self):
        """The same bytes have the same fingerprints from any folder, under any spelling."""
        self.write("here/mod.umod", samples.around(("System\\Inner.umod", samples.BAD_CRC))[:-4] + b"\0\0\0\0")
        for copy in ["there/mod.umod", "deep/er/mod.umod", "deep/other.umod"]:
            os.makedirs(os.path.dirname(self.folder / copy), exist_ok=True)
            shutil.copy(self.folder / "here/mod.umod", self.folder / copy)
        for form in ["json", "ndjson", "sarif", "sarif-github"]:
            expected = self.of("here/mod.umod", form=form)
            self.assertGreater(len(expected), 1)
            for jobs in "14":
                for path in ["there/mod.umod", "./deep//er/mod.umod", "deep/../deep/other.umod", self.folder / "here" / "mod.umod"]:
                    self.assertEqual(self.of("-j", jobs, path, form=form), expected, path)
                self.assertEqual(self.of("-j", jobs, "mod.umod", form=form, cwd=self.folder / "deep" / "er"), expected)
                self.assertEqual(self.of("-j", jobs, "-r", "deep/er", form=form), expected)

    def test_names_of_companions(self):
        self.assemble("iostore/SET002_ucas_missing", "a.utoc")
        os.mkdir(self.folder / "b")
        shutil.copy(self.folder / "a.utoc", self.folder / "b" / "other.utoc")
        without_hash = ["--ignore", "UTH023"]           # it is about a hash of the name
        self.assertEqual(self.of(*without_hash, "a.utoc"), self.of(*without_hash, "b/other.utoc"))

    def test_what_a_download_decompresses_to(self):
        self.assemble("uz/UZT005_good_killing_floor", "a.uz2")
        os.mkdir(self.folder / "b")
        shutil.copy(self.folder / "a.uz2", self.folder / "b" / "other.uz2")
        self.assertEqual(self.of("a.uz2"), self.of("b/other.uz2"))


    def test_copies_in_one_run(self):
        shutil.copy(self.folder / "bad.umod", self.folder / "copy.umod")
        alone = self.of("bad.umod")
        for jobs in "14":
            both = self.of("-j", jobs, "bad.umod", "copy.umod")
            self.assertEqual(both[:len(alone)], alone)
            self.assertEqual(len(set(both)), 2 * len(alone))
            self.assertEqual(both, self.of("copy.umod", "bad.umod"))


class Lines(Case):
    @unittest.skipUnless(hasattr(fcntl, "F_SETPIPE_SZ"), "no pipe can be made small")
    def test_lines_come_before_the_last_file_is_read(self):
        """Whoever has read the first line can still change the last file: the program waits with what does not fit into the pipe."""
        names = [f"copy{i}.umod" for i in range(400)]
        for name in names:
            os.link(self.folder / "bad.umod", self.folder / name)
        for jobs in "14":
            self.write("last.umod", samples.GOOD)
            reader, writer = os.pipe()
            fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
            command = [UVET, "-j", jobs, "-f", "ndjson", *names, "last.umod"]
            with os.fdopen(reader, "rb") as lines, subprocess.Popen(command, cwd=self.folder, stdout=writer):
                os.close(writer)
                first = json.loads(lines.readline())
                self.write("last.umod", samples.BAD_CRC)
                rest = [json.loads(line) for line in lines]
            self.assertEqual(first["type"], "finding")
            verdicts = {line["path"]: line["verdict"] for line in rest if line["type"] == "artifact"}
            self.assertEqual(verdicts["last.umod"], "invalid")
            self.assertEqual(list(verdicts), names + ["last.umod"])


class Sarif(Case):
    def report(self, form):
        self.write("nested.umod", samples.around(("System\\Inner.umod", samples.BAD_CRC)))
        self.assemble("iostore/SET002_ucas_missing", "a.utoc")
        done = self.run_uvet("-f", form, "bad.umod", "nested.umod", "a.utoc", "unknown.txt", "absent.umod")
        return json.loads(done.stdout)

    def test_limits_of_github(self):
        """What GitHub refuses or cuts: https://docs.github.com, SARIF support for code scanning."""
        report = self.report("sarif-github")
        self.assertLessEqual(len(report["runs"]), 20)
        for run in report["runs"]:
            self.assertLessEqual(len(run["results"]), 25000)
            self.assertLessEqual(len(run["tool"]["driver"]["rules"]), 25000)
            for rule in run["tool"]["driver"]["rules"]:
                self.assertLessEqual(len(rule["properties"]["tags"]), 10)
                self.assertLessEqual(len(rule["name"]), 255)
                self.assertLessEqual(len(rule["shortDescription"]["text"]), 1024)
                self.assertLessEqual(len(rule["fullDescription"]["text"]), 1024)
                security = rule["properties"].get("security-severity")
                self.assertEqual(security is not None, "security" in rule["properties"]["tags"])
                self.assertTrue(security is None or 0.0 < float(security) <= 10.0)
            for result in run["results"]:
                self.assertLessEqual(len(result["locations"]) + len(result.get("relatedLocations", [])), 100)
                self.assertEqual(run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], result["ruleId"])

    @unittest.skipUnless(SARIF_SCHEMA.exists(), "SARIF's schema is not there; ci/install.sh all provides it")
    def test_schema(self):
        schema = json.loads(SARIF_SCHEMA.read_text(encoding="utf-8"))
        for form in ["sarif", "sarif-github"]:
            jsonschema.validators.validator_for(schema)(schema).validate(self.report(form))


if __name__ == "__main__":
    unittest.main()
