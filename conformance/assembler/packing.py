"""Compressed blocks of containers, and compressed files: gzip, deflate, xz and bzip2 by Python's modules, LZ4 blocks and Zstandard frames from their
definitions."""
import bz2
import lzma
import zlib

from .hashes import xxh64


def gzip(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()


def deflate_raw(data):
    """Deflate without a frame, as it lies in gzip and zip."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def xz(data):
    return lzma.compress(data, check=lzma.CHECK_CRC64, filters=[{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 1 << 16}])


def bzip2(data):
    return bz2.compress(data)


def extra(n):
    """What does not fit the four bits of a length: bytes of 255, and one below."""
    return b"" if n < 15 else b"\xFF" * ((n - 15) // 255) + bytes([(n - 15) % 255])


def sequence(literals, offset=0, match=0):
    """Literals, then a match of at least four bytes; the last sequence has none."""
    n, m = len(literals), max(match - 4, 0)
    head = bytes([min(n, 15) << 4 | min(m, 15)]) + extra(n) + literals
    return head + offset.to_bytes(2, "little") + extra(m) if match else head


def lz4_literals(data):
    return sequence(data)


def lz4(data):
    """Greedy: the last place of each four bytes. The last five bytes are literals, and no match begins in the last twelve."""
    out, seen, at, begin = bytearray(), {}, 0, 0
    while at < len(data) - 12:
        key = data[at:at + 4]
        source = seen.get(key)
        seen[key] = at
        if source is None or at - source > 65535:
            at += 1
            continue
        n = 4
        while at + n < len(data) - 5 and data[source + n] == data[at + n]:
            n += 1
        out += sequence(data[begin:at], at - source, n)
        at += n
        begin = at
    return bytes(out + sequence(data[begin:]))


RUN = 16                    # equal bytes that are worth a block of their own
ZSTD_BLOCK = 1 << 17


def zstd_pieces(data):
    """(bytes, whether all are equal), each at most a block."""
    at = begin = 0
    while at < len(data):
        n = len(data[at:at + ZSTD_BLOCK]) - len(data[at:at + ZSTD_BLOCK].lstrip(data[at:at + 1]))
        if n >= RUN:
            if begin < at:
                yield data[begin:at], False
            yield data[at:at + n], True
            begin = at + n
        elif at + n - begin > ZSTD_BLOCK:
            yield data[begin:at], False
            begin = at
        at += n
    if begin < at:
        yield data[begin:at], False


def zstd(data):
    """A frame of one segment with its size, whose blocks are copies and runs."""
    out = b"\x28\xB5\x2F\xFD\xA0" + len(data).to_bytes(4, "little")
    pieces = list(zstd_pieces(data)) or [(b"", False)]
    for i, (piece, run) in enumerate(pieces):
        head = (i == len(pieces) - 1) | run << 1 | len(piece) << 3
        out += head.to_bytes(3, "little") + (piece[:1] if run else piece)
    return out


def zstd_checked(data):
    """The same frame with a checksum: the lower half of XXH64."""
    frame = bytearray(zstd(data))
    frame[4] |= 4
    return bytes(frame + (xxh64(data) & 0xFFFFFFFF).to_bytes(4, "little"))
