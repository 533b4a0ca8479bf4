"""Black-box tests of accepted findings: baselines that are written, used and checked, and what never changes by them."""
import datetime
import json
import os
import re
import signal
import subprocess
import time
import unittest

import samples
from case import UVET, Case, needs
from pipelines import READERS

HEAD = b"uvet-baseline/1\n"
LINE = re.compile(rb"^[0-9a-f]{16} [A-Z]{3}[0-9]{3} (-|\d{4}-\d\d-\d\d) (.+)$", re.M)


def day(ahead):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=ahead)).strftime("%Y-%m-%d")


class Baselines(Case):
    def make(self, *paths, reason="known", code=0, name="b.txt", **more):
        return self.expect(code, "baseline", "write", name, "--reason", reason, *paths, **more)

    def lines(self, name="b.txt"):
        data = self.read(name)
        self.assertTrue(data.startswith(HEAD), data)
        return [match.group(0) for match in LINE.finditer(data)]

    def findings(self, *args, code=0):
        return json.loads(self.expect(code, "-f", "json", *args).stdout)["findings"]


class Writing(Baselines):
    def test_what_is_written_is_accepted(self):
        done = self.make("bad.umod", "good.umod")
        self.assertIn(b"INVALID  bad.umod", done.stdout)
        self.assertIn(b"'b.txt' was written; new: 1, as before: 0, taken out: 0", done.stderr)
        (line,) = self.lines()
        fingerprint = self.findings("bad.umod", code=1)[0]["fingerprint"]
        self.assertEqual(line, f"{fingerprint} UMD006 - known".encode())
        self.assertIn(b"# bad.umod\n", self.read("b.txt"))
        done = self.expect(0, "--baseline", "b.txt", "bad.umod")
        self.assertIn(b"INVALID", done.stdout)
        self.assertIn(b"   = accepted: known\n", done.stdout)
        (finding,) = self.findings("--baseline", "b.txt", "bad.umod")
        self.assertEqual((finding["accepted"], finding["severity"]), ({"reason": "known"}, "error"))

    def test_nothing_is_accepted_without_a_reason(self):
        self.expect_usage("baseline", "write", "b.txt", "bad.umod", says=["--reason is missing"])
        for reason in ["", " ", "two\nlines", "esc\x1b", "del\x7f", " before", "behind ", "behind\t", "x" * 1001]:
            self.expect_usage("baseline", "write", "b.txt", "bad.umod", "--reason", reason, says=["reason"])
        self.assertFalse((self.folder / "b.txt").exists())

    def test_lines_that_are_there_stay(self):
        self.make("bad.umod", reason="first")
        self.expect(0, "baseline", "write", "b.txt", "--reason", "second", "--expires", day(9), "bad.umod")
        self.assertEqual([line.split(b" ", 2)[2] for line in self.lines()], [b"- first"])
        self.assemble("umod/UMD012_gap_between_members_nonzero", "gap.umod")
        done = self.expect(0, "baseline", "write", "b.txt", "--reason", "second", "--expires", day(9), "bad.umod", "gap.umod")
        self.assertRegex(done.stderr, rb"new: [1-9]\d*, as before: 1, taken out: 0")
        reasons = {line.split(b" ", 3)[3] for line in self.lines()}
        self.assertEqual(reasons, {b"first", b"second"})
        self.assertIn(day(9).encode(), self.read("b.txt"))

    def test_lines_of_what_no_longer_occurs_go(self):
        self.make("bad.umod")
        done = self.make("good.umod")
        self.assertEqual(self.lines(), [])
        self.assertIn(b"new: 0, as before: 0, taken out: 1", done.stderr)

    def test_they_stay_if_not_all_was_judged(self):
        self.make("bad.umod")
        self.make("good.umod", "unknown.txt", code=2)
        self.assertEqual(len(self.lines()), 1)

    def test_they_stay_if_a_bad_file_was_not_judged_whole(self):
        outer = samples.around(("System\\Inner.umod", samples.BAD_CRC))
        self.write("outer.umod", outer[:-4] + bytes(byte ^ 0xFF for byte in outer[-4:]))
        self.make("outer.umod")
        self.assertEqual(len(self.lines()), 2)
        done = self.make("--max-depth", "0", "outer.umod", code=2)
        self.assertIn(b"INVALID", done.stdout)
        self.assertEqual(len(self.lines()), 2)

    def test_an_expired_line_is_written_anew(self):
        self.make("bad.umod")
        (line,) = self.lines()
        self.write("b.txt", HEAD + line.replace(b" - known", b" 2020-01-31 old") + b"\n")
        self.make("bad.umod", reason="new")
        self.assertEqual(self.lines(), [line.replace(b"known", b"new")])

    def test_notes_are_written_if_they_count(self):
        self.assemble("umod/UMD018_member_executable", "note.umod")
        self.make("note.umod")
        self.assertEqual(self.lines(), [])
        self.make("note.umod", "--fail-on", "error,security")
        self.assertTrue(self.lines())
        self.expect(1, "--fail-on", "security", "note.umod")
        self.expect(0, "--fail-on", "security", "--baseline", "b.txt", "note.umod")

    def test_order_does_not_depend_on_threads(self):
        for i in range(6):
            self.write(f"m/{5 - i}.umod", samples.BAD_CRC)
        self.make("m", name="one.txt")
        self.make("-j4", "m", name="four.txt")
        self.assertEqual(self.read("one.txt"), self.read("four.txt"))
        self.assertEqual(len(self.lines("one.txt")), 6)
        for jobs in ["-j1", "-j4"]:
            self.expect(0, jobs, "--baseline", "one.txt", "m")

    def test_names_end_no_line(self):
        self.write(b"a\n0123456789abcdef UMD006 - x.umod", samples.BAD_CRC)
        self.make(b"a\n0123456789abcdef UMD006 - x.umod")
        self.assertEqual(len(self.lines()), 1)
        self.assertIn(b"# a\\x0A0123456789abcdef UMD006 - x.umod\n", self.read("b.txt"))
        self.write("caf\u00e9\x7f\\.umod", samples.BAD_CRC)
        self.make("caf\u00e9\x7f\\.umod", name="c.txt")
        self.assertIn(b"# caf\\xC3\\xA9\\x7F\\x5C.umod\n", self.read("c.txt"))

    def test_days(self):
        for wrong in ["2027-02-29", "2027-13-01", "2027-00-10", "2027-04-31", "2027-04-00", "27-01-01", "2027-1-01", "2027/01/01", "-", "", "0000-01-01"]:
            self.expect_usage("baseline", "write", "b.txt", "--reason", "x", f"--expires={wrong}", "bad.umod", says=["is not a day"])
        self.expect_usage("baseline", "write", "b.txt", "--reason", "x", "--expires", "2020-01-01", "bad.umod", says=["is over"])
        self.expect(0, "baseline", "write", "b.txt", "--reason", "x", "--expires", "2096-02-29", "bad.umod")
        self.assertIn(b" 2096-02-29 x\n", self.read("b.txt"))

    def test_too_many_findings(self):
        self.assemble("umod/UMD012_gap_between_members_nonzero", "gap.umod")
        n = len([f for f in self.findings("bad.umod", "gap.umod", code=1) if f["severity"] in ("error", "warning")])
        self.assertGreater(n, 1)
        done = self.make("--max-findings", "1", "bad.umod", "gap.umod", code=self.run_uvet("gap.umod").returncode)
        self.assertIn(f"leave no room for: {n - 1}".encode(), done.stderr)
        self.assertEqual(len(self.lines()), 1)

    def test_a_part_of_what_a_rule_finds(self):
        """What the report has no room for counts."""
        self.write("bad2.umod", samples.BAD_CRC)
        self.make("bad.umod", "bad2.umod")
        self.expect(0, "--baseline", "b.txt", "bad.umod", "bad2.umod")
        self.expect(1, "--baseline", "b.txt", "--max-findings", "1", "bad.umod", "bad2.umod")


class Protection(Baselines):
    """Only a baseline is replaced by one."""

    def refused(self, *args, says=()):
        return self.expect_usage("baseline", "write", *args, "--reason", "x", says=says)

    def test_a_mod_is_not_replaced(self):
        for name in ["good.umod", "unknown.txt"]:
            before = self.read(name)
            self.refused(name, "bad.umod", says=["line 1: it is not uvet-baseline/1"])
            self.assertEqual(self.read(name), before)
        self.write("empty", b"")
        self.refused("empty", "bad.umod")
        self.write("broken", HEAD + b"x\n")
        self.refused("broken", "bad.umod", says=["line 2"])
        self.assertEqual(self.read("broken"), HEAD + b"x\n")

    def test_links_and_folders(self):
        self.write("b.txt", HEAD)
        (self.folder / "link").symlink_to("b.txt")
        self.refused("link", "bad.umod", says=["it is a link"])
        os.link(self.folder / "b.txt", self.folder / "second")
        self.refused("second", "bad.umod", says=["has a second name"])
        (self.folder / "d").mkdir()
        self.refused("d", "bad.umod")
        self.assertEqual(self.read("b.txt"), HEAD)

    def test_other_outputs_and_inputs(self):
        self.refused("b.txt", "bad.umod", "-f", "json=b.txt", says=["another report goes to the same file"])
        self.write("b.txt", HEAD)
        self.refused("b.txt", "b.txt", says=["it is one of the files to check"])
        self.expect_usage("baseline", "check", "b.txt", "bad.umod", "-f", "json=b.txt", says=["an option names it as a file to read"])
        self.expect_usage("--baseline", "b.txt", "bad.umod", "-f", "json=b.txt", says=["an option names it as a file to read"])
        self.assertEqual(self.read("b.txt"), HEAD)

    def test_a_mod_that_comes_while_it_is_checked(self):
        """The file that is there in the end is another than the one that was read."""
        self.write("b.txt", HEAD)
        with subprocess.Popen([UVET, "baseline", "write", "b.txt", "--reason", "x", "-", "--stdin-name", "x.umod"], cwd=self.folder,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            for _ in range(200):
                if len(list(self.folder.iterdir())) > 4:       # the temporary file is there
                    break
                time.sleep(0.02)
            self.write("mod", samples.GOOD)
            os.replace(self.folder / "mod", self.folder / "b.txt")
            _, errors = process.communicate(samples.BAD_CRC, timeout=60)
        self.assertEqual(process.returncode, 4, errors)
        self.assertIn(b"another one than before", errors)
        self.assertEqual(self.read("b.txt"), samples.GOOD)
        self.assertEqual(len(list(self.folder.iterdir())), 4)

    def test_a_signal_leaves_the_old_one(self):
        self.write("b.txt", HEAD)
        with subprocess.Popen([UVET, "baseline", "write", "b.txt", "--reason", "x", "-"], cwd=self.folder, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(0.3)
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
        self.assertEqual(self.read("b.txt"), HEAD)
        self.assertEqual(len(list(self.folder.iterdir())), 4)


class Checking(Baselines):
    def test_a_new_finding_counts(self):
        self.make("bad.umod")
        other = bytearray(samples.BAD_CRC)
        other[-1] ^= 1
        self.write("other.umod", bytes(other))
        self.expect(1, "baseline", "check", "b.txt", "bad.umod", "other.umod")
        self.expect(0, "baseline", "check", "b.txt", "bad.umod")

    def test_expired(self):
        self.make("bad.umod")
        (line,) = self.lines()
        for last, code in [(day(-1), 1), (day(1), 0), ("0001-01-01", 1), ("9999-12-31", 0)]:
            self.write("b.txt", HEAD + line.replace(b" - ", f" {last} ".encode()) + b"\n")
            self.expect(code, "--baseline", "b.txt", "bad.umod")
            done = self.expect(code, "baseline", "check", "b.txt", "bad.umod")
            said = f"uvet: baseline: 'b.txt', line 2: UMD006, accepted until {last}, counts again\n"
            self.assertEqual(done.stderr.decode(), said if code else "")

    def test_what_is_not_found_any_more_is_named(self):
        self.make("bad.umod")
        done = self.expect(0, "baseline", "check", "b.txt", "good.umod")
        self.assertEqual(done.stderr, b"uvet: baseline: 'b.txt', line 4: UMD006 was not found\n")
        self.assertEqual(self.expect(0, "--baseline", "b.txt", "good.umod").stderr, b"")

    def test_many_are_not_all_named(self):
        self.write("b.txt", HEAD + b"".join(b"%016x UMD006 - x\n" % i for i in range(250)))
        done = self.expect(0, "baseline", "check", "b.txt", "good.umod")
        self.assertEqual(done.stderr.count(b"was not found"), 100)
        self.assertIn(b"likewise 150 more", done.stderr)

    def test_a_rule_is_not_another(self):
        self.make("bad.umod")
        (line,) = self.lines()
        self.write("b.txt", HEAD + line.replace(b"UMD006", b"UMD007") + b"\n")
        self.expect(1, "--baseline", "b.txt", "bad.umod")

    def test_other_folders_and_names(self):
        self.make("bad.umod")
        self.write("there/else.umod", samples.BAD_CRC)
        self.expect(0, "--baseline", "b.txt", "there")
        self.expect(0, "--baseline", "b.txt", str(self.folder / "there" / "else.umod"))

    def test_alike_findings(self):
        """Of two copies in one run the second has another fingerprint: who accepted one has not accepted the other."""
        self.write("copy.umod", samples.BAD_CRC)
        self.make("bad.umod")
        self.expect(1, "--baseline", "b.txt", "bad.umod", "copy.umod")
        self.make("bad.umod", "copy.umod")
        self.assertEqual(len(set(self.lines())), 2)
        self.expect(0, "--baseline", "b.txt", "bad.umod", "copy.umod")

    def test_nested_files(self):
        self.assemble("umod/FIL002_header_truncated_nested_twice", "outer.umod")
        outside = self.run_uvet("outer.umod")
        self.assertEqual(outside.returncode, 1)
        done = self.make("outer.umod", code=self.run_uvet("outer.umod", "--fail-on", "never").returncode)
        self.assertIn(b"INVALID  outer.umod", done.stdout)
        self.assertIn(b"# outer.umod!", self.read("b.txt"))
        for form in ["github", "gitlab", "junit", "checkstyle"]:
            told = self.run_uvet("-f", form, "--baseline", "b.txt", "outer.umod")
            READERS[form](told.stdout.decode())
            for mark in [b"::error", b'"critical"', b"<failure", b'severity="error"']:
                self.assertNotIn(mark, told.stdout, form)

    def test_what_was_not_judged_is_not_accepted(self):
        fingerprint = self.findings("unknown.txt", code=2)[0]["fingerprint"]
        self.write("b.txt", HEAD + f"{fingerprint} RUN004 - x\n".encode())
        self.expect(2, "--baseline", "b.txt", "unknown.txt")
        self.make("unknown.txt", code=2, name="new.txt")
        self.assertEqual(self.lines("new.txt"), [])

    def test_quiet(self):
        self.make("-q", "bad.umod", "good.umod")
        done = self.expect(0, "-q", "--baseline", "b.txt", "bad.umod", "good.umod")
        self.assertIn(b"   = accepted: known\n", done.stdout)

    def test_reasons_in_every_format(self):
        self.make("bad.umod", reason="<b>`|](x) ::error:: ##[y] \"'&--> ,\u202e\x85 \\")
        for form, read in READERS.items():
            read(self.expect(0, "-f", form, "--baseline", "b.txt", "bad.umod").stdout.decode())
        rows = READERS["csv"](self.expect(0, "-f", "csv", "--baseline", "b.txt", "bad.umod").stdout.decode())
        self.assertEqual(["<b>" in row["accepted"] for row in rows if row["rule"] == "UMD006"], [True])
        sarif = json.loads(self.expect(0, "-f", "sarif", "--baseline", "b.txt", "bad.umod").stdout)
        (result,) = sarif["runs"][0]["results"]
        self.assertEqual(result["suppressions"][0]["kind"], "external")
        summary = json.loads(self.expect(0, "-f", "json", "--baseline", "b.txt", "bad.umod").stdout)["summary"]
        self.assertEqual((summary["verdict"], summary["findings"]["suppressed"], summary["findings"]["error"]), ("invalid", 1, 1))


class Files(Baselines):
    """A line that is misunderstood would accept what nobody accepted."""

    def broken(self, data, line, words):
        self.write("b.txt", data)
        self.expect_usage("--baseline", "b.txt", "bad.umod", says=[f"'b.txt', line {line}: ", words])
        self.expect_usage("baseline", "check", "b.txt", "bad.umod", says=[f"'b.txt', line {line}: "])

    def test_broken_lines(self):
        good = b"0123456789abcdef UMD006 - x\n"
        for data, line, words in [
                (b"\n", 1, "it is not uvet-baseline/1"), (b"uvet-baseline/2\n", 1, "it is not"), (b"\xef\xbb\xbf" + HEAD, 1, "it is not"),
                (HEAD + good + b"0123456789abcde UMD006 - x\n", 3, "fingerprint"), (HEAD + b"0123456789ABCDEF UMD006 - x\n", 2, "fingerprint"),
                (HEAD + b"0123456789abcdefUMD006 - x\n", 2, "fingerprint"), (HEAD + b"0123456789abcdef umd006 - x\n", 2, "rule's id"),
                (HEAD + b"0123456789abcdef\n", 2, "rule's id"), (HEAD + b"0123456789abcdef UMD006 x\n", 2, "neither a day"),
                (HEAD + b"0123456789abcdef UMD006\n", 2, "neither a day"), (HEAD + b"0123456789abcdef UMD006 2027-02-30 x\n", 2, "neither a day"),
                (HEAD + b"0123456789abcdef UMD006 -\n", 2, "there is no reason"), (HEAD + b"0123456789abcdef UMD006 -   \r\n", 2, "no reason"),
                (HEAD + b"0123456789abcdef UMD006 - a\x1bb\n", 2, "control character"), (HEAD + b"0123456789abcdef UMD006 - a\0b\n", 2, "control"),
                (HEAD + b"0123456789abcdef UMD006 - " + b"x" * 1001, 2, "longer than 1000 bytes"),
                (HEAD + good + b"# c\n" + good, 4, "it has the fingerprint of line 2"), (HEAD + b"\0\n", 2, "fingerprint")]:
            self.broken(data, line, words)

    def test_what_people_write(self):
        self.make("bad.umod")
        (line,) = self.lines()
        spaced = line.replace(b" ", b" \t ", 2)
        for data in [HEAD.replace(b"\n", b"\r\n") + line + b"\r\n", HEAD + b"\n  # c\n\t\n" + line, HEAD + b"  " + spaced + b"  \n"]:
            self.write("b.txt", data)
            self.assertEqual(self.findings("--baseline", "b.txt", "bad.umod")[0]["accepted"]["reason"], "known")

    def test_bounds(self):
        self.write("b.txt", HEAD + b"\n" * 999999)
        self.expect(1, "--baseline", "b.txt", "bad.umod")
        self.broken(HEAD + b"\n" * 1000000, 1000001, "more than 1,000,000 lines")
        self.write("b.txt", HEAD + b"#" * (16 << 20))
        self.expect_usage("--baseline", "b.txt", "bad.umod", says=["longer than 16 MiB"])

    def test_files_that_are_not_there(self):
        self.expect_usage("--baseline", "b.txt", "bad.umod", says=["'b.txt' cannot be read"])
        self.expect_usage("baseline", "check", "b.txt", "bad.umod", says=["'b.txt' cannot be read"])

    def test_usage(self):
        self.expect_usage("baseline", "check", "b.txt", says=["no file is named"])
        self.expect_usage("baseline", "write", "b.txt", "--reason", "x", says=["no file is named"])
        self.expect_usage("baseline", "check", says=["is missing"])
        self.expect_usage("baseline", "show", "b.txt", "bad.umod", says=["'show' is not write or check"])
        self.expect_usage("baseline", "check", "b.txt", "--reason", "x", "bad.umod", says=["are for baseline write"])
        self.expect_usage("baseline", "check", "b.txt", "--expires", day(9), "bad.umod", says=["are for baseline write"])
        self.expect_usage("baseline", "check", "b.txt", "--baseline", "c.txt", "bad.umod", says=["unknown option"])
        self.expect_usage("check", "--reason", "x", "bad.umod", says=["unknown option"])
        self.expect_usage("--baseline", "a", "--baseline", "b", "bad.umod", says=["one too many"])

    def test_sixteen_outputs(self):
        """A baseline is one of them."""
        reports = [f"json=out{i}" for i in range(16)]
        args = ["baseline", "write", "b.txt", "--reason", "x", "bad.umod"]
        self.expect_usage(*args, *(word for report in reports for word in ("-f", report)), says=["at most 15 reports"])
        self.expect(0, *args, *(word for report in reports[:15] for word in ("-f", report)))
        self.assertEqual(len(self.lines()), 1)

    def test_two_mistakes(self):
        """A list that cannot be read ends the run, whatever the baseline is."""
        done = self.run_uvet("baseline", "check", "none.txt", "--files0-from", "none")
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"'none'", done.stderr)
        self.assertIn(b"'none.txt' cannot be read", done.stderr)

    @needs("inih")
    def test_what_a_path_accepts_needs_no_line(self):
        self.write("x.ini", b'[ignore "bad.umod"]\nUMD006 = rebuilt\n')
        self.write("other.umod", samples.BAD_CRC)
        self.make("bad.umod", "other.umod", "--config", "x.ini")
        self.assertEqual(len(self.lines()), 1)
        self.assertIn(b"# other.umod\n", self.read("b.txt"))
        self.assertNotIn(b"# bad.umod\n", self.read("b.txt"))

    def test_findings_of_one_file_stand_below_its_name(self):
        self.assemble("umod/UMD012_gap_between_members_nonzero", "gap.umod")
        data = self.read("gap.umod")
        self.write("gap.umod", data[:-4] + bytes(byte ^ 0xFF for byte in data[-4:]))
        self.make("gap.umod")
        self.assertGreater(len(self.lines()), 1)
        self.assertEqual(self.read("b.txt").count(b"# gap.umod\n"), 1)

    def test_lists(self):
        self.write("list", b"bad.umod\0")
        self.make("--files0-from", "list")
        self.expect(0, "baseline", "check", "b.txt", "--files0-from", "list")

    def test_a_full_disk(self):
        with open("/dev/full", "wb") as full:
            self.make("bad.umod", code=4, stdout=full)
        self.assertFalse((self.folder / "b.txt").exists())


if __name__ == "__main__":
    unittest.main()
