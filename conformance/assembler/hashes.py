"""Digests of containers: SHA-1, BLAKE3 and CityHash64 (version 1.1), each over a list of pieces or over a text."""
import functools
import hashlib

from .pieces import blocks

# -- BLAKE3, without keys

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
ORDER = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
MIXES = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8
CHUNK = 1024
LOW32 = 0xFFFFFFFF


def mix(s, a, b, c, d, x, y):
    for word, first, second in ((x, 16, 12), (y, 8, 7)):
        s[a] = s[a] + s[b] + word & LOW32
        s[d] ^= s[a]
        s[d] = (s[d] >> first | s[d] << 32 - first) & LOW32
        s[c] = s[c] + s[d] & LOW32
        s[b] ^= s[c]
        s[b] = (s[b] >> second | s[b] << 32 - second) & LOW32


def compress(value, block, counter, length, flags):
    """The first eight words of what a block of 64 bytes makes of a chaining value."""
    words = [int.from_bytes(block[i:i + 4], "little") for i in range(0, 64, 4)]
    s = [*value, *IV[:4], counter & LOW32, counter >> 32, length, flags]
    for _ in range(7):
        for i, (a, b, c, d) in enumerate(MIXES):
            mix(s, a, b, c, d, words[2 * i], words[2 * i + 1])
        words = [words[i] for i in ORDER]
    return [s[i] ^ s[i + 8] for i in range(8)]


def chunk_value(data, counter, root):
    value = IV
    parts = [data[i:i + 64] for i in range(0, len(data), 64)] or [b""]
    for i, part in enumerate(parts):
        last = i == len(parts) - 1
        flags = (CHUNK_START if i == 0 else 0) | (CHUNK_END | root if last else 0)
        value = compress(value, part.ljust(64, b"\0"), counter, len(part), flags)
    return value


def words_to_bytes(words):
    return b"".join(word.to_bytes(4, "little") for word in words)


@functools.lru_cache(maxsize=256)
def blake3_bytes(data):
    """The tree's left side always holds the largest power of two of chunks that leaves something for the right."""
    if len(data) <= CHUNK:
        return words_to_bytes(chunk_value(data, 0, ROOT))
    values = [chunk_value(data[i:i + CHUNK], i // CHUNK, 0) for i in range(0, len(data), CHUNK)]
    while len(values) > 2:
        pairs = [parent(values[i], values[i + 1], 0) for i in range(0, len(values) - 1, 2)]
        values = pairs + values[len(pairs) * 2:]
    return words_to_bytes(parent(values[0], values[1], ROOT))


def parent(left, right, root):
    return compress(IV, words_to_bytes(left + right), 0, 64, PARENT | root)


# -- CityHash64

K0, K1, K2, K_PAIR = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F, 0x9DDFEA08EB382D69
LOW64 = (1 << 64) - 1


def rotate(n, by):
    n &= LOW64
    return (n >> by | n << 64 - by) & LOW64


def swap(n):
    return int.from_bytes((n & LOW64).to_bytes(8, "little"), "big")


def fold(n):
    n &= LOW64
    return n ^ n >> 47


def pair(u, v, factor=K_PAIR):
    u, v = u & LOW64, v & LOW64
    a = fold((u ^ v) * factor)
    return fold((v ^ a) * factor) * factor & LOW64


def word(s, at, width=8):
    return int.from_bytes(s[at:at + width], "little")


def city_up_to_16(s):
    n = len(s)
    factor = K2 + n * 2
    if n >= 8:
        a, b = word(s, 0) + K2, word(s, n - 8)
        return pair(rotate(b, 37) * factor + a, (rotate(a, 25) + b) * factor, factor)
    if n >= 4:
        return pair(n + (word(s, 0, 4) << 3), word(s, n - 4, 4), factor)
    if n:
        y, z = s[0] + (s[n >> 1] << 8), n + (s[n - 1] << 2)
        return fold(y * K2 ^ z * K0) * K2 & LOW64
    return K2


def city_up_to_32(s):
    n = len(s)
    factor = K2 + n * 2
    a, b, c, d = word(s, 0) * K1, word(s, 8), word(s, n - 8) * factor, word(s, n - 16) * K2
    return pair(rotate(a + b, 43) + rotate(c, 30) + d, a + rotate(b + K2, 18) + c, factor)


def city_up_to_64(s):
    n = len(s)
    factor = K2 + n * 2
    a, b, c, d = word(s, 0) * K2, word(s, 8), word(s, n - 24), word(s, n - 32)
    e, f, g, h = word(s, 16) * K2, word(s, 24) * 9, word(s, n - 8), word(s, n - 16) * factor
    u = rotate(a + g, 43) + (rotate(b, 30) + c) * 9
    v = (a + g & LOW64 ^ d) + f + 1
    w = swap((u + v) * factor) + h
    x = rotate(e + f, 42) + c
    y = (swap((v + w) * factor) + g) * factor
    z = e + f + c
    a = swap((x + z) * factor + y) + b
    return fold((z + a) * factor + d + h) * factor + x & LOW64


def weak(s, at, a, b):
    w, x, y, z = (word(s, at + i) for i in (0, 8, 16, 24))
    a += w
    b = rotate(b + a + z, 21)
    c = a
    a += x + y
    b += rotate(a, 44)
    return a + z & LOW64, b + c & LOW64


def cityhash64_bytes(s):
    n = len(s)
    if n <= 64:
        return (city_up_to_16 if n <= 16 else city_up_to_32 if n <= 32 else city_up_to_64)(s)
    x = word(s, n - 40)
    y = word(s, n - 16) + word(s, n - 56)
    z = pair(word(s, n - 48) + n, word(s, n - 24))
    v, w = weak(s, n - 64, n, z), weak(s, n - 32, y + K1, x)
    x = x * K1 + word(s, 0)
    for at in range(0, (n - 1) // 64 * 64, 64):
        x = rotate(x + y + v[0] + word(s, at + 8), 37) * K1 & LOW64
        y = rotate(y + v[1] + word(s, at + 48), 42) * K1 & LOW64
        x ^= w[1]
        y += v[0] + word(s, at + 40)
        z = rotate(z + w[0], 33) * K1 & LOW64
        v = weak(s, at, v[1] * K1, x + w[0])
        w = weak(s, at + 32, z + w[1], y + word(s, at + 16))
        z, x = x, z
    return pair(pair(v[0], w[0]) + fold(y) * K1 + z, pair(v[1], w[1]) + x)


# -- FNV-1a of 64 bits, whose basis a seed is added to

FNV_BASIS, FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3


def fnv1a_bytes(s, seed, basis=FNV_BASIS, prime=FNV_PRIME):
    h = basis + seed & LOW64
    for byte in s:
        h = (h ^ byte) * prime & LOW64
    return h


def hash_text(name, data, seed):
    """A hash by its name in recipes; fnv_utf16_swapped is FNV-1a with basis and prime in each other's place."""
    if name == "fnv_utf16":
        return fnv1a_bytes(data, seed)
    if name == "fnv_utf16_swapped":
        return fnv1a_bytes(data, seed, FNV_PRIME, FNV_BASIS)
    return cityhash64_bytes(data)


# -- what recipes ask for: every digest is a number, those of many bytes with their first byte highest

def joined(pieces):
    return b"".join(block for piece in pieces for block in blocks(piece))


def sha1(pieces):
    return int.from_bytes(hashlib.sha1(joined(pieces)).digest(), "big")


def blake3(pieces):
    return int.from_bytes(blake3_bytes(joined(pieces)), "big")


def blake3_160(pieces):
    return int.from_bytes(blake3_bytes(joined(pieces))[:20], "big")


def cityhash64(pieces):
    return cityhash64_bytes(joined(pieces))


XXH = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def xxh64(data):
    """XXH64 with seed 0."""
    mask = (1 << 64) - 1
    p1, p2, p3, p4, p5 = XXH

    def rotate(v, n):
        return (v << n | v >> 64 - n) & mask

    def step(v, lane):
        return rotate((v + lane * p2) & mask, 31) * p1 & mask

    at, n = 0, len(data)
    if n >= 32:
        lanes = [(p1 + p2) & mask, p2, 0, -p1 & mask]
        for at in range(0, n - 31, 32):
            lanes = [step(v, int.from_bytes(data[at + 8 * i:at + 8 * i + 8], "little")) for i, v in enumerate(lanes)]
        at += 32
        h = sum(rotate(v, r) for v, r in zip(lanes, (1, 7, 12, 18))) & mask
        for v in lanes:
            h = ((h ^ step(0, v)) * p1 + p4) & mask
    else:
        h = p5
    h = (h + n) & mask
    while n - at >= 8:
        h = (rotate(h ^ step(0, int.from_bytes(data[at:at + 8], "little")), 27) * p1 + p4) & mask
        at += 8
    if n - at >= 4:
        h = (rotate(h ^ int.from_bytes(data[at:at + 4], "little") * p1 & mask, 23) * p2 + p3) & mask
        at += 4
    for byte in data[at:]:
        h = rotate(h ^ byte * p5 & mask, 11) * p1 & mask
    for shift, prime in ((33, p2), (29, p3), (32, 1)):
        h = (h ^ h >> shift) * prime & mask
    return h


WIDE_DIGESTS = {"sha1": 20, "blake3": 32, "blake3_160": 20, "rsa512": 64, "rsa2048": 256}   # how many bytes each makes as a statement
