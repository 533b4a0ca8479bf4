"""What a reader sees in an archive, and how two of these are compared."""
import typing
import zlib

FILE, FOLDER, LINK, HARD_LINK, OTHER = "file", "folder", "link", "hard link", "other"
LARGEST = 64 << 20                  # bytes of one member that are read; more is a refusal


class Member(typing.NamedTuple):
    """What a reader does not tell is None."""
    name: bytes
    kind: str
    size: int = None
    digest: int = None              # CRC-32 of the content
    target: bytes = None            # of a link


class View(typing.NamedTuple):
    refusal: str = ""               # in words without names and numbers of the file
    members: tuple = ()
    content: tuple = None           # bytes and CRC-32 of all files one behind the other, from a reader that gives no more
    counts: tuple = None            # files and their bytes, from one that gives only these

    def joined(self):
        """What content is of this view, if it has the bytes of members."""
        if self.content:
            return self.content
        files = [m for m in self.members if m.kind == FILE]
        if any(m.kind not in (FILE, FOLDER) or m.size is None for m in self.members) or any(m.digest is None for m in files):
            return None
        return (sum(m.size for m in files), joined_digest(files))


def joined_digest(files):
    value = 0
    for m in files:
        value = crc32_combine(value, m.digest, m.size)
    return value


def crc32_combine(first, second, length):
    """The CRC of two stretches one behind the other, the second of which has this length: the CRC of zeros moves the first one on."""
    return zeros_behind(first, length) ^ second


def zeros_behind(crc, length):
    """What a CRC becomes of the bytes before, where so many bytes follow it and only it is asked for."""
    zeros = bytes(min(length, 1 << 16))
    plain = 0
    while length:
        piece = zeros[:length]
        crc, plain, length = zlib.crc32(piece, crc), zlib.crc32(piece, plain), length - len(piece)
    return crc ^ plain


def name_without_form(name):
    """Names are compared as paths: a folder may have a slash at its end, and a path may begin with ./"""
    while name.startswith(b"./"):
        name = name[2:]
    name = name.rstrip(b"/")
    return b"" if name == b"." else name


def prove():
    """That views which differ are told, and those that do not are not: first of all a comparison must be able to fail."""
    of = [Member(name, FILE, len(data), zlib.crc32(data)) for name, data in ((b"a", b"one"), (b"b/", b"three"))]
    one = View(members=tuple(of))
    assert one.joined() == (8, zlib.crc32(b"onethree"))
    assert not Compared(one, View(members=(of[1]._replace(name=b"./b"), of[0])), True).difference()
    assert not Compared(one, View(members=(Member(b"a", None), Member(b"b", None)), content=one.joined()), False).difference()
    assert not Compared(one, View(counts=(2, 8)), True).difference()
    for change in ({"name": b"c"}, {"kind": FOLDER}, {"size": 4}, {"digest": 0}):
        assert Compared(one, View(members=(of[0]._replace(**change), of[1])), True).difference(), change
    assert Compared(one, View(members=(of[0],)), True).difference() and Compared(one, View(counts=(2, 9)), True).difference()
    assert Compared(one, View(members=(Member(b"a", None), Member(b"b", None)), content=(8, 0)), False).difference()


def is_plain(name):
    """Readers show other characters than these in ways of their own, which is no difference of what they see."""
    return all(0x20 < c < 0x7F and c not in b'"*:<>?\\|' for c in name)


class Compared:
    """The first difference of two views, as words; empty if they agree."""

    def __init__(self, one, other, exact):
        self.one, self.other, self.exact = one, other, exact

    def difference(self):
        one, other = self.one, self.other
        if other.counts or one.counts:
            return self.in_counts()
        if len(one.members) != len(other.members):
            return f"members: {len(other.members)}, not {len(one.members)}"
        for a, b in zip(sorted(one.members, key=self.order), sorted(other.members, key=self.order)):
            if words := self.in_member(a, b):
                return words
        a, b = one.joined(), other.joined()
        if (one.content or other.content) and a and b and a != b:
            return f"content of all: {b[0]} bytes, not {a[0]}" if a[0] != b[0] else "content of all: other bytes"
        return ""

    def order(self, member):
        return (name_without_form(member.name), member.kind, member.size or 0) if self.exact else 0

    def in_counts(self):
        counts, listed = (self.other.counts, self.one) if self.other.counts else (self.one.counts, self.other)
        files = [m for m in listed.members if m.kind == FILE]
        if any(m.size is None for m in files):
            return ""
        expected = (len(files), sum(m.size for m in files))
        return "" if counts == expected else f"counts: {counts[0]} files of {counts[1]} bytes, not {expected[0]} of {expected[1]}"

    def in_member(self, a, b):
        if name_without_form(a.name) != name_without_form(b.name) and (self.exact or is_plain(a.name) and is_plain(b.name)):
            return f"name: {b.name!r}, not {a.name!r}"
        if a.kind and b.kind and a.kind != b.kind:
            return f"kind: {b.kind}, not {a.kind}"
        for what in ("size", "digest", "target"):
            mine, theirs = getattr(a, what), getattr(b, what)
            if mine is not None and theirs is not None and mine != theirs and (what != "size" or a.kind == FILE):
                return f"{'content' if what == 'digest' else what}: {theirs!r}, not {mine!r}"
        return ""
