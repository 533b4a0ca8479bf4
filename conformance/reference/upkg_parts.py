"""How the parts of a package lie in its file (upkg.md 1.5, 2.10), and what a file is that is no package (1.1)."""

from . import filenames

TAIL = 4096
CONTENTS = (b"MZ", b"\x7fELF", b"PK\3\4", b"Rar!\x1a\7", b"7z\xbc\xaf\x27\x1c", b"\x1f\x8b", b"<html", b"<!DOCTYPE")


def is_known_content(begin):
    """Whether the first bytes tell of a program, an archive, or a page of a web server."""
    return begin.startswith(CONTENTS)


class Parts:
    """Header, heritage and tables, each (begin, end), and the bodies that lie in the file."""

    def __init__(self, package):
        self.p, self.j, self.file = package, package.j, package.file
        tables = (package.names, package.imports, package.exports)
        self.names, self.imports, self.exports = ((t.at, t.end) if t and t.count else None for t in tables)
        self.complete = package.header_complete and package.tables_complete
        self.bodies = [e for e in package.exports.rows if has_body(package, e)] if package.exports else []
        self.begins = [e.offset for e in self.bodies]
        for e in self.bodies if package.exports and package.exports.complete else ():
            self.j.region("body", e.offset, e.size)

    def judge(self):
        self.judge_tail()
        tables = [t for t in ((0, self.p.header_end), self.p.heritage, self.names, self.imports, self.exports) if t]
        if self.p.tables_complete:
            self.judge_bodies(tables)
        between = False
        if self.complete:
            self.j.fire("HDR022", overlap(tables))
            between = self.judge_gaps(tables)
            self.judge_order()
        if self.p.tables_complete:
            self.judge_zeros(between)

    def judge_zeros(self, between):
        """1.5: rows of nothing but zeros."""
        imports = any((r.class_package, r.class_name, r.outer, r.name) == (0, 0, 0, 0) for r in self.p.imports.rows)
        exports = any((e.kind, e.super, e.outer, e.name, e.flags, e.size) == (0, 0, 0, 0, 0, 0) for e in self.p.exports.rows)
        named = bool(self.p.names.rows) and filenames.fold_ascii(self.p.names.rows[0].text) != "none"
        self.j.fire("FIL008", imports or (exports and (between or (named and len(self.p.generations) < 2))))

    def judge_tail(self):
        size, file = len(self.file), self.file
        if size < TAIL or any(file.bytes(size - TAIL, TAIL)):
            return
        late = [part for part in (self.names, self.imports) if part and part[1] > size - TAIL]
        exports = self.exports and self.exports[1] > size - TAIL
        bodies = self.p.exports and any(e.size > 0 and e.offset + e.size > size - TAIL for e in self.p.exports.rows)
        error = late or (exports and len(self.p.generations) < 2)
        self.j.fire("FIL008", error or exports or bodies, lesser=not error)

    def judge_bodies(self, tables):
        """6.2: who shares bytes with whom."""
        by_place = {}
        for e in self.bodies:
            by_place.setdefault((e.offset, e.offset + e.size), []).append(e)
        shared, late = shared_places(list(by_place), tables)
        for place, group in by_place.items():
            harmless = not any(e.flags for e in group)
            self.j.fire("EXP012", len(group) > 1, lesser=harmless)
            self.j.fire("EXP012", place in shared)
            for k, e in enumerate(group):
                e.late = place in late or k > 0
        self.j.fire("EXP013", any(b < a for a, b in zip(self.begins, self.begins[1:])))

    def judge_gaps(self, tables):
        parts = sorted(tables + [(e.offset, e.offset + e.size) for e in self.bodies])
        reach, between = 0, False
        for begin, end in parts:
            usual = reach == self.p.header_end and begin == reach + 1 and (self.p.version, self.p.licensee) == (156, 36)
            between |= self.j.fire("HDR023", begin > reach and not usual)
            reach = max(reach, end)
        self.j.fire("HDR024", reach < len(self.file))
        return between

    def judge_order(self):
        others = self.begins + [t[0] for t in (self.imports, self.exports) if t]
        if self.names and self.j.fire("HDR020", any(at < self.names[0] for at in others)):
            return
        imports, exports = (t[0] if t else len(self.file) for t in (self.imports, self.exports))
        self.j.fire("HDR025", any(at > min(imports, exports) for at in self.begins) or (self.exports and self.imports and imports > exports))


def has_body(package, e):
    """Whether an export has a body that lies behind the header and in the file."""
    return e.size > 0 and package.header_end <= e.offset and e.offset + e.size <= len(package.file)


def overlap(places):
    places, reach = sorted(p for p in places if p[0] < p[1]), 0
    for begin, end in places:
        if begin < reach:
            return True
        reach = max(reach, end)
    return False


def shared_places(bodies, tables):
    """The places of bodies that share bytes with another body or a table, and those of them that begin later than what they share them with;
    all bodies here lie at different places. Of what begins together tables come first, then bodies as they stand in their table."""
    places = sorted([(*t, False) for t in tables if t[0] < t[1]] + [(*b, True) for b in bodies], key=lambda place: place[0])
    shared, late, reach, farthest = set(), set(), 0, None
    for place in places:
        begin, end, _ = place
        if begin < reach:
            shared.update((place, farthest))
            late.add(place)
        if end > reach:
            reach, farthest = end, place
    return ({(begin, end) for begin, end, is_body in which if is_body} for which in (shared, late))


def judge(package):
    Parts(package).judge()
