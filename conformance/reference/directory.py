"""The directory index of a container, from chapter 6 of conformance/spec/iostore.md."""
import re

from assembler.hashes import cityhash64_bytes

from . import chunks, keys
from .core import File
from .filenames import deceives, fold, fold_ascii, from_cp1252, from_utf16, has_control, has_lone_surrogate, has_reserved, is_device

RULES = {f"DIR{n:03}" for n in range(1, 31)} | {"TOC025"}
NONE = 0xFFFFFFFF
UP = "../../../"
DEEPEST = 256
LONGEST_PATH, LONG_PATH, LONGEST_NAME = 512, 260, 1024
PROMISES = ((".m.ubulk", chunks.MAPPED_BULK), (".ubulk", chunks.BULK), (".uptnl", chunks.OPTIONAL_BULK), (".uasset", chunks.PACKAGE),
            (".umap", chunks.PACKAGE), (".ushaderbytecode", chunks.LIBRARY))
PACKAGE_ENDS = (".o.uasset", ".o.umap", ".uasset", ".umap")
WITHOUT_PATH = {chunks.HEADER, chunks.LOADER, chunks.SCRIPTS, chunks.INSTALL, chunks.EDITOR}


class Text:
    """A string of the index."""

    def __init__(self, data, wide):
        units = from_utf16(data) if wide else from_cp1252(data)
        self.sound = units == "" or ("\0" not in units[:-1] and units[-1] == "\0")
        self.text = units[:-1] if units.endswith("\0") else units
        self.odd = has_lone_surrogate(self.text) if wide else not self.text.isascii()
        self.wide = wide


class Index:
    """The tables of an index. stopped is the rule that ends the reading."""

    def __init__(self, data):
        self.file, self.stopped, self.at = File("", data), None, 0
        self.directories = self.files = self.strings = self.strings_at = None
        self.mount = self.text()
        if self.mount:
            self.directories_at, self.directories = self.table(16)
        if not self.stopped:
            self.files_at, self.files = self.table(12)
        if not self.stopped:
            self.strings = self.read_strings()

    def stop(self, rule):
        self.stopped = rule

    def text(self):
        file, at = self.file, self.at
        if at + 4 > len(file):
            return self.stop("DIR002")
        n = file.i32(at)
        size = -2 * n if n < 0 else n
        if n == -1 << 31 or at + 4 + size > len(file):
            return self.stop("DIR002")
        self.at = at + 4 + size
        return Text(file.bytes(at + 4, size), n < 0)

    def count(self, size):
        if self.at + 4 > len(self.file):
            return self.stop("DIR005")
        n = self.file.i32(self.at)
        self.at += 4
        if not 0 <= n <= (len(self.file) - self.at) // size:
            return self.stop("DIR005")
        return n

    def table(self, size):
        """Where rows of so many bytes begin, and the numbers in each."""
        n = self.count(size)
        begin = self.at
        if n is None:
            return begin, None
        self.at += n * size
        return begin, [[self.file.u32(begin + i * size + k) for k in range(0, size, 4)] for i in range(n)]

    def read_strings(self):
        n = self.count(4)
        self.strings_at = None if self.stopped else self.at
        out = []
        for _ in range(n or 0):
            out.append(self.text())
            if self.stopped:
                return None
        return out

    def reads(self):
        """Whether mount point and counts are those of an index, up to the strings."""
        return self.has_counts() and self.mount.sound

    def has_counts(self):
        """The same, whatever the characters of the mount point are (6.30)."""
        return self.strings_at is not None


class Tree:
    """What is reached from the root. Each directory has the numbers of those in it and of its files."""

    def __init__(self, index, work):
        self.index, self.work = index, work
        self.broken = set()
        self.depth, self.inner, self.files = {0: 0}, {}, {}
        self.parent, self.seen_files = {}, set()
        waiting = [0]
        for number in waiting:
            work.spend()
            self.files[number] = self.list(index.directories[number][3], 1, index.files, self.meet_file)
            self.inner[number] = self.list(index.directories[number][1], 2, index.directories, lambda n, p=number: self.meet(n, p))
            waiting += [n for n in self.inner[number] if self.depth[n] <= DEEPEST]

    def list(self, first, link, rows, meet):
        out = []
        while first < len(rows) and meet(first):
            self.work.spend()
            out.append(first)
            first = rows[first][link]
        return out

    def meet(self, number, parent):
        if number in self.depth:
            self.broken.add("DIR010")
            return False
        self.depth[number], self.parent[number] = self.depth[parent] + 1, parent
        if self.depth[number] > DEEPEST:
            self.broken.add("DIR015")
        return True

    def meet_file(self, number):
        if number in self.seen_files:
            self.broken.add("DIR011")
            return False
        self.seen_files.add(number)
        return True


def is_odd(name, text):
    """Of a name in a string of the index (6.18)."""
    return has_control(name, text.wide) or has_reserved(name) or name[-1:] in (".", " ") or is_device(name) or (not text.odd and deceives(name))


def is_plain(c):
    """Whether an index that should be encrypted is not."""
    return "directory_index" in c.sections and Index(c.file.bytes(*c.sections["directory_index"])).reads()


def find_index(c):
    """The index, and whether it was encrypted; None where it is not there or there is no key for it."""
    if not c.flag(8) or "directory_index" not in c.sections or not c.sections["directory_index"][1]:
        return None, False
    data = c.file.bytes(*c.sections["directory_index"])
    if not c.encrypted:
        return Index(data), False
    plain = Index(data)
    if c.j.fire("DIR001", plain.reads()):
        c.j.fire("DIR030", decrypted(c, data, Index.has_counts)[0] is not None)
        return plain, False
    if c.j.fire("RUN009", len(data) % 16):
        return None, True
    index, c.index_key = decrypted(c, data, Index.reads)
    c.j.fire("RUN009", index is None)
    return index, True


def decrypted(c, data, is_one):
    """The index that a key makes of these bytes, and the key; None for both."""
    last, whole = c.sections.get("vectors", (0, 0))[1] // 12 - 1, len(data) // 16 * 16
    for key in keys.of(c) if keys.is_method_known(c) else ():
        opened = keys.opened(c, data[:whole], key, last)
        index = None if opened is None else Index(opened + data[whole:])
        if index and is_one(index):
            return index, key
    return None, None


class Judge:
    def __init__(self, c, index, was_encrypted):
        self.c, self.j, self.index, self.was_encrypted = c, c.j, index, was_encrypted

    def show_rows(self):
        begin = self.c.sections["directory_index"][0]
        for label, at, rows, names in (("directory", self.index.directories_at, self.index.directories, ("name", "first_child", "next_sibling", "first_file")),
                                       ("file", self.index.files_at, self.index.files, ("name", "next_file", "user_data"))):
            for i, row in enumerate(rows):
                self.j.region(label, begin + at + i * 4 * len(names), 4 * len(names), zip(names, row))

    def judge(self):
        j, index = self.j, self.index
        if index.stopped:
            j.fire(index.stopped)
            return
        if not self.was_encrypted:
            self.show_rows()
        self.judge_mount()
        for text in [index.mount] + index.strings:
            j.fire("DIR003", not text.sound)
            j.fire("DIR004", text.odd)
        for text in index.strings:
            self.judge_name(text)
        j.fire("DIR027", len(index.file) - index.at > (15 if self.c.encrypted else 0))
        self.judge_links()
        if j.fire("DIR006", index.files and not index.directories) or not index.directories:
            return
        root = index.directories[0]
        j.fire("DIR013", root[0] != NONE or root[2] != NONE)
        self.judge_tree()

    def judge_mount(self):
        """6.22 to 6.24."""
        j, mount = self.j, self.index.mount.text
        j.fire("DIR023", mount and mount[-1] != "/")
        rest = mount[len(UP):] if mount.startswith(UP) else mount
        outside = j.fire("DIR024", mount != "/" and (".." in re.split(r"[/\\]", rest) or ":" in rest or "\\" in rest or rest[:1] == "/"))
        folders = rest.removesuffix("/").split("/") if rest else []
        odd = any(name in ("", ".") or is_odd(name, self.index.mount) for name in folders)
        j.fire("DIR022", mount != "/" and (not mount.startswith(UP) or (odd and not outside)))

    def judge_name(self, text):
        """6.17 and 6.18."""
        name = text.text
        if self.j.fire("DIR017", name in (".", "..") or any(ch in "/\\:" for ch in name)):
            return
        self.j.fire("DIR018", is_odd(name, text))

    def judge_use(self):
        """6.28."""
        used = {row[0] for row in self.reached()}
        texts = [(text.text, text.wide) for text in self.index.strings]
        self.j.fire("DIR028", any(i not in used for i in range(len(texts))) or len(set(texts)) < len(texts))

    def judge_links(self):
        """6.7 to 6.9."""
        j, index = self.j, self.index
        n, n_files, n_strings = len(index.directories), len(index.files), len(index.strings)
        for name, child, sibling, file in index.directories:
            j.work.spend()
            j.fire("DIR007", any(link != NONE and link >= most for link, most in ((name, n_strings), (child, n), (sibling, n), (file, n_files))))
        for name, following, chunk in index.files:
            j.work.spend()
            j.fire("DIR008", name >= n_strings or (following != NONE and following >= n_files))
            j.fire("DIR009", chunk >= self.c.h["n_chunks"])

    def judge_tree(self):
        """6.10 to 6.12, 6.14 and what follows."""
        j, index = self.j, self.index
        tree = self.tree = Tree(index, j.work)
        for rule in tree.broken:
            j.fire(rule)
        if tree.broken or {"DIR007", "DIR008"} & j.rules():
            return
        self.judge_use()
        j.fire("DIR012", len(tree.depth) < len(index.directories) or len(tree.seen_files) < len(index.files))
        j.fire("DIR014", any(self.name(row) == "" for row in index.directories[1:] + index.files))
        named = [index.files[i][2] for i in tree.seen_files]
        j.fire("DIR016", len(set(named)) < len(named))
        for number in tree.depth:
            self.judge_alike("DIR019", [index.directories[i] for i in tree.inner[number]])
            self.judge_alike("DIR020", [index.files[i] for i in tree.files[number]])
        self.judge_paths()
        packages = [i for i, chunk in enumerate(self.c.chunks or ()) if chunk.kind == chunks.PACKAGE]
        j.fire("DIR029", index.files and not set(packages) <= set(named))

    def reached(self):
        return [self.index.directories[i] for i in self.tree.depth] + [self.index.files[i] for i in self.tree.seen_files]

    def name(self, row):
        return self.index.strings[row[0]].text if row[0] != NONE else ""

    def judge_alike(self, rule, rows):
        names = [fold(self.name(row)) for row in rows]
        self.j.fire(rule, len(set(names)) < len(names))

    def judge_paths(self):
        """6.21, 6.25, 6.26 and 3.25."""
        mount = self.index.mount.text
        folders = {0: mount if mount[-1:] in ("", "/") else mount + "/"}
        for number in sorted(self.tree.parent, key=self.tree.depth.get):
            folders[number] = folders[self.tree.parent[number]] + self.name(self.index.directories[number]) + "/"
            self.j.work.spend(1 + len(folders[number]) // 64)
        for number, files in self.tree.files.items():
            for i in files:
                row = self.index.files[i]
                self.judge_path(folders[number] + self.name(row), row[2])

    def judge_path(self, path, number):
        j = self.j
        j.fire("DIR021", len(path) > LONG_PATH, lesser=len(path) <= LONGEST_PATH)
        if self.c.chunks is None or number >= len(self.c.chunks):
            return
        chunk = self.c.chunks[number]
        self.c.paths.setdefault(number, path)
        last = fold_ascii(path.rpartition("/")[2])
        promised = next((kind for end, kind in PROMISES if last.endswith(end)), None)
        j.fire("DIR025", promised not in (None, chunk.kind))
        j.fire("TOC025", chunk.kind in WITHOUT_PATH)
        if chunk.kind == chunks.PACKAGE:
            name = package_name(path)
            j.fire("DIR026", name is not None and cityhash64_bytes(name.encode("utf-16-le")) != chunk.id)


def package_name(path):
    """The name of the package at a path in small letters, or None where the path does not tell it."""
    path = fold_ascii(path)
    end = next((e for e in PACKAGE_ENDS if path.endswith(e)), None)
    inner = re.fullmatch(r"\.\./\.\./\.\./([^/]+)/content/(.*)", path, re.S)
    if not end or not inner or not path.isascii():
        return None
    name = ("/engine/" if inner[1] == "engine" else "/game/") + inner[2][:-len(end)]
    return name if len(name) <= LONGEST_NAME else None


def judge(c):
    index, was_encrypted = find_index(c)
    if index is not None:
        Judge(c, index, was_encrypted).judge()
