"""Deterministic changes of a file's bytes, most of them where its rows are."""
import random
import zlib

INTERESTING = (0, 1, 2, 3, 7, 8, 15, 16, 0x3F, 0x40, 0x7F, 0x80, 0x81, 0xC0, 0xFE, 0xFF)
WORDS = (0, 1, 2, 16, 0xFF, 0x100, 0x7FFF, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)


def seeded(*words):
    return random.Random(zlib.crc32("/".join(map(str, words)).encode()))


def mutate(data, regions, rng):
    """A changed copy of data. regions are (begin, length) of rows that a reader saw."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if not out:
            out += bytes([rng.randrange(256)])
        rng.choice(CHANGES)(out, place(len(out), regions, rng), rng)
    return bytes(out)


def place(size, regions, rng):
    if regions and rng.random() < 0.7:
        begin, length = rng.choice(regions)
        at = begin + rng.randrange(max(1, min(length, 64)))
        if at < size:
            return at
    return rng.randrange(size)


def flip_bit(out, at, rng):
    out[at] ^= 1 << rng.randrange(8)


def set_byte(out, at, rng):
    out[at] = rng.choice(INTERESTING) if rng.random() < 0.7 else rng.randrange(256)


def add_little(out, at, rng):
    out[at] = (out[at] + rng.choice((-2, -1, 1, 2))) & 0xFF


def set_word(out, at, rng):
    word = rng.choice(WORDS) if rng.random() < 0.6 else rng.randrange(len(out) + 4)
    out[at:at + 4] = word.to_bytes(4, rng.choice(("little", "little", "big")))[:len(out) - at]


def cut(out, at, _):
    del out[at:]


def append(out, _, rng):
    out += bytes(rng.choice((0, 0, rng.randrange(256))) for _ in range(rng.randrange(1, 24)))


def remove(out, at, rng):
    del out[at:at + rng.choice((1, 1, 2, 4, rng.randrange(1, 40)))]


def insert(out, at, rng):
    out[at:at] = bytes(rng.randrange(256) for _ in range(rng.choice((1, 1, 2, 4))))


def repeat(out, at, rng):
    n = rng.choice((1, 4, 8, 16, rng.randrange(1, 80)))
    out[at:at] = out[at:at + n]


def copy_over(out, at, rng):
    n, other = rng.choice((1, 4, 8, 12, 20)), rng.randrange(len(out))
    piece = out[other:other + n]
    out[at:at + len(piece)] = piece[:len(out) - at]


def clear(out, at, rng):
    n = min(len(out) - at, rng.choice((1, 4, 16, rng.randrange(1, 80))))
    out[at:at + n] = bytes(n)


CHANGES = (flip_bit, flip_bit, set_byte, set_byte, add_little, add_little, set_word, set_word, cut, append, remove, insert, repeat, copy_over, clear)
