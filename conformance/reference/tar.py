"""Tars, from conformance/spec/tar.md, chapters 1 to 3."""
from . import members, second
from .members import BLOCK, Member, Name

RULES = members.RULES | members.FILE_RULES | {f"ARC{n:03}" for n in (15, 140, 141, 142, 143, 144, 145, 146, 147, 152, 167, 168, 169, 170, 171, 172, 210, 211, 212)}
LABELS = {"header", "member"}
EXTENSIONS = ["tar"]
LARGEST = (1 << 63) - 1
BEFORE = b"xXgLK"
LARGEST_CONTENT = 1 << 26


def what_it_is(file):
    found = members.signature(file.data)
    if found is None and members.promise(file.name) == "tar":
        first = file.data[:BLOCK]
        return "tar" if len(first) == BLOCK and (not any(first) or first[257:262] == b"ustar") else None
    return found


def looks_like(file):
    found = members.signature(file.data)
    return found == "tar" or (found is None and members.promise(file.name) == "tar")


def number(field):
    """(value, what is wrong): a number of a header (2.3)."""
    if field[0] & 0x80:
        if field[0] & 0x40:
            return None, "negative"
        value = int.from_bytes(bytes([field[0] & 0x3F]) + field[1:], "big")
        return (value, None) if value <= LARGEST else (None, "negative")
    rest = field.lstrip(b" ")
    digits = rest[:len(rest) - len(rest.lstrip(b"01234567"))]
    if rest[len(digits):].strip(b" \0"):
        return None, "text"
    return int(digits or b"0", 8), None


def is_sound(field):
    """2.10."""
    return field[0] in (0x80, 0xFF) if field[0] & 0x80 else number(field)[1] is None


def is_odd(at, field):
    """2.15, of a field that is a number."""
    if not is_sound(field):
        return False
    if not field[0] & 0x80:
        return field[0] == 0x20 and not field.strip(b" \0")
    value = int.from_bytes(field[1:], "big") - (1 << 8 * (len(field) - 1) if field[0] == 0xFF else 0)
    if at == 136:
        return not -1 << 63 <= value < 1 << 63
    return at not in (108, 116) or not 0 <= value < 1 << 32


def decimal(value):
    if not value.isdigit() or not value.isascii():
        return None, "text"
    return (int(value), None) if int(value) <= LARGEST else (None, "negative")


def until_nul(data):
    return data.partition(b"\0")[0]


class Header:
    def __init__(self, block):
        self.form = "gnu" if block[257:265] == b"ustar  \0" else "ustar" if block[257:263] == b"ustar\0" else "v7"
        self.name, self.link = until_nul(block[:100]), until_nul(block[157:257])
        prefix = until_nul(block[345:500]) if self.form == "ustar" else b""
        self.path = prefix + b"/" + self.name if prefix else self.name
        self.type = block[156:157]
        self.mode = number(block[100:108])[0] or 0
        self.size, self.trouble = number(block[124:136])
        self.goes_on = self.form == "gnu" and block[482] != 0
        self.real = number(block[483:495])[0] or 0
        self.block = block

    def has_malformed(self, other_size):
        """2.10."""
        places = [(100, 8), (108, 8), (116, 8), (136, 12), (148, 8), (329, 8), (337, 8)] + ([(124, 12)] if other_size else [])
        return not all(is_sound(self.block[at:at + n]) for at, n in places)

    def has_odd(self):
        """2.15."""
        return any(is_odd(at, self.block[at:at + n]) for at, n in ((100, 8), (108, 8), (116, 8), (136, 12), (148, 8), (329, 8), (337, 8)))

    def has_unused(self):
        """2.11: whether, and whether it may be a time."""
        b = self.block
        if self.form == "v7":
            return b[345] != 0, False
        if self.form != "gnu" or self.type in (b"S", b"M"):
            return False, False
        if b[386] or b[483]:
            return True, False
        return b[345] != 0, number(b[345:357])[1] is None


class Before:
    """What headers before a member's own say of it."""

    def __init__(self, j):
        self.j, self.said, self.sparse, self.binary, self.real = j, {}, False, False, None
        self.map, self.major, self.minor = [], None, None
        self.of_next = self.has_pax = False

    def say(self, what, value):
        self.j.fire("ARC145", self.said.get(what) not in (None, b"", value))
        self.said[what] = value

    def take(self, header, data):
        if header.type in (b"L", b"K"):
            self.j.fire("ARC171", not until_nul(data))
            self.say("long_path" if header.type == b"L" else "long_link", until_nul(data))
        elif header.type == b"g":
            other = Before(self.j)
            other.records(data)
            self.j.fire("ARC145", bool({"path", "linkpath", "size"} & other.said.keys()) or other.sparse)
        else:
            self.j.fire("ARC145", self.has_pax)
            self.has_pax = True
            self.records(data)

    def records(self, data):
        seen, at = set(), 0
        self.map.append([])
        while at < len(data):
            record = read_record(data[at:])
            if self.j.fire("ARC144", record is None):
                return
            key, value, length = record
            at += length
            self.record(key, value, seen)

    def record(self, key, value, seen):
        name = key.decode("latin-1")
        self.j.fire("ARC144", b"\0" in key or ("." not in name and name != "path" and b"\0" in value))
        if name in ("path", "linkpath", "size"):
            self.j.fire("ARC144", value == b"" or name in seen)
            if name in seen:
                self.said[name] = value
            else:
                self.say(name, value)
            seen.add(name)
        elif name == "hdrcharset":
            self.binary = value == b"BINARY"
        elif name.startswith("GNU.sparse.") or name in ("SCHILY.realsize", "SUN.holesdata"):
            self.sparse = True
            self.map[-1].append((name, value))
            if name in ("GNU.sparse.major", "GNU.sparse.minor"):
                setattr(self, name[11:], value)
            if name == "GNU.sparse.name":
                self.said["sparse_name"] = value
            elif name in ("GNU.sparse.size", "GNU.sparse.realsize", "SCHILY.realsize"):
                self.real = value

    def settle(self):
        for a, b in (("path", "long_path"), ("linkpath", "long_link")):
            a, b = self.said.get(a), self.said.get(b)
            self.j.fire("ARC145", bool(a) and bool(b) and a != b)

    def name(self, header):
        for what in ("sparse_name", "path"):
            if self.said.get(what):
                return Name(self.said[what], not self.binary)
        return Name(self.said.get("long_path") or header.path, False)

    def target(self, header):
        if self.said.get("linkpath"):
            return Name(self.said["linkpath"], not self.binary)
        return Name(self.said.get("long_link") or header.link, False)


def read_record(data):
    """(key, value, length), or None where it is malformed."""
    digits, space, _ = data.partition(b" ")
    if not space or not 1 <= len(digits) <= 9 or not digits.isdigit():
        return None
    length = int(digits)
    if length < len(digits) + 3 or length > len(data) or data[length - 1:length] != b"\n":
        return None
    key, equals, value = data[len(digits) + 1:length - 1].partition(b"=")
    return (key, value, length) if equals and key else None


def old_map(blocks):
    """Pairs of an offset and a length, or None."""
    out, is_over = [], False
    for field in (block[at:at + 24] for block in blocks for at in range(0, len(block), 24)):
        if field[0] == 0 and field[12] == 0:
            is_over = True
            continue
        pair = number(field[:12])[0], number(field[12:])[0]
        if is_over or None in pair:
            return None
        out.append(pair)
    return out


def record_map(records):
    lists = [value for name, value in records if name == "GNU.sparse.map"]
    single = [(name, value) for name, value in records if name in ("GNU.sparse.offset", "GNU.sparse.numbytes")]
    if not lists and not single or len(lists) > 1 or (lists and single):
        return None
    if any(name != ("GNU.sparse.offset", "GNU.sparse.numbytes")[i % 2] for i, (name, _) in enumerate(single)):
        return None
    return pairs_of(decimal(value)[0] for value in (lists[0].split(b",") if lists else [value for _, value in single]))


def line_map(data):
    """The pairs, and how many bytes the map has."""
    at, numbers, count = 0, [], None
    while count is None or len(numbers) < 2 * count:
        line, found, _ = data[at:at + 20].partition(b"\n")
        value = decimal(line)[0] if found else None
        if value is None:
            return None, 0
        at += len(line) + 1
        if count is None:
            count = value
        else:
            numbers.append(value)
    return pairs_of(numbers), min(len(data), -(-at // BLOCK) * BLOCK)


def pairs_of(numbers):
    numbers = list(numbers)
    return None if None in numbers or len(numbers) % 2 else list(zip(numbers[::2], numbers[1::2]))


KINDS = {b"1": "hardlink", b"2": "symlink", b"3": "device", b"4": "device", b"5": "folder", b"6": "pipe", b"D": "folder"}


class Reader:
    def __init__(self, j):
        self.j, self.data, self.size = j, j.file.data, len(j.file)
        self.at = self.begin = 0
        self.members, self.covers, self.after = [], [], self.size
        self.before = Before(j)
        self.is_pax = self.cut = False

    def read(self):
        """Whether the end was found."""
        while self.size - self.at >= BLOCK:
            block = bytes(self.data[self.at:self.at + BLOCK])
            self.j.work.spend(BLOCK // 8)
            if not any(block):
                return self.end()
            if self.j.fire("ARC140", not members.has_sum(block)):
                return False
            if not self.header(Header(block)):
                return False
        rest = any(self.data[self.at:self.size])
        return not self.j.fire("ARC004", rest) and self.end()

    def end(self):
        rest = self.data[self.at:self.size]
        n = len(rest) - len(rest.lstrip(b"\0"))
        after = self.at + n // BLOCK * BLOCK if n < len(rest) else self.size
        self.j.fire("ARC142", (after - self.at) // BLOCK < 2)
        self.j.fire("ARC143", after < self.size)
        in_zeros = self.size % BLOCK and self.at // BLOCK == self.size // BLOCK and not any(rest)
        self.j.fire("ARC210", self.cut or in_zeros, lesser=not self.cut)
        self.after = after
        self.j.fire("ARC169", self.before.of_next)
        return True

    def header(self, h):
        head = self.at
        self.at += BLOCK
        early = h.type in [bytes([c]) for c in BEFORE]
        other_size = self.before.said.get("size") and not early
        self.j.fire("ARC167", h.has_malformed(other_size))
        self.j.fire("ARC212", h.has_odd())
        unused, is_time = h.has_unused()
        self.j.fire("ARC168", unused, lesser=is_time)
        self.j.fire("ARC147", h.type not in [b"\0", b"S", *(bytes([c]) for c in b"01234567" + BEFORE)])
        if other_size:
            h.size, h.trouble = decimal(self.before.said["size"])
        if h.trouble:
            self.j.fire("ARC141")
            return False
        has_bytes = not b"1" <= h.type <= b"6"
        self.is_pax |= h.type in (b"x", b"X", b"g")
        followed = (h.type != b"1" or self.is_pax) and any(self.data[self.at:self.at + BLOCK])
        self.j.fire("ARC141", h.size > 0 and not has_bytes, lesser=not followed)
        self.j.fire("ARC170", h.size > 0 and h.type in (b"V", b"N"))
        length = h.size if has_bytes else 0
        self.blocks = []
        if h.type == b"S" and h.goes_on and not self.map():
            return False
        left = self.size - self.at
        beyond = self.j.fire("ARC141", length > left)
        self.before.of_next |= h.type in (b"x", b"X", b"L", b"K")
        self.j.fire("ARC169", self.before.of_next and h.type in (b"V", b"N") and not beyond)
        if early and not beyond:
            behind = self.data[self.at + length:self.at + length + 1] if length % BLOCK and h.type in (b"L", b"K") else b""
            self.j.fire("ARC145", any(behind) and b"\0" not in bytes(self.data[self.at:self.at + length]))
            self.before.take(h, bytes(self.data[self.at:self.at + length]))
        elif not early and h.type not in (b"V", b"N"):
            self.member(h, head, min(length, left), beyond)
        if beyond:
            return False
        self.at += -(-length // BLOCK) * BLOCK
        self.cut, self.at = self.at > self.size, min(self.size, self.at)
        if not early:
            self.before, self.begin = Before(self.j), self.at
        return True

    def map(self):
        goes_on = True
        while goes_on:
            if self.j.fire("ARC004", self.size - self.at < BLOCK):
                return False
            goes_on = self.data[self.at + 504] != 0
            self.blocks.append(bytes(self.data[self.at:self.at + 504]))
            self.at += BLOCK
        return True

    def content(self, h, at, length, real):
        """The content of a sparse member, or None where it is not known (2.8)."""
        b, head = self.before, 0
        if h.type == b"S":
            pairs = old_map([h.block[386:482]] + self.blocks) if h.form == "gnu" and not b.sparse else None
        elif h.type not in (b"\0", b"0") or not b.real or len([m for m in b.map if m]) > 1:
            pairs = None
        elif b.major and decimal(b.major)[0] == 1 and decimal(b.minor or b"")[0] == 0:
            pairs, head = line_map(bytes(self.data[at:at + length]))
        else:
            pairs = record_map([m for m in b.map if m][0]) if not b.major or decimal(b.major)[0] == 0 else None
        if pairs is None or sum(n for _, n in pairs) != length - head:
            return None
        end, at, pieces = 0, at + head, []
        for to, n in pairs:
            if to < end or to + n > real:
                return None
            pieces.append((to, at, n))
            end, at = to + n, at + n
        if end != real:
            return None
        self.limited = real > LARGEST_CONTENT or (real > 1 << 24 and real // 1000 > length)
        size = min(real, BLOCK) if self.limited else real
        out = bytearray(size)
        for to, place, n in pieces:
            n = max(0, min(n, size - to))
            out[to:to + n] = self.data[place:place + n]
        return bytes(out)

    def member(self, h, head, length, beyond):
        name = self.before.name(h)
        kind = KINDS.get(h.type) or ("folder" if h.type in (b"\0", b"0") and name.text[-1:] == "/" else "file")
        self.before.settle()
        sparse = self.before.sparse or h.type == b"S"
        real = h.real if h.type == b"S" else length
        if h.type != b"S" and self.before.real and decimal(self.before.real)[0] is not None:
            real = decimal(self.before.real)[0]
        content = self.content(h, self.at, length, real) if sparse and kind == "file" and not beyond else None
        self.j.fire("ARC146", sparse, lesser=content is not None)
        first = content[:BLOCK] if content is not None else b"" if sparse else bytes(self.data[self.at:self.at + min(length, BLOCK)]) if self.at == head + BLOCK else b""
        target = self.before.target(h) if kind in ("hardlink", "symlink") else None
        m = Member(name, kind, target, bool(h.mode & 0o6000), first)
        m.to, m.bytes, m.stored = None, None, None
        self.j.fire("ARC211", name.text[-1:] == "/" and length == 0 and h.type in (b"0", b"7"))
        self.j.fire("ARC170", (name.text[-1:] == "/") == (h.type != b"D") and length > 0)
        by_name = length > 0
        if kind == "hardlink":
            self.follow(m)
        self.replace(m)
        self.members.append(m)
        self.j.region("header", self.begin, self.at - self.begin)
        if length:
            self.j.region("member", self.at, length)
            self.covers.append((second.WHOLE if real == length else second.PACKED, self.at, length))
        if kind == "file" and not sparse:
            m.stored = bytes(self.data[self.at:self.at + length])
        if (kind == "file" or (kind == "folder" and by_name)) and not sparse and not beyond:
            m.bytes = bytes(self.data[self.at:self.at + length])
        elif content and not self.limited:
            m.bytes = content

    def follow(self, m):
        """2.9."""
        self.j.work.spend(len(self.members) // 16)
        earlier = [other for other in self.members if other.key == members.key(m.target.text)]
        same = [other for other in earlier if members.path(other.name.text) == members.path(m.target.text)]
        self.j.fire("ARC152", not earlier)
        if earlier:
            m.to = (same or earlier)[-1]
            content = final(m)
            if content.kind == "symlink":
                link = Member(m.name, "symlink", content.target)
                m.out = members.leaves(link)
            m.is_opened = content.kind == "file"

    def replace(self, m):
        """Of members of one name the last counts (2.5)."""
        if m.kind == "folder":
            return
        self.j.work.spend(len(self.members) // 16)
        mine = members.path(m.name.text)
        for other in self.members:
            if other.kind != "folder" and other.key == m.key and members.path(other.name.text) == mine:
                other.replaced = True

    def files(self):
        """The files to check: each a name, whether its bytes say that it is checked, and the bytes."""
        for m in self.members:
            if m.to is not None and m.to.replaced:
                last = self.last(m.to)
                self.j.fire("ARC172", last is not m, lesser=last.stored is not None and last.stored == final(m).stored)
            content = final(m)
            if content.bytes is not None and not m.replaced:
                first = Member(content.name, "file", first=content.first)
                yield m.name.text.removesuffix("/") if m.kind == "folder" else m.name.text, members.is_checked(first), content.bytes

    def last(self, target):
        mine = members.path(target.name.text)
        return [m for m in self.members if m.kind != "folder" and members.path(m.name.text) == mine][-1]


def final(m):
    """What has the content of a member: of a hard link what it leads to."""
    while m.to is not None:
        m = m.to
    return m


def judge(j, promises):
    what = what_it_is(j.file)
    if not members.judge_file(j, what):
        return []
    reader = Reader(j)
    whole = reader.read()
    if whole:
        second.judge(j, "tar", reader.data, reader.after, reader.covers)
    members.judge_members(j, reader.members, True, whole)
    inside = [(name, data) for name, is_checked, data in reader.files() if promises(name) is not None or is_checked]
    inside = members.without_sets(j, inside)
    return sorted(inside, key=lambda n: n[0].lower().endswith(".pak"))
