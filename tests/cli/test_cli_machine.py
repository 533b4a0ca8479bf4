"""Black-box tests of what programs read in reports: fingerprints, and when lines come."""
import json
import os
import shutil
import unittest

import samples
from case import Case


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


if __name__ == "__main__":
    unittest.main()
