"""Black-box tests of commands, options, inputs and exit codes."""
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import unittest
import zlib

import samples
from case import FORMATS, UVET, Case


class Commands(Case):
    def test_check_is_the_default(self):
        named = self.expect(0, "check", "good.umod")
        self.assertEqual(self.expect(0, "good.umod").stdout, named.stdout)
        self.assertIn(b"good.umod", named.stdout)

    def test_a_file_called_like_a_command(self):
        self.write("rules", samples.BAD_CRC)
        self.expect(1, "./rules")
        self.expect(1, "check", "rules")

    def test_version(self):
        done = self.expect(0, "version")
        self.assertRegex(done.stdout, rb"\Auvet \d+\.\d+\.\d+, rules \S+\ncrc: \S+, deflate: zlib, lzma: (none|liblzma), "
                         rb"lz4: uvet, zstd: (none|libzstd), archive: (none|libarchive)\nsha1: (none|nettle), aes: (none|nettle), rsa: uvet, blake3: (none|blake3)\nini: (none|inih)\n\Z")
        self.assertEqual(self.expect(0, "--version").stdout, done.stdout)

    def test_help(self):
        general = self.expect(0, "help").stdout.decode()
        self.assertEqual(self.expect(0, "--help").stdout.decode(), general)
        for command in ["check", "explain", "rules", "map", "info", "profile", "completion", "schema", "version", "help"]:
            self.assertIn(f"\n  {command}", general)
            own = self.expect(0, "help", command).stdout.decode()
            self.assertTrue(own.startswith(f"Usage: uvet {command}"))
            if command != "help":
                self.assertEqual(self.expect(0, command, "-h").stdout.decode(), own)
            self.assertTrue(all(line == line.rstrip() and len(line) <= 100 for line in own.split("\n")))

    def test_help_lists_every_option_of_check(self):
        text = self.expect(0, "help", "check").stdout.decode()
        for name in ["recursive", "files0-from", "stdin-name", "select", "ignore", "only", "severity", "fail-on", "level",
                     "unknown", "show-passed", "format", "color", "quiet", "jobs", "help", "max-memory", "max-work"]:
            self.assertIn(f"--{name}", text)

    def test_explain(self):
        self.assertIn(b"UMD006", self.expect(0, "explain", "UMD006").stdout)
        self.assertIn(b"UMD006", self.expect(0, "explain", "crc_mismatch").stdout)
        self.assertIn(b"PHS009", self.expect(0, "explain", "seed_count_unusual").stdout)
        self.expect_usage("explain", "NO\x1bSUCH", says=["NO\\x1BSUCH"])
        self.expect_usage("explain", says=["RULE"])

    def test_rules(self):
        self.assertIn(b"UMD006", self.expect(0, "rules").stdout)
        self.assertIn(b"UMD006", self.expect(0, "rules", "--format", "md").stdout)
        self.expect(0, "rules", "--format=layouts")
        listed = json.loads(self.expect(0, "rules", "-f", "json").stdout)
        aliases = {rule["id"]: rule["aliases"] for rule in listed["rules"]}
        self.assertEqual((aliases["UMD006"], aliases["PHS009"]), ([], ["seed_count_unusual"]))
        self.expect_usage("rules", "--format", "sarif", says=["sarif", "layouts"])
        self.expect_usage("rules", "one", says=["one"])

    def test_map_and_info(self):
        for command in ["map", "info"]:
            self.assertTrue(self.expect(0, command, "good.umod").stdout)
            json.loads(self.expect(0, command, "good.umod", "--format", "json").stdout)
            piped = self.expect(0, command, "-", "--stdin-name", "good.umod", stdin=samples.GOOD)
            self.assertEqual(piped.stdout, self.expect(0, command, "good.umod").stdout)
            self.assertEqual(self.expect(2, command, "missing").stdout, b"")
            self.assertEqual(self.expect(2, command, "none").stdout, b"")
            self.expect_usage(command)
            self.expect_usage(command, "good.umod", "--format", "sarif")
        self.expect_usage("map", "good.umod", "bad.umod")
        self.assertIn(b"incomplete", self.expect(2, "info", "--max-entries", "1", "good.umod").stdout)
        self.assertTrue(json.loads(self.expect(2, "info", "--max-entries", "1", "-f", "json", "good.umod").stdout)["truncated"])
        self.assertFalse(json.loads(self.expect(0, "info", "-f", "json", "good.umod").stdout)["truncated"])
        self.assertIn(b"memory ended", self.expect(4, "info", "--max-memory", "1", "good.umod").stdout)
        self.assertIn(b"cut:", self.expect(2, "map", "--max-entries", "1", "good.umod").stdout)
        self.assertTrue(json.loads(self.expect(2, "map", "--max-entries", "1", "-f", "json", "good.umod").stdout)["truncated"])
        self.assemble("zen/good_5_4", "Lamp.uzenasset")
        whole, part = (self.run_uvet("map", *args, "Lamp.uzenasset").stdout for args in [[], ["--max-entries", "2"]])
        self.assertIn(b"trailer", whole)
        self.assertNotIn(b"trailer", part)      # where exports end is not known
        self.assertIn(b"cut:", part)


class ExitCodes(Case):
    def test_verdicts(self):
        self.expect(0, "good.umod")
        self.expect(1, "bad.umod")
        self.expect(1, "good.umod", "bad.umod", "missing")
        self.expect(2, "unknown.txt")
        self.expect(2, "good.umod", "unknown.txt")

    def test_what_cannot_be_read(self):
        self.assertIn(b"missing", self.expect(2, "missing").stdout)
        self.expect(2, "")
        os.mkfifo(self.folder / "fifo")
        self.expect(2, "fifo")
        self.expect(2, "/dev/null")
        (self.folder / "loop").symlink_to("loop")
        self.expect(2, "loop")

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_what_may_not_be_read(self):
        os.chmod(self.folder / "good.umod", 0)
        self.expect(2, "good.umod")

    def test_a_link_that_is_named_is_followed(self):
        (self.folder / "link").symlink_to("bad.umod")
        self.expect(1, "link")

    def test_nothing_judged(self):
        done = self.expect(2, "--unknown", "skip", "unknown.txt")
        self.assertIn(b"nothing was checked: there is no file of a format that uvet knows", done.stderr)

    def test_fail_on(self):
        self.expect(0, "--fail-on", "never", "bad.umod")
        self.expect(0, "--ignore", "crc_mismatch", "--fail-on=never", "bad.umod")

    def test_fail_on_classes(self):
        self.assemble("umod/UMD018_member_executable", "note.umod")    # a note about security
        for fail_on, named, code in [("error", "note.umod", 0), ("security", "note.umod", 1), ("error,security", "note.umod", 1),
                                     ("hygiene", "note.umod", 0), ("security", "bad.umod", 0), ("security,error", "bad.umod", 1),
                                     ("corruption", "bad.umod", 1), ("never,corruption", "bad.umod", 1), ("security", "unknown.txt", 2)]:
            self.expect(code, "--fail-on", fail_on, named)
        policy = json.loads(self.expect(1, "--fail-on", "security,hygiene,error", "-f", "json", "bad.umod").stdout)["policy"]
        self.assertEqual(policy["fail_on"], "error,security,hygiene")
        self.assertEqual(json.loads(self.expect(0, "--fail-on=security,never", "-f", "json", "good.umod").stdout)["policy"]["fail_on"], "security")
        for wrong in ["error,warning", "security,", "insecure"]:
            self.expect_usage("--fail-on", wrong, "bad.umod", says=["fail-on: expected one of error, warning, note and never"])

    def test_the_last_line_says_why_a_run_of_valid_files_fails(self):
        self.assemble("umod/UMD018_member_executable", "note.umod")
        self.assemble("umod/UMD025_name_character_reserved_question", "warned.umod")
        for args, words in [(["--fail-on", "warning", "warned.umod"], "1 warning, by --fail-on warning"),
                            (["--profile", "author", "warned.umod"], "1 warning, by --fail-on warning"),
                            (["--fail-on", "security", "note.umod"], "1 note, by --fail-on security"),
                            (["--fail-on", "warning,security", "warned.umod", "note.umod"], "1 warning, 1 note, by --fail-on warning,security"),
                            (["--fail-on", "note,security", "note.umod"], "1 note, by --fail-on note,security"),
                            (["bad.umod", "warned.umod", "--fail-on", "warning"], None)]:
            last = self.expect(1, *args).stdout.decode().splitlines()[-1]
            self.assertEqual(re.findall(r"\.  Fails: (.*)\.   ruleset ", last), [words] if words else [], last)
        self.assertNotIn(b"Fails: ", self.expect(0, "warned.umod", "note.umod", "--fail-on", "error,resource").stdout)

    def test_full_disk(self):
        for command in [["bad.umod"], ["-f", "json", "good.umod"], ["rules"], ["map", "good.umod"], ["help"], ["version"],
                        ["explain", "UMD006"], ["-j2", "-r", "."]]:
            with open("/dev/full", "wb") as full:
                done = self.expect(4, *command, stdout=full)
            self.assertRegex(done.stderr, rb"\Auvet: standard output could not be written[^\n]*\n\Z")

    def test_closed_standard_streams(self):
        command = ["sh", "-c", '"$0" good.umod -f json=report.json >&- <&-', UVET]
        self.assertEqual(subprocess.run(command, cwd=self.folder, timeout=60, check=False).returncode, 0)
        json.loads(self.read("report.json"))
        command = ["sh", "-c", '"$0" good.umod >&- 2>&-', UVET]
        self.assertEqual(subprocess.run(command, cwd=self.folder, timeout=60, check=False).returncode, 4)


class Usage(Case):
    def test_no_path(self):
        self.expect_usage(says=["no file"])
        self.expect_usage("check")

    def test_unknown_options(self):
        self.expect_usage("--no-such-option", "good.umod", says=["--no-such-option", "--"])
        self.expect_usage("-Z", "good.umod", says=["-Z"])
        self.expect_usage("--\x1b[31m", "good.umod", says=["--\\x1B[31m"])
        self.expect_usage("rules", "--recursive", says=["--recursive"])

    def test_values(self):
        self.expect_usage("good.umod", "--format", says=["--format"])
        self.expect_usage("good.umod", "-j", says=["-j"])
        self.expect_usage("--quiet=yes", "good.umod", says=["--quiet=yes"])
        for option, value in [("--jobs", "x"), ("--jobs", "-1"), ("--jobs", "65"), ("--jobs", ""), ("--color", "blue"),
                              ("--format", "pdf"), ("--format", "json="), ("--fail-on", "x"), ("--level", "x"),
                              ("--unknown", "x"), ("--severity", "UMD006"), ("--severity", "UMD006=bad"),
                              ("--select", "NOPE"), ("--ignore", "NOPE"), ("--only", "NOPE"), ("--max-work", "many")]:
            done = self.expect_usage(option, value, "good.umod", says=[option.lstrip("-")])
            self.assertIn(value.split("=")[-1], done.stderr.decode())

    def test_two_reports_on_standard_output(self):
        self.expect_usage("-f", "json", "-f", "text", "good.umod", says=["json", "text"])

    def test_folders_are_walked(self):
        self.write("sub/inner/bad.umod", samples.BAD_CRC)
        self.write("list", b"sub\0")
        for args in (["."], ["good.umod", "sub"], ["--files0-from", "list"]):
            done = self.expect(1, *args, "-f", "concise")
            self.assertIn(b"sub/inner/bad.umod", done.stdout)
            self.assertEqual(done.stdout, self.expect(1, *args, "-r", "-f", "concise").stdout)
            self.assertEqual(done.stdout, self.expect(1, *args, "-j3", "-f", "concise").stdout)
        self.assertIn(b"cannot be read", self.expect(2, "map", ".").stderr)

    def test_what_is_not_there(self):
        for name in ["missing", "missing/", "missing.utoc"]:
            done = self.expect(2, name)
            self.assertIn(f"UNDETERMINED  {name}   cannot be read\n".encode(), done.stdout)
            self.assertNotIn(b"known format", done.stdout)
        self.assertIn(b"there is no such file", self.expect(2, "missing").stdout)
        self.assertIn(b"it is no regular file", self.expect(2, os.devnull).stdout)

    def test_standard_input_twice(self):
        self.expect_usage("-", "-", says=["standard input"])
        self.expect_usage("-", "--files0-from", "-", says=["standard input"])

    def test_names_that_begin_with_a_dash(self):
        self.write("-rf", samples.BAD_CRC)
        self.write("--help", samples.BAD_CRC)
        self.expect(1, "--", "-rf")
        self.expect(1, "--", "--help")
        self.expect(1, "./-rf")
        self.expect(1, "good.umod", "--", "-rf", "--help")

    def test_options_behind_paths(self):
        self.assertEqual(self.expect(0, "good.umod", "-q").stdout, b"")


class Inputs(Case):
    def test_standard_input(self):
        self.expect(0, "-", stdin=samples.GOOD)
        done = self.expect(1, "-", "--stdin-name", "piped.umod", stdin=samples.BAD_CRC)
        self.assertIn(b"piped.umod", done.stdout)
        self.expect(2, "-", stdin=b"")

    def test_standard_input_from_a_file(self):
        with open(self.folder / "bad.umod", "rb") as file:
            done = subprocess.run([UVET, "-"], stdin=file, cwd=self.folder, capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 1)
        with open(self.folder / "bad.umod", "rb") as file:
            file.seek(1)
            os.lseek(file.fileno(), 1, os.SEEK_SET)
            done = subprocess.run([UVET, "-", "-f", "json"], stdin=file, cwd=self.folder, capture_output=True, timeout=60,
                                  check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(str(len(samples.BAD_CRC) - 1).encode(), done.stdout)

    def test_standard_input_from_a_large_file(self):
        """A file is read where it lies, so that it may be larger than the memory of the run; what comes through a pipe is held."""
        data = samples.umod(bytes(2 << 20))
        self.write("large.umod", data)
        few = ["--max-memory", "1M", "--stdin-name", "large.umod", "-f", "json", "-"]
        with open(self.folder / "large.umod", "rb") as file:
            done = subprocess.run([UVET, *few], stdin=file, cwd=self.folder, capture_output=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(done.stdout, self.expect(0, "--max-memory", "1M", "-f", "json", "large.umod").stdout)
        self.assertIn(b"standard input cannot be read", self.expect(2, *few, stdin=data).stderr)

    def test_standard_input_that_is_too_long_takes_no_memory(self):
        """What was read of it is given back, and not taken off the memory that other checks have."""
        chunk = random.Random(2).randbytes(32768)
        packed = zlib.compress(chunk)
        self.write("a.u.uz2", (struct.pack("<II", len(packed), len(chunk)) + packed) * 64)
        alone = self.expect(2, "--max-memory", "1M", "-f", "concise", "a.u.uz2").stdout.splitlines()[0]
        self.assertIn(b"RUN005", alone)
        done = self.expect(2, "--max-memory", "1M", "-f", "concise", "-", "a.u.uz2", stdin=bytes(2 << 20))
        self.assertIn(alone, done.stdout.splitlines())

    def test_list(self):
        names = b"good.umod\0bad.umod\0-odd\nname.umod\0"
        self.write("-odd\nname.umod", samples.GOOD)
        self.write("list", names)
        done = self.expect(1, "--files0-from", "list", "-f", "concise")
        self.assertEqual(self.expect(1, "--files0-from", "-", "-f", "concise", stdin=names).stdout, done.stdout)
        self.assertIn(b"bad.umod", done.stdout)

    def test_list_comes_behind_paths(self):
        done = self.expect(1, "bad.umod", "--files0-from", "-", "-f", "ndjson", stdin=b"unknown.txt\0")
        self.assertLess(done.stdout.index(b"bad.umod"), done.stdout.index(b"unknown.txt"))

    def test_bytes_of_two_formats(self):
        both = b"\xC1\x83\x2A\x9E" + samples.GOOD
        words = b"it may be read as another format: Unreal package"
        self.assertIn(words, self.expect(1, "-", stdin=both).stdout)
        self.assertNotIn(words, self.expect(1, "--stdin-name", "a.umod", "-", stdin=both).stdout)

    def test_bad_lists(self):
        self.expect_usage("--files0-from", "missing", says=["missing"])
        self.expect_usage("--files0-from", "-", stdin=b"good.umod\0\0bad.umod\0", says=["empty"])
        for cut in [b"good.umod", b"good.umod\0bad.umod", b"good.umod\nbad.umod\n"]:
            self.write("list", cut)
            self.expect_usage("--files0-from", "list", says=["'list' ends inside a name", "ended by one NUL"])
            self.expect_usage("--files0-from", "-", "good.umod", stdin=cut, says=["ends inside a name"])
        self.expect(2, "--files0-from", "-", stdin=b"")
        self.expect(1, "--files0-from", "-", stdin=b".\0")


class Folders(Case):
    def paths(self, *args, code):
        done = self.expect(code, "-r", "-f", "json", *args)
        report = json.loads(done.stdout)
        return [artifact["path"] for artifact in report["artifacts"] if artifact["verdict"] != "not_applicable"]

    def test_order_is_that_of_the_paths(self):
        for name in ["m/b.umod", "m/a/z.umod", "m/a.umod", "m/a-b.umod", "m/a/0/1.umod", "m/B.umod"]:
            self.write(name, samples.GOOD)
        expected = sorted(["m/b.umod", "m/a/z.umod", "m/a.umod", "m/a-b.umod", "m/a/0/1.umod", "m/B.umod"])
        self.assertEqual(self.paths("m", code=0), expected)
        self.assertEqual(self.paths("m/", code=0), expected)

    def test_unknown_files_are_skipped_in_folders_only(self):
        self.write("m/readme.txt", samples.UNKNOWN)
        self.write("m/good.umod", samples.GOOD)
        self.assertEqual(self.paths("m", code=0), ["m/good.umod"])
        self.assertEqual(self.paths("m", "m/readme.txt", code=2), ["m/good.umod", "m/readme.txt"])
        self.assertIn("m/readme.txt", self.paths("--unknown=undetermined", "m", code=2))

    def test_empty_folder(self):
        os.mkdir(self.folder / "empty")
        self.assertIn(b"nothing was checked: no file was found\n", self.expect(2, "-r", "empty").stderr)

    def test_links_and_pipes(self):
        self.write("m/good.umod", samples.GOOD)
        (self.folder / "m" / "link.umod").symlink_to("../bad.umod")
        (self.folder / "m" / "up").symlink_to("..")
        (self.folder / "m" / "loop").symlink_to("loop")
        os.mkfifo(self.folder / "m" / "fifo.umod")
        done = self.expect(2, "-r", "m")
        self.assertIn(b"links: 3", done.stderr)
        self.assertIn(b"Left out in folders: 3 links, 1 special file.", done.stdout)
        self.assertIn(b"it is a link", done.stdout)
        quiet = self.expect(2, "-r", "-q", "m")
        self.assertEqual(quiet.stderr, b"")
        self.assertIn(b"m/link.umod", quiet.stdout)
        (self.folder / "m" / "link.umod").unlink()
        self.assertEqual(self.expect(0, "-r", "-q", "m").stderr, b"")
        (self.folder / "named").symlink_to("m")
        self.expect(0, "-r", "named")

    def test_what_was_left_out_is_in_every_report_for_programs(self):
        self.write("m/good.umod", samples.GOOD)
        (self.folder / "m" / "up").symlink_to("..")
        (self.folder / "m" / "pak.umod").symlink_to("up")
        os.mkfifo(self.folder / "m" / "fifo")
        os.mkfifo(self.folder / "m" / "fifo2.umod")
        for jobs in ["1", "3"]:
            self.expect(2, "-r", "-q", "m", "-j", jobs, "-f", "json=a.json", "-f", "ndjson=b.ndjson", "-f", "sarif=c.sarif")
            report = json.loads(self.read("a.json"))
            summary = [json.loads(line) for line in self.read("b.ndjson").splitlines()][-1]
            properties = json.loads(self.read("c.sarif"))["runs"][0]["properties"]
            for told in [report["summary"], summary, properties]:
                self.assertEqual(told["left_out"], {"links": 2, "mounts": 0, "specials": 2})
            self.assertEqual([(a["path"], a["verdict"]) for a in report["artifacts"]], [("m/good.umod", "valid"), ("m/pak.umod", "undetermined")])
        self.assertEqual(json.loads(self.expect(0, "good.umod", "-f", "json").stdout)["summary"]["left_out"], {"links": 0, "mounts": 0, "specials": 0})

    @unittest.skipUnless(sys.platform == "linux" and shutil.which("unshare"), "needs unshare")
    def test_another_file_system(self):
        """What is mounted below a folder is undetermined, unless it is named itself. The mount is in a namespace of its own."""
        self.write("m/good.umod", samples.GOOD)
        os.mkdir(self.folder / "m" / "other")
        script = 'mount -t tmpfs none m/other && cp bad.umod m/other && { "$@"; echo "exit $?"; }'

        def run(*args):
            command = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh", UVET, "-r", "-f", "concise", *args]
            return subprocess.run(command, cwd=self.folder, capture_output=True, timeout=60, check=False)

        done = run("m")
        if b"exit " not in done.stdout:
            self.skipTest(f"this system lets nobody mount: {done.stderr.decode()}")
        self.assertEqual(done.stdout.splitlines()[-1], b"exit 2")
        self.assertIn(b"m/other: UNDETERMINED", done.stdout)
        self.assertNotIn(b"bad.umod", done.stdout)
        self.assertIn(b"folders on other file systems: 1", done.stderr)
        done = run("m", "m/other")
        self.assertEqual(done.stdout.splitlines()[-1], b"exit 1")
        self.assertIn(b"m/other/bad.umod: INVALID", done.stdout)

    def test_deep_folders(self):
        path = "d/" * 200
        self.write(path + "bad.umod", samples.BAD_CRC)
        self.assertTrue(self.paths("d", code=2)[0].startswith("d/d/"))
        self.write("d/" * 100 + "bad.umod", samples.BAD_CRC)
        self.assertIn("d/" * 100 + "bad.umod", self.paths("d", code=1))

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_folder_that_may_not_be_read(self):
        self.write("m/good.umod", samples.GOOD)
        self.write("m/closed/bad.umod", samples.BAD_CRC)
        os.chmod(self.folder / "m" / "closed", 0)
        self.addCleanup(os.chmod, self.folder / "m" / "closed", 0o700)
        self.assertEqual(self.paths("m", code=2), ["m/closed", "m/good.umod"])

    def test_jobs_change_nothing(self):
        for number in range(200):
            data = [samples.GOOD, samples.BAD_CRC, samples.UNKNOWN, samples.GOOD[:number], b""][number % 5]
            self.write(f"tree/{number % 7}/{number * 7919 % 200:03}.umod", data)
        for form in FORMATS:
            one = self.run_uvet("-r", "tree", "bad.umod", "missing", "-f", form, "-j", "1")
            for jobs in ["2", "5", "0", "64"]:
                many = self.run_uvet("-r", "tree", "bad.umod", "missing", "-f", form, "-j", jobs)
                self.assertEqual((many.stdout, many.stderr, many.returncode), (one.stdout, one.stderr, one.returncode))


if __name__ == "__main__":
    unittest.main()
