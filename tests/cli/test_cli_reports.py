"""Black-box tests of report files: whatever ends a run, the old report is there or the new one, and never half of either."""
import json
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import time
import unittest

import samples
from case import FORMATS, UVET, Case, said_besides

OLD = b"the report of yesterday\n"
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGALRM]


class Reports(Case):
    def names(self, folder="."):
        """What lies in a folder besides the samples."""
        return sorted(set(os.listdir(self.folder / folder)) - {"good.umod", "bad.umod", "unknown.txt"})

    def waiting(self, *args, **more):
        """A run that waits for standard input, and has begun its reports."""
        before = set(self.names())
        process = subprocess.Popen([UVET, "-", *args], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, **more)
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        deadline = time.monotonic() + 30
        while set(self.names()) == before and time.monotonic() < deadline:
            self.assertIsNone(process.poll())
            time.sleep(0.005)
        self.assertNotEqual(set(self.names()), before, "no report was begun")
        return process

    def expect_refused(self, code, *args, says=(), **more):
        """The run fails with words, the old report stays, and nothing else is left behind."""
        self.write("out", OLD)
        names = self.names()
        done = self.expect(code, *args, **more)
        self.assertRegex(done.stderr, rb"\Auvet: [\x20-\x7e]+\n\Z")
        for word in says:
            self.assertIn(word, done.stderr.decode())
        self.assertEqual(self.read("out"), OLD)
        self.assertEqual(self.names(), names)
        return done


class Replacing(Reports):
    def test_the_old_report_stays_until_the_end(self):
        for old in [None, OLD]:
            if old:
                self.write("out", old)
            process = self.waiting("-f", "json=out")
            self.assertEqual((self.folder / "out").exists(), old is not None)
            if old:
                self.assertEqual(self.read("out"), old)
            written, errors = process.communicate(samples.BAD_CRC, timeout=60)
            self.assertEqual((process.returncode, written, errors), (1, b"", b""))
            self.assertEqual(len(json.loads(self.read("out"))["artifacts"]), 1)
            self.assertEqual(self.names(), ["out"])
            os.unlink(self.folder / "out")

    def test_several_reports_at_once(self):
        for form in FORMATS:
            self.write(f"out.{form}", OLD)
        args = [arg for form in FORMATS for arg in ["-f", f"{form}=out.{form}"]]
        process = self.waiting(*args)
        for form in FORMATS:
            self.assertEqual(self.read(f"out.{form}"), OLD)
        process.communicate(samples.BAD_CRC, timeout=60)
        self.assertEqual(self.names(), sorted(f"out.{form}" for form in FORMATS))
        for form in FORMATS:
            self.assertEqual(self.read(f"out.{form}"), self.expect(1, "-", "-f", form, stdin=samples.BAD_CRC).stdout)

    def test_in_another_folder(self):
        os.mkdir(self.folder / "reports")
        self.expect(1, "bad.umod", "-f", "json=reports/out")
        self.expect(1, "bad.umod", "-f", f"json={self.folder}/reports/absolute")
        self.assertEqual(self.names("reports"), ["absolute", "out"])

    def test_permissions(self):
        old_umask = os.umask(0o027)
        self.addCleanup(os.umask, old_umask)
        self.expect(1, "bad.umod", "-f", "json=out")
        self.assertEqual(stat.S_IMODE(os.stat(self.folder / "out").st_mode), 0o640)
        for mode in [0o600, 0o644, 0o666, 0o755, 0o200]:
            os.chmod(self.folder / "out", mode)
            self.expect(1, "bad.umod", "-f", "json=out")
            self.assertEqual(stat.S_IMODE(os.stat(self.folder / "out").st_mode), mode)

    @unittest.skipUnless(os.geteuid() == 0, "only root gives files away")
    def test_the_owner(self):
        self.write("out", OLD)
        os.chown(self.folder / "out", 65534, 65533)
        os.chmod(self.folder / "out", 0o640)
        self.expect(1, "bad.umod", "-f", "json=out")
        found = os.stat(self.folder / "out")
        self.assertEqual((found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)), (65534, 65533, 0o640))

    @unittest.skipIf(os.geteuid() == 0, "root writes everything")
    def test_what_may_not_be_written(self):
        self.write("out", OLD)
        os.chmod(self.folder / "out", 0o444)
        self.expect(4, "bad.umod", "-f", "json=out")
        self.assertEqual(self.read("out"), OLD)

    def test_long_names(self):
        name = "r" * 255
        self.expect(1, "bad.umod", "-f", f"json={name}")
        self.assertEqual(self.names(), [name])
        done = self.expect(4, "bad.umod", "-f", f"json={name}r")
        self.assertIn(b"name too long", done.stderr)

    def test_one_file_for_two_reports_that_is_not_there_yet(self):
        self.expect_usage("good.umod", "-f", "json=out", "-f", f"text={self.folder}/out", says=["same file"])
        self.assertEqual(self.names(), [])

    def test_no_report_is_an_input(self):
        """What is in a folder does not hang on the report that is written there, nor on its temporary file."""
        os.mkdir(self.folder / "m")
        self.write("m/good.umod", samples.GOOD)
        reports = []
        for _ in range(3):
            self.expect(0, "-r", "m", "-f", "json=m/out")
            reports.append(self.read("m/out"))
        self.assertEqual([a["path"] for a in json.loads(reports[0])["artifacts"]], ["m/good.umod"])
        self.assertEqual(reports, reports[:1] * 3)

    def test_the_file_there_becomes_another_one(self):
        """Whatever takes the report's place during the run was not looked at, so it is not replaced."""
        for old in [None, OLD]:
            for new in ["file", "link", "folder"]:
                if old:
                    self.write("out", old)
                process = self.waiting("-f", "json=out")
                if old:
                    os.rename(self.folder / "out", self.folder / "moved")
                if new == "file":
                    self.write("out", samples.GOOD)
                elif new == "link":
                    (self.folder / "out").symlink_to("good.umod")
                else:
                    os.mkdir(self.folder / "out")
                _, errors = process.communicate(samples.BAD_CRC, timeout=60)
                self.assertEqual(process.returncode, 4)
                self.assertRegex(errors, rb"\Auvet: the report 'out' [^\n]* another[^\n]*\n\Z")
                self.assertEqual(self.read("good.umod"), samples.GOOD)
                self.assertEqual(self.names(), ["moved", "out"] if old else ["out"])
                if new == "folder":
                    os.rmdir(self.folder / "out")
                else:
                    self.assertEqual(self.read("out"), samples.GOOD)
                    os.unlink(self.folder / "out")
                if old:
                    os.unlink(self.folder / "moved")

    def test_the_file_there_goes_away(self):
        self.write("out", OLD)
        process = self.waiting("-f", "json=out")
        os.unlink(self.folder / "out")
        process.communicate(samples.BAD_CRC, timeout=60)
        self.assertEqual(process.returncode, 1)
        json.loads(self.read("out"))


class Ending(Reports):
    """Runs that do not come to their end."""

    def test_signals(self):
        for number in SIGNALS:
            for old in [None, OLD]:
                if old:
                    self.write("out", old)
                names = self.names()
                process = self.waiting("-f", "json=out", "-f", "text=second", "-f", "sarif=third",
                                       preexec_fn=lambda n=number: signal.signal(n, signal.SIG_DFL))    # nohup ignores SIGHUP
                process.send_signal(number)
                process.communicate(timeout=60)
                self.assertEqual(process.returncode, -number)
                self.assertEqual(self.names(), names, "a temporary file was left")
                if old:
                    self.assertEqual(self.read("out"), old)
                    os.unlink(self.folder / "out")

    def test_a_signal_that_was_ignored_stays_so(self):
        process = self.waiting("-f", "json=out", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        time.sleep(0.1)
        process.communicate(samples.BAD_CRC, timeout=60)
        self.assertEqual(process.returncode, 1)
        json.loads(self.read("out"))

    def test_the_end_without_warning(self):
        """Only a process that is killed leaves its file, whose name says what it is; the next run does not mind."""
        self.write("out", OLD)
        process = self.waiting("-f", "json=out")
        process.kill()
        process.communicate(timeout=60)
        self.assertEqual(self.read("out"), OLD)
        left = [name for name in self.names() if name != "out"]
        self.assertEqual(len(left), 1)
        self.assertRegex(left[0], r"\A\.uvet-unfinished-[0-9a-f]{16}\Z")
        self.expect(1, "bad.umod", "-f", "json=out")
        self.assertEqual(self.names(), sorted([left[0], "out"]))

    def test_a_failed_output_keeps_the_others_old(self):
        with open("/dev/full", "wb") as full:
            self.expect_refused(4, "bad.umod", "-f", "json=out", "-f", "text", stdout=full, says=["standard output"])

    def test_wrong_usage_changes_nothing(self):
        self.expect_refused(3, "good.umod", "-f", "json=out", "-f", "text=good.umod", says=["good.umod"])
        self.expect_refused(4, "good.umod", "-f", "json=out", "-f", "text=no/folder", says=["no/folder"])

    @staticmethod
    def limited(size):
        """For a process whose files may have that many bytes at most, which would be too few for the profile of a build that measures coverage."""
        return {"env": {"LLVM_PROFILE_FILE": os.devnull},
                "preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))}

    def test_limit_of_file_size(self):
        for form in FORMATS:
            for size in [0, 1, 100]:
                self.expect_refused(4, "bad.umod", "-f", f"{form}=out", says=["'out'", "File too large"], **self.limited(size))

    def test_limit_of_file_size_on_standard_output(self):
        for command in [["bad.umod"], ["rules"], ["map", "good.umod"], ["info", "good.umod"], ["help"], ["version"], ["explain", "UMD006"], ["schema", "map"]]:
            with open(self.folder / "stdout", "wb") as out:
                done = self.expect(4, *command, stdout=out, **self.limited(10))
            self.assertEqual(done.stderr, said_besides(command) + b"uvet: standard output could not be written: File too large\n")

    @unittest.skipUnless(sys.platform == "linux" and os.geteuid() == 0 and shutil.which("mount"), "needs a small file system")
    def test_full_disk(self):
        os.mkdir(self.folder / "disk")
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", "disk"], cwd=self.folder, capture_output=True, check=False)
        if done.returncode != 0:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", self.folder / "disk"], check=False)
        self.write("disk/out", OLD)
        names = self.names("disk")
        done = self.expect(4, *["bad.umod"] * 500, "-f", "json=disk/out")
        self.assertIn(b"No space left", done.stderr)
        self.assertEqual((self.read("disk/out"), self.names("disk")), (OLD, names))


class Special(Reports):
    """Outputs that are no files are written as they come."""

    def test_devices(self):
        alone = self.expect(1, "bad.umod").stdout
        self.assertEqual(self.expect(1, "bad.umod", "-f", "json=/dev/null", "-f", "text").stdout, alone)
        done = self.expect(4, "bad.umod", "-f", "json=/dev/full")
        self.assertIn(b"No space left", done.stderr)

    def test_standard_streams_by_name(self):
        alone = self.expect(1, "bad.umod").stdout
        for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]:
            self.assertEqual(self.expect(1, "bad.umod", "-f", f"text={name}").stdout, alone)
        self.assertEqual(self.expect(1, "bad.umod", "-f", "text=/dev/stderr").stderr, alone)
        with open(self.folder / "stdout", "wb") as out:
            out.write(b"before\n")
            out.flush()
            self.expect(1, "bad.umod", "-f", "text=/dev/stdout", stdout=out)
        self.assertEqual(self.read("stdout"), b"before\n" + alone)
        self.expect_usage("bad.umod", "-f", "text=/dev/stdout", "-f", "json", says=["same"])
        self.expect_usage("bad.umod", "-f", "text", "-f", "json=/dev/fd/1", says=["same"])

    def test_descriptors_that_are_not_ours_to_write(self):
        """Those that are closed, that are not numbers, that uvet has opened itself, and that are for reading."""
        for name in ["/dev/fd/99", "/dev/fd/3", "/dev/fd/7", "/dev/fd/x", "/dev/fd/", "/proc/self/fd/12345678901", "/dev/stdin",
                     f"/dev/fd/{(1 << 32) + 1}", f"/dev/fd/{(1 << 64) + 1}", f"/dev/fd/{(1 << 31) - 1}"]:
            with open(os.devnull, "rb") as nothing:
                done = subprocess.run([UVET, "bad.umod", "-f", "text=out", "-f", f"json={name}"], stdin=nothing, cwd=self.folder,
                                      capture_output=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 4, name)
            self.assertIn(b"Bad file descriptor", done.stderr)
            self.assertEqual(self.names(), [])

    def test_streams_that_are_closed(self):
        """Nobody takes their place: a report to standard output fails, and what is for standard error goes nowhere."""
        for number, code in [(1, 4), (2, 1)]:
            done = self.run_uvet("bad.umod", "-f", "json=out", "-f", f"text=/dev/fd/{number}", preexec_fn=lambda n=number: os.close(n))
            self.assertEqual(done.returncode, code, done.stderr)
        self.assertTrue(self.read("out").startswith(b"{"))

    @unittest.skipUnless(shutil.which("bash"), "needs bash")
    def test_process_substitution(self):
        command = ["bash", "-c", '"$0" bad.umod -f text=>(cat >copy); code=$?; sleep 0.2; exit $code', UVET]
        self.assertEqual(subprocess.run(command, cwd=self.folder, timeout=60, check=False).returncode, 1)
        self.assertEqual(self.read("copy"), self.expect(1, "bad.umod").stdout)

    def test_pipes(self):
        os.mkfifo(self.folder / "fifo")
        done = self.expect(4, "bad.umod", "-f", "json=fifo")
        self.assertRegex(done.stderr, rb"\Auvet: the report 'fifo' [^\n]*nobody reads[^\n]*\n\Z")
        reader = os.open(self.folder / "fifo", os.O_RDONLY | os.O_NONBLOCK)
        self.expect(1, "bad.umod", "-f", "text=fifo")
        self.assertEqual(os.read(reader, 65536), self.expect(1, "bad.umod").stdout)
        os.close(reader)

    def test_a_slow_reader(self):
        os.mkfifo(self.folder / "fifo")
        reader = os.open(self.folder / "fifo", os.O_RDONLY | os.O_NONBLOCK)
        process = subprocess.Popen([UVET, *["bad.umod"] * 300, "-f", "json=fifo"], cwd=self.folder)
        time.sleep(0.3)
        written = b""
        os.set_blocking(reader, True)
        while chunk := os.read(reader, 3000):
            written += chunk
        os.close(reader)
        self.assertEqual(process.wait(timeout=60), 1)
        self.assertEqual(len(json.loads(written)["artifacts"]), 300)

    def test_what_is_never_written(self):
        (self.folder / "to_null").symlink_to("/dev/null")
        (self.folder / "to_itself").symlink_to("to_itself")
        os.mkdir(self.folder / "folder")
        for name in ["to_null", "to_itself", "folder", "folder/", ".", "..", "folder/..", "/"]:
            self.expect_usage("good.umod", "-f", f"json={name}", says=[name])


if __name__ == "__main__":
    unittest.main()
