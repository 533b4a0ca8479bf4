"""Another archive in a file than the one that it is read as, from conformance/spec/archive.md, 1.15."""
import re
import zlib

from .archive import is_tar, signature_of
from .unread import is_unread

END, CENTRAL, LOCATOR, RECORD = b"PK\5\6", b"PK\1\2", b"PK\6\7", b"PK\6\6"
TAIL, WITHIN, PROOF = 65557, 8 << 20, 1024
WHOLE, PART, PACKED = "whole", "part", "packed"
MAGICS = (b"070701", b"070702", b"070707", b"xar!", b"!<arch>\n", b"#mtree", b"WARC/")
SEVENZIP, RAR = b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\7"


def number(data, at, n):
    return int.from_bytes(data[at:at + n], "little")


def is_there(data, at, end, magic):
    return 0 <= at <= end - 4 and data[at:at + 4] == magic


def record_of(data, at):
    """(size, offset, end) of the directory, by the zip64 record."""
    if not is_there(data, at - 20, at, LOCATOR):
        return None
    for place in (number(data, at - 12, 8), at - 76):
        if 0 <= place <= at - 76 and data[place:place + 4] == RECORD:
            return number(data, place + 40, 8), number(data, place + 48, 8), place
    return None


def zip_at(data, at):
    """(begin, end) of the zip that an end record speaks of, or its zip64 record; None: of none."""
    after = at + 22 + number(data, at + 20, 2)
    for length, offset, end in filter(None, (record_of(data, at), (number(data, at + 12, 4), number(data, at + 16, 4), at))):
        if not length and not offset:
            continue
        if is_there(data, end - length, end, CENTRAL):
            begin = end - length
            return begin - offset if offset <= begin else begin, after
        if is_there(data, offset, end, CENTRAL):
            return 0, after
    return None


def find_zip(data, limit, covers):
    """(where, whether a member has it): the last that no member has, or else the last that one has; None: there is none."""
    begin, inside = max(0, limit - TAIL), None
    at = data.rfind(END, begin, limit)
    while at >= 0:
        found = zip_at(data, at) if at + 22 <= limit else None
        if found:
            how = [(what, a == found[0]) for what, a, n in covers if n and a <= found[0] and found[1] <= a + n]
            if not how:
                return at, False
            what, begins = how[0]
            if inside is None and not (what == PART or (what == WHOLE and begins)):
                inside = at
        at = data.rfind(END, begin, at + 3) if at + 3 > begin else -1
    return None if inside is None else (inside, True)


def begins(data, at):
    """The 7z or rar that begins there."""
    b = data[at:at + PROOF]
    if b.startswith(SEVENZIP) and len(b) >= 32 and b[6] == 0 and zlib.crc32(b[12:32]) == number(b, 8, 4):
        return "7z"
    if b.startswith(RAR + b"\0"):
        whole = number(b, 12, 2)
        length = 13 if number(b, 10, 2) & 2 else whole
        if len(b) >= 7 + length and b[9] == 0x73 and whole >= 13 and zlib.crc32(b[9:7 + length]) & 0xFFFF == number(b, 7, 2):
            return "rar"
    if b.startswith(RAR + b"\1\0") and len(b) > 14:
        n = 1 if b[12] < 128 else 2
        size = b[12] if n == 1 else b[12] % 128 + b[13] * 128
        if (n == 1 or b[13] < 128) and size and len(b) >= 12 + n + size and b[12 + n] in (1, 4):
            return "rar" if zlib.crc32(b[12:12 + n + size]) == number(b, 8, 4) else None
    return None


def within(data, at, end):
    end = min(end, at + WITHIN)
    places = {data.find(magic, at) for magic in (SEVENZIP, RAR)}
    while places := {p for p in places if 0 <= p < end}:
        here = min(places)
        if found := begins(data, here):
            return found
        places = {data.find(magic, here + 1) for magic in (SEVENZIP, RAR)}
    return None


def follows(data, at):
    kind = signature_of(data[at:at + 512]) if at < len(data) else None
    return within(data, at, len(data)) if kind in (None, "7z", "rar", "zip", "unread") else kind


def judge(j, kind, data, after, covers):
    """data is the whole file, after where its archive ends, covers (how, at, length) of its members."""
    data = bytes(data)
    found = find_zip(data, len(data), covers)
    if not j.fire("ARC015", found, lesser=found and found[1]):
        other = follows(data, after)
        j.fire("ARC015", (other and other != kind) or is_tar(data[:512]) and kind != "tar")


def judge_zip(j, data, after, first):
    """Likewise of a zip, whose first member begins at `first`."""
    data = bytes(data)
    other = follows(data, after)
    is_disc = data[32769:32774] == b"CD001" and (data[32768] < 4 or data[32768] == 255)
    j.fire("ARC015", (other and other != "zip") or is_tar(data[:512]) or is_disc)
    if first:
        j.fire("ARC015", within(data, 0, first) or find_zip(data, first, []) or is_unpacked(data[:min(first, 1 << 17)]))


def is_unpacked(before):
    """1.12 of zip.md."""
    return before.startswith(MAGICS) or is_old_cpio(before) or is_unread(before[:512]) or has_uuencoded(before)


def is_old_cpio(b):
    if b[:2] not in (b"\xC7\x71", b"\x71\xC7"):
        return False
    n = int.from_bytes(b[20:22], "little" if b[0] == 0xC7 else "big")
    return 2 <= n <= 1024 and len(b) >= 26 + n and b.find(b"\0", 26) == 25 + n


def has_uuencoded(before):
    lines = [line[:-1] if line[-1:] == b"\r" else line for line in before.split(b"\n")]
    for line, after in zip(lines, lines[1:] + [b""]):
        if any(c < 32 and c != 9 for c in line):
            return False
        if re.match(rb"begin-base64 [0-7]{3} ", line):
            return True
        if re.match(rb"begin [0-7]{3} ", line) and after and 32 <= after[0] <= 96:
            letters = 1 + -(-((after[0] - 32) & 63) // 3) * 4
            if len(after) in (letters, letters + 1):
                return True
    return False
