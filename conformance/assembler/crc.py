"""Digests: CRC-32/BZIP2, CRC-32 and Adler-32, the first over runs of zeros as fast as over nothing."""
import zlib

from .hashes import blake3, blake3_160, cityhash64, sha1
from .pieces import Run, blocks
from .rsa import rsa512, rsa2048


def crc_table():
    table = []
    for n in range(256):
        r = n << 24
        for _ in range(8):
            r = (r << 1 ^ 0x04C11DB7 if r & 0x80000000 else r << 1) & 0xFFFFFFFF
        table.append(r)
    return table


CRC_TABLE = crc_table()


def crc_bytes(r, data):
    table = CRC_TABLE
    for b in data:
        r = (r << 8 & 0xFFFFFFFF) ^ table[r >> 24 ^ b]
    return r


def crc_zeros(r, n):
    """Advances the register over n zero bytes. One zero byte is a linear map of the register's 32 bits, so n of them
    are that map's n-th power, reached by squaring."""
    power = [crc_bytes(1 << bit, b"\0") for bit in range(32)]
    while n:
        if n & 1:
            r = apply_map(power, r)
        n >>= 1
        if n:
            power = [apply_map(power, column) for column in power]
    return r


def apply_map(columns, r):
    out = 0
    for column in columns:
        if r & 1:
            out ^= column
        r >>= 1
    return out


def crc32_bzip2(pieces):
    r = 0xFFFFFFFF
    for piece in pieces:
        if isinstance(piece, Run) and piece.byte == 0:
            r = crc_zeros(r, piece.n)
        else:
            for block in blocks(piece):
                r = crc_bytes(r, block)
    return r ^ 0xFFFFFFFF


def crc32(pieces):
    r = 0
    for piece in pieces:
        for block in blocks(piece):
            r = zlib.crc32(block, r)
    return r


def crc32_low(pieces):
    return crc32(pieces) & 0xFFFF


def adler32(pieces):
    r = 1
    for piece in pieces:
        for block in blocks(piece):
            r = zlib.adler32(block, r)
    return r


def sum8(pieces):
    """The sum of all bytes."""
    return sum(piece.byte * piece.n if isinstance(piece, Run) else sum(map(sum, blocks(piece))) for piece in pieces)


DIGESTS = {"sum8": sum8, "crc32_bzip2": crc32_bzip2, "crc32": crc32, "crc32_low": crc32_low, "adler32": adler32, "sha1": sha1, "blake3": blake3, "blake3_160": blake3_160,
           "cityhash64": cityhash64, "rsa512": rsa512, "rsa2048": rsa2048}
