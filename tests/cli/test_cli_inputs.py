"""Black-box tests of which files are inputs, and in what order."""
import base64
import json
import os
import re
import subprocess
import unittest

import samples
from case import UVET, Case, has_sanitizer, has, needs, sound

SOUND = sound("blake3", "nettle")                   # of a whole container, with the .pak beside it
TABLES = sound("nettle")                            # of its tables, and of the .pak alone
VERDICT, OF_TABLES = ("valid" if code == 0 else "undetermined" for code in (SOUND, TABLES))


class Inputs(Case):
    def paths(self, *args, code, **more):
        report = json.loads(self.expect(code, "-f", "json", *args, **more).stdout)
        return [artifact["path"] for artifact in report["artifacts"] if artifact["parent"] is None]


class Order(Inputs):
    def test_names_that_begin_alike(self):
        """Paths come in the order of their bytes, and a folder's name counts with the / after it."""
        start = "same-start"
        names = ["", "-", ".", "/x", "0", "0/y", "00", "a", "aa", "ab", "\x7f", "/\xff", "b/c/d"]
        files = sorted(os.fsencode("m/" + start + name + ".umod") for name in names if name != "0")
        for path in files:
            self.write(path, samples.GOOD)
        self.assertEqual([os.fsencode(path) for path in self.paths("-r", "m", code=0)], files)

    def test_a_file_and_a_folder_of_nearly_one_name(self):
        files = ["m/longer-name", "m/longer-name-2", "m/longer-name.d/a", "m/longer-name0", "m/longer/a"]
        for path in files:
            self.write(path, samples.GOOD)
        self.assertEqual(self.paths("-r", "m", code=0), sorted(files))


class Parts(Inputs):
    """A part of a container is no input of its own if the check of its .utoc opened it; all others come last."""

    @needs("blake3")
    def test_which_parts_belong_to_it(self):
        """Those that the container has, and one more, of which it is told."""
        self.assemble("iostore/good_partitions", "Mod_P.utoc")
        parts = ["Mod_P.ucas", "Mod_P_s1.ucas", "Mod_P_s2.ucas", "Mod_P_s3.ucas"]
        others = ["Mod_P_s.ucas", "Mod_P_s0.ucas", "Mod_P_s01.ucas", "Mod_P_s4.ucas", "Mod_P_s13.ucas", "Mod_P_1.ucas", "Mod_P_s1-.ucas", "Mod_Ps1.ucas",
                  "Mod_P-s1.ucas", "Mod_P1.ucas", "Mod.ucas", "1.ucas", "s1.ucas", ".ucas"]
        for name in [*parts[3:], *others]:
            self.write(name, samples.UNKNOWN)
        # a name of an ending alone has no ending, so it is checked where it is named
        self.assertEqual(self.paths("Mod_P.utoc", *parts, *others, code=2), ["Mod_P.utoc", ".ucas", *others[:-1]])
        names = "".join(name + "\0" for name in [*parts, *others, "Mod_P.utoc"]).encode()
        self.assertEqual(self.paths("--files0-from", "-", code=2, stdin=names), [".ucas", "Mod_P.utoc", *others[:-1]])

    def test_parts_of_what_is_no_container_or_is_not_named(self):
        self.write("Dir.utoc/good.umod", samples.GOOD)
        self.write("Other.utoc", samples.UNKNOWN)
        parts = ["Dir.ucas", "Dir_s1.ucas", "Other.ucas", "Other_s1.ucas"]
        for name in parts:
            self.write(name, samples.UNKNOWN)
        expected = ["Dir.utoc/good.umod", "Other.utoc", *parts]     # a container is checked for its parts
        self.assertEqual(self.paths(*parts, "Dir.utoc", code=1), expected)
        names = "".join(name + "\0" for name in ["Dir.utoc", *parts]).encode()
        self.assertEqual(self.paths("--files0-from", "-", code=1, stdin=names), expected)
        self.assertEqual(self.paths(*parts, "Other.utoc", code=1), ["Other.utoc", *parts])

    def test_parts_that_are_no_plain_files(self):
        self.assemble("iostore/good_minimal", "Mod_P.utoc")
        self.assertEqual(self.paths("Mod_P.utoc", "none.ucas", "Mod_P.ucas", "Mod_P.utoc", code=2), ["Mod_P.utoc", "none.ucas", "Mod_P.utoc"])


class Found(Inputs):
    """A part that is found in a folder is undetermined, unless a check told of it; it comes last, too."""

    def setUp(self):
        super().setUp()
        (self.folder / "m").mkdir()
        self.assemble("iostore/good_partitions", "m/Mod_P.utoc")
        self.parts = ["m/Mod_P.ucas", "m/Mod_P_s1.ucas", "m/Mod_P_s2.ucas"]

    def verdicts(self, *args, code):
        report = json.loads(self.expect(code, "-f", "json", *args).stdout)
        return {artifact["path"]: artifact["verdict"] for artifact in report["artifacts"] if artifact["parent"] is None}

    def test_a_whole_container(self):
        for jobs in ["1", "3"]:
            self.assertEqual(self.paths("-r", "m", "-j", jobs, code=SOUND), ["m/Mod_P.utoc"])
            self.assertEqual(self.verdicts("-r", "m", "-j", jobs, code=SOUND), {"m/Mod_P.utoc": VERDICT})

    def test_without_its_table(self):
        (self.folder / "m/Mod_P.utoc").unlink()
        self.write("m/good.umod", samples.GOOD)
        self.assertEqual(self.paths("-r", "m", code=2), ["m/good.umod", "m/Mod_P.pak", *self.parts])
        self.assertEqual([self.verdicts("-r", "m", code=2)[path] for path in self.parts], ["undetermined"] * 3)
        self.assertIn(b"is a part of a container", self.expect(2, "-r", "m").stderr)
        for more in [["--siblings=none"], ["--unknown=skip"]]:
            self.assertEqual([self.verdicts("-r", "m", *more, code=TABLES)[path] for path in self.parts], ["not_applicable"] * 3)

    def test_one_that_no_container_has(self):
        self.write("m/Mod_P_s7.ucas", b"nobody reads this")
        for jobs in ["1", "3"]:
            self.assertEqual(self.paths("-r", "m", "-j", jobs, code=2), ["m/Mod_P.utoc", "m/Mod_P_s7.ucas"])
            self.assertEqual(self.verdicts("-r", "m", "-j", jobs, code=2)["m/Mod_P_s7.ucas"], "undetermined")

    def test_of_a_container_that_is_not_valid(self):
        """It says nothing of the others, which may be broken too: a .pak is checked alone, and of a .ucas nothing is known."""
        self.write("m/Mod_P.utoc", b"<!DOCTYPE html><html></html>")
        all_of_it = {"m/Mod_P.utoc": "invalid", "m/Mod_P.pak": OF_TABLES, **dict.fromkeys(self.parts, "undetermined")}
        for args in [["m"], ["m/Mod_P.utoc", "m/Mod_P.pak", *self.parts], ["m/Mod_P.pak", *self.parts]]:
            self.assertEqual(self.verdicts(*args, code=1), all_of_it)
        self.assertEqual(self.verdicts("m/Mod_P.pak", code=1), {"m/Mod_P.utoc": "invalid", "m/Mod_P.pak": OF_TABLES})
        self.assertIn(b"or that one is too broken to say what its parts are", self.expect(1, "m").stderr)
        self.write("m/Mod_P.pak", self.read("m/Mod_P.pak")[:100])
        self.write("m/Mod_P.ucas", b"")
        done = self.expect(1, "m").stdout
        self.assertIn(b"INVALID  m/Mod_P.pak ", done)
        self.assertRegex(done, rb"UNDETERMINED  m/Mod_P.ucas [^\n]*\nCause: the file is empty")
        self.write("m/Mod_P.utoc", self.read("m/Mod_P_s1.ucas"))      # found out without a look at the parts
        self.assertEqual(set(self.verdicts("m", code=1)), set(all_of_it))

    def test_only_tables(self):
        self.assertEqual(set(self.verdicts("-r", "m", "--level=structure", code=TABLES).values()), {OF_TABLES})
        self.assertEqual(set(self.verdicts("-r", "m", "--level=structure", "--siblings=none", code=TABLES).values()),
                         {"valid", OF_TABLES, "not_applicable"})

    def test_named_and_found(self):
        """Of a file that a check told of before it was found it is known."""
        os.link(self.folder / "m/Mod_P.ucas", self.folder / "Other.ucas")
        self.assertEqual(self.verdicts("-r", "m/Mod_P.utoc", "Other.ucas", "m", code=SOUND).get("Other.ucas"), None)
        self.write("n/good.umod", samples.GOOD)
        os.link(self.folder / "m/Mod_P_s1.ucas", self.folder / "n/New.ucas")
        self.assertEqual(self.verdicts("-r", "m/Mod_P.utoc", "n", code=SOUND), {"m/Mod_P.utoc": VERDICT, "n/good.umod": "valid"})

    def test_the_pak(self):
        """Beside its container it is told in the report of that; alone it is checked as any other file, and a .ucas beside it tells that the
        container is missing."""
        self.assertEqual(self.paths("m/Mod_P.pak", "m/Mod_P.utoc", *self.parts, code=SOUND), ["m/Mod_P.utoc"])
        (self.folder / "m/Mod_P.utoc").unlink()
        self.assertEqual(self.verdicts("m/Mod_P.pak", "good.umod", code=2), {"good.umod": "valid", "m/Mod_P.pak": OF_TABLES, "m/Mod_P.ucas": "undetermined"})
        self.assertIn(b"\"Mod_P.utoc\" is missing", self.run_uvet("m/Mod_P.pak").stdout)
        self.assertEqual(self.paths("m/Mod_P.pak", "--siblings=none", code=TABLES), ["m/Mod_P.pak"])
        for part in self.parts:
            (self.folder / part).unlink()
        self.assertEqual(self.verdicts("m", code=TABLES), {"m/Mod_P.pak": OF_TABLES})

    def test_all_that_a_mod_consists_of(self):
        """What a shell makes of MyMod_P.* is told once, and so is what lies in a folder."""
        self.write("m/Mod_P.sig", b"\0" * 64)
        names = sorted(f"m/{path.name}" for path in (self.folder / "m").iterdir())
        self.assertEqual(len(names), 6)
        for args in [names, names[::-1], ["m"]]:
            self.assertEqual(self.paths(*args, code=SOUND), ["m/Mod_P.utoc"])
            self.assertIn(b"not verified: .sig files", self.expect(SOUND, *args).stderr)
        self.assertEqual(self.expect(SOUND, "-q", "m").stderr, b"")
        (self.folder / "m/Mod_P.utoc").unlink()
        self.assertEqual(self.paths("m", code=2), ["m/Mod_P.pak", "m/Mod_P.sig", *self.parts])

    def test_a_part_named_without_its_container(self):
        for args in [self.parts[:1], self.parts[1:2], self.parts, ["./m/../" + self.parts[2], *self.parts]]:
            done = self.expect(SOUND, *args, "-f", "concise")
            self.assertRegex(done.stdout, rb"(\A|\n)([./m]*m/Mod_P).utoc: " + VERDICT.upper().encode() + rb"[^\n]*\n(\2.pak: [^\n]*\n)*\2.pak: " +
                             OF_TABLES.upper().encode() + rb"[^\n]*\n\Z")
            self.assertRegex(done.stderr, rb"\Auvet: '[./m]*m/Mod_P.utoc' is checked, because a part of it was named\n\Z")
        self.write("m/Mod_P_s7.ucas", b"nobody reads this")
        done = self.expect(2, "m/Mod_P_s7.ucas", "-f", "concise")
        self.assertIn(b"'m/Mod_P_s7.ucas' was not asked for by 'm/Mod_P.utoc'", done.stderr)
        self.assertEqual(self.paths("m/Mod_P_s7.ucas", code=2), ["m/Mod_P.utoc", "m/Mod_P_s7.ucas"])
        self.assertEqual(self.paths("--siblings=none", self.parts[0], code=2), self.parts[:1])
        (self.folder / "m/Mod_P.utoc").unlink()
        self.assertIn(b"checked by its .utoc; there is none of its name beside it", self.expect(2, self.parts[0]).stderr)

    def test_the_pak_named_without_its_container(self):
        """It is what people call the mod, and holds little of it: the verdict is about the container too."""
        words = b"uvet: 'm/Mod_P.utoc' is checked, because a part of it was named\n"
        for args in [["m/Mod_P.pak"], ["m/Mod_P.pak", self.parts[1]], ["m/Mod_P.pak", "m/../m/Mod_P.pak"]]:
            done = self.expect(SOUND, *args, "-f", "json")
            self.assertEqual([a["path"] for a in json.loads(done.stdout)["artifacts"]], ["m/Mod_P.utoc", "m/Mod_P.pak"])
            self.assertEqual(done.stderr, words)
        for args in [["m/Mod_P.pak", "m/Mod_P.utoc"], ["m"]]:
            self.assertEqual(self.expect(SOUND, *args).stderr, b"")
        done = self.expect(TABLES, "--siblings=none", "--level=structure", "m/Mod_P.pak", "-f", "json")
        self.assertEqual(([a["path"] for a in json.loads(done.stdout)["artifacts"]], done.stderr), (["m/Mod_P.pak"], b""))
        (self.folder / "m/Mod_P.ucas").write_bytes(self.read("m/Mod_P.ucas")[:-20])
        self.assertEqual(self.verdicts("m/Mod_P.pak", code=1), {"m/Mod_P.utoc": "invalid"})
        (self.folder / "m/Mod_P.ucas").unlink()
        self.assertEqual(self.verdicts("m/Mod_P.pak", code=1), {"m/Mod_P.utoc": "invalid"})

    def test_a_pak_is_no_partition(self):
        """Its name may end as that of a partition does; that of its container then does, too."""
        (self.folder / "m/Mod_P.pak").rename(self.folder / "m/Mod_P_s1.pak")
        self.assertEqual(self.verdicts("m/Mod_P_s1.pak", code=TABLES), {"m/Mod_P_s1.pak": OF_TABLES})

    def test_signatures_named_without_their_container(self):
        """Nobody asks about a mod by them."""
        self.write("m/Mod_P.sig", b"\0" * 64)
        self.assertEqual(list(self.verdicts("m/Mod_P.sig", code=2)), ["m/Mod_P.sig"])

    @unittest.skipIf(os.name == "nt", "needs links")
    def test_no_link_is_followed_to_a_container(self):
        """Nobody named it: a link among the files that somebody sent may lead anywhere."""
        (self.folder / "m/Mod_P.utoc").rename(self.folder / "elsewhere.utoc")
        (self.folder / "m/Mod_P.utoc").symlink_to("../elsewhere.utoc")
        self.assertIn(b"there is none of its name beside it", self.expect(2, self.parts[0]).stderr)
        self.assertEqual(self.paths(self.parts[0], code=2), self.parts[:1])

    def test_a_container_with_a_number(self):
        """It may be called like a partition."""
        (self.folder / "m/Mod_P.ucas").rename(self.folder / "m/X_s1.ucas")
        (self.folder / "m/Mod_P.utoc").rename(self.folder / "m/X_s1.utoc")
        self.assertEqual(self.paths("m/X_s1.ucas", code=1), ["m/X_s1.utoc"])


class Foreign(Inputs):
    """What is of a format that is not read is told to be that."""

    def test_names(self):
        for name, words in [
                            ("a.uexp", "a part of a package")]:
            self.write(name, b"\0\1\2\3" * 16)
            done = self.expect(2, name)
            self.assertIn(f"{name}   not read by this version: {words}".encode(), done.stdout)
            self.assertIn(f"RUN004] format_unknown  not read by this version: {words}".encode(), done.stdout)

    def test_a_part_and_a_download_that_has_not_ended(self):
        """Neither is of a format that is not read: the one is judged with its container, the other is not whole."""
        self.write("a.ucas", b"\0\1\2\3" * 16)
        done = self.expect(2, "a.ucas")
        self.assertIn(b"a.ucas   judged only with its .utoc: a part of an IoStore container (.ucas), 64 bytes\n", done.stdout)
        self.assertIn(b"   = not judged: 64 bytes: it is judged only with its .utoc\n", done.stdout)
        self.assertIn(b"RUN004] format_unknown  judged only with its .utoc: a part of", done.stdout)
        self.write("a.ucas", b"PK\x07\x08" + bytes(60))
        self.assertIn(b"a.ucas   not read by this version: a part of a zip archive, 64 bytes\n", self.expect(2, "a.ucas").stdout)
        for name in ["m/a.pak.crdownload", "m/a.pak.part"]:
            self.write(name, b"\0\1\2\3" * 16)
            words = b"not complete: a download that has not ended (" + os.path.splitext(name)[1].encode() + b")"
            self.assertIn(b"UNDETERMINED  " + name.encode() + b"   " + words, self.expect(2, name).stdout)
            self.assertIn(b"NOT APPLICABLE  " + name.encode() + b"   " + words, self.expect(2, "m").stdout)

    def test_bytes_say_more_than_names(self):
        """The verdict's line, the finding and the diagnosis agree on what a file is."""
        for name, data, words in [("a.uexp", b"<!DOCTYPE html><html></html>", "an HTML page"), ("b", b"PK\x07\x08" + bytes(60), "a part of a zip archive")]:
            self.write(name, data)
            done = self.expect(2, name)
            self.assertIn(f"{name}   not read by this version: {words}, ".encode(), done.stdout)
            self.assertIn(f"RUN004] format_unknown  not read by this version: {words}\n".encode(), done.stdout)
            self.assertIn(f"Cause: the file is {words.split(' (')[0]}, which this version does not read".encode(), done.stdout)

    def test_a_name_that_promises_a_package(self):
        """In a folder, too, what is called so and is none cannot be passed over, nor a package of the older form."""
        package = "not what its name promises: a package of Unreal Engine 4 or 5 (.uasset)"
        for name, data, kind, cause in [("page.uasset", b"<!DOCTYPE html><html></html>", package, "the file is an HTML page, but its name promises another format: package of"),
                                        ("text.uasset", b"Not found\n", package, "the file is a text file, but its name promises"),
                                        ("empty.uasset", b"", package, "the file is empty"), ("one.uasset", b"\xC1", package, None),
                                        ("zeros.umap", bytes(4096), package.replace("package", "level", 1).replace("asset", "map"), "the file is nothing but zeros"),
                                        ("head.uasset", bytes(4096) + bytes(range(256)) * 9, package, "the file has 4097 bytes of zeros at 0x00"),
                                        ("few.uasset", bytes(40) + bytes(range(256)) * 9, package, None)]:
            for args in [[name], ["m"], ["--unknown=skip", name]]:
                self.write("m/" + name, data)
                self.write(name, data)
                done = self.expect(2, *args).stdout.decode()
                self.assertRegex(done.splitlines()[0], "^UNDETERMINED  (m/)?" + re.escape(f"{name}   {kind}"))
                self.assertEqual(cause or "", cause if cause and cause in done else "")
                self.assertEqual("Cause: " in done or "Most likely: " in done, cause is not None, done)
            (self.folder / "m" / name).unlink()
        for tag in [b"\xC1\x83\x2A\x9E", b"\x9E\x2A\x83\xC1"]:
            self.write("m/old.uasset", tag + b"\xF8\xFF\xFF\xFF" + bytes(range(256)))
            for args in [["m"], ["m/old.uasset"]]:
                done = self.expect(2, *args).stdout
                self.assertNotIn(b"promises", done)
                self.assertRegex(done, b"HDR001|FIL005")

    def test_a_name_without_an_ending(self):
        self.write("zip", b"\0\1\2\3" * 16)
        self.assertIn(b"neither the bytes nor the name are of a known format", self.expect(2, "zip").stdout)


class BesideReports(Inputs):
    def test_inputs_that_are_not_there(self):
        """Only what is there can be the file that a report would take the place of."""
        self.write("out", b"")
        self.write("list", b"bad.umod\0missing-too\0")
        self.expect(1, "missing", "good.umod", "--files0-from", "list", "-f", "json=out")
        self.assertEqual([artifact["path"] for artifact in json.loads(self.read("out"))["artifacts"]],
                         ["missing", "good.umod", "bad.umod", "missing-too"])
        self.write("list", b"missing-too\0out\0")
        self.write("out", b"")
        self.expect_usage("good.umod", "--files0-from", "list", "-f", "json=out", says=["'out'", "one of the files to check"])

    def test_what_options_name(self):
        """A report never takes the place of a list, of keys, or of a library."""
        self.write("list", b"good.umod\0")
        self.write("keys", b"00" * 32)
        self.write("public", b"SigningModulus=" + base64.b64encode(b"\xFF" * 64) + b"\nSigningPublicExponent=AQAB\n")
        for option, name in (("--files0-from", "list"), ("--aes-key-file", "keys"), ("--signing-key-file", "public")):
            before = self.read(name)
            self.expect_usage("good.umod", option, name, "-f", f"json={name}", says=[f"'{name}'", "an option names it as a file to read"])
            self.assertEqual(self.read(name), before)

    def test_a_list_that_comes_from_a_pipe(self):
        self.write("report", b"")
        self.expect(0, "--files0-from", "-", "-f", "json=report", stdin=b"good.umod\0")
        self.assertEqual(json.loads(self.read("report"))["artifacts"][0]["path"], "good.umod")

    def test_more_than_are_remembered(self):
        self.write("keys", b"00" * 32)
        self.expect(0, "good.umod", *["--aes-key-file", "keys"] * 64)
        self.expect_usage("good.umod", *["--aes-key-file", "keys"] * 65, says=["'keys'", "one too many"])

    def test_pipes_alone_are_told(self):
        self.write("m/good.umod", samples.GOOD)
        os.mkfifo(self.folder / "m" / "fifo")
        self.assertIn(b"links: 0, pipes, sockets and devices: 1,", self.expect(0, "-r", "m").stderr)


class Many(Case):
    """More paths than are looked at beforehand: the reports are those of a few at a time."""

    def setUp(self):
        super().setUp()
        self.write("folder/bad.umod", samples.BAD_CRC)
        self.write("folder/readme.txt", samples.UNKNOWN)
        self.assemble("iostore/good_zlib", "Mod_P.utoc")
        self.write("Lone.ucas", b"x" * 20)
        os.mkfifo(self.folder / "pipe.umod")
        os.symlink("good.umod", self.folder / "link.umod")
        os.symlink("folder", self.folder / "way")
        for i in range(70):
            self.write(f"n{i}.umod", samples.GOOD)
        self.few = ["folder", "bad.umod", "absent.umod", "pipe.umod", "link.umod", "way", "unknown.txt", "Mod_P.ucas", "Mod_P.utoc", "Lone.ucas",
                    "folder/bad.umod"]
        self.many = [f"n{i}.umod" for i in range(70)]

    def artifacts(self, *paths):
        report = json.loads(self.run_uvet("-f", "json", *paths).stdout)
        names = {artifact["id"]: artifact["path"] for artifact in report["artifacts"]}
        found = [(names[f["artifact"]], f["rule"], f["severity"], f["message"]) for f in report["findings"]]
        return [(a["path"], a["verdict"], a["size"], a.get("diagnosis")) for a in report["artifacts"]], found

    def test_as_a_few(self):
        few, found = self.artifacts(*self.few)
        for threads in ("1", "4"):
            many, also = self.artifacts("-j", threads, *self.few, *self.many)
            self.assertEqual([a for a in many if not a[0].startswith("n")], few)
            self.assertEqual(also, found)
            self.assertEqual({a[1] for a in many if a[0].startswith("n")}, {"valid"})
        self.write("list", "\0".join([*self.few, *self.many, ""]).encode())
        self.assertEqual(self.artifacts("--files0-from", "list"), self.artifacts(*self.few, *self.many))

    def test_info_too(self):
        few = self.run_uvet("info", *self.few)
        many = self.run_uvet("info", *self.few, *self.many)
        self.assertEqual(many.returncode, few.returncode)
        self.assertTrue(many.stdout.startswith(few.stdout.rstrip(b"\n")))
        self.assertEqual(many.stderr, few.stderr)

    @unittest.skipIf(has_sanitizer(UVET), "a sanitizer opens files of its own")
    def test_with_few_files_at_a_time(self):
        """Whatever the system lets be open at a time, the report is the same."""
        whole = self.artifacts("-j", "4", *self.few, *self.many)
        limited = subprocess.run(["sh", "-c", 'ulimit -n 12; exec "$@"', "sh", UVET, "-f", "json", "-j", "4", *self.few, *self.many],
                                 cwd=self.folder, capture_output=True)
        report = json.loads(limited.stdout)
        self.assertEqual([(a["path"], a["verdict"], a["size"], a.get("diagnosis")) for a in report["artifacts"]], whole[0])


if __name__ == "__main__":
    unittest.main()
