"""What extra fields say of a member: whether its Unicode path can be its plain name (2.6 and 3.11 of conformance/spec/zip.md), and its kind (2.16)."""
import re
import zlib

HALF = "[#%]U([0-9A-Fa-f]{4})"


def ending(name):
    tail = name.rpartition(b".")[2]
    return tail if tail.isascii() else b""


def parts(name, separators):
    return re.split(separators, name)


def same_parts(plain, path, separators):
    a, b = parts(plain, separators), parts(path, separators)
    return len(a) == len(b) and all(x == y or not (x.isascii() or y.isascii()) for x, y in zip(a, b))


def is_written_for(plain, path):
    """plain is ASCII, path has characters beyond it."""
    at = 0
    for c in path:
        if c.isascii():
            if plain[at:at + 1] != c:
                return False
            at += 1
            continue
        n = len(next((m.group() for m in (re.match(form, plain[at:]) for form in forms(c)) if m), ""))
        if n == 0:
            return False
        at += n
    return at == len(plain)


def forms(c):
    number = ord(c)
    if number < 0x10000:
        yield rf"[#%]U(?i:{number:04x})"
    else:
        high, low = 0xD800 + (number - 0x10000 >> 10), 0xDC00 + (number & 0x3FF)
        yield rf"[#%]U(?i:{high:04x})[#%]U(?i:{low:04x})"
    yield rf"#L(?i:{number:06x})"
    yield "[?_]"


def counting(path, name):
    """The name in a Unicode path that is for that plain name; empty: there is none."""
    is_right = path is not None and len(path) >= 5 and path[0] == 1 and int.from_bytes(path[1:5], "little") == zlib.crc32(name)
    return path[5:] if is_right else b""


def kinds_by_extra(number, field):
    """The kinds of file in the modes that an extra field has."""
    mode = 0
    if number == 0x756E:
        mode = int.from_bytes(field[4:6], "little") & 0xF000
        mode = mode if mode == 0xA000 else 0
    elif number == 0x6C78 and field:
        which, at, host = field[0], 0, 3
        while at < len(field) and field[at] & 0x80:
            at += 1
        at += 1
        if which & 1:
            host = int.from_bytes(field[at:at + 2], "little") >> 8
            at += 2
        at += which & 2
        if which & 4 and at + 4 <= len(field):
            attributes = int.from_bytes(field[at:at + 4], "little")
            if host == 0:
                mode = 0x4000 if attributes & 0x10 else 0x8000
            elif host == 3:
                mode = attributes >> 16 & 0xF000
    return [mode] if mode else []


def reparse_target(first, size):
    """Where a reparse point leads, by the first bytes of its data; empty: it is not among them; None: that is no link (2.7)."""
    tag, n = int.from_bytes(first[:4], "little"), int.from_bytes(first[4:6], "little")
    if len(first) < 8 or 8 + n > size or tag not in (0xA0000003, 0xA000000C, 0xA000001D):
        return None
    data = first[8:]
    if tag == 0xA000001D:
        return data[4:n].decode("utf-8", "replace")
    at, length, shown_at, shown = (int.from_bytes(data[k:k + 2], "little") for k in (0, 2, 4, 6))
    names = data[8 if tag == 0xA0000003 else 12:]
    name = names[at:at + length // 2 * 2] if length else names[shown_at:shown_at + shown // 2 * 2]
    return name.decode("utf-16-le", "replace")


def unicode_path(plain, path):
    """Whether path is UTF-8, and what plain is written for."""
    try:
        text = path.decode("utf-8")
    except UnicodeDecodeError:
        return False
    if plain == path:
        return True
    if plain.isascii():
        return is_written_for(plain.decode("ascii"), text)
    try:
        plain.decode("utf-8")
        return False
    except UnicodeDecodeError:
        pass
    both = rb"[/\\]"
    if b".." in parts(plain, both) and b".." not in parts(path, both):
        return False
    return ending(plain) == ending(path) and (same_parts(plain, path, rb"/") or same_parts(plain, path, both))
