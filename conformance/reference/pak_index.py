"""The index of a pak in both forms (chapters 3 and 5 of conformance/spec/pak.md): what stands in it, and where the reading of it stops."""
from .core import Cut, File
from .filenames import deceives, from_cp1252, from_utf16, has_control, has_lone_surrogate, has_reserved, is_device
from .pak_entries import LOWEST, Cursor, CutField, read_packed, read_record

BASIS, PRIME, MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1
WORD = 4                        # packed records are made of these
LEAST_ROW = 12                  # of a table of hashes
LEAST_FOLDER, LEAST_FILE = 8, 8


class Bad(Exception):
    """A defect that ends the reading of a table: its rule."""

    def __init__(self, rule):
        super().__init__(rule)
        self.rule = rule


class Text:
    """A string of an index; odd where it has no NUL at its end, or another one."""

    def __init__(self, units, odd, wide=False, data=None):
        self.units, self.odd, self.wide = units, odd, wide
        self.data = data                            # of UTF-8

    def is_portable(self, units):
        """Whether systems and people take it for what it is (4.7), without the separators at its ends that are not its own."""
        seen = units if self.data is None else from_cp1252(self.data)
        parts = units.split("/")
        return not (has_control(units, self.wide) or ":" in units or has_reserved(units) or deceives(units) or "" in parts or "." in parts
                    or any(p[-1:] in (".", " ") for p in parts) or any(is_device(p) for p in seen.split("/")))


def read_string(cursor, rule="PAK011"):
    """A string; Bad where the index ends before it does."""
    try:
        n = cursor.number(-4)
        if n == LOWEST:
            raise Cut
        data = cursor.bytes(-2 * n if n < 0 else n)
    except Cut:
        raise Bad(rule) from None
    text = from_utf16(data) if n < 0 else from_cp1252(data)
    units = text[:-1] if text[-1:] == "\0" else text
    return Text(units, (text and text[-1] != "\0") or "\0" in units or (n < 0 and has_lone_surrogate(units)), n < 0)


def hash_path(path, seed, version):
    """Version 10 has the two constants in each other's place."""
    basis, prime = (PRIME, BASIS) if version == 10 else (BASIS, PRIME)
    value = basis + seed & MASK
    for unit in path:
        for byte in (ord(unit) & 0xFF, ord(unit) >> 8):
            value = (value ^ byte) * prime & MASK
    return value


def read_count(cursor, least, rule):
    try:
        n = cursor.number(-4)
    except Cut:
        raise Bad(rule) from None
    if not 0 <= n <= cursor.left // least:
        raise Bad(rule)
    return n


def needed(rule, read, *args):
    """What is read; Bad where its bytes are not there."""
    try:
        return read(*args)
    except Cut:
        raise Bad(rule) from None


class Path:
    """The path of a file, the texts that it is made of, and its location, which one of an older index has not."""

    def __init__(self, texts, location=None):
        self.text = "".join(t.units for t in texts).removeprefix("/" if len(texts) > 1 else "")
        self.raw = "".join(t.units if t.data is None else t.data.decode("latin-1") for t in texts).removeprefix("/" if len(texts) > 1 else "")
        self.directory = texts[0].units.removeprefix("/") if len(texts) > 1 else ""
        self.name = texts[-1].units
        self.odd = any(t.odd for t in texts)
        self.name_text = texts[-1]
        self.folder = texts[0] if len(texts) > 1 else None
        self.location = location


class Legacy:
    """Up to version 9: a record behind the name of each file."""

    def __init__(self, data, form):
        self.cursor, self.form, self.entries = Cursor(File("", data)), form, []
        self.mount = read_string(self.cursor, "PAK009")

    def read_head(self, _):
        self.n = read_count(self.cursor, 4 + self.form.least(), "PAK011")

    def read_entries(self, work):
        for _ in range(self.n):
            work.spend()
            name = read_string(self.cursor)
            e = needed("PAK011", read_record, self.cursor, self.form)
            e.path = Path([name])
            self.entries.append(e)
        self.left = self.cursor.left


class Table:
    """Where an index of hashes or of folders lies, and its hash."""

    def __init__(self, cursor):
        self.at, self.size, self.digest = cursor.number(-8), cursor.number(-8), cursor.bytes(20)


class Index:
    """Since version 10: the records, and where the tables lie that lead to them."""

    def __init__(self, data, form):
        self.cursor, self.form, self.tables = Cursor(File("", data)), form, []
        self.mount = read_string(self.cursor, "PAK009")

    def read_head(self, work):
        cursor = self.cursor
        self.count = needed("PAK011", cursor.number, -4)
        if self.count < 0:
            raise Bad("PAK011")
        self.seed = needed("PAK012", cursor.number, 8)
        self.flags = []
        self.tables = [needed("PAK012", self.read_table, cursor) for _ in range(2)]
        if self.tables == [None, None]:
            raise Bad("PAK012")
        size = needed("PAK015", cursor.number, -4)
        if not 0 <= size <= cursor.left:
            raise Bad("PAK015")
        self.packed = File("", cursor.bytes(size))
        self.records = []
        for _ in range(read_count(cursor, self.form.least(), "PAK011")):
            work.spend()
            self.records.append(needed("PAK011", read_record, cursor, self.form))
            if not any(self.records[-1].digest):            # packers have none for what they cannot pack
                self.records[-1].digest = None
            if self.form.names_method and self.records[-1].encrypted:
                raise Bad("RUN009")
        self.left = cursor.left

    def read_table(self, cursor):
        self.flags.append(cursor.number(4))
        return Table(cursor) if self.flags[-1] else None

    def known(self, location):
        """The location of a record; the lowest number for one at which no record can be."""
        if location < 0:
            return location if -location - 1 < len(self.records) else LOWEST
        return location if location < len(self.packed) and location % WORD == 0 else LOWEST

    def is_strange(self, location):
        """Whether a packed record is one of which no real file shows how it is laid out."""
        if location < 0 or self.known(location) == LOWEST or not self.form.names_method or self.form.has_vectors:
            return False
        return location + WORD <= len(self.packed) and bool(self.packed.u32(location) & 1 << 22)

    def entry(self, location):
        """The record at a location; Bad where it is cut."""
        if location < 0:
            return self.records[-location - 1]
        try:
            return read_packed(Cursor(self.packed, location), self.form)
        except CutField:
            raise Bad("PAK036") from None
        except Cut:
            raise Bad("PAK015") from None


class Part:
    """What a part of an index has: rows (hash, location), the names of folders, paths, hashes of its own, how many bytes are
    left, whether anchors of folders are not where these begin, and whether all of it is known."""

    def __init__(self):
        self.rows, self.folders, self.paths, self.own, self.left = [], [], [], [], 0
        self.strays, self.is_whole = False, True


def read_hashes(data, version, work):
    """An index of hashes, with the folders that it keeps."""
    cursor = Cursor(File("", data))
    part = Part()
    for _ in range(read_count(cursor, LEAST_ROW, "PAK011")):
        work.spend()
        part.rows.append((cursor.number(8), cursor.number(-4)))
    if version >= 15 and needed("PAK011", lambda: Cursor(cursor.file, cursor.at).number(-4)) > 0:
        part.is_whole = False   # of those that there are nothing is known
        return part
    read_paths(cursor, version, work, part)
    return part


def read_folders(data, version, work):
    part = Part()
    read_paths(Cursor(File("", data)), version, work, part)
    return part


def read_paths(cursor, version, work, part):
    for _ in range(read_count(cursor, LEAST_FOLDER, "PAK011")):
        work.spend()
        part.folders.append(read_string(cursor))
        for _ in range(read_count(cursor, LEAST_FILE, "PAK011")):
            work.spend()
            name = read_utf8(cursor) if version >= 12 else read_string(cursor)
            part.paths.append(Path([part.folders[-1], name], needed("PAK011", cursor.number, -4)))
    part.left = cursor.left


def read_utf8(cursor):
    """A name without a NUL at its end, as units of UTF-16."""
    try:
        data = cursor.bytes(cursor.number(-4))
    except Cut:
        raise Bad("PAK011") from None
    return utf8_text(data)


def read_tables(data, _, work):
    cursor = Cursor(File("", data))
    if len(data) >= 4 and cursor.number(4) != 0x50464451:
        raise Bad("PAK039")
    n_folders, n_files, interval, coded, names, n_own, _ = needed("PAK011", lambda: [cursor.number(-4) for _ in range(7)])
    if min(n_folders, n_files, coded, names, n_own) < 0 or interval < 1:
        raise Bad("PAK011")
    columns = [(n_own, 8), (n_own, -4), (-(-n_folders // interval) + 1, -4), (n_folders + 1, -4), (n_files + 1, -4), (n_files, -4)]
    if sum(n * abs(size) for n, size in columns) + coded + names > cursor.left:
        raise Bad("PAK011")
    work.spend(n_own // 4 + n_folders + n_files)
    values, places, anchors, firsts, starts, locations = ([cursor.number(size) for _ in range(n)] for n, size in columns)
    folders, marks = read_coded(File("", cursor.bytes(coded)), n_folders, work)
    names = cursor.bytes(names)
    if firsts != sorted(firsts) or (firsts[0], firsts[-1]) != (0, n_files):
        raise Bad("PAK011")
    if starts != sorted(starts) or starts[0] < 0 or starts[-1] > len(names):
        raise Bad("PAK011")
    part = Part()
    part.folders, part.own, part.left = folders, list(zip(values, places)), cursor.left
    restarts = marks[:-1:interval]
    part.strays = anchors != [at for at, _ in [*restarts, marks[-1]]] or any(same for _, same in restarts)
    for i, folder in enumerate(folders):
        for k in range(firsts[i], firsts[i + 1]):
            part.paths.append(Path([folder, utf8_text(names[starts[k]:starts[k + 1]])], locations[k]))
    return part


def read_coded(file, n, work):
    """The names of folders, of which each may begin as the one before it does: together they may be far longer than what is stored. Likewise
    where each begins and how much it has of the one before it, and where they end."""
    cursor, out, marks, name = Cursor(file), [], [], b""
    for _ in range(n):
        begin = cursor.at
        same, more = needed("PAK011", lambda: (cursor.number(-4), cursor.number(-4)))
        if not 0 <= same <= len(name):
            raise Bad("PAK011")
        name = name[:same] + needed("PAK011", cursor.bytes, more)
        work.spend(len(name))
        out.append(utf8_text(name))
        marks.append((begin, same))
    return out, [*marks, (cursor.at, 0)]


def utf8_text(data):
    text = from_utf16("".join(characters(data)).encode("utf-16-le"))
    return Text(text, "\0" in text or data.decode("utf-8", "ignore").encode() != data, True, data)


def characters(data):
    """Of UTF-8; a byte that belongs to none counts as U+FFFD."""
    at = 0
    while at < len(data):
        for n in (1, 2, 3, 4):
            try:
                yield data[at:at + n].decode()
                break
            except UnicodeDecodeError:
                pass
        else:
            yield "\uFFFD"
            n = 1
        at += n
