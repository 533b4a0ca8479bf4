"""The keys that a check is given, and what a container needs of them (6.1 and chapter 10 of conformance/spec/iostore.md)."""
import base64
import re

from . import aes


def parse(line):
    """(GUID or None, key) of a line of a key file, or None if it is no key."""
    text = line.split("#")[0].strip()
    guid, equals, key = text.rpartition("=") if re.match(r"[0-9A-Fa-f-]{32,}=", text) else ("", "", text)
    key = key[2:] if key[:2] in ("0x", "0X") else key
    try:
        data = bytes.fromhex(key) if re.fullmatch("[0-9A-Fa-f]{64}", key) else base64.b64decode(key, validate=True)
    except ValueError:
        return None
    return (guid.replace("-", "").lower() if equals else None, data) if len(data) == 32 else None


def of(c):
    """The keys that may be the container's: those without a GUID, and those with its own."""
    own = "".join(f"{c.h['key_guid_' + part]:08x}" for part in "abcd")
    lines = [parse(line) for line in c.file.keys or ()]
    return [line[1] for line in lines if line and line[0] in (None, own)]


def by_counter(c):
    return c.version == 10 and c.h["encryption_method"] == 2


def is_method_known(c):
    return c.version < 10 or c.h["encryption_method"] <= 2


def opened(c, data, key, vector):
    """Bytes of a container as they are when decrypted: whole blocks of 16. vector is the number of the one that belongs to them."""
    if not by_counter(c):
        return aes.decrypt(data, key)
    at, size = c.sections.get("vectors", (0, 0))
    if not 0 <= vector < size // 12:
        return None
    return aes.add_counter(data, key, c.file.bytes(at + 12 * vector, 12))
