"""Black-box tests on a system that fails: memory ends, writes come short, disks are full. The environment variable UVET_HOSTILE names the
program that tests/fault/hostile.c is built into; what was not written whole never leads to the exit code of a report."""
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import samples
from case import FORMATS, Case, has_sanitizer, needs, said_besides, sound

HOSTILE = os.environ.get("UVET_HOSTILE")
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Sanitizers are slow: with them it is one request for memory in so many, unless all were asked for. Each sweep begins with another.
STEP = 97 if has_sanitizer(HOSTILE) and not os.environ.get("UVET_SWEEP_ALL") else 1
FIRST = itertools.cycle(range(1, STEP + 1))
KEY = "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F"
ENCRYPTED = sound("nettle", "blake3")       # of a container, with its key
MODULUS = "AQEB" * 21 + "AQ=="
OLD = b"the report of yesterday\n"
QUERIES = [["map", "good.umod"], ["map", "-f", "json", "good.umod"], ["info", "good.umod"], ["info", "-f", "json", "good.umod"], ["info", "good.umod", "."],
           ["rules"], ["rules", "-f", "json"], ["rules", "-f", "md"], ["rules", "-f", "layouts"], ["explain", "UMD006"],
           ["help"], ["help", "check"], ["help", "--man"], ["completion", "bash"], ["schema", "report"], ["version"]]


@unittest.skipUnless(HOSTILE, "there is no such program here")
class Faulty(Case):
    def run_hostile(self, fault, *args, stdin=b"", stdout=subprocess.PIPE):
        """The finished process, and whether the fault struck."""
        mark = self.folder / "struck"
        mark.unlink(missing_ok=True)
        environment = {**os.environ, "UVET_FAULT": fault, "UVET_FAULT_MARK": str(mark), "UVET_TEST_KEY": KEY}
        done = subprocess.run([HOSTILE, *args], input=stdin, stdout=stdout, stderr=subprocess.PIPE, cwd=self.folder, timeout=120,
                              env=environment, check=False)
        self.assertNotIn(b"Sanitizer", done.stderr, (fault, args))
        self.assertGreaterEqual(done.returncode, 0, (fault, args, "died of a signal"))
        struck = mark.exists()
        mark.unlink(missing_ok=True)
        return done, struck

    def files(self):
        return {name: (self.folder / name).read_bytes() for name in os.listdir(self.folder) if (self.folder / name).is_file()}


class Writes(Faulty):
    def everything(self):
        for form in FORMATS:
            yield ["bad.umod", "good.umod", "-f", form], 1
        yield from ((query, 0) for query in QUERIES)

    def writes(self, *args):
        """The number of each write that a command makes, in turn."""
        for n in range(1, 1 << 20):
            done, struck = self.run_hostile(f"write={n}:half", *args)
            if not struck:
                self.assertGreater(n, 1, args)
                return
            yield n, done

    def test_every_write(self):
        """Each write in turn is cut short, interrupted, or fails, alone or with all after it."""
        for args, code in self.everything():
            whole, _ = self.run_hostile("", *args)
            for n, half in self.writes(*args):
                for how in ["one", "eintr", "eagain"]:
                    done, _ = self.run_hostile(f"write={n}:{how}", *args)
                    self.assertEqual((done.returncode, done.stdout, done.stderr), (code, whole.stdout, said_besides(args)), (n, how, args))
                self.assertEqual((half.returncode, half.stdout, half.stderr), (code, whole.stdout, said_besides(args)), (n, args))
                for how in ["zero", "enospc", "eio", "epipe"]:
                    self.expect_failure([f"write={n}:{how}", f"write={n}+:{how}"], whole.stdout, *args, is_quiet=how == "epipe")

    def expect_failure(self, faults, whole, *args, is_quiet):
        """What is there when a write fails is the beginning of the whole, whether or not there would be room for more. Of a reader who left
        nothing is said."""
        found = [self.run_hostile(fault, *args)[0] for fault in faults]
        for done in found:
            self.assertEqual(done.returncode, 141 if is_quiet else 4, (faults, args))
            self.assertLess(len(done.stdout), len(whole), (faults, args))
            self.assertTrue(whole.startswith(done.stdout), (faults, args))
            said = b"" if is_quiet else rb"uvet: standard output could not be written: [A-Z][\x20-\x7e]+\n"
            self.assertRegex(done.stderr, rb"\A" + re.escape(said_besides(args)) + said + rb"\Z")
        self.assertEqual(found[0].stdout, found[1].stdout, (faults, args))

    def test_short_writes_lose_nothing(self):
        for args, code in self.everything():
            whole, _ = self.run_hostile("", *args)
            for how in ["one", "half", "eintr", "eagain"]:
                if how == "one" and len(whole.stdout) > 1 << 17:
                    continue            # a million calls of the same loop: each write in turn takes one byte in test_every_write
                done, _ = self.run_hostile(f"write=1+:{how}", *args)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (code, whole.stdout, said_besides(args)), (how, args))

    def test_every_write_to_a_file(self):
        for form in FORMATS:
            whole, _ = self.run_hostile("", "bad.umod", "-f", form)
            args = ["bad.umod", "-f", f"{form}=out"]
            for n, half in self.writes(*args):
                self.assertEqual((half.returncode, self.read("out"), half.stderr), (1, whole.stdout, b""), (n, form))
                for how in ["one", "eintr", "eagain"]:
                    done, _ = self.run_hostile(f"write={n}:{how}", *args)
                    self.assertEqual((done.returncode, self.read("out"), done.stderr), (1, whole.stdout, b""), (n, how, form))
                self.write("out", OLD)
                for how in ["zero", "enospc", "eio"]:
                    self.expect_old(f"write={n}:{how}", *args)
                    self.expect_old(f"write={n}+:{how}", *args)

    def test_a_disk_that_becomes_full(self):
        for args, _ in self.everything():
            whole, _ = self.run_hostile("", *args)
            size = len(whole.stdout)
            for room in sorted({0, 1, size // 2, size - 1}):        # every write fails in test_every_write; here it is cut short as well
                done, _ = self.run_hostile(f"write=full:{room}", *args)
                self.assertEqual((done.returncode, done.stdout), (4, whole.stdout[:room]), (room, args))
                self.assertEqual(done.stderr, said_besides(args) + b"uvet: standard output could not be written: No space left on device\n")

    def expect_old(self, fault, *args):
        before = self.files()
        done, struck = self.run_hostile(fault, *args)
        self.assertTrue(struck, (fault, args))
        self.assertEqual(done.returncode, 4, (fault, args))
        self.assertRegex(done.stderr, rb"\Auvet: [\x20-\x7e]+\n\Z")
        self.assertEqual(self.files(), before)

    def test_a_disk_that_becomes_full_keeps_the_old_report(self):
        for form in FORMATS:
            whole, _ = self.run_hostile("", "bad.umod", "-f", form)
            self.write("out", OLD)
            for room in sorted({0, 1, len(whole.stdout) // 2, len(whole.stdout) - 1}):
                self.expect_old(f"write=full:{room}", "bad.umod", "-f", f"{form}=out")

    def test_every_write_of_a_baseline(self):
        """It is whole, or as it was before."""
        args = ["baseline", "write", "b.txt", "--reason", "known", "bad.umod", "-f", "json=out"]
        self.run_hostile("", *args)
        whole = self.files()
        for n, half in self.writes(*args):
            self.assertEqual((half.returncode, self.files()), (0, whole), n)
            for how in ["zero", "enospc", "eio"]:
                self.expect_old(f"write={n}:{how}", *args)
        for fault in ["sync=1", "sync=2", "create=1", "create=2", "rename=1"]:
            self.expect_old(fault, *args)

    def test_what_fails_late(self):
        for old in [None, OLD]:
            if old:
                self.write("out", old)
            for fault in ["sync=1", "rename=1", "random=1", "create=1"]:
                self.expect_old(fault, "bad.umod", "-f", "json=out")
            for fault in ["sync=2", "random=2", "create=2"]:
                self.expect_old(fault, "bad.umod", "-f", "json=out", "-f", "text=out2")

    def test_every_close(self):
        """Closing what was only read may fail; closing what was written may not."""
        self.write("out", OLD)
        failed = 0
        for n in range(1, 40):
            done, struck = self.run_hostile(f"close={n}", "bad.umod", "-f", "json=out", "-f", "text")
            if done.returncode == 4:
                failed += 1
                self.assertTrue(struck)
                self.assertEqual(self.read("out"), OLD)
            else:
                self.assertEqual((done.returncode, done.stderr), (1, b""))
                json.loads(self.read("out"))
                self.write("out", OLD)
            if not struck:
                break
        self.assertFalse(struck)
        self.assertEqual(failed, 2)

    def test_a_file_system_that_renames_the_old_way(self):
        done, _ = self.run_hostile("rename=0", "bad.umod", "-f", "json=out")
        self.assertEqual((done.returncode, done.stderr), (1, b""))
        json.loads(self.read("out"))


class Reads(Faulty):
    """Each read in turn, of files and of streams, fails or returns less."""

    def setUp(self):
        super().setUp()
        self.write("mod/one.umod", samples.around(("System\\Inner.umod", samples.BAD_CRC)))
        self.write("mod/two.umod", samples.GOOD)
        self.write("list", b"good.umod\0bad.umod\0")
        self.write("key.ini", f"SigningModulus={MODULUS}\nSigningPublicExponent=AQAB\n".encode())
        self.assemble("iostore/good_encrypted", "Mod_P.utoc")

    def sweep(self, *args, stdin=b""):
        whole, _ = self.run_hostile("", *args, stdin=stdin)
        self.assertIn(whole.returncode, {0, 1, ENCRYPTED}, (args, whole.stderr))
        for n in range(1, 2000):
            for how in ["one", "half", "eintr"]:
                done, struck = self.run_hostile(f"read={n}:{how}", *args, stdin=stdin)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (whole.returncode, whole.stdout, said_besides(args)), (n, how, args))
            if not struck:
                self.assertGreater(n, 1, args)
                return
            for fault in [f"read={n}:eio", f"read={n}+:eio"]:
                self.judge(self.run_hostile(fault, *args, stdin=stdin)[0], whole, (fault, args))
            for fault in [f"read={n}:zero", f"read={n}+:zero"]:
                done, _ = self.run_hostile(fault, *args, stdin=stdin)
                self.assertIn(done.returncode, range(5), (fault, args))
        self.fail("it reads for ever")

    def judge(self, done, whole, where):
        """A failure in words, or a report that says what was not read; an error that is found in another file stays one."""
        self.assertIn(done.returncode, [1, 2, 3, 4] if whole.returncode == 1 else [2, 3, 4], (where, done.stdout))
        self.assertNotEqual((done.returncode, done.stdout), (whole.returncode, whole.stdout), where)
        if done.returncode in [3, 4]:
            self.assertRegex(done.stderr, rb"\A(uvet: [\x20-\x7e]+\n)+\Z", where)
        else:
            self.assertRegex(done.stdout + done.stderr, rb"RUN002|unreadable|cannot be read|uvet: ", (where, done.stdout))

    def test_check(self):
        for form in FORMATS:
            self.sweep("bad.umod", "mod/one.umod", "-f", form)
        self.sweep("-r", "mod", "-f", "json")
        self.sweep("good.umod")

    def test_containers(self):
        self.sweep("-f", "json", "--aes-key-file", "keys.txt", "Mod_P.utoc")
        self.sweep("-f", "json", "--aes-key-file", "keys.txt", "--signing-key-file", "key.ini", "Mod_P.utoc")
        self.sweep("map", "--aes-key-file", "keys.txt", "Mod_P.utoc")

    def test_streams(self):
        self.sweep("-f", "json", "-", stdin=samples.BAD_CRC)
        self.sweep("-", stdin=samples.GOOD)
        self.sweep("-f", "json", "--files0-from", "list")
        self.sweep("-f", "json", "--files0-from", "-", stdin=b"good.umod\0bad.umod\0")

    def test_baselines(self):
        self.run_hostile("", "baseline", "write", "b.txt", "--reason", "known", "bad.umod")
        self.sweep("-f", "json", "--baseline", "b.txt", "bad.umod")
        self.sweep("baseline", "check", "b.txt", "bad.umod", "good.umod")

    def test_queries(self):
        for query in QUERIES:
            if query[0] in ["map", "info"]:
                self.sweep(*query)
                self.sweep(query[0], *query[1:-1], "-", stdin=samples.GOOD)


class Memory(Faulty):
    """Each request for memory is refused in turn, alone and with all after it."""

    def setUp(self):
        super().setUp()
        self.write("mod/one.umod", samples.around(("System\\Inner.umod", samples.BAD_CRC)))
        self.write("mod/two.umod", samples.GOOD)
        self.write("mod/deep/er/three.umod", samples.BAD_CRC)
        self.write("list", b"good.umod\0bad.umod\0")
        self.write("key.ini", f"SigningModulus={MODULUS}\nSigningPublicExponent=AQAB\n".encode())
        subprocess.run([sys.executable, ROOT / "conformance/assemble.py", ROOT / "conformance/vectors/iostore/good_encrypted.vec",
                        "-o", self.folder / "Mod_P.utoc"], check=True, capture_output=True)
        self.write("old.json", OLD)

    def sweep(self, *args, stdin=b"", reports=()):
        for how in ["", "+"]:
            self.sweep_one_way(how, args, stdin, reports)

    def sweep_one_way(self, how, args, stdin, reports):
        whole, _ = self.run_hostile("", *args, stdin=stdin)
        self.assertIn(whole.returncode, [0, 1, 2], (args, whole.stderr))
        written = self.files()
        for n in range(next(FIRST), 2000, STEP):
            for name in reports:
                self.write(name, OLD)
            done, struck = self.run_hostile(f"memory={n}{how}", *args, stdin=stdin)
            if not struck:
                self.assertGreater(n, 1)
                self.assertEqual((done.returncode, done.stdout), (whole.returncode, whole.stdout))
                return
            self.judge(done, whole, (n, how, args), {name: written[name] for name in reports})
        self.fail("it asks for memory for ever")

    def judge(self, done, whole, where, reports):
        """The same as with memory; or a failure, in words and without a report; or a report that says what is not known."""
        found = {name: self.read(name) for name in reports}
        self.assertEqual(set(os.listdir(self.folder)) & {".uvet"}, set())
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith(".uvet") and name != ".uvet.ini"], where)
        if (done.returncode, done.stdout, found) == (whole.returncode, whole.stdout, reports):
            return
        self.assertIn(done.returncode, [2, 3, 4] if whole.returncode != 1 else [1, 2, 3, 4], (where, done.stderr))
        if done.returncode in [3, 4]:
            self.assertRegex(done.stderr, rb"\A(uvet: [\x20-\x7e]+\n)+\Z", where)
            self.assertEqual(found, {name: OLD for name in reports}, where)
        elif where[2][0] in ["map", "info"]:
            self.assertTrue(done.stdout + done.stderr, where)
        else:
            said = done.stdout + b"".join(found.values())
            self.assertTrue(b"RUN00" in said or b'"truncated":true' in said, (where, said))         # the finding may have no room

    def test_check(self):
        for form in FORMATS:
            self.sweep("bad.umod", "mod/one.umod", "-f", form)

    def test_check_options(self):
        self.sweep("-q", "--statistics", "good.umod", "bad.umod")
        self.sweep("--show-passed", "good.umod")
        self.sweep("--color=always", "bad.umod")
        self.sweep("--policy-from", "good.umod", "--policy-from", "mod/two.umod", "-f", "json", "bad.umod")
        self.sweep("--select", "UMD", "--ignore", "UMD006", "--severity", "UMD001=warning", "-f", "json", "bad.umod")

    def test_lines_that_are_kept(self):
        self.run_hostile("", "baseline", "write", "b.txt", "--reason", "known", "bad.umod")
        self.sweep("baseline", "write", "b.txt", "--reason", "known", "mod/one.umod", "unknown.txt")      # the line stays: not all is judged
        *head, line = self.read("b.txt").decode().splitlines()
        more = [f"{i:016x}{line[16:]}" for i in range(70)]
        self.write("b.txt", "\n".join([*head, *more, ""]).encode())
        self.sweep("baseline", "write", "b.txt", "--reason", "known", "good.umod", "unknown.txt")         # and many others

    @needs("inih")
    def test_configurations(self):
        self.write(".uvet.ini", b"[uvet]\nfail-on = never\ninclude = *\n[severity]\nUMD018 = error\n"
                                b'[ignore "one.umod"]\nUMD006 = known\n[limits]\nmax-nested = 100\n')
        self.sweep("-f", "json", "mod/one.umod")
        self.sweep("check", "--show-settings", "--config", ".uvet.ini")

    def test_inputs(self):
        self.sweep("-r", "mod", "-f", "json")
        self.sweep("-r", "-j", "3", "mod", "-f", "ndjson")
        self.sweep("-f", "json", "-", stdin=samples.BAD_CRC)
        self.sweep("-f", "json", "--files0-from", "list")
        self.sweep("-f", "json", "--files0-from", "-", stdin=b"good.umod\0missing\0")

    def test_containers(self):
        self.sweep("-f", "json", "--aes-key-file", "keys.txt", "Mod_P.utoc")
        self.sweep("-f", "json", "--aes-key-env", "UVET_TEST_KEY", "--signing-key-file", "key.ini", "-j", "3", "Mod_P.utoc")
        self.sweep("map", "--aes-key-file", "keys.txt", "Mod_P.utoc")

    def test_parts_of_containers(self):
        """Of a part that is named, a report is made or there is none at all."""
        self.write("Other.ucas", b"nobody reads this")
        for jobs in ["1", "3"]:
            self.sweep("-f", "json", "-j", jobs, "Mod_P.ucas", "Mod_P.utoc", "Other.ucas")

    def test_data_without_a_container(self):
        """Of an archive that is named the file is told whose container is missing."""
        for name in ["A_P", "B_P"]:
            self.assemble("pak/good_minimal", f"{name}.pak")
            self.write(f"{name}.ucas", b"nobody reads this")
        self.sweep("-f", "json", "A_P.pak", "B_P.pak")

    def test_parts_that_are_found(self):
        """What was found is checked, or passed over because a check told of it."""
        os.mkdir(self.folder / "parts")
        self.assemble("iostore/good_minimal", "parts/Mod_P.utoc")
        self.write("parts/Other.ucas", b"nobody reads this")
        for jobs in ["1", "3"]:
            self.sweep("-f", "json", "-r", "-j", jobs, "parts")
        self.write("parts/Other.utoc", b"")
        self.sweep("-f", "json", "-r", "parts")

    def test_baselines(self):
        """What is written has the same lines, whatever there was no memory for."""
        paths = ["bad.umod", "mod/one.umod"]
        self.run_hostile("", "baseline", "write", "b.txt", "--reason", "known", *paths)
        lines = [line for line in self.read("b.txt").split(b"\n") if not line.startswith(b"#")]
        for form in ["json", "text", "junit", "github"]:
            self.sweep("-f", form, "--baseline", "b.txt", *paths)
        self.sweep("-q", "--baseline", "b.txt", *paths)
        self.sweep("baseline", "check", "b.txt", *paths)
        for how in ["", "+"]:
            for n in range(next(FIRST), 2000, STEP):
                done, struck = self.run_hostile(f"memory={n}{how}", "baseline", "write", "b.txt", "--reason", "new", *paths)
                found = [line for line in self.read("b.txt").split(b"\n") if not line.startswith(b"#")]
                self.assertEqual(sorted(found), sorted(lines), (n, how, done.stderr))
                self.assertIn(done.returncode, [0, 2, 3, 4], (n, how))
                if not struck:
                    break

    def test_reports_to_files(self):
        self.sweep("bad.umod", "-f", "json=old.json", "-f", "text=other", "-f", "sarif", reports=["old.json", "other"])

    def test_queries(self):
        for query in QUERIES:
            if query[0] in ["map", "info"]:
                self.sweep(*query)
                self.sweep(query[0], *query[1:-1], "-", stdin=samples.GOOD)
                self.sweep(query[0], *query[1:-1], "Mod_P.utoc")
            else:
                self.sweep(*query)


if __name__ == "__main__":
    unittest.main()
