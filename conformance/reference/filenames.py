"""Names of files: paths that leave a folder, devices, letter case, characters that deceive (umod.md 4, iostore.md 6)."""
import re
import unicodedata

# CP1252 leaves five bytes free; they stand for themselves.
CP1252 = "".join(bytes([b]).decode("cp1252", "ignore") or chr(b) for b in range(256))
# Latin Extended-A and -B with IPA, Greek to the Cyrillic supplement, Armenian, Latin Extended Additional, fullwidth Latin.
BLOCKS = (range(0x100, 0x2B0), range(0x370, 0x590), range(0x1E00, 0x1F00), range(0xFF21, 0xFF5B))


# The small letter of each capital of CP1252.
SMALL_1252 = {ord(c): c.lower() for c in CP1252 if c.isalpha() and len(c.lower()) == 1 and c.lower() in CP1252}


def in_blocks(c):
    return len(c) == 1 and any(ord(c) in block for block in BLOCKS)


def small_forms():
    """Of each capital its small letter, where each is the other's form."""
    forms = dict(SMALL_1252)
    for c in (chr(n) for block in BLOCKS for n in block):
        if in_blocks(c.lower()) and c.lower() != c and c.lower().upper() == c:
            forms[ord(c)] = c.lower()
    return {**forms, 0x3C2: "\u03c3"}


SMALL = small_forms()
DEVICE = re.compile(r"(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9\xb9\xb2\xb3])\Z", re.I | re.A)
SEPARATORS = re.compile(r"[\\/]")


def ending_of(name):
    """What follows the last dot of the last part, with the dot and in small letters; empty where there is none, or nothing follows it."""
    _, dot, ending = SEPARATORS.split(name)[-1].rpartition(".")
    return fold_ascii(dot + ending) if dot and ending else ""


def from_cp1252(data):
    return "".join(CP1252[b] for b in data)


def from_utf16(data):
    """A character for each unit; halves of surrogate pairs stay halves."""
    return "".join(chr(int.from_bytes(data[i:i + 2], "little")) for i in range(0, len(data) - 1, 2))


def fold(name):
    """For comparisons: slashes as backslashes, letters without case (umod.md 4.4)."""
    return name.replace("/", "\\").translate(SMALL)


def fold_ascii(name):
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in name)


def components(path):
    return SEPARATORS.split(path)


def is_device(component):
    return bool(DEVICE.match(component.split(".")[0]))


def has_control(name, c1):
    return any(0 < ord(c) < 0x20 or ord(c) == 0x7F or (c1 and 0x80 <= ord(c) <= 0x9F) for c in name)


def has_pair(name):
    return re.search("[\ud800-\udbff][\udc00-\udfff]", name)


def has_lone_surrogate(name):
    left = re.sub("[\ud800-\udbff][\udc00-\udfff]", "", name)
    return any(0xD800 <= ord(c) <= 0xDFFF for c in left)


def is_unsafe(path, c1):
    """Whether a path may lead out of the folder that it is joined to (umod.md 4.2). A NUL is not asked for here."""
    if path[:1] in ("\\", "/") or ":" in path or has_control(path, c1):
        return True
    return any(c == ".." or is_device(c) or (c != "." and c[-1:] in (".", " ")) for c in components(path))


REORDERING = ((0x61C, 0x61C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069))
UNSEEN = ((0xAD, 0xAD), (0x34F, 0x34F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200D), (0x2028, 0x2029), (0x2060, 0x206F),
          (0x3164, 0x3164), (0xFDD0, 0xFDEF), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x1BCA0, 0x1BCA3),
          (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF))


def deceives(name):
    """Whether a character reorders text or is not seen."""
    whole = name.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass") if has_pair(name) else name
    return any(ord(c) & 0xFFFE == 0xFFFE or any(a <= ord(c) <= b for a, b in REORDERING + UNSEEN) for c in whole)


def is_deceptive(name):
    return deceives(name) or has_lone_surrogate(name)


def extension(name):
    """Of the last component, in small letters, without its dot; empty if there is none."""
    last = components(name)[-1]
    return fold_ascii(last.rpartition(".")[2]) if "." in last else ""


PROGRAMS = set("exe dll bat com cmd vbs vbe js jse wsf wsh ps1 scr pif msi cpl lnk reg hta jar sh so "
               "msc chm url wsc inf ocx xll py pyw scf msp".split())


def windows_part(part):
    """A part of a name as Windows has it (archive.md 2)."""
    return part if part == ".." else re.sub(r"(?ais)(.)::\$(data|index_allocation)\Z", r"\1", part).rstrip(". ")


def is_part(name):
    """Of a container, by its ending."""
    return extension(name) in ("utoc", "ucas", "pak")


def is_program(name):
    return extension(name) in PROGRAMS


def has_reserved(name):
    return any(c in '<>"|?*' for c in name)


# Of which letters the decompositions count, and what folds to other letters in full (archive.md 2).
DECOMPOSED = (range(0xB5, 0x530), range(0x1E00, 0x2000), range(0x2126, 0x212C), range(0x3040, 0x3100), range(0xAC00, 0xD7A4))
MARKS = (range(0x300, 0x370), range(0x483, 0x488), range(0x3099, 0x309B))
IN_FULL = {0xB5: "\u03bc", 0xDF: "ss", 0x149: "\u02bcn", 0x17F: "s", 0x1E9E: "ss", 0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi",
           0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
MARKS_MAX = 30


def parts_of(c):
    """What a character stands for."""
    n = ord(c)
    if n > 0x9F and deceives(c):
        return ""
    if 0xFF01 <= n <= 0xFF5E and c not in "\uff0f\uff3c":
        return chr(n - 0xFEE0)
    if any(n in block for block in DECOMPOSED):
        return "".join(IN_FULL.get(ord(part), part) for part in unicodedata.normalize("NFD", c))
    return IN_FULL.get(n, c)


def mark_class(c):
    return unicodedata.combining(c) if any(ord(c) in block for block in MARKS) else 0


def alike(key):
    """A key as others that are alike have it, too (archive.md 2)."""
    if key.isascii():
        return key
    key = key.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    out = []
    for c in "".join(parts_of(c) for c in key):
        at = len(out)
        while 0 < mark_class(c) < mark_class(out[at - 1] if at else "a") and len(out) - at < MARKS_MAX:
            at -= 1
        out.insert(at, c)
    return fold("".join(out))


SHORT = re.compile(r"([^.]{1,6})~[1-9](?:\.([^.]{0,3}))?\Z", re.S)
NOT_SHORT = " +,;=[]"


def stems(part):
    """Whether a part is a short name, and what two forms of one have in common with all for which it is one (archive.md 2.23)."""
    dot = part.rfind(".")
    base, ending = (part[:dot], part[dot + 1:]) if dot > 0 else (part, "")
    if part and len(base) <= 8 and len(ending) <= 3 and "." not in base and part.isascii() and not any(c in NOT_SHORT for c in part):
        found = SHORT.match(part)
        if not found:
            return True, set()
        base, ending = found.group(1).upper(), (found.group(2) or "").upper()
        hashed = re.match(r"(.{1,2})[0-9A-F]{4}\Z", base, re.S)
        return True, {(base, "", ending)} | ({(hashed.group(1), "#", ending)} if hashed else set())
    base, ending = ("".join("_" if ord(c) > 0x7F or c in NOT_SHORT else c.upper() for c in text if c not in " .") for text in utf16(base, ending))
    return False, {(base[:6], "", ending[:3]), (base[:2], "#", ending[:3])} if part else set()


def utf16(*texts):
    """What is no character of 16 bits counts as two."""
    return (re.sub("[\U00010000-\U0010ffff]", "\uffff\uffff", text) for text in texts)


def judge_short(j, members):
    """Members have a name, a key, and a sign that more is known (2.23)."""
    shorts, longs = [], {}
    for m in members:
        parts = m.key.replace("\\", "/").split("/")
        spelt = [windows_part(part) for part in components(m.name_text)]
        spelt = [part for part in spelt if part]
        for n, part in enumerate(spelt):
            is_short, forms = stems(part)
            for form in forms:
                place = ("/".join(parts[:n]), form)
                if is_short:
                    shorts.append((place, m))
                else:
                    longs.setdefault(place, m)
    for place, m in shorts:
        other = longs.get(place)
        if other and not m.related:
            ends = is_part(other.name_text) and (is_part(m.name_text) or m.name_text.lower().endswith((".uto", ".uca")))
            j.fire("ARC191", lesser=not ends)
