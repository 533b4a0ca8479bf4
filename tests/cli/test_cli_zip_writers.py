"""Zips as common programs write them: none has an error. Which of the programs were there, and their versions, the test prints."""
import io
import json
import os
import shutil
import subprocess
import sys
import unittest
import zipfile

from case import Case

TREE = {"Readme.txt": b"How to install.\r\n" * 9, "Maps/DM-Some.txt": bytes(range(256)) * 40, "Maps/empty.txt": b"",
        "M\u00fcsic/\u97f3\u697d.txt": b"x" * 5000, "a b/c (1).txt": os.urandom(3000), "Empty/": None}
HARMLESS = {"ARC049", "ARC042", "ARC005", "ARC006", "ARC014", "ARC046", "ARC050", "ARC081", "ARC095"}


def version_of(*command):
    """The first line that a program says of itself, or None where there is none."""
    if shutil.which(command[0]) is None:
        return None
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, stdin=subprocess.DEVNULL)
    lines = [line for line in done.stdout.decode("utf-8", "replace").splitlines() if line.strip()]
    return next((line.strip() for line in lines if any(c.isdigit() for c in line) and "Copyright (c) 1990" not in line), "of an unknown version")


class Unseekable(io.RawIOBase):
    """A stream that cannot go back, so that sizes follow the bytes."""

    def __init__(self):
        self.data = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.data += data
        return len(data)


class Writers(Case):
    def setUp(self):
        super().setUp()
        for name, data in TREE.items():
            path = os.path.join(self.folder, "tree", *name.split("/"))
            os.makedirs(path if data is None else os.path.dirname(path), exist_ok=True)
            if data is not None:
                with open(path, "wb") as out:
                    out.write(data)
        self.tree = os.path.join(self.folder, "tree")

    def found(self, name):
        """The rules that a file breaks, and its verdict."""
        rows = [json.loads(line) for line in self.run_uvet("-f", "ndjson", name).stdout.splitlines()]
        own = next(row for row in rows if row.get("path") == name and "verdict" in row)
        # how files lie for a game is judged elsewhere
        return {row["rule"] for row in rows if "rule" in row and "severity" in row and not row["rule"].startswith("LAY")}, own["verdict"]

    def judge(self, name, verdict="valid", more=()):
        rules, got = self.found(name)
        self.assertEqual(got, verdict, (name, rules))
        self.assertEqual(rules - HARMLESS - set(more), set(), name)
        self.assertTrue(set(more) <= rules, (name, rules))

    def make(self, *command, stdout=None, stdin=b""):
        env = {**os.environ, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(command, cwd=self.tree, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, env=env)
        self.assertEqual(done.returncode, 0, (command, done.stderr))
        if stdout:
            self.write(stdout, done.stdout)

    def announce(self, *command):
        version = version_of(*command)
        print(f"{command[0]}: {version or 'not here'}", file=sys.stderr)
        return version is not None

    def out(self, name):
        return os.path.join(self.folder, name)

    def test_python(self):
        print(f"python zipfile: {sys.version.split()[0]}", file=sys.stderr)
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            for streamed in (False, True):
                for wide in (False, True):
                    self.judge(self.by_python(f"python{method}{streamed}{wide}.zip", method, streamed, wide))

    def by_python(self, name, method, streamed, wide):
        out = Unseekable() if streamed else io.BytesIO()
        with zipfile.ZipFile(out, "w", method) as archive:
            for member, data in TREE.items():
                info = zipfile.ZipInfo(member)
                info.compress_type = method if data is not None else zipfile.ZIP_STORED
                with archive.open(info, "w", force_zip64=wide) as f:
                    f.write(data or b"")
            archive.comment = b"Packed by a test."
        self.write(name, out.data if streamed else out.getvalue())
        return name

    def test_info_zip(self):
        if not self.announce("zip", "-v"):
            return
        os.symlink("Readme.txt", os.path.join(self.tree, "link.txt"))
        for name, options in (("plain", ()), ("stored", ("-0",)), ("best", ("-9",)), ("no folders", ("-D",)), ("no extra", ("-X",)),
                              ("wide", ("-fz",)), ("streamed", ("-fd",))):
            self.make("zip", "-qr", *options, self.out(f"{name}.zip"), ".")
            self.judge(f"{name}.zip")
        # It leaves the place of the directory to a zip64 record that it forgets; UnZip, 7-Zip and bsdtar cannot read the file.
        self.make("zip", "-qr", "-fz", "-fd", self.out("wide and streamed.zip"), ".")
        self.judge("wide and streamed.zip", "invalid", more={"ARC064", "ARC077"})
        self.make("zip", "-qr", "-", ".", stdout="piped.zip")
        self.judge("piped.zip")
        self.make("zip", "-qry", self.out("links.zip"), ".")
        self.judge("links.zip", more={"ARC047"})
        self.make("zip", "-q", self.out("pipe.zip"), "-", stdin=b"from a pipe")
        self.judge("pipe.zip", more={"ARC048"})
        self.make("zip", "-qr", "-P", "secret", self.out("encrypted.zip"), "Readme.txt")
        self.judge("encrypted.zip", "undetermined", more={"ARC007", "RUN015"})
        self.make("zip", "-qd", self.out("plain.zip"), "Readme.txt")
        self.judge("plain.zip")

    def test_7z(self):
        if not self.announce("7z"):
            return
        for name, options in (("plain", ()), ("stored", ("-mx=0",)), ("best", ("-mx=9",)), ("times", ("-mtc=on",)), ("utf8", ("-mcu=on",))):
            self.make("7z", "a", "-tzip", *options, self.out(f"7z {name}.zip"), ".")
            self.judge(f"7z {name}.zip")
        self.make("7z", "a", "-tzip", "-so", "-an", ".", stdout="7z piped.zip")
        self.judge("7z piped.zip")
        self.make("7z", "a", "-tzip", "-mm=Deflate64", self.out("7z deflate64.zip"), "Maps")
        self.judge("7z deflate64.zip", "undetermined", more={"ARC010", "RUN007"})
        for name in ("AES256", "ZipCrypto"):
            self.make("7z", "a", "-tzip", "-psecret", f"-mem={name}", self.out(f"7z {name}.zip"), "Maps")
            self.judge(f"7z {name}.zip", "undetermined", more={"ARC007", "RUN015"})

    def test_bsdtar(self):
        if not self.announce("bsdtar", "--version"):
            return
        for name, options in (("plain", ()), ("stored", ("--options", "zip:compression=store")), ("wide", ("--options", "zip:zip64"))):
            self.make("bsdtar", "-c", "--format=zip", *options, "-f", self.out(f"bsdtar {name}.zip"), ".")
            self.judge(f"bsdtar {name}.zip")
        self.make("bsdtar", "-c", "--format=zip", "-f", "-", ".", stdout="bsdtar piped.zip")
        self.judge("bsdtar piped.zip")

    def test_jar(self):
        if not self.announce("jar", "--version"):
            return
        for name, options in (("plain", "-cf"), ("stored", "-c0f"), ("no manifest", "-cMf")):
            self.make("jar", options, self.out(f"jar {name}.zip"), ".")
            self.judge(f"jar {name}.zip")

    def test_node(self):
        if not self.announce("node", "--version"):
            return
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "zip_writer.js")
        for name in ("jszip", "adm-zip", "archiver", "yazl", "fflate"):
            done = subprocess.run(["node", script, name], stdout=subprocess.PIPE, check=False)
            print(f"node {name}: {done.stdout.decode().strip() or 'not here'}", file=sys.stderr)
            if done.returncode != 3:
                self.make("node", script, name, self.tree, self.out(f"node {name}.zip"))
                self.judge(f"node {name}.zip")

    def test_perl(self):
        program = "use IO::Compress::Zip qw(zip $ZipError); use File::Find; find({ wanted => sub { push @f, substr($_, 2) if -f }, no_chdir => 1 }, '.'); "
        program += "zip(\\@f => $ARGV[0], Stream => $ARGV[1]) or die $ZipError;"
        done = shutil.which("perl") and subprocess.run(["perl", "-MIO::Compress::Zip", "-e", "print $IO::Compress::Zip::VERSION"], stdout=subprocess.PIPE,
                                                       stderr=subprocess.DEVNULL, check=False)
        print(f"perl IO::Compress::Zip: {done.stdout.decode() if done and done.returncode == 0 else 'not here'}", file=sys.stderr)
        for streamed in (0, 1) if done and done.returncode == 0 else ():
            self.make("perl", "-e", program, self.out(f"perl {streamed}.zip"), str(streamed))
            self.judge(f"perl {streamed}.zip", more={"ARC042"})


if __name__ == "__main__":
    unittest.main()
