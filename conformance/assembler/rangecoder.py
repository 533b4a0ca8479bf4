"""LZMA streams of literals alone: properties 0x5D (lc 3, lp 0, pb 2)."""

TOP, HALF, MASK = 1 << 24, 1 << 10, 0xFFFFFFFF


class RangeCoder:
    """LZMA's range coder with adaptive bits, held by name."""

    def __init__(self):
        self.low, self.range, self.cache, self.pending, self.out = 0, MASK, 0, 1, bytearray()
        self.odds = {}

    def shift_low(self):
        if self.low < 0xFF000000 or self.low > MASK:
            carry = self.low >> 32
            self.out.append(self.cache + carry & 0xFF)
            self.out += bytes([0xFF + carry & 0xFF]) * (self.pending - 1)
            self.cache, self.pending = self.low >> 24 & 0xFF, 0
        self.pending += 1
        self.low = self.low << 8 & MASK

    def grow(self):
        while self.range < TOP:
            self.range = self.range << 8 & MASK
            self.shift_low()

    def bit(self, name, bit):
        odds = self.odds.get(name, HALF)
        bound = (self.range >> 11) * odds
        if bit:
            self.low += bound
            self.range -= bound
            self.odds[name] = odds - (odds >> 5)
        else:
            self.range = bound
            self.odds[name] = odds + (2048 - odds >> 5)
        self.grow()

    def tree(self, name, value, n_bits):
        node = 1
        for i in reversed(range(n_bits)):
            self.bit((name, node), value >> i & 1)
            node = node << 1 | value >> i & 1

    def direct_ones(self, n):
        for _ in range(n):
            self.range >>= 1
            self.low += self.range
            self.grow()

    def finish(self):
        for _ in range(5):
            self.shift_low()
        return bytes(self.out)


def lzma_literals(data, marked):
    """The stream behind the header; marked: with an end marker, as a header of unknown size needs it."""
    coder, before = RangeCoder(), 0
    for at, byte in enumerate(data):
        coder.bit(("match", 0, at & 3), 0)
        coder.tree(("literal", before >> 5), byte, 8)
        before = byte
    if marked:
        coder.bit(("match", 0, len(data) & 3), 1)
        coder.bit(("rep", 0), 0)
        coder.bit(("length", 0), 0)
        coder.tree(("length low", len(data) & 3), 0, 3)
        coder.tree(("slot", 0), 63, 6)
        coder.direct_ones(26)
        for i in range(4):
            coder.bit(("align", (1 << i + 1) - 1 if i else 1), 1)
    return coder.finish()
