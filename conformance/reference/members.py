"""What all archives share, from conformance/spec/archive.md: what the first bytes say, and names, kinds and links of members."""
import re

from . import filenames
from .unread import is_unread

MAGICS = (("zip", b"PK\3\4"), ("zip", b"PK\5\6"), ("zip", b"PK\7\x08PK\3\4"), ("zip", b"PK00PK\3\4"), ("7z", b"7z\xbc\xaf\x27\x1c"),
          ("rar", b"Rar!\x1a\7\1\0"), ("rar", b"Rar!\x1a\7\0"), ("gzip", b"\x1f\x8b\x08"), ("xz", b"\xfd7zXZ\0"), ("zstd", b"\x28\xb5\x2f\xfd"),
          ("bzip2", b"BZh"))
PROMISES = {"zip": "zip", "7z": "7z", "rar": "rar", "tar": "tar", "gz": "gzip", "tgz": "gzip", "xz": "xz", "txz": "xz", "zst": "zstd", "tzst": "zstd",
            "bz2": "bzip2", "tbz": "bzip2", "tbz2": "bzip2"}
DOCUMENTS = set("jar docx xlsx pptx odt ods odp numbers pages key apk aar nupkg whl vsix epub xpi ipa".split())
PROGRAMS = set("exe dll bat cmd com scr pif lnk vbs vbe js jse jsh ps1 msi reg hta cpl sh so dylib jar asi wsf msp wsh vb py chm inf scf url application appref-ms settingcontent-ms msc ocx pyw sct wsc ws xll docm "
               "xlsm pptm dotm xltm xlam potm ppsm ppam sldm command desktop appimage appinstaller appx msix jnlp gadget library-ms search-ms".split())
RULES = {f"ARC{n:03}" for n in (14, 16, *range(30, 51), 190, 191, 200, 201, 202)}
FILE_RULES = {"ARC001", "ARC002", "ARC004"}
DATA = set("txt md log rtf pdf htm html xml csv json ini int cfg png jpg jpeg gif bmp tga dds ico svg webp wav ogg mp3 flac mp4 avi ttf otf doc docx".split())
SHORTCUT = b"L\0\0\0\x01\x14\2" + bytes(5) + b"\xc0" + bytes(6) + b"\x46"
BLOCK, SUM_AT, SUM_LEN = 512, 148, 8
SETS = "containers in archives are judged with what lies beside them"


# ------------------------------------------------------------------------------------------------------- signatures

def octal(field):
    """Octal digits with spaces before them, up to a space, a NUL or the end; None for anything else."""
    found = re.match(rb" *([0-7]+)(?:[ \0]|\Z)", field, re.S)
    return int(found.group(1), 8) if found else None


def has_sum(block):
    """Whether a header of a tar has the checksum that it says, over bytes or signed bytes."""
    said = octal(block[SUM_AT:SUM_AT + SUM_LEN])
    taken = block[:SUM_AT] + b" " * SUM_LEN + block[SUM_AT + SUM_LEN:]
    return said is not None and said in (sum(taken), sum(b - 256 if b > 127 else b for b in taken))


def signature(data):
    """What the first bytes say that a file is; None for no archive."""
    first = bytes(data[:BLOCK])
    for what, magic in MAGICS:
        if first.startswith(magic):
            return what
    if len(first) >= 4 and first[0] >> 4 == 5 and first[1:4] == b"\x2a\x4d\x18":
        return "zstd"
    if len(first) == BLOCK and first[0] and has_sum(first):
        return "tar"
    return "unread" if is_unread(first) else None


def promise(name):
    return PROMISES.get(filenames.extension(name))


def judge_file(j, what):
    """The rules for a file as a whole (1.2, 1.3); what is what it is by its bytes. Whether it is an archive."""
    if j.fire("ARC001", what is None):
        return False
    j.fire("ARC002", promise(j.file.name) not in (None, what))
    return True


def without_sets(j, files):
    """The files in an archive, each a name and more, without the containers among them and what may belong to these."""
    if all(filenames.extension(name) != "utoc" for name, *_ in files):
        return files
    j.leave_open(SETS, "RUN008")
    return [file for file in files if filenames.extension(file[0]) not in ("utoc", "pak")]


# ------------------------------------------------------------------------------------------------------------ names

class Name:
    """A stored name as a text. declared: the archive says UTF-8, or has nothing else."""

    def __init__(self, data, declared):
        try:
            self.text, self.known = data.decode("utf-8"), True
        except UnicodeDecodeError:
            self.text, self.known = filenames.from_cp1252(data), False
        self.plain = data.isascii()
        self.legacy = not self.known and not declared
        self.undeclared = self.known and not self.plain and not declared
        self.miscoded = not self.known and declared

    def units(self):
        return len(self.text.encode("utf-16-le")) // 2


class Member:
    """kind: file, folder, symlink, hardlink, device, pipe."""

    def __init__(self, name, kind, target=None, runs_as_owner=False, first=b""):
        self.name, self.kind, self.target, self.runs_as_owner, self.first = name, kind, target, runs_as_owner, first
        self.is_pipe = self.leads = self.leads_far = False      # a file that is a pipe, or a reparse point, besides
        text = name.text
        self.text = text[:-1] if kind == "folder" and len(text) > 1 and text[-1] in "/\\" else text
        self.key = key(self.text)
        self.replaced = self.related = False
        self.name_text = self.text


def key(text):
    """What Windows makes of a name."""
    parts = (filenames.windows_part(part) for part in filenames.components(text))
    return filenames.fold("/".join(part for part in parts if part))


def path(text):
    """What two names have in common that are one file on every system (2.10)."""
    return [part for part in filenames.components(text) if part not in ("", ".")]


def leaves(member):
    """Whether a link leads out (2.18), whatever other links there are."""
    target = member.target.text
    if target[:1] in ("/", "\\") or re.match("[A-Za-z]:", target) or "\0" in target:
        return True
    depth = 0
    if member.kind != "hardlink":
        for part in filenames.components(member.name.text):
            depth += 0 if part in ("", ".") else -1 if part == ".." else 1
        depth -= 1
    least = depth
    for part in filenames.components(target):
        depth += 0 if part in ("", ".") else -1 if part == ".." else 1
        least = min(least, depth)
    return least < 0


def crosses(member, links):
    """Whether a link comes by another and goes up after that, or is too deep to follow; links are keys (2.18)."""
    target = path(member.target.text)
    downs = [i for i, part in enumerate(target) if part != ".."]
    if not downs or ".." not in target[downs[0]:]:
        return False
    way, over = [], False
    for part in path(member.name.text.replace("\\", "/").rpartition("/")[0]) if member.kind != "hardlink" else ():
        way = way[:-1] if part == ".." else way + [part]
        if len(way) > 24:
            return True
    for part in target:
        if part == ".." and over:
            return True
        way = way[:-1] if part == ".." else way + [part]
        if len(way) > 24:
            return True
        over = over or filenames.fold("/".join(way)) in links
    return False


def judge_name(j, m):
    text, parts = m.text, filenames.components(m.text)
    server = len(text) > 1 and text[0] in "/\\" and text[1] in "/\\"
    drive = re.match("[A-Za-z]:", text)
    j.fire("ARC030", text[:1] in ("/", "\\") and text[:1] != "" and not server)
    j.fire("ARC031", server or drive)
    j.fire("ARC032", ".." in parts)
    j.fire("ARC033", "\0" in text)
    turned = m.name.known and any("\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069" for c in text)
    j.fire("ARC034", turned or filenames.has_control(text, m.name.known))
    j.fire("ARC035", "\\" in text)
    j.fire("ARC036", any(c in '<>:"|?*' for c in (text[2:] if drive else text)))
    j.fire("ARC037", any(filenames.is_device(part.lstrip(" ")) or filenames.is_device(part) or
                         filenames.is_device(part.split(".")[0].strip(" ")) for part in parts))
    j.fire("ARC038", any(part not in (".", "..") and part[-1:] in (".", " ") and part for part in parts))
    j.fire("ARC042", m.name.legacy)
    j.fire("ARC042", m.name.undeclared, lesser=True)
    j.fire("ARC043", m.name.miscoded)
    long_part = m.name.known and any(len(part.encode("utf-8", "surrogatepass")) > 255 for part in parts)
    j.fire("ARC044", len(text.encode("utf-16-le", "surrogatepass")) // 2 > 240 or long_part)
    j.fire("ARC045", m.key == "" and (m.kind != "folder" or m.name.text == ""))
    inner = parts[1:] if text[:1] in ("/", "\\") else parts
    j.fire("ARC046", "." in parts or (text != "" and "" in inner))


def is_checked(m):
    """By its first bytes it is an archive, a package or a container (1.9)."""
    return m.kind == "file" and (signature(m.first) is not None or m.first.startswith((b"\xC1\x83\x2A\x9E", b"-==--==--==--==-")))


def is_archive(m):
    """By its first bytes, but for documents that are archives inside (1.9)."""
    return m.kind == "file" and signature(m.first) is not None and filenames.extension(m.name.text) not in DOCUMENTS


def is_pointer(is_file, first):
    """1.16."""
    return is_file and first.startswith(b"version https://git-lfs.github.com/spec/")


def is_promised(name):
    """Whether a file of that name is checked by it."""
    from . import kinds
    return kinds.promised(name) is not None


def cut(last):
    """A last part of a name, without what programs drop at its end (2.25)."""
    return re.sub(r";[0-9]*\Z", "", last.partition(":")[0]).rstrip(". /\\")


def hides_promise(name, is_pipe=False):
    """Whether what programs drop of a name hides its extension (2.25)."""
    text = re.sub(r"[\x00-\x1f\x7f]", "", name).rstrip(". /\\")
    last = re.split(r"[/\\]", text)[-1]
    last = last.encode("utf-16-le", "surrogatepass")[-128:].decode("utf-16-le", "replace")
    return (is_pipe or not is_promised(name)) and is_promised(cut(last))


def is_windows(first):
    number = lambda at, n: int.from_bytes(first[at:at + n], "little")       # noqa: E731
    if not first.startswith(b"MZ") or len(first) < 64:
        return False
    to = number(60, 4)
    if to >= 64 and to + 4 > len(first):
        return len(first) == BLOCK and to < 2 ** 31 - 1
    return (to >= 64 and first[to:to + 4] == b"PE\0\0") or (number(2, 2) < 512 and number(4, 2) > 0 and 2 <= number(8, 2) <= 512)


def begins_as_program(first):
    """2.24."""
    first = bytes(first[:BLOCK])
    macos = first[:4] in (b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe")
    several = first.startswith(b"\xca\xfe\xba\xbe\0\0\0") and first[7:8] and 1 <= first[7] <= 31
    return bool(macos or several or is_windows(first) or first.startswith((b"\x7fELF", SHORTCUT)) or re.match(rb"#![ \t]*/", first))


def is_data(name):
    return is_promised(name) and filenames.extension(name) != "run" or filenames.extension(name) in DATA


def judge_kind(j, m, links):
    link = m.kind in ("symlink", "hardlink") or m.leads
    far = m.target.text and (leaves(m) or ((m.kind in ("symlink", "hardlink") or m.leads) and crosses(m, links)) or getattr(m, "out", False)) if m.target else False
    j.fire("ARC047", link, lesser=not (link and (m.leads_far or far)))
    j.fire("ARC048", m.kind in ("device", "pipe") or m.is_pipe, lesser=m.kind != "device")
    bare = m.text[:-1] if len(m.text) > 1 and m.text[-1] in "/\\" else m.text
    j.fire("ARC049", m.kind == "file" and (filenames.extension(m.text) in PROGRAMS or filenames.extension(bare) in PROGRAMS))
    j.fire("ARC050", m.kind == "file" and m.runs_as_owner)
    j.fire("ARC016", is_archive(m))
    j.fire("ARC190", is_pointer(m.kind == "file", m.first))
    j.fire("ARC200", m.kind in ("symlink", "hardlink") and not getattr(m, "is_opened", False) and hides_promise(m.name.text, True))
    is_pipe = m.kind == "pipe"
    j.fire("ARC202", (m.kind == "file" or is_pipe) and hides_promise(m.name.text, is_pipe))
    named = filenames.extension(m.text) in PROGRAMS or filenames.extension(bare) in PROGRAMS
    j.fire("ARC201", m.kind == "file" and not named and begins_as_program(m.first), lesser=not is_data(m.name.text))


def same_content(a, b):
    """Known to be the same."""
    content = getattr(a, "content", None)
    return content is not None and content == getattr(b, "content", None) and a.kind == b.kind


def judge_pair(j, a, b, appends):
    """Two members of one key, in the order of the list (2.10 to 2.12)."""
    if a.kind == b.kind == "folder":
        return
    b.related = True
    if "folder" in (a.kind, b.kind):
        j.fire("ARC041")
    elif path(a.name.text) != path(b.name.text):
        j.fire("ARC040", lesser=a.key != b.key or not (filenames.is_part(a.text) or filenames.is_part(b.text)) or same_content(a, b))
    else:
        over_link = a.kind != "file" and b.kind == "file"
        j.fire("ARC039", lesser=not over_link if appends else same_content(a, b))


def judge_alike(j, members):
    """Names that are alike (2.11, 2.12)."""
    by_key, files = {}, {}
    for m in members:
        m.alike = filenames.alike(m.key.replace("\\", "/")) if m.name.known else m.key
        by_key.setdefault(m.alike, []).append(m)
        if m.kind != "folder":
            files.setdefault(m.alike, m)
    for group in by_key.values():
        if len({m.key for m in group}) == 1:
            continue
        for i, b in enumerate(group):
            for a in group[:i]:
                if a.key != b.key and (b.alike or "folder" not in (a.kind, b.kind)):
                    judge_pair(j, a, b, False)
    for m in members:
        parts = m.alike.split("\\")
        above = ["\\".join(parts[:n]) for n in range(1, len(parts))]
        m.related = j.fire("ARC041", any(name in files for name in above if name)) or m.related


def judge_members(j, members, appends, whole=True):
    """whole: it is known that there are no others."""
    by_key, files = {}, set()
    links = {m.key for m in members if m.kind in ("symlink", "hardlink") or m.leads}
    for m in members:
        j.work.spend(len(m.text) + 1)
        judge_name(j, m)
        judge_kind(j, m, links)
        by_key.setdefault(m.key, []).append(m)
        if m.kind != "folder":
            files.add(m.key)
    for alike in by_key.values():
        alike.sort(key=lambda m: path(m.name.text))
        for a, b in zip(alike, alike[1:]):
            judge_pair(j, a, b, appends)
    for m in members:
        parts = m.key.split("\\")
        m.related = j.fire("ARC041", any("\\".join(parts[:n]) in files for n in range(1, len(parts)))) or m.related
    judge_alike(j, members)
    filenames.judge_short(j, members)
    if whole:
        j.fire("ARC014", all(m.kind == "folder" for m in members))
