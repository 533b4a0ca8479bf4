"""The manifests of an installer, from chapter 6 of conformance/spec/umod.md."""
import re

from . import filenames

BONUS_PACKS = {"utbonuspack", "utbonuspack2", "utbonuspack3", "utbonuspack4"}
GAMES = {"unreal", "unrealtournament", "unreal tournament", "ut2003", "ut2004", "deusex", "rune", "klingonhonorguard", "wheeloftime", "nerf",
         "x-com enforcer"}
REQUIRED = GAMES | BONUS_PACKS
LAST_PATCH = {"unreal": 227, "unrealtournament": 469, "unreal tournament": 469, "ut2003": 2225, "ut2004": 3369}
LANGUAGES = ("det", "est", "frt", "itt", "kot", "smt", "tmt")
SYSTEM = "system\\"
INI_ACTIONS = {"ini", "addini", "saveini", "removeini", "removeinivalue"}
PATH_ACTIONS = {"delete", "backup", "folder", "removepath"}
INSTALLS = {"file", "copy"}
FOLDERS_OF_SETUP = set("srcpath destpath refpath cdpath winpath winsyspath desktoppath programspath favoritespath startuppath commonprogramspath "
                       "commonfavoritespath commonstartuppath".split())
DEVICES = ["CON", "PRN", "AUX", "NUL", "CLOCK$", "CONIN$", "CONOUT$"] + [name + str(n) for name in ("COM", "LPT") for n in range(10)]
DANGEROUS = {"delete", "shortcut", "winregistry"}
SETTINGS = {"ini", "int", "ucl", "upl", "upkg", *LANGUAGES}
IN_SYSTEM = {"unrealtournament.ini", "ut2003.ini", "ut2004.ini"}
ROOTS = {"hkey_classes_root", "hkey_current_user", "hkey_local_machine"}
BLANK = " \t"
DELTA = (0x92F92912).to_bytes(4, "little")
DOWNLOAD = (5678).to_bytes(4, "little")
LONGEST_PATH = 240

RULES = {f"MAN{n:03}" for n in range(1, 48)} | {"UMD016"}


class Section:
    """All sections of one name, in one."""

    def __init__(self, name):
        self.name, self.lines = name, []          # lines: (key in small letters, value)

    def all(self, *keys):
        return [(k, v) for k, v in self.lines if k in keys]

    def values(self, key):
        """The first value of a key, and the last: what readers take."""
        all_values = [v for k, v in self.lines if k == key] or [None]
        return all_values[0], all_values[-1]

    def is_repeated(self, key):
        return len({fold_name(v) for k, v in self.lines if k == key}) > 1


class Manifest:
    """A manifest's sections, by their names in small letters; None where its text has a defect."""

    def __init__(self, judgement, data, is_ini):
        self.j, self.sections, self.installs, self.is_ini = judgement, None, [], is_ini
        self.text, self.wide = decode(data)
        self.meanings = {}                        # of the keys of placeholders: all that they may stand for
        judgement.fire("MAN001", self.text is None)

    def read(self):
        """Whether there is a text to read."""
        if self.text is None:
            return False
        self.sections, section = {}, None
        lines = lines_of(self.text)
        for number, raw in enumerate(lines):
            is_last = number == len(lines) - 1
            self.judge_controls(raw, is_last)
            line = raw.strip(BLANK)
            self.judge_behind_header(line)
            if line[:1] == "[" and line[-1] == "]" and len(line) > 1:
                name = line[1:-1].strip(BLANK)
                self.j.fire("MAN034", raw != "[" + name + "]")
                self.j.fire("MAN020", fold_name(name) in self.sections)
                section = self.sections.setdefault(fold_name(name), Section(name))
                continue
            key, equals, value = line.partition("=")
            if equals and section and fold_name(section.name) in ("setup", "general"):
                self.meanings.setdefault(filenames.fold(key.strip(BLANK)), []).append(value.strip(BLANK))
            if line == "" or line[0] == ";":
                continue
            if self.j.fire("MAN025", not equals or section is None or key.strip(BLANK) == ""):
                continue
            line = filenames.fold_ascii(key.strip(BLANK)), unquoted(value.strip(BLANK))
            raw_key, _, raw_value = raw.partition("=")
            if not self.j.fire("MAN034", raw_key != key.strip(BLANK)) and self.is_ini and line[0] in ("group", "requires"):
                self.j.fire("MAN034", raw_value != line[1], lesser=raw_value == '"' + line[1] + '"')
            section.lines.append(line)
            if line[0] in INSTALLS:
                unseen = "\x1a" if is_last and self.text[-1:] == "\x1a" else ""
                self.installs.append((line[1], line[1] != value.strip(BLANK), as_ut_reads(raw_value + unseen)))
        return True

    def judge_controls(self, raw, is_last):
        is_end = is_last and re.fullmatch("\0+", raw.lstrip(BLANK)) is not None
        self.j.fire("MAN026", "\0" in raw and not is_end)
        self.j.fire("MAN026", is_end or filenames.has_control(raw.replace("\t", "").replace("\0", ""), self.wide), lesser=True)

    def setup(self):
        return self.sections.get("setup")

    def judge_behind_header(self, line):
        _, bracket, behind = line.partition("]")
        if line[:1] == "[" and bracket and behind:
            behind = behind.strip(BLANK)
            self.j.fire("MAN035", True, lesser=behind[0] in "=;" or "=" not in behind)


def decode(data):
    """The text, or None; and whether it is UTF-16."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        if len(data) % 2:
            return None, True
        if data[:2] == b"\xfe\xff":
            swapped = bytearray(data)
            swapped[0::2], swapped[1::2] = data[1::2], data[0::2]
            data = bytes(swapped)
        return filenames.from_utf16(data[2:]), True
    return filenames.from_cp1252(data), False


def fold_name(name):
    """Names of sections, and values, without case."""
    return name.translate(filenames.SMALL_1252)


def unquoted(value):
    """A value without the quotes that stand around all of it, nor the blanks within them."""
    return value[1:-1].strip(BLANK) if len(value) > 1 and value[0] == value[-1] == '"' else value


def as_ut_reads(value):
    """6.6: what stands behind an equals sign, without its first and last character if both are quotes."""
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value


def lines_of(text):
    if text[-1:] == "\x1a":
        text = text[:-1]
    return re.split("\r\n|\n|\r", text)


def is_number(text):
    """Decimal digits that make a number of 63 bits."""
    return re.fullmatch("[0-9]+", text) is not None and int(text) < 1 << 63


def leading_number(text):
    digits = re.match("[0-9]*", text)[0]
    return int(digits) if digits else 0


class Words(dict):
    """What one reading of a list finds: by key, in small letters, (value, where it begins, where the key begins)."""

    def value(self, key):
        return self[key][0] if key in self else ""

    def same(self, other, key):
        """Whether two readings find the same stretch, or nothing."""
        return self.value(key) == other.value(key) == "" or self.get(key, ())[:2] == other.get(key, ())[:2]

    def number(self, key):
        return int(self.value(key)) if is_number(self.value(key)) else None


class List:
    """The two readings of a list (6.6): as it is written, and as Setup searches it."""

    def __init__(self, value, was_quoted):
        begin, end = 0, len(value)
        self.good = not was_quoted
        opened = value[begin:begin + 1] == "(" and begin < end
        begin += opened
        closed = end > begin and value[end - 1] == ")"
        end -= closed
        self.good = self.good and opened and closed
        self.text, self.written, self.starts = value[begin:end], Words(), set()
        self.read()
        self.found = self.search()

    def read(self):
        at = 0
        while at < len(self.text):
            comma = self.text.find(",", at)
            equals = self.text.find("=", at)
            if equals < 0 or 0 <= comma < equals:
                self.good = False
                return
            at = self.read_pair(at, equals)
            if at is None:
                self.good = False
                return

    def read_pair(self, at, equals):
        """Where the next pair begins; None where nobody knows."""
        text = self.text
        key = text[at:equals]
        start = at + len(key) - len(key.lstrip(BLANK))
        key = filenames.fold_ascii(key.strip(BLANK))
        self.starts.add(start)
        quoted = text[equals + 1:equals + 2] == '"'
        close = text.find('"', equals + 2) if quoted else equals
        if close < 0:
            return None
        comma = text.find(",", close)
        end = len(text) if comma < 0 else comma
        behind = text[close + 1:end]
        if quoted:
            self.good = self.good and behind.strip(BLANK) == ""
            pair = text[equals + 2:close], equals + 2
        else:
            pair = behind.strip(BLANK), equals + 1 + len(behind) - len(behind.lstrip(BLANK))
        if key in self.written and key in ("src", "dest", "ref", "size", "flags"):
            self.good = False
        self.written.setdefault(key, (*pair, start))
        return end + 1

    def search(self):
        found = Words()
        for key in ("src", "dest", "ref", "size", "flags"):
            match = re.search(f"(?<![0-9A-Za-z]){key}=", self.text, re.I | re.A)
            if match:
                rest = self.text[match.end():]
                quoted = rest[:1] == '"'
                value = re.match(r'"([^"]*)' if quoted else r"([^ \t,]*)", rest)[1]
                found[key] = value, match.end() + quoted, match.start()
        return found


class Install:
    """A File= or Copy= line. size is None where nothing can be held against it."""

    def __init__(self, j, value, was_quoted, whole):
        both = List(value, was_quoted)
        written, found, by_ut = both.written, both.found, List(whole, was_quoted).found
        for key in ("size", "flags"):
            both.good = both.good and (key not in written or is_number(written.value(key)))
        paths = ("src", "dest", "ref")
        j.fire("MAN045", any(found.value(k) != by_ut.value(k) for k in paths))
        hidden = [k for k in paths if k in found and found[k][2] not in both.starts]
        j.fire("MAN031", hidden)
        self.same = all(written.same(found, k) for k in paths)
        cut = [k for k in paths if k not in hidden and written.value(k) and not written.same(found, k)]
        j.fire("MAN021", not both.good or not written.value("src") or cut)
        words = written if written.value("src") else found
        self.src, self.given, self.ref = (words.value(k) for k in paths)
        self.size = words.number("size")
        self.flags = words.number("flags") or 0
        self.dest = self.given or self.src
        self.asks_patch = self.same and self.ref != ""
        self.other = tuple(found.value(k) for k in paths) if not self.same and found.value("src") else None


class Installer:
    def __init__(self, j, members, directory, promises):
        self.j, self.members, self.directory, self.promises = j, members, directory, promises
        self.by_key, self.further_names = {}, []
        for m in members:
            if "\0" not in m.name:
                self.by_key.setdefault(m.key, []).append(m)

    def judge(self):
        self.judge_languages()
        self.ini = self.manifest("ini")
        self.int = self.manifest("int")
        if self.ini and self.ini.read():
            if self.int and self.int.read():
                self.j.fire("MAN028", self.int.setup() is None)
                self.judge_shown(self.int)
            self.judge_other_languages()
            self.judge_setup()
            self.judge_shown(self.ini)
            self.judge_groups()
            self.judge_requirements()
            self.judge_installs()
            self.judge_actions()
            self.judge_placeholders()

    def manifest(self, language):
        """6.1 and 6.2."""
        found = self.by_key.get(SYSTEM + "manifest." + language)
        if self.j.fire("UMD016", not found):
            return None
        return self.text_of(found[0], language == "ini")

    def text_of(self, m, is_ini):
        if self.j.fire("MAN001", m.end > self.directory):
            return None
        return Manifest(self.j, self.j.file.bytes(m.offset, m.size), is_ini)

    def judge_other_languages(self):
        """6.1: manifests that are neither of the two, each name once."""
        seen = {SYSTEM + "manifest.ini", SYSTEM + "manifest.int"}
        for m in self.members:
            if is_manifest(m.key) and m.key not in seen:
                seen.add(m.key)
                other = self.text_of(m, False)
                if other and other.read():
                    self.judge_shown(other)

    def judge_languages(self):
        """6.12."""
        for m in self.members:
            e = filenames.extension(m.name)
            if e in LANGUAGES and m.key != SYSTEM + "manifest." + e:
                self.j.fire("MAN017", SYSTEM + "manifest." + e not in self.by_key)

    # -- 6.3

    def judge_setup(self):
        j, setup = self.j, self.ini.setup()
        if j.fire("MAN001", setup is None or not any(v for _, v in setup.all("product"))) and setup is None:
            return
        for product in setup.values("product"):
            j.fire("MAN016", product and filenames.fold_ascii(product) in GAMES)
            j.fire("MAN044", filenames.fold_ascii(product or "") in ("setup", "refcounts"))
        for master in setup.values("ismasterproduct"):
            is_game = filenames.fold_ascii(setup.values("product")[0] or "") in GAMES
            j.fire("MAN044", filenames.fold_ascii(master or "") in ("true", "1") and not is_game)
        for archive in setup.values("archive"):
            j.fire("MAN018", ".." in filenames.components(archive or ""))
        for version in setup.values("version"):
            j.fire("MAN029", not 0 < leading_number(version or "") < 1 << 31)
        j.fire("MAN033", any(setup.is_repeated(key) for key in ("product", "version", "archive", "ismasterproduct")))

    # -- 6.11

    def judge_shown(self, man):
        setup = man.setup()
        for key, value in setup.all("readme", "license", "logo", *["exe"] * man.is_ini) if setup else ():
            path = value if key in ("exe", "readme") else "\\".join("x" if part == ".." else part for part in filenames.components(value))
            if not self.j.fire("MAN040", filenames.is_unsafe(path, man.wide)) and key != "exe":
                self.j.fire("MAN040", key == "readme" and filenames.is_program(value), lesser=True)
                name = filenames.fold(value)
                self.j.fire("MAN015", value and name not in self.by_key and SYSTEM + name not in self.by_key)
        for key, value in setup.all("defaultfolder", "postexec") if setup else ():
            self.j.fire("MAN012", value if key == "postexec" else filenames.is_unsafe(value, man.wide))
        for section in man.sections.values():
            for key, value in section.lines:
                if key.endswith("url"):
                    self.judge_address(value)

    def judge_address(self, value):
        value = value.strip(BLANK + '"')
        scheme, colon, rest = value.partition(":")
        is_program = filenames.is_program(value.rstrip(BLANK + '".'))
        parts, scheme = filenames.components(value), filenames.fold_ascii(scheme)
        if colon and len(scheme) > 1 and len(filenames.components(scheme)) == 1:
            if not self.j.fire("MAN039", scheme == "file" and is_program):
                self.j.fire("MAN027", scheme != "mailto" and not (scheme in ("http", "https", "ftp") and rest.startswith("//")))
            return
        may_be_host = len(parts) == 1 and filenames.extension(value.rstrip(BLANK + '".')) in ("com", "sh", "so")
        starts_program = is_program and not may_be_host and filenames.fold_ascii(value[:4]) not in ("www.", "ftp.")
        leaves = ".." in parts or (len(parts) > 1 and parts[0] == "") or re.match("[A-Za-z]:", value)
        if not self.j.fire("MAN039", leaves or starts_program) and not self.j.fire("MAN039", "\\" in value, lesser=True):
            self.j.fire("MAN027", value and "." not in value.partition("/")[0][1:])

    # -- 6.4

    def judge_groups(self):
        sections = self.ini.sections
        named, self.required = set(), set()
        for section in sections.values():
            named |= {fold_name(value) for _, value in section.all("shortcut")}
            for key, value in section.all("group", "requires"):
                self.j.fire("MAN043", len(value) > 63)
                name = fold_name(value)
                if not self.j.fire("MAN002", name not in sections):
                    self.j.fire("MAN034", filenames.fold_ascii(value) != filenames.fold_ascii(sections[name].name))
                named.add(name)
                if key == "requires":
                    self.required.add(name)
        setup = self.ini.setup()
        self.j.fire("MAN003", setup is not None and not setup.all("group"))
        self.j.fire("MAN003", any(name not in named for name in sections if name != "setup"))
        self.j.fire("MAN019", self.has_cycle())

    def has_cycle(self):
        """Takes away groups that no group left contains, until none can be taken."""
        sections = self.ini.sections
        inside = {name: {fold_name(v) for _, v in s.all("group")} & set(sections) for name, s in sections.items()}
        parents = {name: 0 for name in sections}
        for children in inside.values():
            for child in children:
                parents[child] += 1
        free = [name for name in sections if parents[name] == 0]
        taken = 0
        while free:
            taken += 1
            for child in inside[free.pop()]:
                parents[child] -= 1
                if parents[child] == 0:
                    free.append(child)
        return taken < len(sections)

    # -- 6.5

    def judge_requirements(self):
        for name in self.required & set(self.ini.sections):
            section = self.ini.sections[name]
            self.j.fire("MAN033", section.is_repeated("product") or section.is_repeated("version"))
            for product, version in zip(section.values("product"), section.values("version")):
                product = filenames.fold_ascii(product or "")
                self.j.fire("MAN009", product not in REQUIRED)
                if not self.j.fire("MAN010", not version):
                    self.j.fire("MAN009", not is_number(version) or int(version) >= 1 << 31 or int(version) > LAST_PATCH.get(product, int(version)))

    # -- 6.6 to 6.9

    def judge_installs(self):
        j, listed, places = self.j, {}, {}
        for value, was_quoted, whole in self.ini.installs:
            line = Install(j, value, was_quoted, whole)
            if not line.src:
                continue
            for src, dest, ref in filter(None, ((line.src, line.given, line.ref), line.other)):
                j.fire("MAN011", filenames.is_unsafe(dest, self.ini.wide) or filenames.is_unsafe(ref, self.ini.wide))
                j.fire("MAN046", len(dest) > LONGEST_PATH)
                j.fire("MAN030", is_unsound(dest, src))
            src, dest = filenames.fold(line.src), filenames.fold(line.dest)
            found = self.by_key.get(src)
            j.fire("MAN023", places.setdefault(dest, src) != src)
            j.fire("MAN008", is_manifest(dest) and line.flags != 3)
            if not j.fire("MAN004", not found):
                j.fire("MAN034", filenames.fold_ascii(line.src) != filenames.fold_ascii(found[0].name))
                self.judge_member(line, found, listed)
                j.fire("MAN004", line.other and filenames.fold(line.other[0]) not in self.by_key)
            if line.other:
                self.name_further(line.other[1], self.by_key.get(filenames.fold(line.other[0]), ()))
        j.fire("MAN036", any(m.is_patch for m in self.members))
        j.fire("MAN022", any(n > 1 for n in listed.values()))
        j.fire("MAN007", any(m.key not in listed for m in self.members))

    def judge_member(self, line, found, listed):
        first = found[0]
        self.judge_unpacking(line, first)
        first.is_patch = line.asks_patch and (first.is_patch if first.key in listed else self.is_delta(first))
        self.judge_numbers(line, first)
        listed[first.key] = listed.get(first.key, 0) + 1
        if not first.is_patch:
            self.name_further(line.given, found)

    def judge_unpacking(self, line, member):
        """6.7: what Setup can make a file of."""
        if member.end > self.directory :
            return
        if line.asks_patch:
            self.j.fire("MAN047", not self.begins_with(member, DELTA))
        elif line.given and not line.ref and filenames.extension(member.name) == "uz" and filenames.extension(line.given) != "uz":
            self.j.fire("MAN047", not self.begins_with(member, DOWNLOAD))

    def begins_with(self, member, magic):
        return member.end <= self.directory and member.size >= len(magic) and self.j.file.bytes(member.offset, len(magic)) == magic

    def is_delta(self, member):
        return self.begins_with(member, DELTA)

    def name_further(self, dest, members):
        if dest:
            self.further_names += [(dest, m) for m in members]

    def judge_numbers(self, line, member):
        if line.size is not None and not member.is_patch:
            if member.key == SYSTEM + "manifest.ini":
                self.j.fire("MAN005", line.size > member.size, lesser=True)
            else:
                self.j.fire("MAN005", line.size != member.size)
        self.j.fire("MAN006", line.flags != member.flags)

    # -- 6.13

    def judge_placeholders(self):
        own = [self.by_key[SYSTEM + name][:1] for name in ("manifest.ini", "manifest.int") if SYSTEM + name in self.by_key]
        foreign = any(is_manifest(m.key) and [m] not in own for m in self.members)
        for section in self.ini.sections.values():
            for key, value in section.lines:
                if key in INSTALLS | PATH_ACTIONS | INI_ACTIONS:
                    self.judge_placeholders_of(key, value, foreign)

    def judge_placeholders_of(self, key, value, foreign):
        place, path, end = 0, len(value), len(value)
        if key in INI_ACTIONS:
            path = len(value.partition(",")[0])
            end = path + len(value[path:].partition("=")[0])
        for n, part in enumerate(value.split("%")):
            opened = place - 1
            place += len(part) + 1
            becomes = self.is_replaced(part.strip(BLANK), foreign, key not in INSTALLS and opened < path) if n % 2 and opened < end else False
            self.j.fire("MAN037", becomes is None)
            if becomes:
                self.j.fire("MAN032", True, lesser=opened > path or key == "removepath")
                return

    def is_replaced(self, key, foreign, in_path):
        """None: nobody knows."""
        if "=" in key:
            return False
        if len(key) > 255 or filenames.fold(key) in FOLDERS_OF_SETUP:
            return True
        meanings = self.ini.meanings.get(filenames.fold(key), [])
        meanings = meanings + (self.int.meanings.get(filenames.fold(key), []) if self.int else [])
        if filenames.fold(key) == "language":
            meanings = meanings + ["int"]
        if not meanings:
            return None if foreign else False
        return not in_path or not all(map(is_harmless, meanings))

    # -- 6.10

    def judge_actions(self):
        for section in self.ini.sections.values():
            for key, value in section.lines:
                if key == "folder":
                    self.j.fire("MAN046", len(value) > LONGEST_PATH)
                if key in PATH_ACTIONS:
                    self.j.fire("MAN024", filenames.is_unsafe(value, self.ini.wide), lesser=key == "removepath")
                elif key in INI_ACTIONS:
                    self.judge_ini(key, value)
                self.j.fire("MAN038", key == "directxhook" and value)
                self.j.fire("MAN042", key == "winregistry" and not is_registry(value))
                self.j.fire("MAN012", key in DANGEROUS)

    def judge_ini(self, key, value):
        path, comma, rest = value[key == "ini" and value[:1] == "!":].partition(",")
        path = path.strip(BLANK)
        self.j.fire("MAN046", key in ("ini", "addini", "saveini") and len(path) > LONGEST_PATH)
        self.j.fire("MAN024", filenames.is_unsafe(path, self.ini.wide))
        where = filenames.fold(path)
        if "\\" in where:
            folder, _, file = where.rpartition("\\")
            self.j.fire("MAN012", folder.rstrip("\\") != "system" or file in ("manifest", "manifest.ini"))
        else:
            self.j.fire("MAN012", path and not (key not in ("ini", "saveini") and filenames.fold_ascii(path) in IN_SYSTEM))
        place, equals, what = rest.partition("=")
        name, dot, setting = place.rpartition(".")
        self.j.fire("MAN012", filenames.fold_ascii(name.lstrip(BLANK) + dot).startswith("core."))
        whole = {"ini": comma and equals and dot, "addini": comma and equals and dot, "saveini": comma and "." in rest}.get(key, True)
        if self.j.fire("MAN042", not whole):
            return
        extension = filenames.extension(path)
        harms = (filenames.is_program(path) or self.promises(path)) and "." in (path[-4:-3], path[-5:-4])
        if not self.j.fire("MAN041", harms or "%" in extension):
            self.j.fire("MAN041", extension not in SETTINGS, lesser=True)
        if key not in ("ini", "addini"):
            return
        if not self.j.fire("MAN013", not name.strip(BLANK) or not setting) and filenames.fold_ascii(setting) == "serverpackages":
            self.judge_server_package(what.strip(BLANK))

    def requires_other_mods(self):
        required = [self.ini.sections[name] for name in self.required & set(self.ini.sections)]
        return any(filenames.fold_ascii(v or "") not in GAMES for section in required for v in section.values("product"))

    def judge_server_package(self, package):
        if package == "" or self.requires_other_mods():
            return
        names = {filenames.fold(re.sub(r"\.[^.]*$", "", filenames.components(m.name)[-1])) for m in self.members}
        self.j.fire("MAN014", filenames.fold(package) not in names)


def is_unsound(dest, src):
    """4.3, 4.8, 4.9 and 4.6, asked of a Dest."""
    parts = filenames.components(dest)
    program = filenames.is_program(dest) and not filenames.is_program(src)
    return filenames.is_deceptive(dest) or filenames.has_reserved(dest) or "." in parts or "" in parts[1:] or program


def is_harmless(value):
    """6.13: what may stand anywhere in a path."""
    return re.fullmatch("[A-Za-z0-9\xc0-\xff _-]+", value) is not None and not any(value.upper() in device for device in DEVICES)


def is_registry(value):
    """root\\path\\name=value, with a root that Setup knows."""
    name, equals, _ = value.partition("=")
    root, *rest = name.split("\\")
    return equals and len(rest) > 1 and filenames.fold_ascii(root) in ROOTS


def is_manifest(key):
    return key.startswith(SYSTEM + "manifest.") and "\\" not in key[len(SYSTEM):]


def judge(judgement, members, directory, promises):
    """Returns the names that lines give to members where they install them, each with its member."""
    installer = Installer(judgement, members, directory, promises)
    installer.judge()
    return installer.further_names
