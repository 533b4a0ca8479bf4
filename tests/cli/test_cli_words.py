"""Black-box tests of what messages say: names, numbers and ids as whoever reads the report knows them."""
import json
import os
import sys
import unittest

from case import CONFORMANCE, Case, assemble, load

# For each rule whose message names a file beside the container: a vector that fires it, and that file's ending.
NAMING = [
    ("SET001", "SET001_pak_missing", ".pak"), ("SET002", "SET002_ucas_missing", ".ucas"), ("SET003", "SET003_partition_missing", "_s2.ucas"),
    ("SET004", "SET004_partition_extra", "_s1.ucas"), ("SET005", "SET005_names_differ_in_case_extension", ".PAK"),
    ("SET008", "SET008_pak_too_short", ".pak"), ("SET016", "SET016_pak_index_outside_offset", ".pak"), ("BLK008", "BLK008_ucas_truncated", ".ucas"), ("BLK009", "BLK009_padding_truncated", ".ucas"),
    ("BLK018", "BLK018_header_read_past_end", ".ucas"), ("BLK031", "BLK031_bytes_without_block", ".ucas"),
    ("BLK032", "BLK032_ucas_empty", ".ucas"),
]
STEM = "Mod_P"


class Words(Case):
    def report_of(self, vector, stem, *options):
        """The JSON report about the container of a vector, whose files have another stem."""
        v = load(os.path.join(CONFORMANCE, "vectors", "iostore", vector + ".vec"))
        image = assemble(v)
        folder = os.path.join(os.fsencode(self.folder), vector.encode())
        os.makedirs(folder, exist_ok=True)
        image.write(os.path.join(folder, stem + v.file[len(STEM):].encode()))
        for name, companion in image.companions.items():
            if name not in v.absent:
                companion.write(os.path.join(folder, stem + name[len(STEM):].encode()))
        done = self.run_uvet("-f", "json", *options, os.path.join(folder, stem + v.file[len(STEM):].encode()))
        return json.loads(done.stdout)

    @staticmethod
    def only(report, rule):
        found = [f for f in report["findings"] if f["rule"] == rule]
        assert found, rule
        return found[0]

    def test_names_of_files(self):
        for stem in ["n" * 62 + "_P", "M\u00f6d \u6a21\u578b \U0001f600" * 4 + "_P", "n" * 240 + "_P"]:
            for rule, vector, ending in NAMING:
                finding = self.only(self.report_of(vector, stem.encode()), rule)
                self.assertEqual(finding["data"]["file"], stem + ending)
                self.assertIn(f'"{stem}{ending}"', finding["message"])
                self.assertNotIn("cut", finding)

    @unittest.skipUnless(sys.platform == "linux", "names may be any bytes")
    def test_names_that_are_no_utf8(self):
        for rule, vector, ending in NAMING:
            finding = self.only(self.report_of(vector, b"M\xf6d\x84_P"), rule)
            self.assertEqual(finding["data"]["file"], "M\ufffdd\ufffd_P" + ending)
            self.assertIn(f'"M\\xF6d\\x84_P{ending}"', finding["message"])

    def test_whole_messages(self):
        """Texts of the file's with one pair of quotes; words that go with their numbers; nothing that only the rule's title explains."""
        for rule, vector, message in [
            ("DIR022", "DIR022_mount_point_malformed", 'the mount point "Foo/Plugins/" does not begin with ../../../'),
            ("DIR003", "DIR003_string_not_terminated", 'the string "Mods" does not end in a NUL'),
            ("TOC025", "TOC025_path_of_no_asset", '"../../../Foo/Content/Mods/Header.bin" is a chunk of type ContainerHeader, which should have no path'),
            ("DIR027", "DIR027_bytes_left", "1 byte follows the last string, expected at most the padding of an encrypted index"),
            ("DIR014", "DIR014_nameless_file", "file 0 has no name; 1 in all"),
            ("BLK008", "BLK008_ucas_truncated", '"BulkData e59666101d916545" lacks 1 byte in 1 block: "Mod_P.ucas" ends at 0x361'),
            ("UTH035", "UTH035_tables_truncated", "the file has 458 bytes, its header and tables need 459 bytes: 1 byte is missing"),
            ("PHS009", "PHS009_seed_count_mismatch_1", "1 seed for 3 chunks, expected 2"),
            ("PHS009", "PHS009_seed_count_mismatch", "3 seeds for 3 chunks, expected 2"),
        ]:
            found = self.report_of(vector, STEM.encode())["findings"]
            self.assertIn(message, [f["message"] for f in found if f["rule"] == rule])

    def test_ids_of_chunks(self):
        """All 12 bytes, in the order in which they are stored."""
        for rule, vector in [("TOC001", "TOC001_chunk_repeated"), ("TOC004", "TOC004_chunk_type_invalid"), ("PHS001", "PHS001_chunk_not_found")]:
            finding = self.only(self.report_of(vector, STEM.encode()), rule)
            at = 144 + 12 * finding["data"]["chunk"]
            stored = self.read(f"{vector}/{STEM}.utoc")[at:at + 12].hex()
            self.assertEqual(finding["data"]["id"], stored)
            self.assertIn(f"the id {stored}", finding["message"])


if __name__ == "__main__":
    unittest.main()
