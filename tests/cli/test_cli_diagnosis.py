"""Black-box tests of what a report says has happened to a file, and of whom it suspects. conformance/damage has the table of causes."""
import gzip
import hashlib
import json
import os
import random
import struct
import unittest
import zlib

import samples
from case import Case, has, needs


class Diagnosis(Case):
    def diagnosis(self, name, *options):
        done = self.run_uvet("-f", "json", *options, name)
        return json.loads(done.stdout)["artifacts"][0].get("diagnosis")

    def rename(self, old, new):
        os.rename(self.folder / old, self.folder / new)

    def message(self, name):
        found = self.diagnosis(name)
        return (found["id"], found["message"]) if found else (None, "")

    def test_a_few_bytes_are_left(self):
        """However much is missing: what is left of a file says that it goes on."""
        self.assemble("iostore/good_zlib", "Mod_P.utoc")
        payload = self.read("Mod_P.ucas")
        for left in (1, 8, 64, 200):
            self.write("Mod_P.ucas", payload[:left])
            self.assertEqual(self.message("Mod_P.utoc")[0], "truncated")
            self.assertRegex(self.message("Mod_P.utoc")[1], f'^"Mod_P.ucas" is truncated: it needs at least [0-9]+ bytes, and has {left} bytes?;')
        whole = self.assemble("uz/UZC001_good_5678", "Mod.u.uz")
        for left in (1, 4, 8, 12):
            self.write("Mod.u.uz", whole[:left])
            self.assertEqual(self.message("Mod.u.uz")[0], "truncated")

    def test_how_much_is_missing_at_least(self):
        """A package says where its tables begin, and not where the last of them ends."""
        whole = self.assemble("upkg/BOD003_good_last", "Mod.u")
        self.write("Mod.u", whole[:len(whole) - 40])
        self.write("Mod.u", whole[:80])
        kind, message = self.message("Mod.u")
        self.assertEqual(kind, "truncated")
        self.assertRegex(message, "; at least [0-9]+ bytes are missing$")

    def test_one_record_is_no_truncated_file(self):
        """One bit of a block's offset, in the third of its five bytes: the .ucas is whole."""
        whole = self.assemble("iostore/good_zlib", "Mod_P.utoc")
        blocks = 144 + 22 * int.from_bytes(whole[24:28], "little") + 4 * (int.from_bytes(whole[84:88], "little") +
                                                                          int.from_bytes(whole[96:100], "little"))
        self.write("Mod_P.utoc", whole[:blocks + 2] + bytes([whole[blocks + 2] ^ 0x40]) + whole[blocks + 3:])
        self.assertIn(b"BLK008", self.run_uvet("Mod_P.utoc").stdout)
        self.assertNotIn("truncated", self.message("Mod_P.utoc")[1])

    @needs("blake3")
    def test_bytes_after_a_ucas(self):
        self.assemble("iostore/good_zlib", "Mod_P.utoc")
        payload = self.read("Mod_P.ucas")
        for tail in (b"<html>" * 3, bytes(5000)):
            self.write("Mod_P.ucas", payload + bytes(-len(payload) % 16) + tail)
            self.assertEqual(self.message("Mod_P.utoc"), ("appended", f'"Mod_P.ucas" is complete after {len(payload) + -len(payload) % 16} '
                                                          f"bytes, and then {len(tail)} bytes of something else follow"))
        # where a chunk is another, nobody knows what follows what
        self.write("Mod_P.ucas", bytes([payload[0] ^ 1]) + payload[1:] + b"x" * 100)
        self.assertNotEqual(self.message("Mod_P.utoc")[0], "appended")

    def test_the_first_byte_after_the_end(self):
        for vector, name in (("upkg/BOD003_good_last", "Mod.u"), ("uz/UZC011_good_package", "Mod.u.uz"), ("iostore/good_zlib", "Mod_P.utoc")):
            whole = self.assemble(vector, name)
            self.assertIsNone(self.diagnosis(name))
            self.write(name, whole + b"\n")
            self.assertEqual(self.message(name), ("appended", f"the file is complete after {len(whole)} bytes, and then 1 byte of something "
                                                  "else follows"))

    def test_a_file_twice(self):
        whole = self.assemble("upkg/BOD003_good_last", "Mod.u")
        self.write("Mod.u", whole + whole)
        self.assertEqual(self.message("Mod.u"), ("appended", f"the file is complete after {len(whole)} bytes, and then it begins again, with "
                                                 f"{len(whole)} bytes more"))
        self.write("twice.umod", samples.GOOD + samples.GOOD)
        self.assertIn("begins again", self.message("twice.umod")[1])
        # a piece that was sent twice moves the tables: their end is not known
        self.write("Mod.u", whole[:60] + whole[40:])
        self.assertNotEqual(self.message("Mod.u")[0], "appended")

    def test_a_flipped_bit_is_no_truncated_download(self):
        whole = self.assemble("uz/UZC011_good_package", "Mod.u.uz")
        told = []
        for at in range(len(whole) // 2, len(whole) - 16):
            self.write("Mod.u.uz", whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1:])
            told.append(self.message("Mod.u.uz"))
            self.assertIn(told[-1][0], ("damaged", None), at)
        self.assertIn("decompresses to no package, and ends at another place", str(told))
        self.assertIn("1 check of its contents failed", str(told))

    def test_what_is_no_installer_is_not_truncated(self):
        self.write("cut.umod", samples.GOOD[:200])
        self.assertEqual(self.message("cut.umod")[0], "truncated")
        self.write("cut.umod", bytes((i * 37 + 11) % 251 for i in range(2000)))
        self.assertIsNone(self.diagnosis("cut.umod"))

    def test_a_file_inside_another_is_named(self):
        whole = self.assemble("upkg/BOD003_good_last", "Mod.u")
        self.write("Mod.u.uz2", b"".join(struct.pack("<II", len(part), len(whole) + 9) + part for part in [zlib.compress(whole + b"Uploaded.")]))
        done = json.loads(self.run_uvet("-f", "json", "Mod.u.uz2").stdout)
        self.assertRegex(done["artifacts"][1]["diagnosis"]["message"], '^"Mod.u" is complete after ')

    def test_a_few_bytes_after_chunks(self):
        """Too few for a chunk's header, after one that is not full: nothing is missing."""
        whole = self.assemble("upkg/BOD003_good_last", "Mod.u")
        packed = zlib.compress(whole)
        self.write("Mod.u.uz2", struct.pack("<II", len(packed), len(whole)) + packed + b"\r\n")
        self.assertIn("2 bytes of something else follow", self.message("Mod.u.uz2")[1])
        self.write("Mod.u.uz2", struct.pack("<II", len(packed), len(whole)))
        self.assertIn(f"at least {len(packed)} bytes are missing", self.message("Mod.u.uz2")[1])

    def test_it_stands_below_the_verdict(self):
        self.write("cut.umod", samples.GOOD[:-30])
        lines = self.run_uvet("cut.umod").stdout.decode().splitlines()
        self.assertTrue(lines[0].startswith("INVALID"))
        self.assertRegex(lines[1], r"^Most likely: the file is truncated: .* Get the file again")
        self.assertIn("for the author", lines[2])
        self.assertNotIn("Most likely", self.run_uvet("good.umod").stdout.decode())

    def test_a_page_under_another_name(self):
        self.write("Mod.umod", b"<!DOCTYPE html>\n<html><body>Sign in to download</body></html>\n")
        found = self.diagnosis("Mod.umod")
        self.assertEqual((found["id"], found["confidence"]), ("other_format", "certain"))
        self.assertIn("an HTML page, but its name promises another format: UMOD installer", found["message"])
        self.assertIn("Get the file again", found["fix"])

    def test_what_to_do_about_a_page_a_pointer_an_archive_and_a_stream(self):
        """Each is told what helps; how a stream begins other files begin, too, so that it is no certain cause."""
        other, unread = ", but its name promises another format: ", ", which this version does not read"
        for data, words, again, besides in [(b"<!DOCTYPE html><html></html>", "is an HTML page", "a text in its place", "a text in its place"),
                                            (b'{"error":"Not Found"}', "is a JSON document", "a text in its place", "a text in its place"),
                                            (b"version https://git-lfs.github.com/spec/v1\n", "is a Git LFS pointer", "git lfs pull", "git lfs pull"),
                                            (b"PK\x07\x08" + bytes(99), "is a part of a zip archive", "unpack it first", "Unpack it, and check"),
                                            (b"%PDF-1.4" + bytes(99), "is a PDF document", "from its download link. ", "Check the files of the mod. "),
                                            (zlib.compress(bytes(range(256))) + b"x" * 99, "begins as a zlib stream does", "under a wrong name", "its right name")]:
            for name, rest, fix in [("Mod.pak", other, again), ("Mod.bin", unread, besides)]:
                self.write(name, data)
                found = self.diagnosis(name)
                self.assertEqual((found["id"], found["confidence"]), ("other_format", "likely" if "begins" in words else "certain"))
                self.assertIn("the file " + words + rest, found["message"])
                self.assertIn(fix, found["fix"])
                self.assertEqual("unpack" in found["fix"].lower(), "part of a zip" in words)
        self.assertIn(b"UNDETERMINED  Mod.bin   no known format", self.run_uvet("Mod.bin").stdout)

    def test_a_file_of_no_format(self):
        """What was named is told for what it is; a text need not be of any format, nor what a folder has besides."""
        self.write("d/Mod.bin", b"PK\x07\x08" + bytes(60))
        self.assertIn("a part of a zip archive, which this version does not read", self.diagnosis("d/Mod.bin")["message"])
        self.assertIsNone(self.diagnosis("d"))
        self.write("readme.txt", b"This is what the mod does, and how it is installed.\n")
        self.assertIsNone(self.diagnosis("readme.txt"))

    def test_a_companion_of_another_format(self):
        """What lies beside a file is named, too, as long as nothing in it is what it should be."""
        for ending, content, what in [(".ucas", b"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"),
                                      (".ucas", b"Not found", "a text file"), (".ucas", b"PK\x03\x04" + bytes(9000), "a zip archive"),
                                      (".pak", b"<html><body>Sign in</body></html>" + b" " * 99, "an HTML page")]:
            self.assemble("iostore/good_zlib", "Mod_P.utoc")
            self.write("Mod_P" + ending, content)
            found = self.diagnosis("Mod_P.utoc")
            self.assertEqual(found["id"], "other_format", what)
            self.assertIn(f'"Mod_P{ending}" is {what}, but its name promises another format: ', found["message"])

    def test_payload_may_begin_as_anything(self):
        """A .ucas that is only cut short is no stream, nor is what its first chunk begins with."""
        self.assemble("iostore/good_zlib", "Mod_P.utoc")
        self.write("Mod_P.ucas", (self.folder / "Mod_P.ucas").read_bytes()[:-40])
        self.assertEqual(self.diagnosis("Mod_P.utoc")["id"], "truncated")

    def test_a_container_whose_files_were_exchanged(self):
        self.assemble("iostore/good_zlib", "Mod_P.utoc")
        for old, new in [("Mod_P.utoc", "x"), ("Mod_P.ucas", "Mod_P.utoc"), ("x", "Mod_P.ucas")]:
            self.rename(old, new)
        found = self.diagnosis("Mod_P.utoc")
        self.assertEqual(found["id"], "renamed")
        self.assertIn('the file was exchanged with "Mod_P.ucas", which begins as a .utoc does', found["message"])

    def test_something_before_the_file(self):
        package = b"\xc1\x83\x2a\x9e" + bytes(200)
        for before, expected, says in [
                (b"HTTP/1.1 200 OK\r\nServer: x\r\n\r\n", "other_format", "begins with 30 bytes of an HTTP header, and only then the file"),
                (b"--b42\r\nContent-Type: x\r\n\r\n", "other_format", "bytes of the header of a web form (multipart), and only then"),
                (b"<br />\n<b>Notice</b>: x<br />\n", "other_format", "bytes of a message of PHP, and only then the file"),
                (b"\r\n", "appended", "begins with 2 bytes of something else, and only then the file itself: Unreal package")]:
            self.write("Mod.u", before + package)
            found = self.diagnosis("Mod.u")
            self.assertEqual(found["id"], expected)
            self.assertIn(says, found["message"])
        self.write("Mod.gz", bytes(1000) + gzip.compress(b"hello" * 100))
        self.assertIn("begins with 1000 bytes of something else, and only then the file itself: compressed file", self.message("Mod.gz")[1])
        self.write("Mod.u", b"HTTP/1.1 200 OK\r\n\r\n" + bytes(200))
        self.assertIn("is an HTTP response with its header", self.diagnosis("Mod.u")["message"])

    def test_a_package_of_a_later_engine(self):
        """Under the name of one of an early engine it is another; under its own nothing happened to it."""
        for name in ["Mod.u", "Mod.uasset"]:
            self.write(name, bytes.fromhex("c1832a9e f9ffffff 60030000") + bytes(range(1, 200)))
        self.assertIsNone(self.diagnosis("Mod.uasset"))
        found = self.diagnosis("Mod.u")
        self.assertEqual(found["id"], "other_format")
        self.assertIn("is a package of Unreal Engine 4 or 5 (.uasset), but its name promises another format: Unreal package", found["message"])

    def test_no_text_has_most_bytes_above_ascii(self):
        self.write("Mod.u", bytes(0x80 | b for b in b"This is no text at all, but a wire that is stuck.") * 3)
        self.assertIsNone(self.diagnosis("Mod.u"))
        self.write("Mod.u", "Dieser Mod gefällt nicht allen, drum lösche ihn.".encode("latin-1"))
        self.assertEqual(self.diagnosis("Mod.u")["id"], "other_format")

    def test_a_download_with_an_evil_name_is_known(self):
        """Under another name, too, as one with a good name is."""
        for name in [b"..\\..\\Core.u", b"C:Core.u"]:
            self.write("evil.txt", b"\xd2\x04\0\0" + bytes([len(name) + 1]) + name + bytes(40))
            self.assertIn(b"UZC002", self.expect(1, "evil.txt").stdout)

    def test_what_is_not_there_is_not_empty(self):
        self.write("empty.umod", b"")
        self.assertEqual(self.diagnosis("empty.umod")["id"], "truncated")
        for name in ["absent.umod", "absent.utoc", "absent"]:
            self.assertIsNone(self.diagnosis(name))
        self.assertNotIn(b"empty", self.expect(2, "absent.umod").stdout)

    def test_sarif_has_it(self):
        self.write("cut.umod", samples.GOOD[:-30])
        report = json.loads(self.run_uvet("-f", "sarif", "cut.umod").stdout)
        self.assertEqual(report["runs"][0]["artifacts"][0]["properties"]["diagnosis"]["id"], "truncated")

    def test_folders_know_as_much_as_names(self):
        (self.folder / "d").mkdir()
        self.assemble("iostore/good_zlib", "d/Mod_P.utoc")
        self.rename("d/Mod_P.ucas", "d/Mod_P (1).ucas")
        self.assertEqual(self.diagnosis("d/Mod_P.utoc")["id"], "renamed")
        self.assertEqual(self.diagnosis("d")["id"], "renamed")

    def test_a_renamed_companion(self):
        self.assemble("iostore/good_zlib")
        self.assertIsNone(self.diagnosis("Mod_P.utoc"))
        self.rename("Mod_P.ucas", "download.UCAS")
        found = self.diagnosis("Mod_P.utoc")
        self.assertEqual((found["id"], found["confidence"]), ("renamed", "likely"))
        self.assertIn('"Mod_P.ucas" is missing, and "download.UCAS" beside it fits', found["message"])
        # two that fit: nobody knows which
        self.write("Other.ucas", self.read("download.UCAS"))
        self.assertEqual(self.diagnosis("Mod_P.utoc")["id"], "missing_companion")
        # one of them has a container of its own
        self.write("Other.utoc", b"-==--==--==--==-")
        self.assertEqual(self.diagnosis("Mod_P.utoc")["id"], "renamed")
        # one of another length is another mod's
        self.write("download.UCAS", self.read("download.UCAS") + bytes(17))
        self.assertEqual(self.diagnosis("Mod_P.utoc")["id"], "missing_companion")
        self.write("download.UCAS", self.read("download.UCAS")[:-17])
        self.assertEqual(self.diagnosis("Mod_P.utoc")["id"], "renamed")
        self.assertIsNone(self.diagnosis("Mod_P.utoc", "--siblings=none"))

    def test_several_missing_files(self):
        """All of them are missing, whichever is named."""
        self.assemble("iostore/good_partitions", "Mod_P.utoc")
        for name, words in [("Mod_P_s2.ucas", '"Mod_P_s2.ucas" is missing: it belongs'), ("Mod_P_s1.ucas", '"Mod_P_s1.ucas" is missing, and so is 1 other:'),
                            ("Mod_P.ucas", '"Mod_P.ucas" is missing, and so are 2 others: they belong'), ("Mod_P.pak", '"Mod_P.ucas" is missing, and so are 3 others')]:
            os.remove(self.folder / name)
            found = self.diagnosis("Mod_P.utoc")
            self.assertEqual((found["id"], found["confidence"]), ("missing_companion", "certain"))
            self.assertIn(words, found["message"])

    def test_names_that_programs_spoil(self):
        """They are asked for by name, however many others there are."""
        self.assemble("iostore/good_zlib")
        for n in range(9):
            self.write(f"a{n}.ucas", b"x")
        for ending in [".ucas", ".pak"]:
            data = self.read("Mod_P" + ending)
            os.remove(self.folder / ("Mod_P" + ending))
            for name in ["Mod_P (1)" + ending, "Mod_P - Copy" + ending, "Mod_P" + ending + ".txt", "Mod_P" + ending + ".crdownload"]:
                self.write(name, data)
                found = self.diagnosis("Mod_P.utoc")
                self.assertEqual((found["id"], found["confidence"]), ("renamed", "likely"), name)
                self.assertIn(f'"{name}" beside it fits', found["message"])
                self.write(name, data[:-20])
                found = self.diagnosis("Mod_P.utoc")
                self.assertEqual(found["id"], "missing_companion")
                self.assertEqual("is a download of it that has not ended" in found["message"], name.endswith("crdownload"))
                os.remove(self.folder / name)
            self.write("Mod_P" + ending, data)

    def test_a_ucas_without_its_container(self):
        self.assemble("iostore/good_zlib")
        os.remove(self.folder / "Mod_P.utoc")
        for name in ["Mod_P.ucas", "Mod_P_s12.ucas", "Mod_P_s.UCAS"]:
            self.write(name, self.read("Mod_P.ucas"))
            found = self.diagnosis(name)
            self.assertEqual((found["id"], found["confidence"]), ("missing_companion", "certain"))
            stem = "Mod_P_s" if name == "Mod_P_s.UCAS" else "Mod_P"
            self.assertIn(f'"{stem}.utoc" is missing', found["message"])
        self.assertIsNone(self.diagnosis("Mod_P.ucas", "--siblings=none"))
        self.assertEqual(self.diagnosis("Mod_P.pak")["id"], "missing_companion")     # it has no files
        # it may be there under another name, of which its own report tells
        os.mkdir(self.folder / "d")
        self.assemble("iostore/good_zlib", "d/Mod_P (1).utoc")
        done = self.run_uvet("-f", "json", "d")
        self.assertEqual([a["diagnosis"]["id"] for a in json.loads(done.stdout)["artifacts"] if "diagnosis" in a],
                             ["renamed", "missing_companion"])

    def test_a_pak_of_another_mod(self):
        """A .pak that stands by itself does not fit, nor what is none."""
        self.assemble("iostore/good_zlib")
        pak = self.read("Mod_P.pak")
        os.remove(self.folder / "Mod_P.pak")
        for data, expected in [(hashlib.shake_128().digest(50000), "missing_companion"), (b"", "missing_companion"), (pak, "renamed")]:
            self.write("Skins_P.pak", data)
            self.assertEqual(self.diagnosis("Mod_P.utoc")["id"], expected)
        # the index of one with assets in it begins further on
        at = pak.rindex(b"\xe1\x12\x6f\x5a") + 8
        moved = int.from_bytes(pak[at:at + 8], "little") + 100000
        self.write("Skins_P.pak", bytes(100000) + pak[:at] + moved.to_bytes(8, "little") + pak[at + 8:])
        self.assertEqual(self.diagnosis("Mod_P.utoc")["id"], "missing_companion")
        self.rename("Skins_P.pak", "Mod_P (1).pak")
        self.assertEqual(self.diagnosis("Mod_P.utoc")["id"], "renamed")

    def test_a_pak_without_its_end(self):
        """Its footer says where all is; without it files are followed from the first on."""
        whole = self.assemble("pak/good_v11_folders_alone", "Mod.pak")
        n, index, parts = len(whole), 0xCD, 0x14B
        self.assertIsNone(self.diagnosis("Mod.pak"))
        cut = "the file is truncated: it "
        somewhere = "has {0} bytes, and its data stops before it is complete"
        for left, says in [(8, somewhere), (60, "needs at least 76 bytes, and has {0} bytes; at least 16 bytes are missing"), (76, somewhere), (118, somewhere),
                           (132, "needs at least 205 bytes"), (index, somewhere), (index + 40, somewhere), (parts, "needs at least 391 bytes"), (n - 200, somewhere),
                           (n - 100, f"needs at least {n} bytes, and has {{0}} bytes; 100 bytes are missing"),
                           (n - 1, f"needs at least {n} bytes, and has {{0}} bytes; 1 byte is missing")]:
            self.write("Mod.pak", whole[:left])
            kind, message = self.message("Mod.pak")
            self.assertEqual(kind, "truncated", left)
            self.assertTrue(message.startswith(cut + says.format(left)), message)
        # a part before the index is none
        place = index + 4 + whole[index] + 12 + 4
        self.write("Mod.pak", (whole[:place + 4] + bytes(8) + whole[place + 12:])[:-1])
        self.assertNotIn("391", self.message("Mod.pak")[1])
        # a footer that only one game knows, or what is no pak
        for other in (whole[:-221] + hashlib.shake_128().digest(300), hashlib.shake_128().digest(300)):
            self.write("Mod.pak", other)
            self.assertIsNone(self.diagnosis("Mod.pak"))

    def test_a_pak_with_rows_in_its_index_and_without_its_end(self):
        """Up to version 9 the index has its rows itself: where the last of them ends, it is whole, whatever follows."""
        magic, cut = b"\xe1\x12\x6f\x5a", "the file is truncated: it has {} bytes, and its data stops before it is complete"
        for vector in ["v3", "v4", "v5", "v6", "v7", "v7_gzip", "v8", "v8a", "v9"]:
            whole = self.assemble("pak/good_" + vector, "Mod.pak")
            at = whole.rindex(magic)
            index, size = struct.unpack_from("<QQ", whole, at + 8)
            end = index + size
            self.write("Mod.pak", whole[:at] + b"FOOT" + whole[at + 4:])
            self.assertIsNone(self.diagnosis("Mod.pak"), vector)
            rows = index + 4 + int.from_bytes(whole[index:index + 4], "little") + 4
            for left in [index + 5, rows - 1, rows, rows + 2, rows + 8, rows + 30, end - 40, end - 1, end, end + 30]:
                self.write("Mod.pak", whole[:left].replace(magic, b"FOOT"))
                self.assertEqual(self.message("Mod.pak"), ("truncated", cut.format(left)), (vector, left))
            # what is left has room for a footer
            self.write("Mod.pak", whole[:end] + bytes(range(1, 45)))
            self.assertIsNone(self.diagnosis("Mod.pak"), vector)

    def test_a_pak_with_a_foreign_footer_and_another_index(self):
        """What reads as rows of no index says nothing of the end."""
        whole = bytearray(self.assemble("pak/good_v9", "Mod.pak"))
        index, size = struct.unpack_from("<QQ", whole, whole.rindex(b"\xe1\x12\x6f\x5a") + 8)
        name = index + 4 + int.from_bytes(whole[index:index + 4], "little") + 4
        record = name + 4 + whole[name]
        whole[-205] ^= 1                                # the magic
        for at, value in [(name, bytes(4)), (record + 15, b"\x80"), (record + 23, b"\x80"), (record + 24, b"\x40"), (record + 24, b"\x00")]:
            self.write("Mod.pak", whole[:at] + value + whole[at + len(value):])
            self.assertIsNone(self.diagnosis("Mod.pak"), at)
        # more rows than there are, and none
        mount = whole[index:name - 4]
        self.write("Mod.pak", whole[:name - 4] + b"\xff\xff\xff\x7f" + whole[name:])
        self.assertIsNone(self.diagnosis("Mod.pak"))
        self.write("Mod.pak", mount + bytes(4) + b"\x11" * 44)
        self.assertIsNone(self.diagnosis("Mod.pak"))
        self.write("Mod.pak", mount + bytes(4) + b"\x11" * 43)
        self.assertEqual(self.message("Mod.pak")[0], "truncated")

    def test_a_pak_of_another_version_15(self):
        """A game's own number in the place of an older version does not ask for the bytes that version 15 of the engine has more."""
        whole = self.assemble("pak/PAK039_pak_version_not_judged_15_place", "Mod.pak")
        self.assertIsNone(self.diagnosis("Mod.pak"))
        self.write("Mod.pak", whole[:-1])
        self.assertEqual(self.message("Mod.pak")[0], "truncated")
        whole = self.assemble("pak/good_v15", "Mod.pak")
        for left, kind in [(len(whole) - 41, None), (len(whole) - 40, None), (len(whole) - 39, "truncated"), (len(whole) - 42, "truncated")]:
            self.write("Mod.pak", whole[:left])
            self.assertEqual(self.message("Mod.pak")[0], kind)

    def test_a_pak_with_a_wide_path_and_without_its_end(self):
        whole = self.assemble("pak/good_v9", "Mod.pak")
        narrow, wide = b"\r\0\0\0Mods/Foo.txt\0", struct.pack("<i", -13) + "Mods/Foo.txt\0".encode("utf-16-le")
        whole = whole[:-222].replace(narrow, wide)
        for left, kind in [(len(whole) - 1, "truncated"), (len(whole), "truncated"), (len(whole) + 43, "truncated"), (len(whole) + 44, None)]:
            self.write("Mod.pak", (whole + b"\x11" * 44)[:left])
            self.assertEqual(self.message("Mod.pak")[0], kind)

    def test_a_pak_with_something_else(self):
        whole = self.assemble("pak/good_minimal", "Mod.pak")
        for data, kind, says in [(whole + b"\n", "appended", f"is complete after {len(whole)} bytes, and then 1 byte of something else follows"),
                                 (whole * 8, "appended", f"is complete after {len(whole)} bytes, and then it begins again"), (b"", "truncated", "is empty"),
                                 (whole + bytes(332), "appended", f"is complete after {len(whole)} bytes, and then 332 bytes of something else follow"),
                                 (whole + bytes(16), "appended", f"is complete after {len(whole)} bytes, and then 16 bytes of something else follow"),
                                 (b"<html><body>Sign in</body></html>", "other_format", "is an HTML page, but its name promises another format"),
                                 (bytes(len(whole)), "zero_filled", "nothing but zeros")]:
            self.write("Mod.pak", data)
            self.assertEqual(self.message("Mod.pak")[0], kind)
            self.assertIn(says, self.message("Mod.pak")[1])

    @needs("nettle")
    def test_a_pak_with_other_bytes(self):
        """A number in a footer that changed says nothing about the end; an index that is too early lost something before it; and a file in it
        whose hash is wrong is loaded all the same."""
        whole = self.assemble("pak/good_v9", "Mod.pak")
        footer = whole.rindex(b"\xe1\x12\x6f\x5a")
        index = int.from_bytes(whole[footer + 8:footer + 16], "little")

        def flipped(at):
            return whole[:at] + bytes([whole[at] ^ 8]) + whole[at + 1:]

        for data, kind, says in [(flipped(footer + 16), "damaged", "1 check of its contents failed"), (flipped(index + 2), "damaged", "1 check of its contents"),
                                 (flipped(footer + 24), "damaged", "1 check of its contents failed"), (whole[7:], "truncated", "lacks its beginning, or a piece"),
                                 (whole[:20] + whole[60:], "truncated", "40 bytes are missing")]:
            self.write("Mod.pak", data)
            self.assertEqual(self.message("Mod.pak")[0], kind)
            self.assertIn(says, self.message("Mod.pak")[1])
        whole = self.assemble("pak/PAK027_payload_hash_mismatch", "Mod.pak")
        self.assertIn("1 file in it has a wrong hash, which no game compares", self.message("Mod.pak")[1])
        self.expect(0, "Mod.pak")
        self.expect(1, "--profile", "hosting", "Mod.pak")

    def test_what_a_cause_says_stands_for_what_is_usual(self):
        """A page is no truncated download, and it is not said that it most often is one."""
        self.write("Mod.pak", b"<html><body>Sign in</body></html>")
        done = self.run_uvet("Mod.pak").stdout
        self.assertIn(b"is an HTML page", done)
        self.assertNotIn(b"truncated", done)
        self.assertNotIn(b"= help:", done)
        self.assertNotIn(b"truncated", self.run_uvet("-f", "html", "Mod.pak").stdout)
        self.assertIn(b"truncated", self.run_uvet("explain", "PAK001").stdout)

    def test_the_zeros_that_a_pak_ends_with(self):
        whole = bytearray(self.assemble("pak/good_minimal", "Mod.pak"))
        whole[-204] ^= 1                                # the magic
        self.write("Mod.pak", whole)
        self.assertIsNone(self.diagnosis("Mod.pak"))
        self.write("Mod.pak", whole[:-205] + bytes(205))
        self.assertEqual(self.message("Mod.pak")[0], "zero_filled")

    def test_a_zen_package(self):
        whole = self.assemble("zen/good_5_3", "Mod.uzenasset")
        for data, kind, says in [(whole[:8], "truncated", "needs at least 44 bytes"), (whole[:200], "truncated", "are missing"), (b"", "truncated", "is empty"),
                                 (whole + b"x", "appended", f"is complete after {len(whole)} bytes, and then 1 byte of something else follows"),
                                 (whole * 2, "appended", f"is complete after {len(whole)} bytes, and then it begins again"),
                                 (b"<html><body>Sign in</body></html>", "other_format", "is an HTML page, but its name promises another format: zen package")]:
            self.write("Mod.uzenasset", data)
            self.assertEqual(self.message("Mod.uzenasset")[0], kind)
            self.assertIn(says, self.message("Mod.uzenasset")[1])
        self.write("Mod.uzenasset", whole[:-1] + bytes([whole[-1] ^ 1]) + b"x")        # without the tag nothing shows that the end is there
        self.assertIsNone(self.diagnosis("Mod.uzenasset"))

    def test_many_companions(self):
        self.assemble("iostore/good_zlib")
        self.rename("Mod_P.ucas", "b.ucas")
        for n in range(8):
            self.write(f"a{n}.ucas", b"x")
        self.assertEqual(self.diagnosis("Mod_P.utoc")["id"], "missing_companion")
        os.remove(self.folder / "a0.ucas")
        self.assertEqual(self.diagnosis("Mod_P.utoc")["id"], "renamed")

    def two_sets(self, vector="iostore/good_zlib", other="iostore/good_v8_header_5_full"):
        """Two sets in one folder, whose .ucas were swapped."""
        self.assemble(vector, "A_P.utoc")
        self.rename("Mod_P.ucas", "B_P.ucas")
        self.rename("Mod_P.pak", "A_P.pak")
        self.assemble(other, "B_P.utoc")
        self.rename("Mod_P.ucas", "A_P.ucas")
        self.rename("Mod_P.pak", "B_P.pak")

    @needs("blake3")
    def test_companions_of_two_sets_are_swapped(self):
        self.two_sets()
        for name, other in [("A_P", "B_P"), ("B_P", "A_P")]:
            found = self.diagnosis(f"{name}.utoc")
            self.assertEqual((found["id"], found["confidence"]), ("wrong_companion", "certain"))
            self.assertRegex(found["message"], f'^"{name}.ucas" belongs to "{other}.utoc", not to this .utoc: [0-9]+ chunks? of it ha')
        self.assertEqual(self.diagnosis("./A_P.utoc"), self.diagnosis("A_P.utoc"))
        # its contents decide, not its length
        payload = bytearray(self.read("A_P.ucas"))
        self.write("A_P.ucas", bytes(b ^ 0x55 for b in payload))
        self.assertNotIn("B_P", self.diagnosis("A_P.utoc")["message"])
        self.write("A_P.ucas", payload + b"x" * 16)
        self.assertNotIn("B_P", self.diagnosis("A_P.utoc")["message"])
        self.write("A_P.ucas", payload)
        self.assertIn("B_P", self.diagnosis("A_P.utoc")["message"])
        # who wants tables only, or nothing of what lies beside, gets no other file opened
        self.assertNotIn("B_P", self.run_uvet("--siblings=none", "A_P.utoc").stdout.decode())
        self.assertNotIn("B_P", self.run_uvet("--level=structure", "A_P.utoc").stdout.decode())
        # two that fit: nobody knows which
        self.write("C_P.utoc", self.read("B_P.utoc"))
        self.assertNotIn("B_P", self.diagnosis("A_P.utoc")["message"])

    def test_a_companion_of_another_length(self):
        """Chunks tell a file of another mod from one that was truncated, or that something follows, whosever it is."""
        for vector in ["iostore/good_zlib", *(["iostore/good_v8_header_5_full"] if has("blake3") else [])]:      # stored chunks have hashes alone
            self.assemble(vector)
            payload = self.read("Mod_P.ucas")
            other = hashlib.shake_128(b"another mod").digest(2 * len(payload))
            for n in [len(payload) - 100, len(payload), len(payload) + 100, 2 * len(payload)]:
                self.write("Mod_P.ucas", other[:n])
                found = self.diagnosis("Mod_P.utoc")
                self.assertEqual(found["id"], "wrong_companion", (vector, n))
                self.assertRegex(found["message"], "^\"Mod_P.ucas\" does not belong to this .utoc: ")
            self.write("Mod_P.ucas", payload[:-100])
            self.assertEqual(self.diagnosis("Mod_P.utoc")["id"], "truncated")
            self.write("Mod_P.ucas", payload + other[:100])
            self.assertNotEqual((self.diagnosis("Mod_P.utoc") or {}).get("id"), "wrong_companion")

    def test_bytes_before_a_companion(self):
        """Its blocks begin as they should, only later: it is its own file."""
        self.assemble("iostore/good_zlib")
        payload = self.read("Mod_P.ucas")
        for moved in [b"HTTP/1.1 200 OK\r\n\r\n" + payload, payload[7:]]:
            self.write("Mod_P.ucas", moved)
            self.assertNotEqual((self.diagnosis("Mod_P.utoc") or {}).get("id"), "wrong_companion")

    @needs("blake3")
    def test_a_container_of_another_folder_is_not_looked_for(self):
        """No link is followed, and a name is text that nobody trusts."""
        self.two_sets()
        os.mkdir(self.folder / "d")
        self.rename("B_P.utoc", "d/B_P.utoc")
        os.symlink("d/B_P.utoc", self.folder / "B_P.utoc")
        self.assertNotIn("B_P", self.diagnosis("A_P.utoc")["message"])
        os.remove(self.folder / "B_P.utoc")
        self.rename("d/B_P.utoc", "\x1b[31mB\u202e.UTOC")
        text = self.run_uvet("A_P.utoc").stdout
        self.assertIn(b'belongs to "\\x1B[31mB\\u{202E}.UTOC"', text)
        self.assertNotIn(b"\x1b", text)

    @needs("blake3")
    def test_many_containers(self):
        """Eight others are looked at; a long one is not."""
        self.two_sets()
        for n in range(7):
            self.write(f"c{n}.utoc", b"-==--==--==--==-" + bytes(n))
        self.assertIn("B_P", self.diagnosis("A_P.utoc")["message"])
        self.write("c7.utoc", b"x")
        self.assertNotIn("B_P", self.diagnosis("A_P.utoc")["message"])
        os.remove(self.folder / "c7.utoc")
        with open(self.folder / "B_P.utoc", "ab") as f:
            f.truncate((16 << 20) + 1)
        self.assertNotIn("B_P", self.diagnosis("A_P.utoc")["message"])

    def test_what_packers_are_known_for(self):
        """A packer is named as far as its mistakes tell it from another."""
        for vector, packers in [("iostore/BLK017_header_compressed", "UnrealReZen or UEcastoc"),
                                ("iostore/TOC008_types_of_other_engine", "UnrealReZen or UEcastoc"),
                                ("container_header/CHD004_container_header_version_pairing_8_2", "UnrealReZen")]:
            self.assemble(vector, "Mod_P.utoc")
            found = self.diagnosis("Mod_P.utoc")
            self.assertEqual(found["id"], "repacked")
            self.assertIn(f"as {packers} does:", found["message"])
        self.assemble("container_header/CHD013_packages_unsorted", "Mod_P.utoc")
        self.assertIsNone(self.diagnosis("Mod_P.utoc"))

    def test_zeros_in_an_installer(self):
        """Its checksum does not say where bytes changed; a lost sector has whole sectors of zeros."""
        good = samples.around(("System\\Foo.txt", b"What this mod does. " * 200))
        for at, n, expected in [(1024, 512, "zero_filled"), (1024, 1500, "damaged"), (1100, 600, "damaged"), (1100, 1, "damaged")]:
            self.write("Mod.umod", good[:at] + bytes(n) + good[at + n:])
            found = self.diagnosis("Mod.umod")
            self.assertEqual(found["id"], expected, (at, n))
        self.assertIn("as its checksum says; other errors, in its members too, may follow from that", found["message"])

    def test_what_a_whole_stream_gives(self):
        """Zeros in a stream whose checksum is right are its own, and that it gives too much is no accident. A lost sector is one."""
        stream = zlib.compress(bytes(4 << 20))
        self.write("Mod.u.uz2", struct.pack("<II", len(stream), 32768) + stream)
        done = self.run_uvet("-f", "json", "Mod.u.uz2")
        self.assertIn(b"UZT002", done.stdout)
        self.assertIsNone(self.diagnosis("Mod.u.uz2"))
        # no more than a chunk may have: a bit of the size flipped
        stream = zlib.compress(random.Random(17).randbytes(30000))
        self.write("Mod.u.uz2", struct.pack("<II", len(stream), 29000) + stream)
        self.assertEqual(self.diagnosis("Mod.u.uz2")["id"], "damaged")
        self.write("Mod.u.uz2", struct.pack("<II", len(stream), 30000) + stream[:1016] + bytes(512) + stream[1528:])
        self.assertEqual(self.diagnosis("Mod.u.uz2")["id"], "zero_filled")
        # the last bytes are fewer than a sector
        self.write("Mod.u.uz2", struct.pack("<II", len(stream), 30000) + stream[:-100] + bytes(100))
        self.assertEqual(self.diagnosis("Mod.u.uz2")["id"], "zero_filled")

    def test_tables_that_end_in_zeros(self):
        """Fewer than a sector are a hole where an error points at them."""
        self.assemble("iostore/good_v8_header_5_full", "Mod_P.utoc")
        toc = self.read("Mod_P.utoc")
        found = set()
        for n in (40, 150, 250):
            self.write("Mod_P.utoc", toc[:-n] + bytes(n))
            d = self.diagnosis("Mod_P.utoc")
            found.add((n, d["id"] if d else None))
        self.assertIn((150, "zero_filled"), found)
        self.assertNotIn((40, "zero_filled"), found)

    @needs("blake3")
    def test_which_file_is_damaged(self):
        """What is wrong in a chunk whose digest differs follows from that."""
        self.assemble("iostore/good_v8_header_5_full", "Mod_P.utoc")
        payload = bytearray(self.read("Mod_P.ucas"))
        rules = set()
        for at in range(0, len(payload), 8):
            payload[at] ^= 0x40
            self.write("Mod_P.ucas", payload)
            payload[at] ^= 0x40
            report = json.loads(self.run_uvet("-f", "json", "Mod_P.utoc").stdout)
            errors = {f["rule"] for f in report["findings"] if f["severity"] == "error"}
            found = report["artifacts"][0].get("diagnosis")
            if errors:
                self.assertEqual(found["id"], "damaged", (at, errors))
                self.assertTrue(found["message"].startswith('some bytes of "Mod_P.ucas" changed'), found["message"])
            rules |= errors
        self.assertTrue(rules - {"MET005"}, "nothing but digests differed")

    def binary(self, n):
        """An installer of text and of binary data, in which all bytes and pairs of bytes are equally frequent."""
        lines = b"".join(b"What the mod does stands here, line %d.\r\n" % i for i in range(60))
        return samples.around(("System\\Foo.u", random.Random(1).randbytes(n)), ("Help\\Foo.txt", lines))

    def test_what_a_transfer_as_text_leaves(self):
        good = self.binary(60000)
        for said, change in [
                ("a carriage return was put before each line feed", lambda b: b.replace(b"\n", b"\r\n")),
                ("two carriage returns were put before each line feed", lambda b: b.replace(b"\n", b"\r\r\n")),
                ("carriage returns before line feeds were removed", lambda b: b.replace(b"\r\n", b"\n")),
                ("no carriage return is left", lambda b: b.replace(b"\r", b"")),
                ("no carriage return is left", lambda b: b.replace(b"\r", b"\n")),
                ("no line feed is left", lambda b: b.replace(b"\n", b"")),
                ("no line feed is left", lambda b: b.replace(b"\n", b"\r")),
                ("no byte above 0x7F is left", lambda b: bytes(x & 0x7F for x in b)),
                ("no zero byte is left", lambda b: b.replace(b"\0", b"")),
                ("no zero byte is left", lambda b: b.replace(b"\0", b" "))]:
            self.write("Mod.umod", change(good))
            found = self.diagnosis("Mod.umod")
            self.assertEqual(found["id"], "transferred_as_text", said)
            self.assertIn(said, found["message"])

    def test_what_saving_as_text_leaves(self):
        good = self.binary(60000)
        text = good.decode("latin-1")
        for said, data in [
                ("characters of UTF-8", text.encode("utf-8")), ("characters of UTF-8", text.encode("utf-8")[:-2]),
                ("U+FFFD", good.decode("utf-8", "replace").encode("utf-8")),
                ("question marks stand for them", text.encode("ascii", "replace")),
                ("is UTF-16 now", b"\xff\xfe" + text.encode("utf-16-le")), ("is UTF-16 now", text.encode("utf-16-le")),
                ("is UTF-16 now", b"\xfe\xff" + text.encode("utf-16-be")), ("is UTF-16 now", text.encode("utf-16-be")),
                ("begins with the mark of UTF-8", b"\xef\xbb\xbf" + good)]:
            self.write("Mod.umod", data)
            found = self.diagnosis("Mod.umod")
            self.assertEqual(found["id"], "reencoded_as_text", said)
            self.assertIn(said, found["message"])

        self.write("Mod.u", good.decode("cp437").encode("utf-16"))
        self.assertIn("is UTF-16 now", self.diagnosis("Mod.u")["message"])

    def test_a_text_in_an_installer_does_not_make_it_one(self):
        self.assemble("umod/good_utf16_manifest", "Mod.umod")
        self.write("Mod.umod", self.read("Mod.umod")[:-4] + b"1234")
        self.assertEqual(self.diagnosis("Mod.umod")["id"], "damaged")
        self.write("Mod.umod", self.read("Mod.umod")[:-100])
        self.assertNotEqual((self.diagnosis("Mod.umod") or {"id": ""})["id"], "reencoded_as_text")

    def test_what_was_no_text_is_not_called_one(self):
        """What never had line ends, high bytes or zeros lost none of them."""
        rng = random.Random(2)
        for member in [bytes(rng.choice(b"\x01\x02\x03\x04\x05") for _ in range(9000)),
                       bytes(rng.choice(b"\x0b\x0c\x0e\x0f\x80\0") for _ in range(100)),
                       b"".join(b"A line that ends in LF alone, number %d.\n" % i for i in range(200)), b"<p>Service unavailable</p>\n" * 60]:
            good = samples.around(("System\\Foo.u", member))
            flipped = bytearray(good)
            flipped[len(good) // 2] ^= 0x80
            for damaged in (flipped, good[:-1000], good[:-21] + good[-20:], good + b"\r\n" * 100):
                self.write("Mod.umod", damaged)
                self.assertNotIn("_as_text", self.diagnosis("Mod.umod")["id"])

    def test_text_mode_where_nothing_can_be_decoded(self):
        """A .ucas that is encrypted, of whose key nothing is known, shows it by its bytes and its length."""
        self.assemble("iostore/good_encrypted", "Mod_P.utoc")
        good = self.read("Mod_P.ucas")
        self.assertIsNone(self.diagnosis("Mod_P.utoc"))
        for said, data in [("characters of UTF-8", good.decode("latin-1").encode("utf-8")),
                           ("is UTF-16 now", good.decode("latin-1").encode("utf-16"))]:
            self.write("Mod_P.ucas", data)
            self.assertIn(said, self.diagnosis("Mod_P.utoc")["message"])

    def test_no_transfer_is_an_attack(self):
        """What a text transfer does to names and counts is no matter of security."""
        data = self.assemble("iostore/good_v8_header_5_full", "Mod_P.utoc")
        self.write("Mod_P.utoc", data.replace(b"\n", b"\r\n"))
        self.write("Mod_P.ucas", self.read("Mod_P.ucas").decode("latin-1").encode("utf-8"))
        report = json.loads(self.run_uvet("-f", "json", "Mod_P.utoc").stdout)
        self.assertIn(report["artifacts"][0]["diagnosis"]["id"], ("transferred_as_text", "reencoded_as_text"))
        self.assertTrue(report["findings"])
        self.assertNotIn("security", {f["class"] for f in report["findings"]})
        self.assertNotIn("(security", self.run_uvet("Mod_P.utoc").stdout.decode())
        self.assertNotEqual(self.run_uvet("--fail-on", "security", "Mod_P.utoc").returncode, 1)

    def test_other_errors_do_not_hide_it(self):
        """What no accident makes stands before the other errors of a file."""
        self.assemble("umod/UMD014_path_unsafe", "Mod.umod")
        data = bytearray(self.read("Mod.umod"))
        data[-4] ^= 1                           # the CRC, whose rule is asked first
        self.write("Mod.umod", data)
        text = self.run_uvet("Mod.umod").stdout.decode()
        self.assertLess(text.index("error[UMD014]"), text.index("error[UMD006]"))

    def test_a_path_that_escapes_is_one(self):
        self.assemble("umod/UMD014_path_unsafe", "Mod.umod")
        done = self.run_uvet("-f", "json", "Mod.umod")
        report = json.loads(done.stdout)
        self.assertEqual(report["artifacts"][0]["diagnosis"]["id"], "hostile")
        # without its trailer nothing says where the paths are
        self.write("Mod.umod", self.read("Mod.umod") + b"x" * 100)
        self.assertNotEqual(self.diagnosis("Mod.umod")["id"], "hostile")

    def test_an_attack_among_mistakes(self):
        """Whoever made the checksum right meant the path, and a manifest that fits badly hides nothing."""
        whole = bytearray(samples.around(("System\\Foo.txt", b"a text")))
        at = whole.rindex(b"System\\Foo.txt")
        whole[at : at + 9] = b"..\\..\\Foo"
        self.write("Mod.umod", whole)
        self.assertNotEqual(self.diagnosis("Mod.umod")["id"], "hostile")
        whole[-4:] = samples.crc(whole[:-20]).to_bytes(4, "little")
        self.write("Mod.umod", whole)
        found = self.run_uvet("Mod.umod").stdout
        self.assertIn(b"error[UMD014]", found)
        self.assertIn(b"error[MAN004]", found)
        self.assertEqual(self.diagnosis("Mod.umod")["id"], "hostile")

    def id_and_classes(self, name):
        report = json.loads(self.run_uvet("-f", "json", name).stdout)
        found = report["artifacts"][0].get("diagnosis")
        return found and found["id"], {f["rule"]: f["class"] for f in report["findings"]}

    def test_a_companion_excuses_only_itself(self):
        """What became of a .ucas is no reason for what stands in the .utoc."""
        self.assemble("iostore/DIR010_directory_repeated_itself", "Mod_P.utoc")
        self.write("Mod_P.ucas", self.read("Mod_P.ucas")[:-17])
        self.assertEqual(self.id_and_classes("Mod_P.utoc")[0], "truncated")
        self.assertEqual(self.id_and_classes("Mod_P.utoc")[1]["DIR010"], "security")
        self.expect(1, "--fail-on", "security", "Mod_P.utoc")

    def test_harmless_damage_hides_no_escape(self):
        for vector in ["iostore/DIR017_name_escapes_parent", "iostore/DIR024_mount_point_escapes_parent",
                       "iostore/DIR024_mount_point_escapes_drive", "iostore/DIR017_name_escapes_drive"]:
            data = self.assemble(vector, "Mod_P.utoc")
            payload = self.read("Mod_P.ucas")
            for main, beside in [(data, payload[:-17]), (data + b"appended" * 20, payload), (data, payload.replace(b"\n", b"\r\n")),
                                 (data, payload[:-600] + bytes(600)), (data, payload)]:
                self.write("Mod_P.utoc", main)
                self.write("Mod_P.ucas", beside)
                self.assertEqual(self.id_and_classes("Mod_P.utoc")[0], "hostile", (vector, len(main), len(beside)))

    def test_no_accident_is_an_escape(self):
        """A mount point begins with three folders "..", and no change of these leads anywhere."""
        data = self.assemble("iostore/good_minimal", "Mod_P.utoc")
        at = data.index(b"../../../")
        for i in range(9):
            for byte in [data[at + i] ^ 0x80, data[at + i] ^ 1, 0, ord("."), ord("/"), ord("\\"), ord(":")]:
                self.write("Mod_P.utoc", data[: at + i] + bytes([byte]) + data[at + i + 1 :])
                self.assertNotEqual(self.id_and_classes("Mod_P.utoc")[0], "hostile")

    def test_names_that_climb_out_of_a_download(self):
        for vector, expected in [("climbs", "hostile"), ("parent", "hostile"), ("slash", None), ("unterminated", None)]:
            self.assemble("uz/UZC002_stored_name_malformed_" + vector, "T.u.uz")
            self.assertEqual(self.id_and_classes("T.u.uz")[0], expected, vector)

    def test_numbers_under_a_right_checksum(self):
        """Whoever made the checksum meant the numbers; else bytes may have changed."""
        for vector in ["UMD010_member_outside_data_negative", "UMD010_member_outside_data_wraps", "UMD014_path_unsafe_colon"]:
            data = self.assemble("umod/" + vector, "Mod.umod")
            self.assertEqual(self.id_and_classes("Mod.umod")[0], "hostile", vector)
            self.write("Mod.umod", data[:-1] + bytes([data[-1] ^ 1]))
            self.assertEqual(self.id_and_classes("Mod.umod")[0], "damaged", vector)

    def test_no_checksum_protects_the_trailer(self):
        """A directory that is looked for elsewhere has any names and counts."""
        payload = b"\xC5\x3C..\\..\\..\\x.exe\0" * 40
        whole = samples.around(("System\\Foo.txt", b"\x81" + payload))
        for at in [whole.index(payload) - 1, whole.index(payload) + 1]:
            self.write("Mod.umod", whole[:-16] + struct.pack("<I", at) + whole[-12:])
            self.assertNotEqual(self.id_and_classes("Mod.umod")[0], "hostile")

    def overlapping(self, n):
        """An installer of n more members, all of them the same 4 KiB."""
        whole = bytearray(samples.around(("System\\Foo.txt", b"0123456789abcdef" * 256)))
        body, size = struct.unpack_from("<II", whole, len(whole) - 16)
        directory, start = bytes(whole[body + 1 : size - 20]), body - 4096
        directory += b"".join(samples.string(f"System\\Foo{i}.txt") + struct.pack("<III", start, 4096, 0) for i in range(n))
        whole = bytes(whole[:body]) + samples.index(3 + n) + directory
        return whole + struct.pack("<IIIII", 0x9FE3C5A3, body, len(whole) + 20, 1, samples.crc(whole))

    def test_overlaps_built_for_expansion(self):
        self.write("Mod.umod", self.overlapping(4))
        self.assertNotEqual(self.id_and_classes("Mod.umod")[0], "hostile")
        self.write("Mod.umod", self.overlapping(400))
        self.assertEqual(self.id_and_classes("Mod.umod")[0], "hostile")
        self.assemble("iostore/BLK034_blocks_give_too_much_bomb", "Mod_P.utoc")
        self.assertEqual(self.id_and_classes("Mod_P.utoc")[0], "hostile")
        self.assemble("uz/UZC013_single_leaf_bomb", "readme.txt.uz")
        self.assertEqual(self.id_and_classes("readme.txt.uz")[0], "hostile")
        # low limits make no bomb of a small file
        self.assemble("iostore/BLK034_blocks_give_too_much_shared", "Mod_P.utoc")
        self.assertIsNone(self.diagnosis("Mod_P.utoc", "--max-ratio=2"))

    def test_a_right_checksum_rules_accidents_out(self):
        """Its author wrote these bytes, whatever they look like; where it differs, bytes changed somewhere."""
        paired = b"\0\r\n\0" * 12
        whole = samples.around(("System\\Foo.bin", paired), ("System\\Bar\u202e.txt".encode("cp1252", "replace").decode(), b"x"))
        self.write("Mod.umod", whole)
        found, classes = self.id_and_classes("Mod.umod")
        self.assertIsNone(found)
        self.assertTrue(classes)
        self.write("Mod.umod", whole[:-1] + bytes([whole[-1] ^ 1]))
        self.assertEqual(self.id_and_classes("Mod.umod")[0], "transferred_as_text")

    def test_damage_excuses_what_lies_in_it(self):
        """A changed byte may be anywhere in an installer, and so in a package in it; under a right checksum its author packed it so."""
        self.assemble("upkg/CIX002_index_exceeds_32_bits", "Foo.u")
        whole = samples.around(("System\\Foo.u", self.read("Foo.u")))
        for data, expected in [(whole, "security"), (whole[:-1] + bytes([whole[-1] ^ 1]), "corruption")]:
            self.write("Mod.umod", data)
            self.assertEqual(self.id_and_classes("Mod.umod")[1]["CIX002"], expected)
            self.assertEqual(b"(security" in self.run_uvet("Mod.umod").stdout, expected == "security")
            self.assertEqual(self.run_uvet("--fail-on", "security", "Mod.umod").returncode == 1, expected == "security")

    def test_sarif_accuses_nobody(self):
        """A rule has the class of its findings where all of them are explained."""
        data = self.assemble("upkg/CIX002_index_exceeds_32_bits", "Mod.u")
        for damaged, expected in [(data, "security"), (data[: len(data) - 20], "corruption")]:
            self.write("Mod.u", damaged)
            run = json.loads(self.run_uvet("-f", "sarif", "Mod.u").stdout)["runs"][0]
            (result,) = [r for r in run["results"] if r["ruleId"] == "CIX002"]
            rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]["properties"]
            self.assertEqual((result["properties"]["class"], rule["tags"][0]), (expected, expected))
            self.assertEqual("security-severity" in rule, expected == "security")
        self.write("Other.u", data)
        run = json.loads(self.run_uvet("-f", "sarif", "Mod.u", "Other.u").stdout)["runs"][0]
        rule = next(r for r in run["tool"]["driver"]["rules"] if r["id"] == "CIX002")
        self.assertIn("security-severity", rule["properties"])


if __name__ == "__main__":
    unittest.main()
