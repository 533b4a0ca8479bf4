"""Readers that are programs. They are run on a file, list its members, and write the content of all files one behind the other."""
import re
import shutil
import subprocess
import zlib

from modules import Reader
from views import FILE, FOLDER, HARD_LINK, LINK, OTHER, Member, View

SECONDS = 30
WORDS = 70                          # columns of what a program said
NO_LOCALE = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


class Refused(Exception):
    """The program gave no list, or ended with a failure."""


class Program(Reader):
    command, asks_version, says_version = "", (), ""

    def version(self):
        if not shutil.which(self.command):
            return None
        told = subprocess.run([self.command, *self.asks_version], capture_output=True, stdin=subprocess.DEVNULL, check=False)
        found = re.search(self.says_version, (told.stdout + told.stderr).decode(errors="replace"))
        return found[1] if found else "of unknown version"

    def run(self, *arguments):
        try:
            done = subprocess.run([self.command, *arguments], capture_output=True, stdin=subprocess.DEVNULL, timeout=SECONDS, env=NO_LOCALE, check=False)
        except subprocess.TimeoutExpired as e:
            raise Refused("it does not end") from e
        if done.returncode:
            raise Refused(self.reason(done))
        return done.stdout

    def reason(self, done):
        """The first line of what it said, without paths and names."""
        said = [line for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
        words = re.sub(r"\[?(/[\w.-]+)+\]?:? *", "", said[0] if said else "no reason")
        return f"{done.returncode}: {words}"[:WORDS]

    def read(self, form, path, data):
        try:
            return View(members=tuple(self.members(path)), content=self.content(path))
        except Refused as e:
            return View(str(e))

    def members(self, path):
        raise NotImplementedError

    def content(self, path):
        return None


def measured(content):
    return len(content), zlib.crc32(content)


class GnuTar(Program):
    name, forms = "gnu tar", ("tar",)
    command, asks_version, says_version = "tar", ("--version",), r"GNU tar\) (\S+)"
    LINE = re.compile(rb'^(.)\S{9}\S* +\S+ +(\d+(?:,\d+)?) +[^"]*"((?:[^"\\]|\\.)*)"(?: (?:->|link to) "((?:[^"\\]|\\.)*)")?$', re.S)
    KINDS = {b"-": FILE, b"C": FILE, b"d": FOLDER, b"l": LINK, b"h": HARD_LINK}

    def version(self):
        found = super().version()
        return found if found != "of unknown version" else None           # another tar

    def members(self, path):
        for line in self.run("--force-local", "--quoting-style=c", "--numeric-owner", "-tvPf", path).splitlines():
            found = self.LINE.match(line)
            if not found:
                raise Refused(f"a line of another form: {line[:40]!r}")
            kind = self.KINDS.get(found[1], OTHER)
            yield Member(unquoted(found[3]), kind, int(found[2]) if kind == FILE else None, None, unquoted(found[4]) if found[4] is not None else None)

    def content(self, path):
        return measured(self.run("--force-local", "-xOPf", path))


ESCAPES = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13}


def unquoted(text):
    def one(m):
        return bytes([int(m[1], 8) & 0xFF if m[1][:1].isdigit() else ESCAPES.get(m[1], m[1][0])])
    return re.sub(rb"\\([0-7]{3}|.)", one, text, flags=re.S)


class InfoZip(Program):
    name, forms, exact = "info-zip", ("zip",), False
    command, asks_version, says_version = "unzip", ("-v",), r"UnZip (\S+)"

    def reason(self, done):
        said = " ".join(done.stderr.decode(errors="replace").split())
        found = re.search(r"mismatching \"local\" filename|extra bytes at beginning|End-of-centdir-64|overlapped components|didn't find end-of-central-dir"
                          r"|bad CRC|unsupported compression method|need PK compat|skipping|missing \d+ bytes|invalid compressed data|not a zipfile", said)
        return f"{done.returncode}: {found[0] if found else said or 'no reason'}"[:WORDS]

    def members(self, path):
        for name in self.run("-Z1", path).split(b"\n")[:-1]:
            yield Member(name, None)

    def content(self, path):
        return measured(self.run("-p", "-P", "none", path))


class SevenZip(Program):
    name, forms, exact = "7-zip", ("tar", "zip", "7z", "rar"), False
    command, asks_version, says_version = "7z", (), r"7-Zip[^:\n]*? (\d+\.\d+)"

    def content(self, path):
        try:
            return measured(self.run("x", "-so", "-pnone", "--", path))
        except Refused as e:
            if "Unsupported Method" in str(e):          # Debian's has no decoder of RAR: its list alone counts
                return None
            raise

    def members(self, path):
        listed = self.run("l", "-slt", "-pnone", "--", path).decode(errors="surrogateescape").partition("\n----------\n")[2]
        for block in listed.split("\n\n"):
            told = dict(line.split(" = ", 1) for line in block.split("\n") if " = " in line)
            if "Path" in told:
                yield self.member(told)

    def member(self, told):
        size = told.get("Size", "")
        link, hard = told.get("Symbolic Link", ""), told.get("Hard Link", "")
        is_folder = told.get("Folder") == "+" or told.get("Attributes", "").startswith("D")
        kind = FOLDER if is_folder else HARD_LINK if hard else LINK if link else FILE
        return Member(told["Path"].encode(errors="surrogateescape"), kind, int(size) if size.isdigit() else None)

    def reason(self, done):
        """The words of its errors and warnings, which stand behind a colon or below a line of their own, without names of members."""
        told = (done.stderr + b"\n" + done.stdout).decode(errors="replace")
        said = re.findall(r"(?m)^(?:ERROR: |(?:ERRORS|WARNINGS):\n)([A-Z][\w ]+?)(?: : .*)?$", told)
        return f"{done.returncode}: {', '.join(dict.fromkeys(said)) or 'no reason'}"[:WORDS]


class Decompressor(Program):
    """One of the programs for compressed files, each for its own form."""
    forms = ("stream",)

    def __init__(self, command, magic, says_version):
        self.name, self.command, self.magic, self.asks_version, self.says_version = command, command, magic, ("--version",), says_version

    def takes(self, form, data):
        return form == "stream" and data.startswith(self.magic)

    def read(self, form, path, data):
        try:
            content = self.run("-dc", path)
        except Refused as e:
            return View(str(e))
        return View(members=(Member(b"", FILE, *measured(content)),))


PROGRAMS = [GnuTar(), InfoZip(), SevenZip(), Decompressor("gzip", b"\x1f\x8b", r"gzip (\S+)"), Decompressor("bzip2", b"BZh", r"Version (\d[\w.]+)"),
            Decompressor("xz", b"\xfd7zXZ\0", r"Utils\) (\S+)"), Decompressor("zstd", b"\x28\xb5\x2f\xfd", r"v(\d[\w.]+)")]
