"""Compact indexes (upkg.md 3, umod.md 3.1): a sign, a mark that more follows and 6 bits, then three times a mark and 7 bits, then 8 bits."""

CUT, BEYOND_RANGE, BEYOND_32_BITS = "cut", "beyond range", "beyond 32 bits"
LOWEST = -(1 << 31)


class Index:
    """An index as it stands in a file. trouble is None where its value counts."""

    def __init__(self, value, length, trouble):
        self.value, self.length, self.trouble = value, length, trouble

    @property
    def negative_zero(self):
        return self.value == 0 and self.negative

    @property
    def shortest(self):
        return self.length == shortest_length(self.value)

    negative = False


def shortest_length(value):
    magnitude = abs(value)
    return next(n for n, room in ((1, 6), (2, 13), (3, 20), (4, 27), (5, 99)) if magnitude < 1 << room)


def read_index(file, at, end):
    """The index at a place; bytes from end on are not there."""
    magnitude, shift, length, more = 0, 0, 0, True
    negative = False
    while more:
        if at + length >= end:
            return Index(0, length, CUT)
        byte = file.u8(at + length)
        if length == 0:
            negative, more, bits, width = bool(byte & 0x80), bool(byte & 0x40), byte & 0x3F, 6
        elif length < 4:
            more, bits, width = bool(byte & 0x80), byte & 0x7F, 7
        else:
            more, bits, width = False, byte, 8
        magnitude |= bits << shift
        shift += width
        length += 1
    out = Index(-magnitude if negative else magnitude, length, None)
    out.negative = negative
    if length == 5 and byte >= 0x20:
        out.trouble = BEYOND_32_BITS
    elif length == 5 and byte >= 0x10 and out.value != LOWEST:
        out.trouble = BEYOND_RANGE
    return out
