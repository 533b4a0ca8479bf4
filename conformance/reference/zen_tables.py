"""What the tables of zen packages hold, from chapters 4 to 10 of conformance/spec/zen.md."""
from assembler.hashes import cityhash64_bytes

from .core import read_layout, size_of
from .filenames import fold_ascii

NULL = (1 << 64) - 1
EXPORT, SCRIPT, PACKAGE, OTHER = range(4)
LOW62, LOW32 = (1 << 62) - 1, (1 << 32) - 1
PUBLIC = 1
LONGEST_PATH, MOST_NAMES = 1024, 64
TAG, TAG_SIZE = 0x9E2A83C1, 4
IN_FILE, OPTIONAL, MAPPED, DUPLICATED = 0x100, 0x800, 0x1000, 0x4000
HIGHEST = (1 << 63) - 1

EXPORT_ROW = (("offset", 8), ("size", 8), ("name", 4), ("number", 4), ("outer", 8), ("class", 8), ("super", 8), ("template", 8), ("hash", 8),
              ("flags", 4), ("filter", 1), ("pad", 3))
CELL_ROW = (("offset", 8), ("layout_size", 8), ("size", 8), ("name", 4), ("number", 4), ("hash", 8))
ENTRY_ROW = (("export", 4), ("command", 4))
OLD_BUNDLE_ROW = (("first", 4), ("entries", 4))
BUNDLE_ROW = (("serial_offset", 8), *OLD_BUNDLE_ROW)
HEAD_ROW = (("first", -4), ("create_create", 4), ("create_serialize", 4), ("serialize_create", 4), ("serialize_serialize", 4))
BULK_ROW = (("offset", 8), ("duplicate", 8), ("size", 8), ("flags", 4), ("cooked_index", 1), ("pad", 3))
CREATE, SERIALIZE = 0, 1
HAS_BULK = 1009
REFERENCES = "outer", "class", "super", "template"


def has_cycle(edges, work):
    """Whether some node leads back to itself: nodes that lead nowhere, or to such nodes alone, are taken away until none is left."""
    into = [[] for _ in edges]
    open_edges = [0] * len(edges)
    for node, targets in enumerate(edges):
        for target in targets:
            work.spend()
            if target < len(edges):
                into[target].append(node)
                open_edges[node] += 1
    done = [node for node, n in enumerate(open_edges) if n == 0]
    for node in done:
        for source in into[node]:
            open_edges[source] -= 1
            if open_edges[source] == 0:
                done.append(source)
    return len(done) < len(edges)


def is_since(ue5, version):
    """Whether FileVersionUE5, which may be below 0, is a version or a later one."""
    return version <= ue5 < 1 << 31


class Walk:
    """Reads numbers one behind the other; fits is false from the first that does not."""

    def __init__(self, file, at, end):
        self.file, self.at, self.end, self.fits = file, at, end, True

    def take(self, n):
        """The place of n bytes, or None."""
        at, self.fits = self.at, self.fits and n <= self.end - self.at
        if not self.fits:
            return None
        self.at += n
        return at

    def number(self, n=4, signed=False):
        at = self.take(n)
        return None if at is None else self.file.number(at, n, signed=signed)

    def rows(self, n, size):
        """Places of n rows; none where they do not fit."""
        at = self.take(n * size)
        return () if at is None else range(at, at + n * size, size)


class Tables:
    def __init__(self, package):
        self.p, self.j, self.file = package, package.j, package.file
        self.payload = package.size - package.end
        self.used = 0

    def rows(self, section, label, layout):
        at, end = self.p.sections.get(section, (0, 0))
        return self.rows_in(at, end, label, layout)

    def rows_in(self, at, end, label, layout):
        size, out = size_of(layout), []
        for place in range(at, end - size + 1, size):
            self.j.work.spend()
            row = read_layout(self.file, place, layout)
            self.j.region(label, place, size, row)
            out.append(row)
        return out

    def has_bundles(self):
        """6.4; where it is broken, nothing is said of the tables but that of bulk data."""
        (at, end), (exports, exports_end) = self.p.sections["entries"], self.p.sections["exports"]
        n = (exports_end - exports) // size_of(EXPORT_ROW)
        room = end - at - 16 * n
        return not self.j.fire("ZEA003", self.p.is_old() and (room < (8 if n else 0) or room % 8))

    def judge(self):
        p = self.p
        self.read_objects()
        if self.has_bundles():
            self.judge_objects()
        if p.form >= 502 and p.names is not None:
            self.judge_bulk()
        elif p.form >= 500 and p.names is not None:
            self.j.fire("ZEN031", p.ue5 is not None and is_since(p.ue5, HAS_BULK), lesser=True)

    def read_objects(self):
        self.hashes = [row["hash"] for row in self.rows("hashes", "hash", (("hash", 8),))]
        self.imports = [row["value"] for row in self.rows("imports", "import", (("value", 8),))]
        self.cell_imports = [row["value"] for row in self.rows("cell_imports", "cell_import", (("value", 8),))]
        self.exports = self.rows("exports", "export", EXPORT_ROW)
        self.cells = self.rows("cell_exports", "cell", CELL_ROW)
        self.sum = sum(row["size"] for row in self.exports + self.cells)

    def judge_objects(self):
        p = self.p
        self.place_entries()
        self.judge_imports()
        self.judge_exports()
        self.judge_entries()
        if p.is_old():
            self.judge_old_graph()
        elif p.is_counted():
            self.judge_graph()
        else:
            self.judge_dependencies()
        self.judge_payload()

    # -- imports (4)

    def package_is_out(self, value):
        p, package = self.p, (value & LOW62) >> 32
        if value & LOW32 >= len(self.hashes):
            return True
        if p.is_named() and p.packages is not None and package >= len(p.packages.names):
            return True
        return p.claims is not None and p.claims.imports is not None and package >= p.claims.imports

    def judge_imports(self):
        j, p = self.j, self.p
        j.fire("ZEN011", 0 in self.hashes)
        for value in self.imports + self.cell_imports:
            kind = value >> 62
            j.fire("ZEN009", kind == EXPORT or (kind == OTHER and value != NULL))
            if kind == PACKAGE and not p.is_old():
                j.fire("ZEN010", self.package_is_out(value))
                self.used = max(self.used, ((value & LOW62) >> 32) + 1)
        if p.is_named() and p.packages is not None:
            j.fire("ZEC005", len(p.packages.names) > self.used)

    # -- exports (5)

    def is_out(self, value):
        kind = value >> 62
        if kind == EXPORT:
            return value >= len(self.exports)
        if kind == OTHER:
            return value != NULL
        return kind == PACKAGE and not self.p.is_old() and self.package_is_out(value)

    def judge_exports(self):
        for i, row in enumerate(self.exports):
            self.judge_export(i, row)
        self.judge_chains()
        self.judge_paths_once()
        self.judge_hashes_once()
        self.judge_places()

    def judge_chains(self):
        """5.2: references of several kinds; those of one kind are judged with their export."""
        chains = [[row[name] for name in REFERENCES] for row in self.exports]
        known = any(i in chain[1:] or self.is_in_itself(i) for i, chain in enumerate(chains))
        self.j.fire("ZEN013", not known and has_cycle(chains, self.j.work))

    def judge_paths_once(self):
        """5.9: a name whose hash is wrong is equal to itself alone."""
        p = self.p
        if p.names is None or not all(p.has_name(row["name"]) for row in self.exports):
            return
        paths = [(row["outer"], p.name_key(row["name"]), row["number"]) for row in self.exports]
        self.j.fire("ZEN028", len(set(paths)) < len(paths))

    def judge_export(self, i, row):
        j, p = self.j, self.p
        references = [row[name] for name in REFERENCES]
        j.fire("ZEN012", any(map(self.is_out, references)))
        j.fire("ZEN013", i in references[1:] or self.is_in_itself(i))
        j.fire("ZEN014", row["class"] == NULL or row["template"] == NULL)
        j.fire("ZEN015", row["filter"] > 2 or row["pad"])
        j.fire("NAM013", p.names is not None and not p.has_name(row["name"]))
        if p.is_old():
            self.judge_global_index(i, row)
            return
        j.fire("ZEN016", bool(row["flags"] & PUBLIC) != bool(row["hash"]))
        path = self.path_of(i) if row["hash"] else None
        j.fire("ZEN017", path is not None and cityhash64_bytes(path.encode("utf-16-le")) != row["hash"])

    def is_in_itself(self, i):
        seen, at = set(), self.exports[i]["outer"]
        while at < len(self.exports) and at != i and at not in seen:
            seen.add(at)
            self.j.work.spend()
            at = self.exports[at]["outer"]
        return at == i

    def path_of(self, i):
        """The path of an export in small letters, or None where it is not compared."""
        out, seen = [], set()
        while i < len(self.exports) and i not in seen:
            self.j.work.spend()
            seen.add(i)
            row = self.exports[i]
            text = self.p.text_of(row["name"], row["number"])
            if text is None or len(out) == MOST_NAMES:
                return None
            out.append(text)
            i = row["outer"]
        return self.joined(reversed(out)) if i == NULL else None

    @staticmethod
    def joined(parts):
        path = fold_ascii("/".join(parts))
        return path if len(path) <= LONGEST_PATH else None

    def judge_global_index(self, i, row):
        p, index = self.p, row["hash"]
        if index == NULL:
            return
        if self.j.fire("ZEN019", index >> 62 != PACKAGE) or p.names is None:
            return
        source, path = p.text_of(p.s["source_name"], p.s["source_number"]), self.path_of(i)
        whole = None if source is None or path is None else self.joined((source, path))
        if whole is not None:
            whole = whole.replace(".", "/").replace(":", "/")
            self.j.fire("ZEN019", cityhash64_bytes(whole.encode("utf-16-le")) & LOW62 != index & LOW62)

    def judge_hashes_once(self):
        known = [row["hash"] for row in self.exports if row["hash"] and not (self.p.is_old() and row["hash"] == NULL)]
        self.j.fire("ZEN018", len(set(known)) < len(known))

    def judge_places(self):
        """9.3: exports and cells in the order of their places."""
        rows = sorted(self.exports + self.cells, key=lambda row: row["offset"])
        end = rows[0]["offset"] if rows else 0
        for row in rows:
            self.j.fire("ZEN025", row["offset"] != end)
            end = max(end, min(row["offset"] + row["size"], NULL))

    # -- bundles and graph (6)

    def place_entries(self):
        p = self.p
        at, end = p.sections["entries"]
        self.bundles = []
        if p.is_old():
            self.bundle_places = at, end - 16 * len(self.exports)
            at = self.bundle_places[1]
        self.entries = self.rows_in(at, end, "entry", ENTRY_ROW)

    def judge_entries(self):
        j, n = self.j, len(self.exports) + len(self.cells)
        done, made, repeated = set(), set(), False
        self.early = []         # exports that are created before their outers
        out = [row for row in self.entries if row["export"] >= n or row["command"] > SERIALIZE]
        j.fire("ZEN020", out)
        for row in self.entries:
            if row in out:
                continue
            what = row["export"], row["command"]
            repeated = repeated or what in done
            j.fire("ZEN022", what not in done and row["command"] == SERIALIZE and row["export"] not in made)
            if row["command"] == CREATE and what not in done and self.is_before_outer(row["export"], made):
                self.early.append(row["export"])
            done.add(what)
            if row["command"] == CREATE:
                made.add(row["export"])
        if j.fire("ZEN021", len(self.entries) != 2 * n):
            return
        j.fire("ZEN021", repeated or (not out and len(done) < 2 * n))

    def is_before_outer(self, i, made):
        outer = self.exports[i]["outer"] if i < len(self.exports) else NULL
        return outer < len(self.exports) and outer not in made and not self.is_in_itself(i)

    def judge_bundles(self, has_payload):
        """Whether each begins where the one before it ends, and its payload (9.12), which is None where that is not known."""
        behind, n, payload = 0, len(self.entries), 0
        for bundle in self.bundles:
            first, end = bundle["first"], bundle["first"] + bundle["entries"]
            wrong = self.j.fire("ZEA004", first != behind or end > n)
            if has_payload and not wrong:
                size = sum(self.exports[row["export"]]["size"] for row in self.entries[first:end]
                           if row["command"] == SERIALIZE and row["export"] < len(self.exports))
                out = self.j.fire("ZEB005", bundle["serial_offset"] + size > self.payload)
                self.j.fire("ZEB008", not out and payload not in (None, bundle["serial_offset"]))
                payload = None if out else bundle["serial_offset"] + size
            else:
                payload = None
            behind = max(behind, min(end, n)) if wrong else end
        self.j.fire("ZEA004", behind < n)

    def is_bundle(self, i):
        return 0 <= i < len(self.bundles)

    def is_package_import(self, i):
        return 0 <= i < len(self.imports) and self.imports[i] >> 62 == PACKAGE

    def judge_old_graph(self):
        j, (at, end) = self.j, self.p.sections["graph"]
        walk, wrong, ids = Walk(self.file, at, end), False, set()
        n = walk.number()
        for _ in range(n or 0):
            ids.add(walk.number(8))
            arcs = walk.number()
            for place in walk.rows(arcs or 0, 8):
                j.work.spend()
                wrong = wrong or self.file.i32(place) < -1 or not 0 <= self.file.i32(place + 4) < (self.bundle_places[1] - self.bundle_places[0]) // 8
            if not walk.fits:
                break
        rows = self.rows_in(*self.bundle_places, "bundle", OLD_BUNDLE_ROW)
        if j.fire("ZEA005", not walk.fits or walk.at != end):
            return
        self.bundles = rows
        self.judge_bundles(False)
        j.fire("ZEA006", wrong)
        own = self.p.claims.id if self.p.claims is not None else self.p.id_of("name", "number")
        j.fire("ZEA009", own is not None and own in ids)
        j.fire("ZEN029", self.early)

    def find_bundles(self):
        """The bundles of 5.0 to 5.2, or None: by their entries, else by the store entry."""
        p, (at, end) = self.p, self.p.sections["graph"]
        if not self.entries:
            n = p.claims.bundles if p.claims is not None and p.claims.bundles is not None else 0
            return [read_layout(self.file, at + 16 * i, BUNDLE_ROW) for i in range(n)] if at + 16 * n <= end else None
        size, behind, found = size_of(BUNDLE_ROW), 0, []
        while behind < len(self.entries) and at + size * (len(found) + 1) <= end:
            row = read_layout(self.file, at + size * len(found), BUNDLE_ROW)
            if row["first"] != behind or row["entries"] == 0:
                break
            behind += row["entries"]
            found.append(row)
        if behind >= len(self.entries):
            return found
        counted = p.claims.bundles if p.claims is not None else None
        if not counted or at + size * counted > end:
            return None
        return [read_layout(self.file, at + size * i, BUNDLE_ROW) for i in range(counted)]

    def judge_graph(self):
        j, (at, end) = self.j, self.p.sections["graph"]
        bundles = self.find_bundles()
        if j.fire("ZEB003", bundles is None):
            return
        self.bundles = bundles
        walk = Walk(self.file, at + size_of(BUNDLE_ROW) * len(bundles), end)
        wrong = self.inner_arcs_wrong(walk)
        lists = 0
        while walk.fits and walk.at < end:
            n = walk.number()
            for place in walk.rows(n or 0, 9):
                j.work.spend()
                wrong |= not self.is_package_import(self.file.i32(place)) or self.file.u8(place + 4) > 1 or not self.is_bundle(self.file.i32(place + 5))
            lists += 1
        if j.fire("ZEB003", not walk.fits):
            return
        self.rows_in(at, at + size_of(BUNDLE_ROW) * len(bundles), "bundle", BUNDLE_ROW)
        self.judge_bundles(True)
        j.fire("ZEB004", wrong)
        j.fire("ZEB007", self.has_cycle())
        j.fire("ZEN029", self.early)
        claims = self.p.claims
        j.fire("ZEB006", claims is not None and claims.imports is not None and claims.imports != lists)

    def inner_arcs_wrong(self, walk):
        wrong, self.arcs = False, []
        for place in walk.rows(walk.number() or 0, 8):
            self.j.work.spend()
            arc = self.file.i32(place), self.file.i32(place + 4)
            wrong |= not all(map(self.is_bundle, arc))
            if all(map(self.is_bundle, arc)):
                self.arcs.append(arc)
        return wrong

    def has_cycle(self):
        """Whether some bundles can never be loaded: those are taken away for which nothing is waited, until none is left."""
        waits, after = [0] * len(self.bundles), [[] for _ in self.bundles]
        for begin, end in self.arcs:
            waits[end] += 1
            after[begin].append(end)
        free = [i for i, n in enumerate(waits) if n == 0]
        for i in free:
            for end in after[i]:
                self.j.work.spend()
                waits[end] -= 1
                if waits[end] == 0:
                    free.append(end)
        return len(free) < len(self.bundles)

    # -- dependencies (7)

    def judge_dependencies(self):
        j, (at, end) = self.j, self.p.sections["heads"]
        if j.fire("ZEC002", end - at != size_of(HEAD_ROW) * (len(self.exports) + len(self.cells))):
            return
        heads = self.rows("heads", "dependency_head", HEAD_ROW)
        entries = [row["index"] for row in self.rows("dependencies", "dependency", (("index", -4),))]
        broken, listed = False, 0
        for row in heads:
            counts = [row[name] for name, _ in HEAD_ROW[1:]]
            n = sum(counts)
            listed += n
            broken |= j.fire("ZEC003", row["first"] < -1 or any(c >> 31 for c in counts) or (n and not 0 <= row["first"] <= len(entries) - n))
        for i in self.early:
            first, n = heads[i]["first"], heads[i]["create_create"] + heads[i]["create_serialize"]
            j.fire("ZEN029", first < 0 or self.exports[i]["outer"] + 1 not in entries[first:first + n])
        most, least = len(self.exports) + len(self.cells), -len(self.imports) - len(self.cell_imports)
        j.fire("ZEC004", any(index == 0 or not least <= index <= most for index in entries))
        j.fire("ZEC013", any(-len(self.imports) <= index < 0 and self.imports[-index - 1] == NULL for index in entries))
        if not broken and not j.fire("ZEC012", listed > len(entries)):
            j.fire("ZEC010", has_cycle(self.steps(heads, entries), j.work))

    @staticmethod
    def steps(heads, entries):
        """7.7: for each step, in pairs of create and serialize, the steps that it waits for."""
        out = []
        for i, row in enumerate(heads):
            at, waits = row["first"], []
            for name, _ in HEAD_ROW[1:]:
                waits.append([2 * (index - 1) + name.endswith("_serialize") for index in entries[at:at + row[name]] if index > 0] if row[name] else [])
                at += row[name]
            out.append(waits[0] + waits[1])
            out.append([2 * i] + waits[2] + waits[3])
        return out

    # -- bulk data (8, 10.4, 10.5)

    def judge_bulk(self):
        j, p = self.j, self.p
        end = p.sections["hashes"][0]
        before = p.ue5 is not None and not is_since(p.ue5, HAS_BULK)
        if before and end == (p.own_end if p.is_named() else p.batch_end):
            return
        walk, pad = Walk(self.file, p.own_end if p.is_named() else p.batch_end, end), 0
        if p.form >= 504:
            pad_at, pad = walk.at, walk.number(8)
            if pad is not None:
                if j.fire("ZEC008", pad > 7):
                    return
                walk.take(pad)
        at, size = walk.at, walk.number(8)
        begin = walk.at
        if j.fire("ZEC008", size is None or size % 32 or size > end - begin):
            return
        if p.form >= 504:
            j.region("bulk_pad", pad_at, 8, {"pad": pad})
        j.region("bulk_size", at, 8, {"size": size})
        j.fire("ZEC008", p.form >= 504 and begin % 8)
        j.fire("ZEC009", begin + size != end)
        j.fire("ZEN031", before, lesser=not size)
        ends = [0, 0, 0]
        for row in self.rows_in(begin, begin + size, "bulk", BULK_ROW):
            self.judge_bulk_row(row, ends)
        lengths = p.claims.bulk if p.claims is not None else None
        if lengths is not None:
            j.fire("BMP005", any(length is not None and length > e for length, e in zip(lengths, ends)))

    def judge_bulk_row(self, row, ends):
        j, claims = self.j, self.p.claims
        j.fire("BMP004", (row["duplicate"] != NULL and not row["flags"] & DUPLICATED) or row["pad"])
        if row["flags"] & DUPLICATED and row["flags"] & IN_FILE and row["size"] <= HIGHEST:
            self.judge_duplicate(row, ends)
        end = row["offset"] + row["size"]
        if j.fire("BMP001", max(row["offset"], row["size"], end) > HIGHEST):
            return
        if not row["flags"] & IN_FILE:
            j.fire("BMP003", row["size"] and end > self.payload)
            return
        if row["cooked_index"]:
            return
        which = 2 if row["flags"] & MAPPED else 1 if row["flags"] & OPTIONAL else 0
        ends[which] = max(ends[which], end)
        if claims is None or claims.bulk is None or row["size"] == 0:
            return
        length = claims.bulk[which]
        if length is None:
            j.fire("BMP002", which != 1, lesser=True)
        else:
            j.fire("BMP002", end > length)

    def judge_duplicate(self, row, ends):
        """8.3, 8.5 and 10.6."""
        j, claims, end = self.j, self.p.claims, row["duplicate"] + row["size"]
        none = row["duplicate"] == NULL
        j.fire("BMP004", none)
        if j.fire("BMP001", not none and end > HIGHEST) or row["cooked_index"]:
            return
        if not none:
            ends[1] = max(ends[1], end)
        length = claims.bulk[1] if claims is not None and claims.bulk is not None else None
        j.fire("BMP006", length is not None and row["size"] and (none or end > length))

    # -- payload (9)

    def judge_payload(self):
        j, p, exports = self.j, self.p, self.exports
        first = min((row["offset"] for row in exports + self.cells), default=None)
        total = min(self.sum, NULL)
        longer = [row for row in exports + self.cells if row["size"] > self.payload]
        too_long = j.fire("ZEN023", longer or total > self.payload)
        j.fire("ZEN024", any(row["size"] == 0 for row in exports))
        if p.is_old():
            j.fire("ZEA007", first not in (None, p.s["cooked_header_size"]))
            j.fire("ZEA008", total < self.payload)
        elif p.is_counted():
            j.fire("ZEB009", total < self.payload)
        else:
            j.fire("ZEC007", first not in (None, 0))
            j.fire("ZEC011", not too_long and any(row["offset"] + row["size"] > self.payload for row in exports))
            self.judge_tag(total)
        for row in self.cells:
            j.fire("ZED002", not too_long and row["offset"] + row["size"] > self.payload)
            j.fire("ZED003", row["layout_size"] > row["size"])
            j.fire("NAM013", p.names is not None and not p.has_name(row["name"]))

    def judge_tag(self, total):
        left = self.payload - total
        if left < 0:
            return
        if left == 0:
            self.j.fire("ZEC006", lesser=True)
            return
        tag = self.file.u32(self.p.size - TAG_SIZE) if self.payload >= TAG_SIZE else TAG
        if left == TAG_SIZE:
            self.j.region("trailer", self.p.size - TAG_SIZE, TAG_SIZE, {"tag": tag})
        self.j.fire("ZEC006", left != TAG_SIZE or tag != TAG)


def judge(package):
    Tables(package).judge()
