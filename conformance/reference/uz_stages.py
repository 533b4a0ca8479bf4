"""The stages of a .uz, undone from the last to the first (uz.md 3 to 5): codes, runs of the newer form, list of places, blocks, runs."""
MAX_LEAVES, MAX_DEPTH = 256, 255
MAX_BLOCK = 262144
INT_MAX = 0x7FFFFFFF
RUN, SHORTEST_COUNT = 5, 2


class Bits:
    """Bits of a file from a place on, the lowest of each byte first."""

    def __init__(self, data):
        self.data, self.at, self.end = data, 0, 8 * len(data)

    def next(self):
        """The next bit, or None behind the end."""
        if self.at >= self.end:
            return None
        self.at += 1
        return self.data[(self.at - 1) >> 3] >> ((self.at - 1) & 7) & 1

    def byte(self):
        bits = [self.next() for _ in range(8)]
        return None if None in bits else sum(b << i for i, b in enumerate(bits))


class Tree:
    """A tree as it stands in bits. nodes holds for each its two branches: numbers of nodes, or ~byte for a leaf. root is one of these, too.
    trouble is the rule that keeps it from being read."""

    def __init__(self, bits):
        self.nodes, self.depths, self.trouble, self.root = [], [], None, None
        to_read = [(None, 0, 0)]
        while to_read and self.trouble is None:
            parent, branch, depth = to_read.pop()
            bit = bits.next()
            if bit == 1:
                value = len(self.nodes)
                self.nodes.append([None, None])
                to_read += [(value, 1, depth + 1), (value, 0, depth + 1)]
                if depth + 1 > MAX_DEPTH:
                    self.trouble = "UZC014"
            else:
                value = self.leaf(bits.byte() if bit == 0 else None, depth)
            if parent is None:
                self.root = value
            else:
                self.nodes[parent][branch] = value

    def leaf(self, byte, depth):
        if byte is None or len(self.depths) == MAX_LEAVES:
            self.trouble = "UZC004"
            return None
        self.depths.append(depth)
        return ~byte


def undo(j, at, newer, limit):
    """The bytes of the package; None where they do not come out."""
    file = j.file
    if j.fire("UZC004", at + 4 > len(file)):
        return None
    total = file.u32(at)
    if j.fire("UZC004", total > INT_MAX):
        return None
    bits = Bits(file.bytes(at + 4, len(file) - at - 4))
    tree = Tree(bits)
    if tree.trouble:
        j.fire(tree.trouble)
        return None
    j.region("codes", at, 4, {"total": total})
    if file.level == "structure":
        return None
    symbols = read_codes(j, bits, tree, total, limit)
    return None if symbols is None else after_codes(j, symbols, newer, limit)


def read_codes(j, bits, tree, total, limit):
    shortest = min(tree.depths)
    if shortest and j.fire("UZC005", total > (bits.end - bits.at) // shortest):
        return None
    if total > limit:
        j.fire("UZC010" if shortest else "UZC013")
        return None
    j.work.spend(total)
    out = walk(bits, tree, total) if shortest else bytes([~tree.root]) * total
    if j.fire("UZC005", out is None):
        return None
    j.fire("UZC005", bits.end - bits.at >= 8, lesser=True)
    return out


def walk(bits, tree, total):
    """The symbols of so many codes; None where bits end too soon."""
    out, nodes, data, at, end = bytearray(), tree.nodes, bits.data, bits.at, bits.end
    for _ in range(total):
        node = tree.root
        while node >= 0:
            if at >= end:
                return None
            node = nodes[node][data[at >> 3] >> (at & 7) & 1]
            at += 1
        out.append(~node)
    bits.at = at
    return bytes(out)


def after_codes(j, symbols, newer, limit):
    short_counts = []
    data = grow(j, symbols, limit, short_counts) if newer else symbols
    if data is not None:
        data = undo_blocks(j, undo_places(j, data))
    if data is not None:
        data = grow(j, data, limit, short_counts)
    j.fire("UZC009", data is not None and short_counts, lesser=True)
    return data


def grow(j, data, limit, short_counts):
    """Runs as long as they were (5.1); None where a count is wrong or missing. Counts that add nothing go to short_counts."""
    out, at, size = bytearray(), 0, len(data)
    j.work.spend(size)
    while at < size:
        begin, byte = at, data[at]
        while at < size and at - begin < RUN and data[at] == byte:
            at += 1
        length = at - begin
        if length == RUN:
            count = data[at] if at < size else 0
            at += 1
            if j.fire("UZC009", count < SHORTEST_COUNT):
                return None
            if count < RUN:
                short_counts.append(count)
            length = max(RUN, count)
        out += bytes([byte]) * length
        if j.fire("UZC010", len(out) > limit):
            return None
    return bytes(out)


def undo_places(j, places):
    """The bytes that places in a list stand for (4.1)."""
    listed, out = list(range(256)), bytearray()
    j.work.spend(len(places))
    for place in places:
        byte = listed.pop(place)
        listed.insert(0, byte)
        out.append(byte)
    return bytes(out)


def undo_blocks(j, data):
    """What sorted blocks hold, one behind the other (4.2 to 4.4)."""
    out, at, lengths = [], 0, []
    while at < len(data):
        if j.fire("UZC006", at + 12 > len(data)):
            return None
        length, first, last = (int.from_bytes(data[at + i:at + i + 4], "little", signed=True) for i in (0, 4, 8))
        at += 12
        if j.fire("UZC006", not 0 <= length <= MAX_BLOCK or at + length + 1 > len(data)):
            return None
        if j.fire("UZC007", not (0 <= first <= length and 0 <= last <= length)):
            return None
        out.append(undo_block(data[at:at + length + 1], length, first, last))
        at += length + 1
        lengths.append(length)
    j.fire("UZC008", any(n != MAX_BLOCK for n in lengths[:-1]))
    return b"".join(out)


def undo_block(data, length, first, last):
    order = sorted((i for i in range(length + 1) if i != last), key=lambda i: data[i]) + [last]
    out, at = bytearray(), first
    for _ in range(length):
        out.append(data[at])
        at = order[at]
    return bytes(out)
