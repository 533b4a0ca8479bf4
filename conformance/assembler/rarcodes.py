"""Blocks of rar 4 (from RAR 3 on) and of rar 5 that hold literals alone: each byte is a code of eight bits or nine, the highest bit first. What a
block begins with are lengths of codes, which are coded themselves."""

LITERALS = 256
CODE_LENGTHS = 20           # symbols of the code for lengths: 0 to 15 a length, 17 the one before again, 19 zeros; both 11 times and more
AGAIN, ZEROS = 17, 19
RUN_MIN, RUN_MAX = 11, 138
LENGTHS_RAR4 = 299 + 60 + 17 + 28
LENGTHS_RAR5 = 306 + 64 + 16 + 44
LAST_BLOCK, HAS_TABLE, CHECK = 0x40, 0x80, 0x5A


def runs(n):
    """A number as a sum of lengths of runs."""
    out = []
    while n:
        take = min(n, RUN_MAX)
        if 0 < n - take < RUN_MIN:
            take -= RUN_MIN
        out.append(take)
        n -= take
    return out


def table(code, lengths):
    """The lengths of the code for lengths, in four bits each, and then lengths by it: (symbol, how often it stands there)."""
    bits = "".join(f"{len(code.get(i, '')):04b}" for i in range(CODE_LENGTHS))
    for symbol, n in lengths:
        bits += "".join(code[symbol] + (f"{run - RUN_MIN:07b}" if symbol in (AGAIN, ZEROS) else "") for run in (runs(n) if symbol in (AGAIN, ZEROS) else [1] * n))
    return bits


def packed(bits):
    """Bits into bytes, the first one highest."""
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def rar4_literals(data):
    """No PPMd, no lengths of a block before. The last byte has a longer code, so that there is one for the end, after which stands that it is
    that of the file and that no table follows. Two bytes are for readers that look ahead."""
    code = {8: "00", 9: "01", AGAIN: "10", ZEROS: "11"}
    bits = "00" + table(code, [(8, 1), (AGAIN, LITERALS - 2), (9, 2), (ZEROS, LENGTHS_RAR4 - LITERALS - 1)])
    return packed(bits + "".join(f"{byte:08b}" if byte < 255 else "111111110" for byte in data) + "111111111" + "00") + bytes(2)


def rar5_literals(data):
    """One block, the last, with its length, which its checksum covers."""
    code = {ZEROS: "0", 8: "10", AGAIN: "11"}
    bits = table(code, [(8, 1), (AGAIN, LITERALS - 1), (ZEROS, LENGTHS_RAR5 - LITERALS)]) + "".join(f"{byte:08b}" for byte in data)
    size = (len(bits) + 7) // 8
    width = (size.bit_length() + 7) // 8
    flags = LAST_BLOCK | HAS_TABLE | (width - 1) << 3 | (len(bits) - 1) % 8
    digits = size.to_bytes(width, "little")
    check = CHECK ^ flags
    for byte in digits:
        check ^= byte
    return bytes([flags, check]) + digits + packed(bits)
