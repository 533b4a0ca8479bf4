"""The files of a container, from chapter 1 of conformance/spec/iostore.md."""
import re
import struct

from .core import File, Folder
from .filenames import ending_of
from .filenames import fold_ascii as fold

RULES = {f"SET{n:03}" for n in (*range(1, 10), 13, 16, 23, *range(25, 32), 35)}
SHORTEST_PAK = 44
PAK_MAGIC = 0x5A6F12E1
PAK_PLACES = {**dict.fromkeys(range(1, 8), (44,)), 8: (172, 204), 9: (205,), **dict.fromkeys(range(10, 13), (204,)), 15: (245,)}
LARGEST_PATCH = 0x7FFFFFFF
PATCH = re.compile(r".*_([+-]?[0-9][^_]*)_P\Z", re.I | re.S)


class Siblings:
    """The files beside a container, found in any case; how they are spelt is asked where no file has the very name."""

    def __init__(self, container):
        self.beside = container.file.beside
        self.names = {fold(n): n for n in sorted(self.beside.names(), reverse=True)} if self.beside else {}

    def spelling(self, name):
        """The name of the file on the disk, or None if there is none."""
        if self.beside is None:
            return None
        return name if self.beside.get(name) is not None else self.names.get(fold(name))

    def data(self, name):
        spelling = self.spelling(name)
        return self.beside.get(spelling) if spelling is not None else None


MAX_PARTITIONS = 1024            # of more than so many none is looked for


def partition_name(stem, k):
    return f"{stem}_s{k}.ucas" if k else f"{stem}.ucas"


def judge_name(c):
    """1.6, 1.7, 1.13 and 1.23."""
    j = c.j
    if j.fire("SET013", c.is_global):
        return
    j.fire("SET006", not c.is_patch)
    number = PATCH.match(c.stem[:-2] if fold(c.stem).endswith(".o") else c.stem)
    plain = number and re.fullmatch("0|[1-9][0-9]*", number[1])
    j.fire("SET007", number and not (plain and int(number[1]) <= LARGEST_PATCH))
    j.fire("SET023", fold(c.stem).endswith(".o") or "optional" in fold(c.stem))


def judge_spelling(c, names):
    found = ((name, c.siblings.spelling(name)) for name in names)
    own = fold(c.file.name[-5:]) == ".utoc" and (c.file.name[-5:] != ".utoc" or (c.is_global and c.stem != "global"))
    c.j.fire("SET005", own or any(spelt not in (None, name) for name, spelt in found))


def find_footer(pak):
    """Where the footer of a .pak is and its version, or None (1.9)."""
    places = sorted({n for some in PAK_PLACES.values() for n in some if n <= len(pak)})
    found = [n for n in places if struct.unpack("<I", pak[len(pak) - n:][:4])[0] == PAK_MAGIC]
    if len(found) != 1:
        return None
    at, version = len(pak) - found[0], struct.unpack("<I", pak[len(pak) - found[0] + 4:][:4])[0]
    known = found[0] in PAK_PLACES.get(version, ()) and at >= (17 if version >= 7 else 1 if version >= 4 else 0)
    return (at, version) if known else None


def judge_pak(c, pak):
    """1.8, 1.9, 1.16 and 1.25 to 1.28."""
    j = c.j
    if j.fire("SET008", len(pak) < SHORTEST_PAK):
        return
    footer = find_footer(pak)
    if j.fire("SET009", footer is None):
        return
    begin, version = footer
    at, size = struct.unpack("<QQ", pak[begin + 8:][:16])
    j.fire("SET016", size < 8 or at + size > begin)
    key = pak[begin - 17:][:16] if version >= 7 else bytes(16)
    j.fire("SET025", c.encrypted and bytes(c.file.bytes(64, 16)) != key)
    j.fire("SET027", not c.encrypted and any(key))
    j.fire("SET028", c.version <= 8 and version > (11 if c.version <= 7 else 12), lesser=c.version >= 5)
    j.fire("SET026", c.version >= 3 and version == 9 and pak[begin + 44])
    flag = pak[begin - 1] if version >= 4 else 0
    plain = size >= 13 and at + size <= begin and pak[at + 4:at + 13] == b"../../../"
    if flag:
        loose = version <= 12 and size % 16
        j.fire("SET029", plain or loose or flag != 1, lesser=not plain and not loose)
    names = pak[begin + 44 + (version == 9):len(pak) - (41 if version == 15 else 0)] if version >= 8 else b""
    j.fire("SET030", any(0 not in names[i:i + 32] for i in range(0, len(names), 32)))


def pak_beside(c, name, pak):
    """10.1: the pak is judged as a file in the container, beside the files that are beside both."""
    file = File(name, pak, Folder(c.file.beside.path, name), c.file.keys, c.file.level).aimed_as(c.file)
    file.part = True
    return name, file, "pak"


def judge(c):
    j = c.j
    is_named = fold(c.file.name[-5:]) == ".utoc"
    ending = ending_of(c.file.name)
    j.fire("SET031", c.file.beside is not None and ending and ending != ".utoc")
    if is_named:
        judge_name(c)
    c.siblings = Siblings(c)
    count = c.h["n_partitions"] if c.version >= 3 else 1
    c.partitions = [c.siblings.data(partition_name(c.stem, k)) for k in range(count if count <= MAX_PARTITIONS else 0)]
    pak = c.siblings.data(c.stem + ".pak")
    if not is_named and (pak is None or c.partitions[:1] in ([], [None])):
        c.file.beside = None     # run.md 1.8
    if c.file.beside is None:
        return
    j.fire("SET001", pak is None and not c.is_global and not fold(c.stem).endswith(".o"))
    if pak is not None:
        if c.flag(4):
            j.fire("SET035", c.siblings.data(c.stem + ".sig") is None)
        judge_pak(c, pak)
        c.inside.append(pak_beside(c, c.siblings.spelling(c.stem + ".pak"), pak))
    j.fire("SET002", c.partitions[:1] == [None])
    j.fire("SET003", None in c.partitions[1:])
    judge_spelling(c, [c.stem + ".pak"] + [partition_name(c.stem, k) for k in range(len(c.partitions))])
    if c.version >= 3:
        numbers = (re.fullmatch(re.escape(fold(c.stem)) + r"_s([1-9][0-9]*)\.ucas", n) for n in c.siblings.names)
        j.fire("SET004", any(m and int(m[1]) >= count for m in numbers))
