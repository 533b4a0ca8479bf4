"""What all archives share, from conformance/spec/archive.md: what a file is, the names and kinds of members, and their bytes."""
import zlib

from . import filenames
from .members import hides_promise
from .unread import is_unread

SIGNATURES = ((b"PK\3\4", "zip"), (b"PK\5\6", "zip"), (b"PK\7\x08PK\3\4", "zip"), (b"PK00PK\3\4", "zip"), (b"7z\xBC\xAF\x27\x1C", "7z"),
              (b"Rar!\x1A\7\1\0", "rar"), (b"Rar!\x1A\7\0", "rar"), (b"\x1F\x8B\x08", "gzip"), (b"\xFD7zXZ\0", "xz"),
              (b"\x28\xB5\x2F\xFD", "zstd"), (b"BZh", "bzip2"))
OTHER_ENDINGS = {"zip": set("7z rar tar gz tgz xz txz zst bz2 tbz".split())}
DOCUMENTS = set("jar docx xlsx pptx odt ods odp numbers pages key apk aar nupkg whl vsix epub xpi ipa".split())
PROGRAMS = set("exe dll bat cmd com scr pif lnk vbs vbe js jse jsh ps1 msi reg hta cpl sh so dylib jar asi wsf msp wsh vb py chm inf scf url application appref-ms settingcontent-ms msc ocx pyw sct wsc ws xll docm "
               "xlsm pptm dotm xltm xlam potm ppsm ppam sldm command desktop appimage appinstaller appx msix jnlp gadget library-ms search-ms".split())
FILE, FOLDER, LINK, DEVICE, PIPE = "file", "folder", "link", "device", "pipe"
LEGACY, UNSAID, WRONG = "legacy", "unsaid", "wrong"
NAME_MAX, PART_MAX, TARGET_MAX = 240, 255, 4096
RULES = {f"ARC{n:03}" for n in (*range(30, 51), 191, 7, 10, 11, 12, 13, 14, 16, 18, 91)}


def is_tar(first):
    """1.1."""
    if len(first) < 512 or first[0] == 0:
        return False
    digits = first[148:156].lstrip(b" ")
    n = 0
    while n < len(digits) and 0x30 <= digits[n] <= 0x37:
        n += 1
    if n == 0 or digits[n:n + 1] not in (b"", b" ", b"\0"):
        return False
    stated = int(digits[:n], 8)
    taken = first[:148] + b" " * 8 + first[156:512]
    return stated in (sum(taken), sum(b - 256 * (b >= 128) for b in taken))


def signature_of(first):
    """Which archive the first bytes are of, or None."""
    for magic, kind in SIGNATURES:
        if first.startswith(magic):
            return kind
    if is_tar(first):
        return "tar"
    return "unread" if is_unread(first) else None


def decode_name(data, said):
    """The text of stored bytes, whether it is of an encoding that is known, and what is the matter with it."""
    if not any(b >= 0x80 for b in data):
        return data.decode("ascii"), False, None
    try:
        return data.decode("utf-8"), True, None if said else UNSAID
    except UnicodeDecodeError:
        return filenames.from_cp1252(data), False, WRONG if said else LEGACY


class Member:
    """What an archive lists. known: its name is text of a known encoding; size, packed and at are of its bytes."""

    def __init__(self, name, known, trouble, kind):
        self.name, self.known, self.trouble, self.kind = name, known, trouble, kind
        self.size = self.packed = self.at = 0
        self.crc = None
        self.encrypted = self.unknown = self.uncommon = self.sets_user = False
        self.target = self.leads = None

    @property
    def own_name(self):
        """Without the separator at the end of a folder."""
        return self.name[:-1] if self.kind == FOLDER and len(self.name) > 1 and self.name[-1] in "/\\" else self.name


def key_of(name):
    """2: what Windows makes of a name."""
    parts = (filenames.windows_part(part) for part in filenames.components(name))
    return filenames.fold("/".join(part for part in parts if part)).replace("\\", "/")


def path_of(name):
    """2.10: names with the same parts are one file on every system."""
    return tuple(part for part in filenames.components(name) if part not in ("", "."))


def units(text):
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def is_device(part):
    stem = part.split(".")[0].split(":")[0]
    return not part.startswith("\t") and filenames.is_device(stem.strip(" \t"))


def is_drive(name):
    return len(name) > 1 and name[1] == ":" and name[0].isascii() and name[0].isalpha()


def leaves(name, target):
    """2.18: whether a link leads out of the folder."""
    if target[:1] in ("/", "\\") and target or is_drive(target) or "\0" in target:
        return True
    depth = -1
    for part in filenames.components(name):
        depth += {"": 0, ".": 0, "..": -1}.get(part, 1)
    least = depth
    for part in filenames.components(target):
        depth += {"": 0, ".": 0, "..": -1}.get(part, 1)
        least = min(least, depth)
    return least < 0


def judge_name(j, m):
    """2.1 to 2.9, and 2.13 to 2.17."""
    name = m.own_name
    parts = filenames.components(name)
    rooted = name[:1] in ("/", "\\") and name != ""
    twice = rooted and name[1:2] in ("/", "\\") and len(name) > 1
    j.fire("ARC030", rooted and not twice)
    j.fire("ARC031", twice or is_drive(name))
    j.fire("ARC032", ".." in parts)
    j.fire("ARC033", "\0" in name)
    turns = m.known and any(0x202A <= ord(c) <= 0x202E or 0x2066 <= ord(c) <= 0x2069 for c in name)
    j.fire("ARC034", turns or filenames.has_control(name, m.known))
    j.fire("ARC035", "\\" in m.name)
    j.fire("ARC036", filenames.has_reserved(name) or ":" in (name[2:] if is_drive(name) else name))
    j.fire("ARC037", any(p not in (".", "..") and is_device(p) for p in parts))
    j.fire("ARC038", any(p not in (".", "..") and p[-1:] in (".", " ") and p for p in parts))
    longest = max(len(p.encode("utf-8", "surrogatepass")) if m.known else len(p) for p in parts)
    j.fire("ARC044", units(name) > NAME_MAX or longest > PART_MAX)
    j.fire("ARC045", key_of(name) == "" and m.kind != FOLDER)
    j.fire("ARC046", name != "" and any(p == "." or (p == "" and not (i == 0 and rooted)) for i, p in enumerate(parts)))
    j.fire("ARC042", m.trouble in (LEGACY, UNSAID), lesser=m.trouble == UNSAID)
    j.fire("ARC043", m.trouble == WRONG)


def judge_kind(j, m):
    """2.18 to 2.21, and 1.11."""
    j.fire("ARC047", m.kind == LINK, lesser=not (m.target and leaves(m.name, m.target)))
    j.fire("ARC200", m.kind == LINK and hides_promise(m.name, True))
    j.fire("ARC202", m.kind in (FILE, PIPE) and hides_promise(m.name, m.kind == PIPE))
    j.fire("ARC048", m.kind in (DEVICE, PIPE), lesser=m.kind == PIPE)
    j.fire("ARC049", m.kind == FILE and filenames.extension(m.name) in PROGRAMS)
    j.fire("ARC050", m.sets_user and m.kind != FOLDER)
    j.fire("ARC018", m.kind == FILE and m.size > 1 << 20 and m.packed and m.size > 200 * m.packed)


def alike_key(key):
    return filenames.alike(key).replace("\\", "/")


def stored_bytes(m):
    """The name of no declared encoding as it is stored."""
    return m.own_name.encode("utf-8") if m.trouble == UNSAID else bytes(filenames.CP1252.index(c) for c in m.own_name)


def is_undeclared(m):
    return m.trouble in (LEGACY, UNSAID)


def has_content_of(a, b):
    return (a.kind, a.size, a.crc) == (b.kind, b.size, b.crc) and b.crc is not None


def judge_repeat(j, earlier, b):
    """A member and those of its key before it, none of them a folder (2.10, 2.11)."""
    same = [m for m in earlier if path_of(m.shown) == path_of(b.shown)]
    alike = all(has_content_of(m, b) for m in same)
    j.fire("ARC039", same, lesser=alike)
    for a in earlier:
        if a not in same:
            j.fire("ARC040", lesser=a.plain != b.plain or not (filenames.is_part(a.name) or filenames.is_part(b.name)) or has_content_of(a, b))
    j.work.spend(len(earlier))


def sort_of(m):
    """What of a member counts for those of its key."""
    return m.kind, m.plain, path_of(m.shown), m.size, m.crc, is_undeclared(m), filenames.is_part(m.name)


def judge_keys(j, members, may_relate):
    """2.10 to 2.12, by the keys that members have now; those that are related are left out unless they may be."""
    by_key, files = {}, {}
    for m in members:
        by_key.setdefault(m.key, []).append(m)
        if m.kind != FOLDER:
            files.setdefault(m.key, m)
    for group in by_key.values():
        earlier = {}        # the first of each sort: thousands may have one name
        for m in group:
            others = [other for other in earlier.values() if may_relate(other, m) and (m.key or FOLDER not in (m.kind, other.kind) or m.plain == other.plain)]
            m.related = m.related or any(FOLDER != other.kind or FOLDER != m.kind for other in others)
            j.fire("ARC041", any((other.kind == FOLDER) != (m.kind == FOLDER) for other in others))
            if m.kind != FOLDER:
                judge_repeat(j, [other for other in others if other.kind != FOLDER], m)
            earlier.setdefault(sort_of(m), m)
    for m in members:
        parts = m.key.split("/")
        above = [files.get("/".join(parts[:n])) for n in range(1, len(parts)) if "/".join(parts[:n])]
        m.related = j.fire("ARC041", any(other and may_relate(other, m) for other in above)) or m.related


def judge_together(j, members, has_cp437=True):
    """2.10 to 2.12."""
    for m in members:
        m.shown, m.plain, m.key = m.name, key_of(m.own_name), key_of(m.own_name)
        m.related = False
    judge_keys(j, members, lambda a, b: True)
    for m in members:
        m.key = alike_key(m.plain) if m.known else m.plain
    judge_keys(j, members, lambda a, b: a.plain != b.plain)
    for m in members if has_cp437 else ():
        if is_undeclared(m):
            m.shown = stored_bytes(m).decode("cp437")
            m.key = alike_key(key_of(m.shown))
    judge_keys(j, members if has_cp437 else (), lambda a, b: is_undeclared(a) != is_undeclared(b) and a.plain != b.plain)
    for m in members:
        m.key = m.plain
        m.name_text = m.own_name
    filenames.judge_short(j, members)
    j.fire("ARC014", all(m.kind == FOLDER for m in members))


def judge_all(j, members):
    for m in members:
        j.work.spend(20 + len(m.name))
        judge_name(j, m)
        judge_kind(j, m)
        j.fire("ARC010", m.unknown or m.uncommon, lesser=m.uncommon)
    judge_together(j, members)
    j.fire("ARC007", any(m.encrypted for m in members))


def inflate(data, size):
    """What deflated bytes give, up to one byte more than size; whether they are broken, and whether bytes follow the stream. What is broken
    behind that byte is not seen."""
    out, stream = bytearray(), zlib.decompressobj(-15)
    try:
        rest = data
        while len(out) <= size and not stream.eof:
            piece = stream.decompress(rest[:1 << 16] if rest else b"", size + 1 - len(out))
            out += piece
            rest = stream.unconsumed_tail + rest[1 << 16:]
            if not piece and not rest:
                break
    except zlib.error:
        return bytes(out), True, False
    if len(out) > size:
        return bytes(out), False, False
    return bytes(out), not stream.eof, bool(stream.unused_data or rest)


def judge_bytes(j, m, stored, deflated):
    """3.1 to 3.4. Returns the bytes; None: they are not what the archive says."""
    if not deflated:
        out, broken, left = stored, False, False
    else:
        out, broken, left = inflate(stored, m.size)
    return judge_decoded(j, m, out, broken, left)


def judge_decoded(j, m, out, broken, left):
    """Of what was decoded, up to one byte more than the size."""
    j.work.spend(len(out) // 64)
    j.fire("ARC091", left)
    if j.fire("ARC013", broken) or j.fire("ARC012", len(out) != m.size):
        return None
    j.fire("ARC011", m.crc is not None and zlib.crc32(out) != m.crc)
    return out
