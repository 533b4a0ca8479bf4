"""Black-box tests of the options for files beside an input, keys and libraries."""
import os
import shutil
import sys
import unittest

from case import Case

KEY = "00112233445566778899aabbccddeeff" * 2


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
        for text in [KEY[1:], KEY + "0", "x" * 64, f"12={KEY}", f"{KEY}={KEY}"]:
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
        self.write("Crypto.ini", f"SigningModulus={modulus}\n".encode())
        self.expect_usage("--signing-key-file", "Crypto.ini", "good.umod", says=["Crypto.ini", "SigningPublicExponent", "not there"])
        self.write("Crypto.ini", b"SigningModulus=AQEB\nSigningPublicExponent=AQAB\n")
        self.expect_usage("--signing-key-file", "Crypto.ini", "good.umod", says=["Crypto.ini", "64 to 512 bytes"])

    def test_libraries(self):
        self.write("no_library.so", b"text")
        for path in ["none.so", "no_library.so", "."]:
            self.expect_usage("--oodle", path, "good.umod", says=["--oodle", path])
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


class Parts(Case):
    """What is named with its container is no input of its own."""

    def test_parts(self):
        for name in ["Mod.utoc", "Mod.ucas", "Mod_s1.ucas", "Other.ucas", "Mod_sx.ucas"]:
            self.write(name, b"")
        done = self.run_uvet("-f", "concise", "Mod.ucas", "Mod.utoc", "Mod_s1.ucas", "Other.ucas", "Mod_sx.ucas")
        named = {line.split(b":")[0] for line in done.stdout.splitlines()}
        self.assertEqual(named, {b"Mod.utoc", b"Other.ucas", b"Mod_sx.ucas"})
        self.assertIn(b"'Other.ucas' is a part of a container", done.stderr)

    def test_parts_in_a_list(self):
        for name in ["a/Mod.UTOC", "a/Mod.ucas", "b/Mod.ucas"]:
            self.write(name, b"")
        done = self.run_uvet("-f", "concise", "--files0-from=-", "b/Mod.ucas", stdin=b"a/Mod.ucas\0a/Mod.UTOC\0")
        named = {line.split(b":")[0] for line in done.stdout.splitlines()}
        self.assertEqual(named, {b"a/Mod.UTOC", b"b/Mod.ucas"})

    def test_no_report_over_a_part(self):
        self.write("Mod.ucas", b"these bytes say nothing of what they are")
        self.expect_usage("-f", "json=Mod.ucas", "good.umod", says=["Mod.ucas", "mod file"])
        self.assertEqual(self.read("Mod.ucas"), b"these bytes say nothing of what they are")

    def test_threads_for_one_file(self):
        for jobs in ["0", "1", "3", "64"]:
            self.assertEqual(self.expect(1, "-j", jobs, "bad.umod", "-f", "json").stdout, self.expect(1, "bad.umod", "-f", "json").stdout)


if __name__ == "__main__":
    unittest.main()
