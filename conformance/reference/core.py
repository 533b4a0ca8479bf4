"""What every reader of the reference reading shares: files, what is found in them, and numbers."""
import os


class Cut(Exception):
    """Bytes that a reader needs lie behind the end."""


class TooMuch(Exception):
    """The reader's own bound on its work: the file is not judged by it."""


class Work:
    """Counts steps of one judgement, so that no hostile file keeps the reader for long."""

    LIMIT = 30_000_000

    def __init__(self):
        self.left = self.LIMIT

    def spend(self, n=1):
        self.left -= n
        if self.left < 0:
            raise TooMuch


class File:
    """A file to judge: its name, its bytes (anything that can be sliced), and the files beside it, by name."""

    def __init__(self, name, data, beside=None, keys=(), level="default", signing=None):
        self.name, self.data, self.beside = name, data, beside
        self.keys, self.level, self.signing = keys, level, signing
        self.claims = None              # what the container says of a package in it
        self.part = False               # it is judged as a part of the container beside it
        self.engine, self.signs = None, False   # what it is for: a name of targets.ENGINES, and whether the game takes signed containers only

    def aimed_as(self, other):
        """The file itself, which is for the same engine and game as another."""
        self.engine, self.signs = other.engine, other.signs
        return self

    def __len__(self):
        return len(self.data)

    def bytes(self, at, n):
        """n bytes from at on, or Cut."""
        if at < 0 or n < 0 or at + n > len(self.data):
            raise Cut
        return bytes(self.data[at:at + n])

    def number(self, at, n, order="little", signed=False):
        return int.from_bytes(self.bytes(at, n), order, signed=signed)

    def u8(self, at):
        return self.number(at, 1)

    def u16(self, at):
        return self.number(at, 2)

    def u32(self, at):
        return self.number(at, 4)

    def i32(self, at):
        return self.number(at, 4, signed=True)

    def u64(self, at):
        return self.number(at, 8)


class Folder:
    """The files beside one on the disk, each read when it is asked for."""

    def __init__(self, path, own):
        self.path, self.own, self.read = path, own, {}

    def names(self):
        return [e.name for e in os.scandir(self.path) if e.name != self.own]

    def get(self, name):
        """The bytes of a plain file beside the input, or None."""
        if name not in self.read:
            path = os.path.join(self.path, name)
            plain = os.path.isfile(path) and not os.path.islink(path)
            self.read[name] = contents(path) if plain else None
        return self.read[name]


def contents(path):
    """A file's bytes; a large one, which has holes for the most part, is mapped."""
    import mmap
    size = os.path.getsize(path)
    with open(path, "rb") as f:
        return f.read() if size < 1 << 26 else mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)


class Region:
    """A row or a section as the reader sees it: its label, where it lies, and its fields, each (name, value)."""

    def __init__(self, label, at, length, fields=()):
        self.label, self.at, self.length, self.fields = label, at, length, dict(fields)


class Judgement:
    """What is said of one file. fired holds (rule, lesser): lesser where the clause has a milder severity for the case. open holds
    the rules that this reader cannot answer for this file, each with its reason."""

    def __init__(self, file, form, work):
        self.file, self.format, self.version, self.work = file, form, None, work
        self.fired, self.open, self.regions, self.nested = set(), {}, [], []
        self.rows_overlap = False       # a map cannot show all of them

    def fire(self, rule, when=True, lesser=False):
        if when:
            self.fired.add((rule, bool(lesser)))
        return bool(when)

    def leave_open(self, reason, *rules):
        for rule in rules:
            self.open.setdefault(rule, reason)

    def region(self, label, at, length, fields=()):
        self.regions.append(Region(label, at, length, fields))

    def rules(self):
        return {rule for rule, _ in self.fired}


def read_layout(file, at, layout):
    """Fields one behind the other: layout is (name, bytes) pairs, a negative number of bytes for a signed one."""
    out = {}
    for name, n in layout:
        out[name] = file.number(at, abs(n), signed=n < 0)
        at += abs(n)
    return out


def size_of(layout):
    return sum(abs(n) for _, n in layout)
