"""Black-box tests of the options for files beside an input, keys and libraries."""
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

import samples
from case import UVET, Case, needs, sound

KEY = "00112233445566778899aabbccddeeff" * 2
SOUND = sound("blake3")         # of a whole container


class Options(Case):
    def test_siblings(self):
        self.expect(0, "--siblings", "auto", "good.umod")
        self.expect(0, "--siblings=none", "good.umod")
        self.expect_usage("--siblings", "all", "good.umod", says=["siblings", "auto or none"])
        self.expect(0, "map", "--siblings=none", "good.umod")
        self.expect(0, "info", "--siblings=none", "good.umod")
        self.expect_usage("rules", "--siblings=none", says=["--siblings"])

    def test_keys(self):
        self.write("keys.txt", f"# mine\n{KEY}\n0123456789abcdef0123456789abcdef={KEY}\n".encode())
        self.expect(0, "--aes-key-file", "keys.txt", "good.umod")
        self.expect(0, "--aes-key-env", "UVET_TEST_KEY", "good.umod", env={"UVET_TEST_KEY": "0x" + KEY})
        self.expect(0, "map", "--aes-key-file=keys.txt", "good.umod")

    def test_bad_keys(self):
        self.expect_usage("--aes-key-file", "none.txt", "good.umod", says=["--aes-key-file", "none.txt"])
        self.expect_usage("--aes-key-env", "UVET_NO_SUCH", "good.umod", says=["--aes-key-env", "UVET_NO_SUCH"])
        for text in [KEY[1:], KEY + "0", "x" * 64, f"12={KEY}", f"{KEY}={KEY}", f"{'1' * 35}={KEY}"]:
            self.write("keys.txt", f"{KEY}\n{text}\n".encode())
            done = self.expect_usage("--aes-key-file", "keys.txt", "good.umod", says=["keys.txt", "line 2"])
            self.assertNotIn(KEY[1:9].encode(), done.stderr)
        self.write("keys.txt", f"{KEY}\n".encode() * 65)
        self.expect_usage("--aes-key-file", "keys.txt", "good.umod", says=["line 65", "64"])

    def test_signing_keys(self):
        modulus = "AQEB" * 21 + "AQ=="
        self.write("Crypto.ini", f"[Keys]\nSigningModulus={modulus}\nSigningPrivateExponent=AQAB\nSigningPublicExponent=AQAB\n".encode())
        self.expect(0, "--signing-key-file", "Crypto.ini", "good.umod")
        self.expect(0, "map", "--signing-key-file=Crypto.ini", "good.umod")
        self.expect(0, "info", "--signing-key-file=Crypto.ini", "good.umod")
        self.expect_usage("--signing-key-file", "none.ini", "good.umod", says=["--signing-key-file", "none.ini"])
        self.write("Crypto.ini", f"SigningModulus={modulus}\nSigningPublicExponent=AQAB\nbEnablePakSigning=False\n".encode())
        self.expect_usage("--signing-key-file", "Crypto.ini", "good.umod", says=["Crypto.ini", "bEnablePakSigning", "does not sign"])
        self.write("Crypto.ini", f"SigningModulus={modulus}\n".encode())
        self.expect_usage("--signing-key-file", "Crypto.ini", "good.umod", says=["Crypto.ini", "SigningPublicExponent", "not there"])
        self.write("Crypto.ini", b"SigningModulus=AQEB\nSigningPublicExponent=AQAB\n")
        self.expect_usage("--signing-key-file", "Crypto.ini", "good.umod", says=["Crypto.ini", "64 to 512 bytes"])

    def test_libraries(self):
        self.write("no_library.so", b"text")
        for path, why in [("none.so", "there is no such file"), ("no_library.so", "cannot be loaded"), (".", "it is a folder")]:
            self.expect_usage("--oodle", path, "good.umod", says=["--oodle", path, why])
        self.expect_usage("good.umod", "--oodle", says=["--oodle"])

    @unittest.skipUnless(sys.platform == "linux" and shutil.which("cc"), "needs a compiler")
    def test_a_library_of_the_users(self):
        self.write("oodle.c", b"#include <stdint.h>\nintptr_t OodleLZ_Decompress(void) { return -1; }\n")
        self.write("other.c", b"int other(void) { return 0; }\n")
        for name in ["oodle", "other"]:
            self.assertEqual(os.system(f"cd '{self.folder}' && cc -shared -fPIC -o {name}.so {name}.c"), 0)
        self.expect(0, "--oodle", "oodle.so", "good.umod")
        self.expect(0, "--oodle", "./oodle.so", "--oodle=oodle.so", "good.umod")
        self.expect_usage("--oodle", "other.so", "good.umod", says=["OodleLZ_Decompress"])


class Waiting(Case):
    """A pipe that nobody writes to is refused, or waited for where the user asked for that."""

    def test_pipes_that_nobody_writes_to(self):
        os.mkfifo(self.folder / "fifo")
        for option in ["--aes-key-file", "--signing-key-file"]:
            self.expect_usage(option, "fifo", "good.umod", says=[option, "fifo", "no regular file"])
        self.expect_usage("--oodle", "fifo", "good.umod", says=["--oodle", "fifo", "it is no regular file"])
        self.expect_usage("--aes-key-file", ".", "good.umod", says=["it is a folder"])
        self.expect_usage("--aes-key-file", "/dev/fd/99", "good.umod", says=["/dev/fd/99", "no such descriptor"])

    def test_links_in_a_circle_and_names_that_are_too_long(self):
        os.symlink("circle", self.folder / "circle")
        for path, why in [("circle", "its path leads through too many links"), ("n" * 300, "too long"), ("d/" * 3000 + "keys", "too long")]:
            self.expect_usage("--aes-key-file", path, "good.umod", says=["--aes-key-file", why])

    def test_a_list_comes_through_a_pipe(self):
        os.mkfifo(self.folder / "fifo")
        with subprocess.Popen([UVET, "--files0-from", "fifo", "-f", "concise"], cwd=self.folder, stdout=subprocess.PIPE) as process:
            with open(self.folder / "fifo", "wb") as fifo:
                fifo.write(b"bad.umod\0")
            self.assertIn(b"bad.umod", process.communicate(timeout=60)[0])
            self.assertEqual(process.returncode, 1)

    @unittest.skipUnless(shutil.which("bash"), "needs bash")
    def test_process_substitution(self):
        for args in [f"--aes-key-file <(sleep 0.2; echo {KEY}) good.umod", "--files0-from <(sleep 0.2; printf 'good.umod\\0')"]:
            done = subprocess.run(["bash", "-c", f'"$0" {args}', UVET], cwd=self.folder, capture_output=True, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, b""), args)
        args = f"--aes-key-file <(echo {KEY}x) good.umod"
        done = subprocess.run(["bash", "-c", f'"$0" {args}', UVET], cwd=self.folder, capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 3)

    def test_a_file_without_end(self):
        self.expect_usage("--aes-key-file", "/dev/zero", "good.umod", says=["no regular file"])
        self.write("long", b"#" * ((1 << 20) + 1))
        self.expect_usage("--aes-key-file", "long", "good.umod", says=["longer than 1 MiB"])


@unittest.skipUnless(sys.platform == "linux", "needs /proc")
class Secrets(Case):
    """What other processes and a dump of the memory could tell of keys."""

    def waiting(self, *args, **more):
        """A run that has read its options and waits for standard input."""
        process = subprocess.Popen([UVET, "-", "-f", "text=out", *args], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   env={**os.environ, "UVET_SECRET": KEY}, **more)
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        deadline = time.monotonic() + 30
        while not any(name.startswith(".uvet-") for name in os.listdir(self.folder)) and time.monotonic() < deadline:
            self.assertIsNone(process.poll())
            time.sleep(0.005)
        return process

    def test_the_environment(self):
        for args, is_there in [((), True), (("--aes-key-env", "UVET_SECRET"), False)]:
            process = self.waiting(*args)
            found = pathlib.Path(f"/proc/{process.pid}/environ").read_bytes()
            self.assertIn(b"UVET_SECRET=", found)
            self.assertEqual(KEY.encode() in found, is_there)
            process.communicate(timeout=60)

    def test_the_limit_of_dumps(self):
        self.write("keys.txt", KEY.encode())
        for args in [["--aes-key-env", "UVET_SECRET"], ["--aes-key-file", "keys.txt"]]:
            process = self.waiting(*args)
            self.assertEqual(resource.prlimit(process.pid, resource.RLIMIT_CORE), (0, 0))
            process.communicate(timeout=60)

    @unittest.skipUnless(os.geteuid() == 0, "only root becomes somebody else")
    def test_others_of_the_same_user(self):
        os.chmod(self.folder, 0o777)
        for args, owner in [((), 65534), (("--aes-key-env", "UVET_SECRET"), 0)]:
            process = self.waiting(*args, user=65534, group=65534)
            self.assertEqual(os.stat(f"/proc/{process.pid}/mem").st_uid, owner)
            process.communicate(timeout=60)

    def test_no_dump(self):
        for args, dumps in [((), True), (("--aes-key-env", "UVET_SECRET"), False)]:
            process = self.waiting(*args, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20)))
            process.send_signal(signal.SIGSEGV)
            _, status = os.waitpid(process.pid, 0)
            process.returncode = -signal.SIGSEGV
            for left in self.folder.glob(".uvet-*"):
                left.unlink()
            if dumps and not os.WCOREDUMP(status):
                self.skipTest("this system dumps nothing")
            self.assertEqual(os.WCOREDUMP(status), dumps)


class Archive(Case):
    """The .pak beside a container is judged with it, and has a path of its own."""

    def setUp(self):
        super().setUp()
        (self.folder / "m").mkdir()
        self.assemble("iostore/SET009_pak_unknown_v3", "m/Mod_P.utoc")

    def test_report(self):
        report = json.loads(self.run_uvet("-f", "json", "m/Mod_P.utoc").stdout)
        self.assertEqual([(a["path"], a["parent"], "offset" in a) for a in report["artifacts"]],
                         [("m/Mod_P.utoc", None, False), ("m/Mod_P.pak", 0, False)])

    def test_sarif(self):
        for form in ["sarif", "sarif-github"]:
            run = json.loads(self.run_uvet("-f", form, "m/Mod_P.utoc").stdout)["runs"][0]
            self.assertEqual([(a["location"]["uri"], "parentIndex" in a) for a in run["artifacts"]],
                             [("m/Mod_P.utoc", False), ("m/Mod_P.pak", False)])
            places = [r["locations"][0]["physicalLocation"]["artifactLocation"] for r in run["results"] if r["ruleId"] == "PAK039"]
            self.assertEqual([(p["uri"], p["index"]) for p in places], [("m/Mod_P.pak", 1)])

    def test_pipelines(self):
        done = self.run_uvet("-f", "github", "m/Mod_P.utoc").stdout
        self.assertRegex(done, rb"file=m/Mod_P.pak,title=PAK039 ")
        self.assertNotIn(b"[in ", done)


class Parts(Case):
    """What is named with its container is no input of its own."""

    def named(self, done):
        """The files that concise lines speak of, each once and in order."""
        names = [line.split(b":")[0].decode() for line in done.stdout.splitlines()]
        return list(dict.fromkeys(name for name in names if not name.endswith(".pak")))     # that of a container

    def test_parts(self):
        self.assemble("iostore/good_partitions", "Mod_P.utoc")
        for name in ["Other.ucas", "Mod_P_sx.ucas"]:
            self.write(name, b"")
        done = self.expect(2, "-f", "concise", "Mod_P.ucas", "Other.ucas", "Mod_P.utoc", "Mod_P_s1.ucas", "good.umod", "Mod_P_sx.ucas")
        self.assertEqual(self.named(done), ["Mod_P.utoc", "good.umod", "Other.ucas", "Mod_P_sx.ucas"])
        self.assertIn(b"'Other.ucas' is a part of a container", done.stderr)

    def test_a_map_without_a_part(self):
        self.assemble("iostore/good_partitions", "Mod_P.utoc")
        whole = json.loads(self.expect(0, "map", "-f", "json", "Mod_P.utoc").stdout)
        (self.folder / "Mod_P_s1.ucas").unlink()
        rest = json.loads(self.expect(0, "map", "-f", "json", "Mod_P.utoc").stdout)
        self.assertEqual([r for r in whole["regions"] if r.get("file") != "Mod_P_s1.ucas"], rest["regions"])

    def test_parts_in_a_list(self):
        self.write("b/Mod_P.ucas", b"")
        (self.folder / "a").mkdir()
        self.assemble("iostore/good_minimal", "a/Mod_P.utoc")
        names = ["a/Mod_P.utoc", "b/Mod_P.ucas"]
        done = self.expect(2, "-f", "concise", "--files0-from=-", "b/Mod_P.ucas", stdin=b"a/Mod_P.ucas\0a/Mod_P.utoc\0")
        self.assertEqual(self.named(done), names)
        done = self.expect(2, "-f", "concise", "-r", "a", "b/Mod_P.ucas", "a/Mod_P.ucas")       # of a container in a folder too
        self.assertEqual(done.stdout.count(b"RUN004"), 1)

    def test_parts_whose_path_is_written_otherwise(self):
        self.assemble("iostore/good_partitions", "Mod_P.utoc")
        (self.folder / "f").mkdir()
        for names in [["./Mod_P.utoc", "Mod_P.ucas"], ["Mod_P.utoc", "./Mod_P_s1.ucas", "f/../Mod_P.ucas", str(self.folder / "Mod_P_s2.ucas")]]:
            for jobs in ["1", "4"]:
                done = self.expect(SOUND, *names, "-f", "concise", "-j", jobs)
                self.assertEqual(self.named(done), names[:1])

    @needs("nettle")
    def test_parts_that_nobody_opened(self):
        """Of a container of version 2, and of one that is too short to say what belongs to it, no other file is asked for."""
        self.assemble("iostore/good_v2", "Mod_P.utoc")
        self.write("Mod_P_s1.ucas", b"garbage")
        self.write("Short.utoc", b"")
        self.write("Short.ucas", b"")
        for jobs in ["1", "4"]:
            done = self.expect(2, "Mod_P.utoc", "Mod_P_s1.ucas", "Mod_P.ucas", "-f", "concise", "-j", jobs)
            self.assertEqual(self.named(done), ["Mod_P.utoc", "Mod_P_s1.ucas"])
            self.assertIn(b"Mod_P_s1.ucas: undetermined[RUN004]", done.stdout)
            done = self.expect(1, "Short.ucas", "Short.utoc", "-f", "concise", "-j", jobs)
            self.assertEqual(self.named(done), ["Short.utoc", "Short.ucas"])
        self.expect(2, "--siblings", "none", "--level", "structure", "Mod_P.utoc", "Mod_P.ucas")
        self.expect(0, "--siblings", "none", "--level", "structure", "Mod_P.utoc")

    def test_many_parts(self):
        self.assemble("iostore/good_minimal", "Mod_P.utoc")
        strays = [f"Stray{i}.ucas" for i in range(70)]
        for name in strays:
            self.write(name, b"")
        done = self.expect(2, "Mod_P.ucas", "Mod_P.ucas", *strays, "Mod_P.utoc", "./Mod_P.ucas", strays[0], "-f", "concise")
        self.assertEqual(self.named(done), ["Mod_P.utoc", *strays])
        self.assertEqual(done.stdout.count(b"RUN004"), len(strays) + 1)

    def test_parts_of_another_spelling(self):
        self.assemble("iostore/good_minimal", "Mod_P.utoc")
        if (self.folder / "MOD_P.UTOC").exists():
            self.skipTest("letters have no case here")
        for name in ["Mod_P_s1.UCAS", "Mod_P.UCAS"]:
            self.write(name, b"nobody reads this")
            done = self.expect(2, "Mod_P.utoc", "Mod_P.ucas", name, "-f", "concise")
            self.assertEqual(self.named(done), ["Mod_P.utoc", name])
        (self.folder / "Mod_P.ucas").rename(self.folder / "Mod_P.UCAS")
        done = self.expect(SOUND, "Mod_P.utoc", "Mod_P.UCAS", "-f", "concise")
        self.assertEqual(self.named(done), ["Mod_P.utoc"])
        self.assertIn(b"warning[SET005]", done.stdout)

    def test_several_spellings(self):
        """The one that is spelt as the container is, or else the first by its bytes, in whatever order they were made."""
        self.assemble("iostore/good_minimal", "Mod_P.utoc")
        if (self.folder / "MOD_P.UTOC").exists():
            self.skipTest("letters have no case here")
        stored = self.read("Mod_P.ucas")
        for name in ["mod_p.ucas", "MOD_P.ucas", "Mod_p.Ucas"]:
            self.write(name, b"nobody reads this")
        self.assertNotIn(b"SET005", self.expect(SOUND, "Mod_P.utoc", "-f", "concise").stdout)
        (self.folder / "Mod_P.ucas").unlink()
        self.write("MOD_P.ucas", stored)
        for args in [["Mod_P.utoc"], ["-r", "--unknown=skip", "--fail-on=never", "."]]:
            done = self.run_uvet("check", *args, "-f", "concise")
            self.assertIn(b'warning[SET005] "MOD_P.ucas" should', done.stdout)
            self.assertIn(b"Mod_P.utoc: " + (b"UNDETERMINED" if SOUND else b"VALID") + b", 1 warning", done.stdout)
        (self.folder / "MOD_P.ucas").unlink()
        os.symlink("Mod_p.Ucas", self.folder / "MOD_P.ucas")
        self.assertIn(b"RUN002", self.expect(2, "Mod_P.utoc", "-f", "concise").stdout)

    def test_files_of_macos(self):
        """What macOS knows of a file is under its name, and is no part of a container. That its name begins so makes it none."""
        self.assemble("iostore/good_minimal", "Mod_P.utoc")
        (self.folder / "bad.umod").unlink()
        for name in ["._Mod_P.utoc", "._Mod_P.ucas", "._Mod_P.pak"]:
            self.write(name, b"\0\5\x16\7\0\2\0\0Mac OS X        ")
        done = self.expect(SOUND, "-r", ".", "-f", "concise")
        self.assertIn(b"._Mod_P.ucas: NOT APPLICABLE", done.stdout)
        self.assertNotIn(b"RUN004", done.stdout)
        self.assertEqual(done.stderr, b"")
        self.assertIn(b"RUN004", self.expect(2, "._Mod_P.ucas", "-f", "concise").stdout)
        self.write("._Mod_P.ucas", b"\0\5\x16\7\0\2\0")
        self.assertIn(b"._Mod_P.ucas: UNDETERMINED", self.expect(2, "-r", ".", "-f", "concise").stdout)

    def test_a_folder_of_too_many_names(self):
        self.assemble("iostore/good_minimal", "Mod_P.utoc")
        if (self.folder / "MOD_P.UTOC").exists():
            self.skipTest("letters have no case here")
        (self.folder / "Mod_P.pak").rename(self.folder / "MOD_P.pak")
        for number in range(len(os.listdir(self.folder)), 4096):
            (self.folder / str(number)).touch()
        self.expect(SOUND, "Mod_P.utoc")
        (self.folder / "one more").touch()
        self.assertIn(b"SET001", self.expect(1, "Mod_P.utoc", "-f", "concise").stdout)

    @needs("blake3")
    def test_two_partitions_too_many(self):
        self.assemble("iostore/good_minimal", "Mod_P.utoc")
        for name in ["Mod_P_s1.ucas", "Mod_P_s2.ucas"]:
            self.write(name, b"nobody reads this")
        done = self.expect(2, "Mod_P.utoc", "Mod_P_s1.ucas", "Mod_P_s2.ucas", "-f", "concise")
        self.assertEqual(self.named(done), ["Mod_P.utoc", "Mod_P_s2.ucas"])

    def test_folders_that_are_called_like_parts(self):
        self.write("evil.ucas/bad.umod", self.read("bad.umod"))
        self.write("evil.utoc/good.umod", self.read("good.umod"))
        self.write("Mod.ucas/bad.umod", self.read("bad.umod"))
        self.write("Mod.utoc", b"")
        for args, stdin in [(["evil.ucas", "evil.utoc"], b""), (["--files0-from=-"], b"evil.ucas\0evil.utoc\0"), (["Mod.utoc", "Mod.ucas"], b"")]:
            done = self.expect(1, "-r", "-f", "concise", *args, stdin=stdin)
            self.assertIn(b".ucas/bad.umod", done.stdout)

    def test_no_report_over_a_part(self):
        for name in ["Mod.ucas", "Mod.pak", "MOD.PAK"]:
            for there in [b"these bytes say nothing of what they are", b""]:
                self.write(name, there)
                self.expect_usage("-f", f"json={name}", "good.umod", says=[name, "mod file"])
                self.assertEqual(self.read(name), there)
        self.expect(0, "-f", "json=New.pak", "good.umod")       # of what is not there nothing is lost

    def test_numbers_that_no_partition_has(self):
        """Of a named file that its container does not ask for, something is said."""
        self.assemble("iostore/good_partitions", "Mod_P.utoc")
        names = sorted(file.name for file in self.folder.glob("Mod_P*.ucas"))
        self.assertGreater(len(names), 2)
        self.expect(SOUND, "Mod_P.utoc", *names)
        for number in ["007", "01", "99", "1024", "99999999999"]:
            name = f"Mod_P_s{number}.ucas"
            self.write(name, b"nobody reads this")
            done = self.expect(2, "Mod_P.utoc", *names, name, "-f", "concise")
            self.assertIn(name.encode() + b": undetermined[RUN004]", done.stdout)
            (self.folder / name).unlink()
        self.write(f"Mod_P_s{len(names)}.ucas", b"one more than the container has")
        done = self.expect(SOUND, "Mod_P.utoc", *names, f"Mod_P_s{len(names)}.ucas", "-f", "concise")
        self.assertIn(b"warning[SET004]", done.stdout)

    def test_what_could_not_be_opened_is_not_said_to_be_there(self):
        self.assemble("iostore/good_minimal", "Mod_P.utoc")
        for few in range(4, 8):
            done = self.expect(2, "Mod_P.utoc", "--fail-on", "warning", preexec_fn=lambda n=few: resource.setrlimit(resource.RLIMIT_NOFILE, (n, n)))
            self.assertNotIn(b"SET004", done.stdout)
        self.expect(SOUND, "Mod_P.utoc", "--fail-on", "warning")
        os.symlink("nowhere", self.folder / "Mod_P_s1.ucas")
        done = self.expect(2, "Mod_P.utoc", "-f", "concise")
        self.assertIn(b"Mod_P_s1.ucas", done.stdout)
        self.assertNotIn(b"SET004", done.stdout)

    def test_files_that_other_checks_hold_open(self):
        """A check that found too many files open is made once more, without the others: reports do not depend on -j."""
        names = [f"m{i}_P.utoc" for i in range(60)]
        self.assemble("iostore/good_partitions")
        for name in names:
            for file in list(self.folder.glob("Mod_P*")):
                shutil.copy(file, self.folder / file.name.replace("Mod_P", name[:-5]))
        few = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))}
        alone = self.expect(SOUND, *names, "-j", "1", "-f", "json", **few).stdout
        for _ in range(3):
            self.assertEqual(self.expect(SOUND, *names, "-j", "16", "-f", "json", **few).stdout, alone)

    def test_files_in_folders_that_other_checks_hold_open(self):
        """What a walk cannot open while others are checked it opens when they are done."""
        for number in range(40):
            self.write(f"m/{number // 10}/{number}.umod", samples.GOOD)
            self.write(f"n{number}/a.umod", samples.GOOD)
        folders = ["m", *(f"n{number}" for number in range(40))]
        few = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (14, 14))}
        alone = self.expect(0, "-r", *folders, "-j", "1", "-f", "json", **few).stdout
        for jobs in ["4", "16"]:
            self.assertEqual(self.expect(0, "-r", *folders, "-j", jobs, "-f", "json", **few).stdout, alone)
        done = self.expect(0, "-r", "--files0-from=-", "-j", "16", "-f", "json", stdin="".join(f + "\0" for f in folders).encode(), **few)
        self.assertEqual(done.stdout, alone)

    def test_files_that_were_opened_ahead(self):
        """Inputs that wait for their turn hold files and folders open too: who misses those goes back, and takes one input at a time."""
        (self.folder / "parts").mkdir()
        self.assemble("iostore/good_partitions", "parts/Mod_P.utoc")
        for folder in ["w/a", "w/a/b", "w/a/b/c", "w/a0", "w/d", "w/d/e/f/g/h"]:
            (self.folder / folder).mkdir(parents=True, exist_ok=True)
            for file in (self.folder / "parts").iterdir():
                shutil.copy(file, self.folder / folder / file.name)
                shutil.copy(file, self.folder / folder / file.name.replace("Mod", "New"))
            for number in range(4):
                self.write(f"{folder}/{number}.umod", samples.GOOD)
            os.symlink("0.umod", self.folder / folder / "link.umod")
        (self.folder / "w/d/closed").mkdir(mode=0)
        for few in [9, 11, 13, 16, 20]:
            limit = {"preexec_fn": lambda n=few: resource.setrlimit(resource.RLIMIT_NOFILE, (n, n))}
            for inputs in [["w"], ["bad.umod", "w/a/", "good.umod", "w/d", "w/a0"]]:
                alone = self.run_uvet("check", "-r", *inputs, "-j", "1", "-f", "json", **limit)
                for jobs in ["2", "16"]:
                    done = self.run_uvet("check", "-r", *inputs, "-j", jobs, "-f", "json", **limit)
                    self.assertEqual((done.returncode, done.stdout), (alone.returncode, alone.stdout), f"-j {jobs}, {few} files")
                    listed = self.run_uvet("check", "-r", "--files0-from", "-", "-j", jobs, "-f", "json",
                                           stdin="".join(name + "\0" for name in inputs).encode(), **limit)
                    self.assertEqual(listed.stdout, alone.stdout)
        self.assertNotIn(b"too many files", self.run_uvet("check", "-r", "w", "-j", "16", "-f", "json", **limit).stdout)

    def test_the_lower_limit_is_raised(self):
        self.assemble("iostore/good_partitions", "Mod_P.utoc")
        self.expect(SOUND, "Mod_P.utoc", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (6, 64)))

    def test_threads_for_one_file(self):
        for jobs in ["0", "1", "3", "64"]:
            self.assertEqual(self.expect(1, "-j", jobs, "bad.umod", "-f", "json").stdout, self.expect(1, "bad.umod", "-f", "json").stdout)


if __name__ == "__main__":
    unittest.main()
