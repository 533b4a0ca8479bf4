"""Black-box tests of what the command line writes, and where."""
import fcntl
import json
import os
import pty
import struct
import subprocess
import termios
import unittest

import samples
from case import FORMATS, GENERAL, UVET, Case

HOSTILE = [b"new\nline.umod", b"esc\x1b[31m.umod", b"c1\xc2\x9b31m.umod", b"bad\xff\xfe.umod", b"quote\"'<&>.umod",
           b"-dash.umod", b"##[error].umod", b"::error::x.umod", "rtl\u202e.umod".encode(), b"\\x1b.umod"]


def objects_of(form, text):
    """The JSON values in a report."""
    return [json.loads(line) for line in text.splitlines()] if form == "ndjson" else [json.loads(text)]


class HostileNames(Case):
    def test_every_format(self):
        for name in HOSTILE:
            self.write(name, samples.BAD_CRC)
        for form in GENERAL:
            done = self.expect(1, "-f", form, "--", *HOSTILE)
            self.assert_harmless(done.stdout)
            if "json" in form or "sarif" in form:
                objects_of(form, done.stdout.decode())

    def test_missing_files(self):
        for form in GENERAL:
            self.assert_harmless(self.expect(2, "-f", form, "--", *HOSTILE).stdout)

    def test_every_finding_stays_one_line(self):
        self.write(HOSTILE[0], samples.BAD_CRC)
        for form in ["concise", "ndjson"]:
            plain = self.expect(1, "-f", form, "bad.umod").stdout
            self.assertEqual(self.expect(1, "-f", form, HOSTILE[0]).stdout.count(b"\n"), plain.count(b"\n"))

    def test_names_that_read_like_reports(self):
        """Up to the first colon and space a line is the file's name."""
        self.assemble("iostore/SET002_ucas_missing", "a.u: VALID, no findings.utoc")
        self.write("fine.u: VALID, no findings", samples.UNKNOWN)
        self.write("fine.u:0x00+4: error[FIL001] x.umod", samples.BAD_CRC)
        self.write("a:b", samples.UNKNOWN)
        done = self.expect(1, "-f", "concise", "fine.u: VALID, no findings", "fine.u:0x00+4: error[FIL001] x.umod", "a:b", "a.u: VALID, no findings.utoc")
        self.assertIn(b"\nfine.u:0x00+4\\x3A error[FIL001] x.umod: INVALID,", done.stdout)
        self.assertIn(b"a:b: UNDETERMINED", done.stdout)
        names = {line.split(b": ")[0] for line in done.stdout.splitlines()}
        self.assertFalse([name for name in names if name in (b"a.u", b"fine.u", b"fine.u:0x00+4")], names)
        self.assertIn(rb"fine.u\x3A VALID, no findings", names)

    def test_our_own_messages(self):
        for name in HOSTILE:
            os.mkdir(os.path.join(os.fsencode(self.folder), b"d" + name))
            self.assert_harmless(self.expect(2, "--", b"d" + name).stderr)
            self.expect_usage("--files0-from", name)
            self.assert_harmless(self.expect(2, "map", "--", name).stderr)
        self.write(HOSTILE[0], samples.GOOD)
        self.expect_usage("good.umod", b"-fjson=" + HOSTILE[0])

    def assert_harmless(self, output):
        text = output.decode("utf-8")
        for code in map(ord, text):
            self.assertFalse((code < 0x20 and code != 0x0A) or 0x7F <= code <= 0x9F or 0x202A <= code <= 0x202E, text)
        for line in text.split("\n"):
            self.assertFalse(line.startswith("::") or "##[" in line, text)


class Reports(Case):
    def test_every_format_and_two_at_once(self):
        alone = {form: self.expect(1, "good.umod", "bad.umod", "-f", form).stdout for form in FORMATS}
        args = [arg for form in FORMATS[1:] for arg in ["-f", f"{form}=out.{form}"]]
        done = self.expect(1, "good.umod", "bad.umod", "-f", "text", *args)
        self.assertEqual(done.stdout, alone["text"])
        for form in FORMATS[1:]:
            self.assertEqual(self.read(f"out.{form}"), alone[form])

    def test_only_a_file(self):
        self.assertEqual(self.expect(1, "-f", "json=out", "bad.umod").stdout, b"")
        json.loads(self.read("out"))

    def test_a_report_is_overwritten_whole(self):
        self.expect(1, "-f", "text=out", "--show-passed", "bad.umod")
        self.expect(0, "-f", "concise=out", "good.umod")
        self.assertEqual(self.read("out"), self.expect(0, "-f", "concise", "good.umod").stdout)

    def test_what_is_not_overwritten(self):
        (self.folder / "link").symlink_to("unknown.txt")
        (self.folder / "dangling").symlink_to("nowhere")
        os.link(self.folder / "unknown.txt", self.folder / "second")
        os.mkdir(self.folder / "folder")
        self.write("other.umod", samples.BAD_CRC)
        for name in ["link", "dangling", "second", "unknown.txt", "folder", "good.umod", "other.umod"]:
            self.expect_usage("good.umod", "-f", f"json={name}", says=[name])
        self.assertEqual(self.read("unknown.txt"), samples.UNKNOWN)
        self.assertEqual(self.read("good.umod"), samples.GOOD)
        self.assertEqual(self.read("other.umod"), samples.BAD_CRC)
        self.assertFalse((self.folder / "nowhere").exists())

    def test_an_input_by_another_name(self):
        self.write("plain.txt", samples.UNKNOWN)
        self.expect_usage("./plain.txt", "-f", "json=plain.txt", says=["plain.txt"])
        self.expect_usage("--files0-from", "-", "-f", "json=plain.txt", stdin=b"../%s/plain.txt" % os.fsencode(self.folder.name))
        self.assertEqual(self.read("plain.txt"), samples.UNKNOWN)

    def test_one_file_for_two_reports(self):
        self.expect_usage("good.umod", "-f", "json=out", "-f", "text=./out", says=["same file"])

    def test_a_file_that_cannot_be_made(self):
        done = self.expect(4, "good.umod", "-f", "json=no/such/folder")
        self.assertEqual(done.stdout, b"")
        self.assertIn(b"no/such/folder", done.stderr)

    def test_show_passed(self):
        self.assertNotIn(b"UMD006", self.expect(0, "good.umod", "-f", "json").stdout)
        self.assertIn(b"UMD006", self.expect(0, "good.umod", "-f", "json", "--show-passed").stdout)

    def test_profile_options(self):
        report = self.expect(0, "bad.umod", "--severity", "UMD006=warning", "-f", "concise").stdout
        self.assertIn(b"warning", report)
        self.assertIn(b"UMD006", self.expect(1, "bad.umod", "--only", "UMD006", "-f", "concise").stdout)


class Quiet(Case):
    def test_nothing_to_say(self):
        for form in ["text", "concise"]:
            done = self.expect(0, "-q", "good.umod", "-f", form)
            self.assertEqual((done.stdout, done.stderr), (b"", b""))

    def test_something_to_say(self):
        done = self.expect(1, "--quiet", "good.umod", "bad.umod")
        self.assertIn(b"bad.umod", done.stdout)
        self.assertNotIn(b"good.umod", done.stdout)

    def test_data_is_whole(self):
        whole = self.expect(1, "-f", "json", "good.umod", "bad.umod").stdout
        self.assertEqual(self.expect(1, "-q", "-f", "json", "good.umod", "bad.umod").stdout, whole)


class Colors(Case):
    def on_terminal(self, *args, columns=0, **env):
        """What the program writes when its standard output is a terminal, which knows how wide it is or does not."""
        try:
            leader, follower = pty.openpty()
        except OSError:
            self.skipTest("no pseudo-terminal here")
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 0, columns, 0, 0))
        environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
        environment.update({"TERM": "xterm", **env})
        with subprocess.Popen([UVET, *args], cwd=self.folder, stdout=follower, env=environment):
            os.close(follower)
            written = b""
            try:
                while chunk := os.read(leader, 4096):
                    written += chunk
            except OSError:
                pass
        os.close(leader)
        return written

    def test_pipes(self):
        self.assertNotIn(b"\x1b", self.expect(1, "bad.umod").stdout)
        self.assertNotIn(b"\x1b", self.expect(1, "--color=never", "bad.umod").stdout)
        self.assertIn(b"\x1b[", self.expect(1, "--color", "always", "bad.umod").stdout)
        self.assertIn(b"\x1b[", self.expect(1, "--color", "always", "bad.umod", env={"NO_COLOR": "1"}).stdout)
        self.assertNotIn(b"\x1b", self.expect(1, "--color", "always", "bad.umod", "-f", "json").stdout)

    def test_terminal(self):
        self.assertIn(b"\x1b[", self.on_terminal("bad.umod"))
        self.assertIn(b"\x1b[", self.on_terminal("bad.umod", NO_COLOR=""))
        self.assertNotIn(b"\x1b", self.on_terminal("bad.umod", NO_COLOR="1"))
        self.assertNotIn(b"\x1b", self.on_terminal("bad.umod", "--color=never"))
        self.assertNotIn(b"\x1b", self.on_terminal("bad.umod", TERM="dumb"))

    def test_width(self):
        """COLUMNS is taken if it is a number; else the terminal is asked, and nothing is wider than 1000."""
        def width(**more):
            return max(len(line) for line in self.on_terminal("--color=never", "bad.umod", **more).splitlines() if line.startswith(b"   = "))

        unknown = width()
        self.assertGreater(unknown, 90)
        self.assertLessEqual(width(COLUMNS="60"), 60)
        self.assertLessEqual(width(columns=60), 60)
        self.assertLessEqual(width(columns=60, COLUMNS="80"), 80)
        for columns in ("", "0", "80x", "x80", "80 ", "8/", "10000"):
            self.assertLessEqual(width(columns=60, COLUMNS=columns), 60, columns)
        self.assertEqual(width(COLUMNS="1000"), unknown)
        self.assertEqual(width(columns=2000), unknown)


if __name__ == "__main__":
    unittest.main()
