"""What packages of real games import, and what of it is there: uvet deps is held against a second reading of the same files, written from
conformance/spec/set.md and the tables' clauses of upkg.md. It is asked as the files lie, laid out as in their games (the collection writes
__ for the folders that they had), and with another part of the files as the game.
"""
import collections
import json
import os
import shutil
import struct
import subprocess
import tempfile

import package_writer
import reference_uz

PACKAGES = (".u", ".unr", ".utx", ".uax", ".umx", ".ut2", ".usx", ".ukx", ".dx", ".umf", ".un2", ".rom", ".run")
FOLDERS = {"system", "maps", "textures", "sounds", "music", "staticmeshes", "animations", "karmadata", "help", "web"}
NATIVE = {"core", "engine", "fire", "windrv", "window"}
NO_FILE = {"none", "mylevel", "transient"}
PUBLIC = 4


class Reader:
    """The tables of a package."""

    def __init__(self, data):
        self.data, self.at = data, 0
        self.version = struct.unpack_from("<H", data, 4)[0]
        _, n_names, names, n_exports, exports, n_imports, imports = struct.unpack_from("<7i", data, 8)
        self.at = names
        self.names = [self.name() for _ in range(n_names)]
        self.at = imports
        self.imports = [(self.index(), self.index(), self.word(), self.index()) for _ in range(n_imports)]
        self.at = exports
        self.exports = [self.export() for _ in range(n_exports)]

    def word(self):
        self.at += 4
        return struct.unpack_from("<i", self.data, self.at - 4)[0]

    def index(self):
        first = self.data[self.at]
        self.at += 1
        value, shift, more = first & 0x3F, 6, first & 0x40
        while more:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift, more = shift + 7, byte & 0x80 and shift < 27
        return -value if first & 0x80 else value

    def name(self):
        if self.version < 64:
            end = self.data.index(0, self.at)
            text, self.at = self.data[self.at:end], end + 1
        else:
            n = self.index()
            text, self.at = self.data[self.at:self.at + n], self.at + n
        self.at += 4
        return text.split(b"\0")[0].decode("cp1252", "replace").encode("utf-8", "replace").decode()

    def export(self):
        of_class, _, outer, name, flags, size = self.index(), self.index(), self.word(), self.index(), self.word(), self.index()
        if size != 0:
            self.index()
        return of_class, outer, name, flags

    def class_name(self, export):
        of_class = self.exports[export][0]
        if of_class == 0:
            return "Class"
        return self.names[self.exports[of_class - 1][2] if of_class > 0 else self.imports[-of_class - 1][3]]


def fold(text):
    return "".join(c.lower() if c < "\x80" else c for c in text)


class File:
    """A file of the set: where it lies, and its tables."""

    def __init__(self, path, folder, last, packed, is_game, compared):
        self.path, self.packed, self.is_game, self.compared = path, packed, is_game, compared
        parts = folder.rstrip("/").split("/")
        self.in_contents = parts[-1].lower() in FOLDERS
        self.root = "/".join(parts[:-1] if self.in_contents else parts)
        self.stem, self.last, self.tables, self.by_name = last.rsplit(".", 1)[0], last, None, {}

    def load(self, data):
        self.tables = Reader(data)
        for number, (_, outer, name, _) in enumerate(self.tables.exports):
            self.by_name.setdefault(fold(self.tables.names[name]), []).append((outer, number))


def providers(files, wanted, importer):
    """The files that a package is looked for in: the first place that has any."""
    here = [f for f in files.get(wanted, []) if not f.is_game and f.root == importer.root]
    places = [[f for f in here if f.packed is packed and f.in_contents is contents]
              for packed in (False, True) for contents in (importer.in_contents, not importer.in_contents)]
    game = [f for f in files.get(wanted, []) if f.is_game]
    places += [[f for f in game if not f.packed], [f for f in game if f.packed]]
    return next((place for place in places if place), [])


def find_package(files, importer, name, has_game):
    """The state, and the file that objects are looked for in."""
    wanted = fold(name)
    found = providers(files, wanted, importer)
    if not found:
        elsewhere = any(not f.is_game for f in files.get(wanted, []))
        return ("elsewhere" if elsewhere else "missing" if has_game else "not_given"), None
    state = "game" if found[0].is_game else "packed" if found[0].packed else "given"
    return state, found[0] if len(found) == 1 and found[0].compared and found[0].tables else None


def find_object(provider, outer, name, of_class):
    """The state, and the export (None: the package itself)."""
    named = provider.by_name.get(fold(name), [])
    there = [number for where, number in named if where == outer]
    if not there:
        if fold(of_class) == "class" and fold(provider.stem) in NATIVE:
            return "native", None
        if fold(of_class) == "package":
            return "found", 0
        return ("moved" if named else "native" if fold(of_class) == "class" else "missing"), None
    right = [n for n in there if fold(provider.tables.class_name(n)) == fold(of_class)]
    if not right:
        return "other_class", there[0] + 1
    return ("found" if provider.tables.exports[right[0]][3] & PUBLIC else "private"), right[0] + 1


def imports_of(files, importer, has_game):
    """What the file imports: name, class and state of each, in the order of the table."""
    t, states, paths = importer.tables, {}, {}

    def look_up(number):
        if number in states:
            return
        _, of_class, outer, name = t.imports[number]
        name, of_class = t.names[name], t.names[of_class]
        if outer == 0:
            paths[number] = name
            own = fold(name) in NO_FILE or fold(name) == fold(importer.stem) or fold(of_class) != "package"
            states[number] = ("own", None, 0) if own else (*find_package(files, importer, name, has_game), 0)
            return
        if outer > 0:
            paths[number], states[number] = name, ("not_judged", None, 0)
            return
        look_up(-outer - 1)
        paths[number] = paths[-outer - 1] + "." + name
        _, provider, lies_in = states[-outer - 1]
        if provider is None or lies_in is None or fold(name) == "none":
            states[number] = ("not_judged", None, 0)
            return
        state, export = find_object(provider, lies_in, name, of_class)
        states[number] = (state, provider if export is not None else None, export)

    for number in range(len(t.imports)):
        look_up(number)
    return [(paths[n], None if t.imports[n][2] == 0 else t.names[t.imports[n][1]], states[n][0]) for n in range(len(t.imports))]


def contents(path, inner):
    """The bytes of a package, also of one in a download or an installer."""
    with open(path, "rb") as f:
        data = f.read()
    if not inner:
        return data
    if path.lower().endswith((".uz", ".uz2", ".uz3", ".lzma")):
        return reference_uz.DECODERS[os.path.splitext(path)[1].lower()](data)
    return members_of(data)[inner]


def members_of(data):
    """The members of an installer, by name."""
    at = struct.unpack_from("<I", data, len(data) - 16)[0]
    r = Reader.__new__(Reader)
    r.data, r.at, out = data, at, {}
    for _ in range(r.index()):
        n = r.index()
        name, r.at = data[r.at:r.at + n - 1].decode("cp1252"), r.at + n
        offset, size, _ = struct.unpack_from("<3I", data, r.at)
        r.at, out[name] = r.at + 12, data[offset:offset + size]
    return out


def file_of(path, is_game, compared):
    outer, _, inner = path.partition("!") if path.lower().split("!")[0].endswith((".uz", ".uz2", ".umod", ".ut2mod", ".ut4mod")) else (path, "", "")
    packed = bool(inner) and outer.lower().endswith((".uz", ".uz2"))
    whole = os.path.dirname(outer) + "/" + inner if packed else path
    name = whole.replace("\\", "/").replace("!", "!/") if inner and not packed else whole
    folder, _, last = name.rpartition("/")
    return File(path, folder, last, packed, is_game, compared), outer, inner


def paths_of_game(folder):
    for here, _, names in os.walk(folder):
        yield from (os.path.join(here, n) for n in names if n.lower().endswith(PACKAGES))


def compare(uvet, given, game):
    """What is the matter with the answer to one question; and how many packages and imports there were."""
    args = [uvet, "deps", "--format", "json", given, *(["--game", game] if game else [])]
    done = subprocess.run(args, capture_output=True, check=False)
    if done.returncode != 0:
        return [f"exit {done.returncode}: {done.stderr.decode(errors='replace')}"], 0, 0
    answer, files, given_files = json.loads(done.stdout), {}, []
    todo = [(p["path"], False, p["compared"]) for p in answer["packages"]]
    todo += [(path, True, True) for path in (paths_of_game(game) if game else [])]
    for path, is_game, compared in todo:
        f, outer, inner = file_of(path, is_game, compared)
        if compared:
            f.load(contents(outer, inner))
        files.setdefault(fold(f.stem), []).append(f)
        given_files += [] if is_game else [f]
    problems, n = [], 0
    for f, p in zip(given_files, answer["packages"]):
        got = [(i["name"], i.get("class"), i["state"]) for i in p["imports"]]
        expected = imports_of(files, f, bool(game)) if f.compared else []
        n += len(expected)
        problems += [f"{f.path}: got {a}, expected {b}" for a, b in zip(got, expected) if a != b][:3]
        problems += [f"{f.path}: {len(got)} imports, expected {len(expected)}"] if len(got) != len(expected) else []
    return problems, len(given_files), n


def lay_out(folder, rows, to):
    """Each file where its name says that it lay."""
    for row in rows:
        path = os.path.join(to, *row["path"].split("/")[1:-1], *row["path"].split("/")[-1].replace("!", "__").split("__"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copyfile(os.path.join(folder, row["path"]), path)


def wanted_of(uvet, given):
    """What all packages import: for each package that none of them is its objects, each with its class."""
    done = subprocess.run([uvet, "deps", "--format", "json", given], capture_output=True, check=True)
    wanted = {}
    for p in json.loads(done.stdout)["packages"]:
        for i in p["imports"]:
            package, _, path = i["name"].partition(".")
            objects = wanted.setdefault(package.lower(), (package, {}))[1]
            if path:
                objects.setdefault(path.lower(), (path, i["class"]))
    return wanted


def stub_game(wanted, to, damage):
    """A game that has all of it, but for what damage makes of every seventh object: it is missing, private, of another class, or elsewhere."""
    os.makedirs(os.path.join(to, "System"))
    number = 0
    for package, objects in wanted.values():
        if package.lower() in NO_FILE:
            continue
        p, made = package_writer.Package(package), {}
        group = p.add_class("Core", "Package")
        for path, of_class in sorted(objects.values(), key=lambda o: o[0].count(".")):
            outer, _, name = path.rpartition(".")
            number += 1
            broken = damage and number % 7 == 0
            if broken and number % 4 == 0 or (outer and outer.lower() not in made):
                continue
            holds = of_class in ("Package", "Class")
            is_field = of_class.endswith("Property") or of_class in ("Function", "State", "Struct", "Enum", "Const")     # which lies in a field
            of_class = "Wrong" if broken and number % 4 == 1 and not holds and not is_field else of_class
            class_ref = 0 if of_class == "Class" else group if of_class == "Package" else p.add_class("Core", of_class)
            outer_ref = 0 if broken and number % 4 == 2 and not is_field else made.get(outer.lower(), 0)
            flags = package_writer.LOAD | (0 if broken and number % 4 == 3 else package_writer.PUBLIC)
            made[path.lower()] = p.add_export(class_ref, outer_ref, name, flags)
        with open(os.path.join(to, "System", package + ".u"), "wb") as f:
            f.write(p.to_bytes())


def states_of(uvet, given, game):
    done = subprocess.run([uvet, "deps", "--format", "json", given, "--game", game], capture_output=True, check=True)
    return collections.Counter(i["state"] for p in json.loads(done.stdout)["packages"] for i in p["imports"])


def check_stubs(uvet, given, to):
    """With a game that has all that is imported nothing is missing; with one that is damaged the second reading finds the same."""
    problems, told, wanted = [], [], wanted_of(uvet, given)
    for damage in (False, True):
        game = os.path.join(to, f"game{damage:d}")
        stub_game(wanted, game, damage)
        found, _, n = compare(uvet, given, game)
        states = states_of(uvet, given, game)
        lacks = {"missing", "moved", "other_class", "private"} & set(states)
        problems += found + ([] if damage == (len(lacks) == 4) and damage == bool(lacks) else [f"a game {damage:d}: {states}"])
        told.append(f"{n} against a made game, " + " ".join(f"{v} {k}" for k, v in sorted(states.items())))
    return told, problems


def errors_of_sets(uvet, *args):
    """No set of good files has an error."""
    done = subprocess.run([uvet, "check", "--format", "json", *args], capture_output=True, check=False)
    report = json.loads(done.stdout)
    sets = {a["id"] for a in report["artifacts"] if a.get("format") == "set"}
    return [f"{f['rule']}: {f['message']}" for f in report["findings"] if f["artifact"] in sets and f["severity"] == "error"], len(sets)


def check_all(uvet, folder, rows):
    """How much was compared in words, and what is wrong."""
    rows = [r for r in rows if r["path"].startswith("ue1/")]
    problems, told = [], []
    with tempfile.TemporaryDirectory() as to:
        lay_out(folder, rows, to)
        plain = os.path.join(folder, "ue1")
        for given, game in ((plain, None), (to, None), (os.path.join(to, "fistodul+MF-updater"), to), (to, os.path.join(to, "fistodul+MF-updater"))):
            found, n_packages, n_imports = compare(uvet, given, game)
            problems += found
            told.append(f"{n_imports} imports of {n_packages} packages")
        with tempfile.TemporaryDirectory() as games:
            of_stubs, found = check_stubs(uvet, plain, games)
            told, problems = told + of_stubs, problems + found
        for args in ((plain,), (to,), (folder,)):
            found, n_sets = errors_of_sets(uvet, *args)
            problems += found + ([] if n_sets == 1 else [f"{n_sets} sets"])
    return "what they import: " + ", ".join(told), problems
