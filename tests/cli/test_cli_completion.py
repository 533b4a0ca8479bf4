"""Black-box tests of the manual page and the completions, which are made from the table of options."""
import re
import shutil
import subprocess
import unittest

from case import UVET, Case

SHELLS = ["bash", "zsh", "fish"]


class Pages(Case):
    def text(self, *args):
        done = self.expect(0, *args)
        self.assertEqual(done.stderr, b"")
        return done.stdout.decode()

    def options(self, command):
        """The long options that help lists."""
        return re.findall(r"^  (?:-.,|   ) --([a-z0-9-]+)", self.text("help", command), re.M)

    def commands(self):
        return re.findall(r"^  ([a-z]+) ", self.text("help"), re.M)


class Manual(Pages):
    def test_everything_is_in_it(self):
        page = self.text("help", "--man").replace("\\-", "-")
        self.assertTrue(page.startswith(".TH UVET 1 "))
        for command in self.commands():
            self.assertIn(f"\n\\fB{command}\\fR", page)
            for option in self.options(command):
                self.assertIn(f"\\fB--\\fR\\fB{option}\\fR", page)
        for code in ["0", "1", "2", "3", "4", "141"]:
            self.assertIn(f"\n\\fB{code}\\fR\n", page)

    def test_no_line_is_taken_for_a_command(self):
        """Only macros begin with a point, and none with a quote."""
        for line in self.text("help", "--man").splitlines():
            self.assertRegex(line, r"\A(\.(TH|SH|PP|TP|B)\b|[^.'])")

    @unittest.skipUnless(shutil.which("groff"), "needs groff")
    def test_groff_has_no_complaint(self):
        done = subprocess.run(["groff", "-man", "-ww", "-Tascii"], input=self.text("help", "--man").encode(), capture_output=True, check=True)
        self.assertEqual(done.stderr, b"")
        self.assertIn(b"uvet - check Unreal Engine mod files", done.stdout)

    @unittest.skipUnless(shutil.which("mandoc"), "needs mandoc")
    def test_mandoc_has_no_complaint(self):
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "error"], input=self.text("help", "--man").encode(), capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)


class Completions(Pages):
    def test_everything_is_in_them(self):
        for shell in SHELLS:
            script = self.text("completion", shell)
            for command in self.commands():
                self.assertIn(command, script)
                for option in self.options(command):
                    self.assertIn(f" -l {option} " if shell == "fish" else f"--{option}", script)

    def test_the_shells_can_read_them(self):
        for shell in SHELLS:
            if not shutil.which(shell):
                continue
            self.write("script", self.text("completion", shell).encode())
            done = subprocess.run([shell, "-n", "script"], cwd=self.folder, capture_output=True, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, b""), shell)

    def test_words_of_operands(self):
        """Each shell is told what an operand can be, where that are few words."""
        for shell in SHELLS:
            script = self.text("completion", shell)
            for words in ["bash zsh fish", "info map ndjson report rules", " ".join(self.commands())]:
                self.assertIn(words, script, shell)

    def test_other_shells(self):
        self.expect_usage("completion", "tcsh\x1b", says=["'tcsh\\x1B'", "bash, zsh or fish"])
        self.expect_usage("completion", says=["SHELL"])
        self.expect_usage("completion", "bash", "zsh", says=["'zsh'"])

    def complete(self, *words):
        """What bash offers for the last word."""
        self.write("script", self.text("completion", "bash").encode())
        line = 'PATH=$1:$PATH; shift; . ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _uvet; printf "%s\\n" "${COMPREPLY[@]}"'
        (self.folder / "bin").mkdir(exist_ok=True)
        program = self.folder / "bin" / "uvet"
        if not program.exists():
            program.symlink_to(UVET)
        done = subprocess.run(["bash", "-c", line, "bash", str(program.parent), "uvet", *words], cwd=self.folder, capture_output=True, timeout=60,
                              check=True)
        self.assertEqual(done.stderr, b"")
        return sorted(done.stdout.decode().split())

    @unittest.skipUnless(shutil.which("bash"), "needs bash")
    def test_what_bash_offers(self):
        self.assertEqual(self.complete("ch"), ["check"])
        self.assertEqual(self.complete("go"), ["good.umod"])
        self.assertEqual(self.complete("--job"), ["--jobs"])
        self.assertEqual(self.complete("check", "--rec"), ["--recursive"])
        self.assertEqual(self.complete("check", "--aes-key-file", "ba"), ["bad.umod"])
        self.assertEqual(self.complete("check", "--aes-key-file", "=", "ba"), ["bad.umod"])
        self.assertEqual(self.complete("check", "--jobs", "go"), [])
        self.assertEqual(self.complete("map", "go"), ["good.umod"])
        self.assertEqual(self.complete("rules", "go"), [])
        self.assertEqual(self.complete("rules", "--job"), [])
        self.assertEqual(self.complete("explain", "UMD00")[:2], ["UMD001", "UMD002"])
        self.assertEqual(self.complete("completion", ""), SHELLS[:1] + ["fish", "zsh"])
        self.assertEqual(self.complete("schema", ""), ["conflicts", "deps", "info", "map", "ndjson", "report", "rules"])
        self.assertEqual(self.complete("schema", "re"), ["report"])
        self.assertEqual(self.complete("profile", ""), ["archive", "author", "hosting", "redirect"])
        self.assertEqual(self.complete("help", "exp"), ["explain"])


if __name__ == "__main__":
    unittest.main()
