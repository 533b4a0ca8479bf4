"""Whether the Unicode path of a member can be its plain name (2.6 of conformance/spec/zip.md)."""
import re

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
