"""BLAKE3 without a key, for many chunks at once: a lane of 64 bits of a long number for each, of which it uses the lower 32."""

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
PERMUTATION = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
QUARTERS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8
CHUNK, BLOCK = 1024, 64
BATCH = 1024                        # chunks that go together


def lanes(values):
    return int.from_bytes(b"".join(v.to_bytes(8, "little") for v in values), "little")


class Lanes:
    """Compresses n blocks at once."""

    def __init__(self, n):
        self.n, self.one = n, lanes([1] * n)
        self.mask = self.one * 0xFFFFFFFF

    def turn(self, x, by):
        """Each lane turned right; its upper half is 0."""
        return (x >> by | x << 32 - by) & self.mask

    def quarter(self, s, abcd, words):
        a, b, c, d = abcd
        for word, first, second in zip(words, (16, 8), (12, 7)):
            s[a] = s[a] + s[b] + word & self.mask
            s[d] = self.turn(s[d] ^ s[a], first)
            s[c] = s[c] + s[d] & self.mask
            s[b] = self.turn(s[b] ^ s[c], second)

    def compress(self, value, words, counters, length, flags):
        """value and words are lists of lanes; length and flags are the same for all."""
        s = [*value, *(self.one * v for v in IV[:4]), counters, 0, self.one * length, self.one * flags]
        for _ in range(7):
            for i, places in enumerate(QUARTERS):
                self.quarter(s, places, words[2 * i:2 * i + 2])
            words = [words[i] for i in PERMUTATION]
        return [s[i] ^ s[i + 8] for i in range(8)]

    def start(self):
        return [self.one * v for v in IV]

    def values(self, words):
        """A list of eight words for each lane."""
        split = [w.to_bytes(8 * self.n, "little") for w in words]
        return [[int.from_bytes(w[i:i + 4], "little") for w in split] for i in range(0, 8 * self.n, 8)]


def words_of(parts):
    """The sixteen words of each of some blocks, as lanes."""
    zero = bytes(4)
    return [int.from_bytes(b"".join(p[i:i + 4] + zero for p in parts), "little") for i in range(0, BLOCK, 4)]


def whole_chunks(data, first, n, flags=0):
    """The values of n chunks of equal length that begin at data[0]; the first of them is chunk number first."""
    own = Lanes(n)
    value, counters = own.start(), lanes(range(first, first + n))
    size = len(data) // n
    last = max(0, (size - 1) // BLOCK)
    for i in range(last + 1):
        parts = [data[k * size + i * BLOCK:k * size + min(size, (i + 1) * BLOCK)] for k in range(n)]
        length = len(parts[0])
        parts = [p.ljust(BLOCK, b"\0") for p in parts]
        marks = (CHUNK_START if i == 0 else 0) | (CHUNK_END | flags if i == last else 0)
        value = own.compress(value, words_of(parts), counters, length, marks)
    return own.values(value)


def parents(values, flags=0):
    """The values of pairs."""
    own = Lanes(len(values) // 2)
    parts = [b"".join(w.to_bytes(4, "little") for w in values[i] + values[i + 1]) for i in range(0, len(values) - 1, 2)]
    return own.values(own.compress(own.start(), words_of(parts), 0, BLOCK, PARENT | flags))


def digest(data):
    """The 32 bytes of BLAKE3. Pairs of neighbours, an odd one left as it is, make the tree that it demands."""
    if len(data) <= CHUNK:
        values = whole_chunks(data, 0, 1, ROOT)
        return b"".join(w.to_bytes(4, "little") for w in values[0])
    values, whole = [], len(data) // CHUNK
    for first in range(0, whole, BATCH):
        n = min(BATCH, whole - first)
        values += whole_chunks(data[first * CHUNK:(first + n) * CHUNK], first, n)
    if len(data) % CHUNK:
        values += whole_chunks(data[whole * CHUNK:], whole, 1)
    while len(values) > 2:
        odd = values[-1:] if len(values) % 2 else []
        values = parents(values) + odd
    return b"".join(w.to_bytes(4, "little") for w in parents(values, ROOT)[0])
