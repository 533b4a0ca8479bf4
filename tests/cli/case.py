"""The base of the black-box tests. The environment variable UVET names the program."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import samples

CONFORMANCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "conformance")
sys.path.insert(0, CONFORMANCE)
import libraries  # noqa: E402
from assembler.layout import assemble  # noqa: E402
from assembler.vector import load  # noqa: E402

UVET = os.path.abspath(os.environ.get("UVET", "uvet"))


def has(library):
    """Whether this build has a library that may be left out."""
    assert library in libraries.LIBRARIES, library
    return library not in libraries.missing(UVET)


def needs(library):
    """A test, or all those of a class, is left out where the build lacks the library. ci/skips.py lets no full build leave one out."""
    return unittest.skipUnless(has(library), f"this build has no {library}")


def need(library):
    """The same for the rest of a test, or of a subtest."""
    if not has(library):
        raise unittest.SkipTest(f"this build has no {library}")


def sound(*used):
    """The exit code for a file in which nothing is wrong and that is judged with these libraries: without one of them it is undetermined."""
    return 0 if all(has(library) for library in used) else 2


# What info says besides, on standard error.
NO_SHA256 = b"" if has("nettle") else b"uvet: info: there is no SHA-256: this build has no nettle, which computes it\n"


def said_besides(command):
    return NO_SHA256 if command[0] == "info" else b""


def has_sanitizer(program):
    """Whether the program was built with one: then it is slow, and its memory is another."""
    return any(name in str(program) for name in ("asan", "msan", "tsan"))


GENERAL = ["text", "concise", "json", "ndjson", "sarif", "sarif-github"]
PIPELINES = ["junit", "checkstyle", "github", "gitlab", "csv", "markdown", "html"]     # what pipelines read; test_cli_pipelines.py tries them
FORMATS = GENERAL + PIPELINES


class Case(unittest.TestCase):
    """Each test has a folder of its own, and runs the program there."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="uvet-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.write("good.umod", samples.GOOD)
        self.write("bad.umod", samples.BAD_CRC)
        self.write("unknown.txt", samples.UNKNOWN)

    def write(self, name, data):
        path = os.path.join(os.fsencode(self.folder), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def assemble(self, vector, name=None):
        """Writes the files of a conformance vector, the first under that name; the bytes of the first."""
        v = load(os.path.join(CONFORMANCE, "vectors", *vector.split("/")) + ".vec")
        assemble(v).write_with_companions(os.path.join(self.folder, name or v.file), v.absent)
        return self.read(name or v.file)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def run_uvet(self, *args, stdin=b"", env=None, **more):
        """The finished process, with a sanitizer's complaint turned into a failure."""
        environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        environment.update(env or {})
        done = subprocess.run([UVET, *args], input=stdin, cwd=self.folder, env=environment, timeout=60,
                              stdout=more.pop("stdout", subprocess.PIPE), stderr=subprocess.PIPE, **more)
        self.assertNotIn(b"Sanitizer", done.stderr)
        self.assertGreaterEqual(done.returncode, 0, "died of a signal")
        return done

    def expect(self, code, *args, **more):
        done = self.run_uvet(*args, **more)
        self.assertEqual(done.returncode, code, (args, done.stdout, done.stderr))
        return done

    def expect_usage(self, *args, says=(), **more):
        """Exit code 3, nothing on standard output, one harmless line on standard error."""
        done = self.expect(3, *args, **more)
        self.assertEqual(done.stdout, b"")
        self.assertRegex(done.stderr, rb"\Auvet: [\x20-\x7e]+\n\Z")
        for word in says:
            self.assertIn(word, done.stderr.decode())
        return done
