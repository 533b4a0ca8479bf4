"""Black-box tests of configurations: what they may set, where they are found, and when they are not trusted."""
import json
import os
import random
import re
import subprocess
import unittest

import samples
from case import UVET, Case, has, needs

ALL = """; as a site may have it
[uvet]
profile = hosting
fail-on = warning          ; every one
ignore = MAN007
include = *.umod
show-passed = yes

# a line of the other kind
[severity]
UMD018 = error
name_not_portable_to_mac = off

[limits]
max-nested = 100
"""


@needs("inih")
class Config(Case):
    def setUp(self):
        super().setUp()
        self.write("dist/good.umod", samples.GOOD)
        self.write("dist/bad.umod", samples.BAD_CRC)

    def policy(self, *args, code=0, **more):
        return json.loads(self.expect(code, "-f", "json", *args, **more).stdout)["policy"]

    def refuse(self, text, *says, line=None):
        self.write("x.ini", text if isinstance(text, bytes) else text.encode())
        done = self.expect(3, "dist", "--config", "x.ini")
        self.assertEqual(done.stdout, b"")
        self.assertRegex(done.stderr, rb"\A(uvet: [\x20-\x7e]+\n)+\Z")
        for word in [*says, *(["line %d" % line] if line else [])]:
            self.assertIn(word, done.stderr.decode(), text)


class Settings(Config):
    def test_all_sections(self):
        self.write("x.ini", ALL.encode())
        policy = self.policy("dist/good.umod", "--config", "x.ini")
        self.assertEqual(policy["profile"], "hosting")
        self.assertEqual(policy["fail_on"], "warning")
        self.assertIn("MAN007", policy["ignored"])
        self.assertIn("UMD019", policy["ignored"])

    def test_the_command_line_comes_last(self):
        self.write("x.ini", b"[uvet]\nfail-on = never\nprofile = author\n")
        self.expect(0, "dist", "--config", "x.ini")
        self.expect(1, "dist", "--config", "x.ini", "--fail-on", "error")
        self.expect(1, "dist", "--fail-on", "error", "--config", "x.ini")
        self.assertEqual(self.policy("dist/good.umod", "--config", "x.ini")["profile"], "author")
        self.assertEqual(self.policy("dist/good.umod", "--config", "x.ini", "--profile", "archive")["profile"], "archive")

    def test_a_profile_comes_first_wherever_it_stands(self):
        self.write("x.ini", b"[uvet]\nfail-on = never\n[uvet]\nprofile = author\n")
        self.assertEqual(self.policy("dist/good.umod", "--config", "x.ini")["fail_on"], "never")

    def test_endings_of_lines_and_marks(self):
        for text in (b"[uvet] ; ours\nfail-on=never\n", b"[uvet]\t# ours\nfail-on=never\n", b"\xef\xbb\xbf[uvet]\r\nfail-on = never\r\n", b"[uvet]\nfail-on=never", b"\n\n;\n[uvet]\nfail-on:never\n"):
            self.write("x.ini", text)
            self.expect(0, "dist", "--config", "x.ini")

    def test_tabs(self):
        self.write("x.ini", b"[uvet]\nfail-on\t=\tnever\t; nothing\t\n")
        self.expect(0, "dist", "--config", "x.ini")

    def test_patterns(self):
        self.write("x.ini", b"[uvet]\nexclude = bad.*\n")
        self.expect(0, "dist", "--config", "x.ini")

    def test_nothing_that_names_a_file_or_runs(self):
        for name in ("oodle", "aes-key-file", "aes-key-env", "signing-key-file", "files0-from", "format", "config", "isolated", "jobs", "help"):
            self.refuse("[uvet]\n%s = x\n" % name, name, "only on the command line", line=2)

    def test_mistakes(self):
        self.refuse("[uvet]\n\nfail-onn = never\n", "fail-on?", line=3)
        self.refuse("[uvet]\nmax-work = 1\n", "max-work", line=2)
        self.refuse("[limits]\nfail-on = never\n", "fail-on", line=2)
        self.refuse("[severity]\nUMD999 = error\n", "UMD999", line=2)
        self.refuse("[severity]\nUMD005 = fatal\n", "fatal", line=2)
        self.refuse("[severity]\nRUN001 = off\n", "RUN001", "mandatory", line=2)
        self.refuse("[uvett]\nlevel = content\n", "[uvett]", line=2)
        self.refuse("level = content\n", "section", line=1)
        self.refuse('[uvet "x"]\nlevel = content\n', "pattern", line=2)
        self.refuse("[uvet]\nprofile = author\nprofile = none\n", "profile", line=3)

    def test_what_the_reader_would_read_otherwise(self):
        self.refuse("[uvet]\nlevel = content\n fail-on = never\n", "blanks", line=3)
        self.refuse("[uvet] fail-on = never\n", "follow", line=1)
        self.refuse("[uvet\n", "]", line=1)
        self.refuse("[uvet]\nlevel\n", "NAME = VALUE", line=2)
        self.refuse("[uvet]\n= content\n", "name", line=2)
        self.refuse("[uvet]\ninclude = " + "a" * 300 + "\n", "190", line=2)
        self.refuse("[" + "a" * 60 + "]\n", "48", line=1)
        self.refuse("[uvet]\n" + "a" * 60 + " = b\n", "48", line=2)
        self.refuse(b"[uvet]\nlevel = con\0tent\n", "NUL", line=2)
        for control in {*range(1, 32), 127} - {*b"\t\n"}:
            self.refuse(b"[uvet]\ninclude = a\n%cexclude = b\n" % control, "control", line=3)
            self.refuse(b"[uvet]\ninclude = a%cb\n" % control, "control", line=2)
        self.refuse(b";" * 180 + b"\n" + (b";" * 180 + b"\n") * 400, "65536")
        for section in ('"a"b', '"', '"a'):
            self.refuse(f'[ignore {section}]\nx = y\nx = y\n[uvet]\nlevel = content\n', "PATTERN", line=2)
        for line in (b"[uvet=]", b";a = b", b"level = content"):
            self.refuse(b"\xef\xbb\xbf\xef\xbb\xbf%s\n" % line, "byte order mark", line=1)

    def test_no_file(self):
        self.expect_usage("dist", "--config", "absent.ini", says=["absent.ini"])
        self.expect_usage("dist", "--config", "dist", says=["dist"])

    def test_no_report_replaces_it(self):
        self.write("x.ini", b"[uvet]\n")
        self.expect_usage("dist", "--config", "x.ini", "-f", "json=x.ini", says=["x.ini"])

    def test_any_bytes(self):
        """Whatever the file is, it is read or refused: cut anywhere, or with a byte changed."""
        dice = random.Random(1)
        for _ in range(40):
            text = bytearray(ALL.encode())
            for _ in range(dice.randint(0, 3)):
                text[dice.randrange(len(text))] = dice.choice(b"\0\n\r []=;:\"\x80\xff\\%a")
            self.write("x.ini", bytes(text[: dice.randint(0, len(text))]))
            done = self.run_uvet("check", "--show-settings", "--config", "x.ini")
            self.assertIn(done.returncode, (0, 3), bytes(text))
            self.assertEqual(done.returncode == 3, done.stderr != b"")


class Accepted(Config):
    def findings(self, code, *args):
        report = json.loads(self.expect(code, "-f", "json", "--config", "x.ini", *args).stdout)
        return {(report["artifacts"][f["artifact"]]["path"], f["rule"]): f.get("accepted", {}).get("reason") for f in report["findings"]}

    def test_by_path(self):
        self.write("x.ini", b'[ignore "dist/*.umod"]\nUMD006 = rebuilt in 2003, and every game takes it ; or so\n')
        self.write("other/bad.umod", samples.BAD_CRC)
        reason = "rebuilt in 2003, and every game takes it"
        self.assertEqual(self.findings(0, "dist")[("dist/bad.umod", "UMD006")], reason)
        self.assertIsNone(self.findings(1, "dist", "other")[("other/bad.umod", "UMD006")])
        self.assertIn(b"INVALID", self.expect(0, "dist", "--config", "x.ini").stdout)

    def test_by_name_of_rule_and_of_file(self):
        self.write("x.ini", b'[ignore "bad.*"]\ncrc_mismatch = known\n')
        self.assertEqual(self.findings(0, "dist")[("dist/bad.umod", "UMD006")], "known")
        self.assertEqual(self.findings(0, "dist/bad.umod")[("dist/bad.umod", "UMD006")], "known")

    def test_refused(self):
        self.refuse('[ignore "x"]\nHDR001 = known\n', "HDR001", "not judged", line=2)
        self.refuse('[ignore]\nUMD006 = x\n', "pattern", line=2)
        self.refuse('[ignore "x"]\nUMD999 = x\n', "UMD999", line=2)
        self.refuse('[ignore "x"]\nRUN001 = x\n', "cannot be accepted", line=2)
        self.refuse('[ignore "x"]\nUMD006 =\n', "reason", line=2)

    def test_shown(self):
        text = b'[ignore "a/*"]\nUMD006 = x\nUMD005 = y\n\n[ignore "b"]\nUMD006 = z'
        self.write("x.ini", text)
        self.assertIn(text, self.expect(0, "check", "--config", "x.ini", "--show-settings").stdout)


class Finding(Config):
    def run_found(self, code, *args, cwd):
        done = subprocess.run([UVET, "check", "-q", *args], cwd=self.folder / cwd, capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, code, (args, cwd, done.stderr))
        return done

    def expect_found(self, is_used, *args, cwd=".", says=""):
        done = self.run_found(0 if is_used else 1, *args, cwd=cwd)
        self.assertIn(says, done.stderr.decode())
        if is_used and "--config" not in args:
            self.assertIn(b"settings are taken from", done.stderr)

    def test_where_it_is_looked_for(self):
        self.write("work/.uvet.ini", b"[uvet]\nfail-on = never\n")
        os.makedirs(self.folder / "work/a/b")
        self.write("work/dist/bad.umod", samples.BAD_CRC)
        self.expect_found(True, "dist", cwd="work")
        self.expect_found(True, "dist/bad.umod", cwd="work")
        self.expect_found(True, "../dist", cwd="work/a")
        self.expect_found(True, "../../dist", cwd="work/a/b")
        self.expect_found(False, "work/dist")
        self.expect_found(False, "dist", "--isolated", cwd="work")
        os.mkdir(self.folder / "work/a/.git")
        self.expect_found(False, "../../dist", cwd="work/a/b")

    def test_the_nearest_is_used_alone(self):
        self.write("work/.uvet.ini", b"[uvet]\nfail-on = never\n")
        self.write("work/a/.uvet.ini", b"[uvet]\nlevel = content\n")
        self.expect_found(False, "../../dist", cwd="work/a")

    def test_never_with_what_is_checked(self):
        """An upload that brings a configuration along decides nothing."""
        self.write("up/.uvet.ini", b"[uvet]\nfail-on = never\n")
        self.write("up/bad.umod", samples.BAD_CRC)
        self.write("up/in/bad.umod", samples.BAD_CRC)
        says = "may have come with it"
        self.expect_found(False, ".", cwd="up", says=says)
        self.expect_found(False, "bad.umod", cwd="up", says=says)
        self.expect_found(False, "./bad.umod", cwd="up", says=says)
        self.expect_found(False, "../up", cwd="up", says=says)
        self.expect_found(False, "..", cwd="up", says=says)
        self.expect_found(False, "../up/in", "bad.umod", cwd="up", says=says)
        self.expect_found(False, str(self.folder), cwd="up", says=says)
        self.expect_found(False, "../bad.umod", cwd="up/in", says=says)
        self.expect_found(True, "bad.umod", "--config", ".uvet.ini", cwd="up")
        os.symlink("..", self.folder / "up/in/round")
        self.expect_found(False, "round", cwd="up/in", says=says)

    def test_never_for_files_of_strangers(self):
        """An upload of folders alone has its configuration beside each of them."""
        self.write("up/.uvet.ini", b"[uvet]\nfail-on = never\n")
        self.write("up/System/bad.umod", samples.BAD_CRC)
        self.expect_found(False, "System", "--profile", "hosting", cwd="up", says="files of strangers")
        self.expect_found(True, "System", "--profile", "redirect", cwd="up")

    def test_a_list_may_name_anything(self):
        self.write("work/.uvet.ini", b"[uvet]\nfail-on = never\n")
        self.write("work/list", b"../dist/bad.umod\0")
        self.expect_found(False, "--files0-from", "list", cwd="work", says="--files0-from")

    @unittest.skipIf(os.geteuid() != 0, "only root can give a file away")
    def test_of_another_user(self):
        self.write("work/.uvet.ini", b"[uvet]\nfail-on = never\n")
        os.chown(self.folder / "work/.uvet.ini", 12345, 12345)
        self.expect_found(False, "../dist", cwd="work", says="not known to be yours")

    def test_no_link(self):
        self.write("ours.ini", b"[uvet]\nfail-on = never\n")
        os.mkdir(self.folder / "work")
        os.symlink("../ours.ini", self.folder / "work/.uvet.ini")
        self.expect_found(False, "../dist", cwd="work")

    def test_beside_what_is_not_there(self):
        self.write("work/.uvet.ini", b"[uvet]\nfail-on = never\n")
        done = self.run_found(2, "none.umod", "../dist", cwd="work")
        self.assertIn(b"settings are taken from", done.stderr)

    def test_so_many_folders_above(self):
        """One of 64 folders above the working directory is the last that is looked at."""
        self.write("work/.uvet.ini", b"[uvet]\nfail-on = never\n")
        for depth in (64, 65):
            os.makedirs(self.folder / "work" / "/".join(["d"] * depth))
        for depth in (64, 65):
            cwd = "/".join(["work"] + ["d"] * depth)
            self.expect_found(depth == 64, str(self.folder / "dist"), cwd=cwd)

    def test_a_working_directory_that_is_gone(self):
        """Nothing lies above it any more; files with a whole path are checked all the same."""
        os.mkdir(self.folder / "gone")
        done = subprocess.run([UVET, str(self.folder / "dist/good.umod")], cwd=self.folder / "gone", capture_output=True,
                              preexec_fn=lambda: os.rmdir(self.folder / "gone"), timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_one_that_is_too_long(self):
        self.write("work/.uvet.ini", b"[uvet]\nfail-on = never\n" + b";\n" * 32768)
        done = self.run_found(3, "../dist", cwd="work")
        self.assertIn(b"'.uvet.ini' is no configuration: it has more than 65536 bytes", done.stderr)

    def test_a_broken_one_stops_the_check(self):
        self.write("work/.uvet.ini", b"[uvet]\nfail-on = nevr\n")
        done = subprocess.run([UVET, "../dist"], cwd=self.folder / "work", capture_output=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"line 2 of '.uvet.ini'", done.stderr)

    def test_other_commands_look_for_none(self):
        self.write("work/.uvet.ini", b"broken\n")
        for command in ("info", "map"):
            done = subprocess.run([UVET, command, "../dist/good.umod"], cwd=self.folder / "work", capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)


class Shown(Config):
    def test_each_with_where_it_is_from(self):
        self.write("x.ini", ALL.encode())
        out = self.expect(0, "check", "--show-settings", "--config", "x.ini", "--max-depth", "2", "-j", "2").stdout.decode()
        for line in ("the configuration is x.ini", "profile = hosting", "timeout = 2m ; profile hosting", "fail-on = warning ; line 4",
                     "UMD018 = error ; line 11", "max-depth = 2 ; command line", "; on the command line: --jobs 2",
                     "; level = content is the default", "; max-work = 2000000000 is the default"):
            self.assertIn(line, out)

    def test_it_is_a_configuration_itself(self):
        self.write("x.ini", ALL.encode())
        args = ["dist", "--severity", "UMD006=warning", "--max-findings", "7", "--exclude", "g*"]
        shown = self.expect(0, *args, "--config", "x.ini", "--show-settings").stdout
        self.write("y.ini", shown)
        reports = [self.run_uvet(*more, "-f", "json").stdout for more in ([*args, "--config", "x.ini"], ["dist", "--config", "y.ini"])]
        self.assertEqual(*reports)
        self.assertIn(b"warning", reports[0])

    def test_the_defaults_are_those(self):
        """With the defaults that it prints as comments made settings, reports stay as they are."""
        shown = self.expect(0, "check", "--isolated", "--show-settings").stdout.decode()
        self.write("x.ini", re.sub(r"(?m)^; (.*) is the default$", r"\1", shown).encode())
        for path in ("dist/good.umod", "dist/bad.umod", "unknown.txt"):
            plain = self.run_uvet(path, "-f", "json", "--isolated")
            again = self.run_uvet(path, "-f", "json", "--config", "x.ini")
            self.assertEqual((plain.stdout, plain.returncode), (again.stdout, again.returncode))

    def test_values_that_no_line_can_hold(self):
        for value in ("a\nfail-on = never", "a ;b", " a", "a ", "\ta", "a\x7f", "a" * 183):
            out = self.expect(0, "check", "--isolated", "--show-settings", "--include", value).stdout
            self.assertIn(b"; a value that no configuration can have: include", out)
            self.assertNotIn(b"\nfail-on = never", out)
            self.assertNotIn(b"\ninclude", out)


    def shown(self, text, *args):
        """The settings that a configuration makes, as they are printed: without comments, and the same when they are read again."""
        self.write("x.ini", text)
        found = []
        for name in ("x.ini", "y.ini"):
            out = self.expect(0, "check", "--config", name, "--show-settings", *(args if name == "x.ini" else ())).stdout
            self.write("y.ini", out)
            found.append([line for line in re.sub(rb" ;.*", b"", out).splitlines() if line and not line.startswith(b";")])
        self.assertEqual(*found)
        return found[0]

    def test_lines_of_any_length(self):
        for name in (b"include", b"path-root"):
            for n in range(160, 190 - len(name)):
                line = name + b"=" + b"a" * n
                self.assertIn(line, [shown.replace(b" = ", b"=") for shown in self.shown(b"[uvet]\n" + line)])

    def test_values_that_look_like_comments(self):
        self.assertIn(b"include =;a", [line.replace(b"include=", b"include =") for line in self.shown(b"[uvet]\ninclude=;a\n")])
        self.assertIn(b"include = #a", self.shown(b"[uvet]\ninclude = #a\n"))

    def test_comments_before_the_end_of_a_name(self):
        """What is left of such a line is none, and the message names that line, not one behind it."""
        for line in (b"jobs ;x = 2", b"[li ;mits]"):
            self.write("x.ini", b"[uvet]\n" + line + b"\ninclude = a\n")
            self.expect_usage("check", "--config", "x.ini", "--show-settings", says=["'x.ini', line 2: it is no line of a configuration"])

    def test_sections_of_any_length(self):
        for n in range(30, 40):
            glob = b"g" * n
            for form in (b'[ignore "%s"]', b'[ignore"%s"]'):
                if len(form % glob) <= 50:
                    self.assertIn(form % glob, [b'[ignore"%s"]' % glob, *self.shown(form % glob + b"\nUMD006=;x\nUMD005=y\n")])

    def test_options_without_a_value(self):
        for option in ("sha256", "show-passed", "verbose"):
            self.assertIn(b"%s = yes" % option.encode(), self.shown(b"", "--" + option))

    def test_nothing_that_is_not_safe_to_show(self):
        for text in ("\u202e", "\u200b", "\x9b", ".\t.", "##[", "##vso["):
            for value in {text, text + "x"}:
                self.write("x.ini", f'[uvet]\ninclude = a{value}b\n[ignore "a{value}b"]\nUMD006 = x\n[ignore "c"]\nUMD006 = a{value}b\n'.encode())
                out = self.expect(0, "check", "--show-settings", "--config", "x.ini", "--exclude", value).stdout
                self.assertNotIn(value.encode(), out)
                self.assertEqual(out.count(b"; a value that is not safe to show: "), 4)
        self.write("x.ini", b"[uvet]\ninclude = a\xffb\n")
        self.assertIn(b"; a value that is not safe to show: include\n", self.expect(0, "check", "--show-settings", "--config", "x.ini").stdout)

    def test_a_name_that_is_not_safe_to_show(self):
        self.write("a\n[uvet]", b"")
        out = self.expect(0, "check", "--show-settings", "--config", "a\n[uvet]").stdout
        self.assertIn(b"; the configuration has a name that is not safe to show\n", out)
        self.assertIn(b"; on the command line: --config\n", out)


class Profiles(Case):
    NAMES = ["archive", "author", "hosting", "redirect"]

    def test_list(self):
        out = self.expect(0, "profile").stdout.decode()
        self.assertEqual(sorted(line.split(":")[0] for line in out.splitlines()), self.NAMES)

    @needs("inih")
    def test_each_is_the_configuration_that_it_prints(self):
        for name in self.NAMES:
            self.write("x.ini", self.expect(0, "profile", name).stdout)
            for path in ("good.umod", "bad.umod"):
                reports = [json.loads(self.run_uvet(path, "-f", "json", *more).stdout) for more in (["--profile", name], ["--config", "x.ini"])]
                self.assertEqual(reports[0]["policy"].pop("profile"), name)
                self.assertEqual(*reports)

    def test_unknown(self):
        self.expect_usage("good.umod", "--profile", "hostin", says=["hostin", "author, hosting, redirect or archive"])
        self.expect_usage("profile", "hostin", says=["did you mean hosting?"])
        self.expect_usage("profile", "\x1b[2J", says=["not a profile"])

    def test_author_lets_no_warning_pass(self):
        self.assemble("umod/UMD025_name_character_reserved_question", "warned.umod")
        self.expect(0, "warned.umod")
        self.expect(1, "warned.umod", "--profile", "author")
        self.expect(0, "warned.umod", "--profile", "author", "--fail-on", "error")

    @needs("nettle")
    def test_hosting_takes_no_file_that_not_all_readers_list(self):
        for name in ("PAK043_file_unlisted", "PAK045_pak_directory_repeated", "PAK046_path_split_mismatch", "PAK048_deletion_flag_ignored",
                     "PAK052_kept_file_mismatch"):
            self.assemble(f"pak/{name}", "hidden.pak")
            self.expect(0, "hidden.pak")
            self.expect(1, "hidden.pak", "--profile", "hosting")

    def test_redirect_names(self):
        self.assemble("upkg/FIL011_file_name_needs_escapes", "Needs Escapes.u")
        self.expect(0, "Needs Escapes.u")
        self.expect(1, "Needs Escapes.u", "--profile", "redirect")


class WithoutInih(Case):
    def test_it_is_said(self):
        self.write("x.ini", b"[uvet]\nfail-on = never\n")
        if has("inih"):
            self.expect(0, "bad.umod", "--config", "x.ini")
        else:
            self.expect_usage("bad.umod", "--config", "x.ini", says=["no inih"])


if __name__ == "__main__":
    unittest.main()
