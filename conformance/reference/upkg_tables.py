"""The tables of a package (upkg.md 2.4, 2.5, 3, and how rows are written in 4 to 6): names, imports, exports."""
from . import filenames
from .index import BEYOND_32_BITS, BEYOND_RANGE, CUT, read_index

RULES = {f"CIX{n:03}" for n in range(1, 6)}
ROWS_BEGIN_WITH_TEXT = 64        # the version from which on a name has its length before it
TABLES = (("name", "PNM016"), ("import", "IMP011"), ("export", "EXP017"))
TROUBLES = {CUT: "CIX001", BEYOND_32_BITS: "CIX002", BEYOND_RANGE: "CIX003"}


class Stop(Exception):
    """What follows in this table cannot be read."""


class Row:
    """A row of a table: where it lies, and its fields."""

    def __init__(self, at, fields):
        self.at, self.end = at, at
        self.__dict__.update(fields)


class Table:
    """The rows of one table. complete: to the last one."""

    def __init__(self, kind, at, count):
        self.kind, self.at, self.count = kind, at, count
        self.end, self.rows, self.complete = at, [], False

    def __len__(self):
        return len(self.rows)

    def __bool__(self):
        return True


class Reader:
    """Reads one table, and says what keeps it from that."""

    def __init__(self, package, table, cut_rule, indexes):
        self.p, self.j, self.file = package, package.j, package.file
        self.table, self.cut_rule, self.indexes, self.at = table, cut_rule, indexes, table.at
        self.shown_name = "old_name" if package.version < ROWS_BEGIN_WITH_TEXT else "name"

    def read(self):
        read_row = {"name": self.read_name, "import": self.read_import, "export": self.read_export}[self.table.kind]
        try:
            for _ in range(self.table.count):
                self.j.work.spend()
                row = read_row()
                row.end = self.at
                self.table.rows.append(row)
            self.table.complete = True
        except Stop:
            pass
        self.table.end = self.at

    def stop(self, rule):
        self.j.fire(rule)
        raise Stop

    def index(self):
        if self.at >= len(self.file):
            self.stop(self.cut_rule)
        out = read_index(self.file, self.at, len(self.file))
        if out.trouble:
            self.stop(TROUBLES[out.trouble])
        self.indexes.append(out)
        self.at += out.length
        return out.value

    def number(self, signed):
        if self.at + 4 > len(self.file):
            self.stop(self.cut_rule)
        self.at += 4
        return self.file.number(self.at - 4, 4, signed=signed)

    def read_name(self):
        begin = self.at
        data, wide = self.name_bytes()
        units = filenames.from_utf16(data) if wide else filenames.from_cp1252(data)
        flags = self.number(signed=False)
        text = units[:-1] if units[-1:] == "\0" else units
        return Row(begin, {"text": text, "units": units, "wide": wide, "flags": flags, "fields": {self.shown_name: text, "flags": flags}})

    def name_bytes(self):
        """The bytes of a name, its NUL included, and whether they are in UTF-16."""
        file, size = self.file, len(self.file)
        if self.p.version < ROWS_BEGIN_WITH_TEXT:
            end = file.data.find(b"\0", self.at) + 1
            if not end:
                self.stop("PNM001")
            begin, wide = self.at, False
        else:
            count = self.index()
            begin, wide = self.at, count < 0
            end = begin + abs(count) * (2 if wide else 1)
            if end > size:
                self.stop(self.cut_rule)
        self.at = end
        return file.bytes(begin, end - begin), wide

    def read_import(self):
        begin = self.at
        fields = {"class_package": self.index(), "class_name": self.index(), "outer": self.number(signed=True), "name": self.index()}
        return Row(begin, {**fields, "fields": fields})

    def read_export(self):
        begin = self.at
        fields = {"class": self.index(), "super": self.index(), "outer": self.number(signed=True), "name": self.index(),
                  "flags": self.number(signed=False), "size": self.index()}
        row = Row(begin, {**fields, "fields": fields, "kind": fields["class"], "offset": None, "place_at": self.at})
        if row.size != 0:
            row.offset = self.index()
        return row


def read(package):
    """Reads the three tables of a package, and shows their rows."""
    j, indexes = package.j, []
    for kind, cut_rule in TABLES:
        table = place(package, kind)
        setattr(package, kind + "s", table)
        if table is not None:
            Reader(package, table, cut_rule, indexes).read()
            if table.complete:
                show(j, table)
    if package.tables_complete:
        j.fire("CIX004", any(not i.shortest and not i.negative_zero for i in indexes))
        j.fire("CIX005", any(i.negative_zero for i in indexes))


def place(package, kind):
    """The table, without its rows; None where its place or its count is impossible (2.4, 2.5)."""
    j, size = package.j, len(package.file)
    count, at = package.header[kind + "_count"], package.header[kind + "_offset"]
    if count == 0:
        return Table(kind, 0, 0)
    if j.fire("HDR005", count < 0) or j.fire("HDR006", at < package.header_end) or j.fire("HDR007", at >= size):
        return None
    least = {"name": 6 if package.version < ROWS_BEGIN_WITH_TEXT else 7, "import": 7, "export": 12}[kind]
    if j.fire("HDR008", count > (size - at) // least):
        return None
    return Table(kind, at, count)


def show(j, table):
    if table.count:
        j.region(table.kind + "s", table.at, table.end - table.at)
    for row in table.rows:
        if table.kind == "export":
            j.region("export", row.at, row.place_at - row.at, row.fields)
            if row.offset is not None:
                j.region("place", row.place_at, row.end - row.place_at, {"offset": row.offset})
        else:
            j.region(table.kind, row.at, row.end - row.at, row.fields)
