"""Archives of kinds that are not read, by their first bytes, from conformance/spec/wrap.md, 1.1."""
import re
import zlib

CPIO = re.compile(rb"070707[0-7]{70}|07070[12][0-9A-Fa-f]{104}")


def is_unread(first):
    first = bytes(first[:512])
    if first.startswith((b"MSCF\0\0\0\0", b"LZIP\1", b"StuffIt ", b"SIT!", b"MSWIM\0\0\0", b"xar!\0\x1C", b"!<arch>\ndebian-binary", b"WARC/1.", b"\x04\x22\x4D\x18", b"LRZI")) or first[7:14] == b"**ACE**":
        return True
    if len(first) > 6 and first[2:4] == b"-l" and first[4] in b"hz" and ord("0") <= first[5] <= ord("s") and first[6:7] == b"-":
        return True
    if CPIO.match(first):
        return True
    if first.startswith(b"\x60\xEA"):
        n = int.from_bytes(first[2:4], "little")
        return n >= 30 and len(first) >= n + 8 and zlib.crc32(first[4:4 + n]) == int.from_bytes(first[4 + n:8 + n], "little")
    if first.startswith((b"\x89LZO\0\r\n\x1A\n", b"\xED\xAB\xEE\xDB\3", b"hsqs", b"SZDD\x88\xF0\x27\x33")) or first[20:24] == b"\xDC\xA7\xC4\xFD":
        return True
    if re.match(rb"begin-base64 [0-7]{3} |(#!.*\n)?# This is a shell archive", first):
        return True
    line, _, after = first.partition(b"\n")
    after = after.partition(b"\n")[0].removesuffix(b"\r")
    if re.match(rb"begin [0-7]{3} ", line) and after and 32 <= after[0] <= 96:
        return len(after) - 1 - -(-((after[0] - 32) & 63) // 3) * 4 in (0, 1)
    if first.startswith(b"!<arch>\n"):
        return first[66:68] == b"`\n" and not re.match(rb"/ |/SYM64/|__\.SYMDEF|#1/.{57}__\.SYMDEF", first[8:], re.S)
    return first.startswith(b"\x1F\x9D") and len(first) > 2 and not first[2] & 0x60 and 9 <= first[2] & 31 <= 16
