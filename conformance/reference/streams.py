"""Streams of compressed blocks: what each method takes for one whole stream (4.22 to 4.24 of conformance/spec/iostore.md)."""
import zlib

SHORTEST_MATCH = 4
LAST_LITERALS, LAST_MATCH = 5, 12


class Stream:
    """What a block's bytes give, None where they are no whole stream, and how many bytes follow it. What gives more than size is not
    looked at further."""

    def __init__(self, data, left=0):
        self.data, self.left = data, left


def deflated(data, size, wrapper):
    decoder = zlib.decompressobj(wbits=wrapper)
    try:
        out = decoder.decompress(data, size + 1)
    except zlib.error:
        out = before_trouble(data, size, wrapper)
        return Stream(out if len(out) > size else None)
    return Stream(out, len(decoder.unused_data)) if decoder.eof or len(out) > size else Stream(None)


def before_trouble(data, size, wrapper):
    """What comes out before a defect; zlib tells of one behind the last byte, a wrong check, before it gives that byte."""
    decoder, out, at = zlib.decompressobj(wbits=wrapper), b"", 0
    try:
        while len(out) <= size and at < len(data):
            out += decoder.decompress(data[at:at + 1])
            at += 1
    except zlib.error:
        pass
    return out


def lz4_length(data, at, n):
    """A length of a token, which 15 says goes on in the bytes behind it, and where those end."""
    if n == 15:
        while True:
            n += data[at]
            at += 1
            if data[at - 1] != 255:
                break
    return n, at


def lz4(data, size):
    """A block of LZ4, which ends with its bytes."""
    out, at, last_match = bytearray(), 0, None
    try:
        while True:
            token = data[at]
            n, at = lz4_length(data, at + 1, token >> 4)
            if at + n > len(data):
                return Stream(None)
            out += data[at:at + n]
            if len(out) > size:
                return Stream(bytes(out))
            at += n
            if at == len(data):
                break
            back = data[at] | data[at + 1] << 8
            length, at = lz4_length(data, at + 2, token & 15)
            if not 0 < back <= len(out):
                return Stream(None)
            last_match = len(out)
            copy(out, back, length + SHORTEST_MATCH)
    except IndexError:
        return Stream(None)
    short = last_match is not None and (n < LAST_LITERALS or last_match > len(out) - LAST_MATCH)
    return Stream(None if short else bytes(out))


def copy(out, back, n):
    piece = bytes(out[len(out) - back:])
    out += (piece * (n // back + 1))[:n]


DECODERS = {"zlib": lambda data, size: deflated(data, size, 15), "gzip": lambda data, size: deflated(data, size, 31), "lz4": lz4}
