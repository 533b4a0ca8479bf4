"""A second decoder of compressed downloads, slow and straight from the specification (conformance/spec/uz.md)."""
import lzma
import zlib


def bits_of(data):
    for byte in data:
        for i in range(8):
            yield byte >> i & 1


def read_tree(bits):
    """Nested pairs, or a byte."""
    root = []
    todo = [root]
    while todo:
        place = todo.pop()
        if next(bits):
            node = ([], [])
            place.append(node)
            todo += [node[1], node[0]]
        else:
            place.append(sum(next(bits) << i for i in range(8)))
    return root


def undo_huffman(data):
    total, bits = int.from_bytes(data[:4], "little"), bits_of(data[4:])
    root, out = read_tree(bits), bytearray()
    for _ in range(total):
        at = root[0]
        while isinstance(at, tuple):
            at = at[next(bits)][0]
        out.append(at)
    return bytes(out)


def undo_places(data):
    table, out = list(range(256)), bytearray()
    for place in data:
        byte = table.pop(place)
        table.insert(0, byte)
        out.append(byte)
    return bytes(out)


def undo_sorting(data):
    out, at = bytearray(), 0
    while at < len(data):
        n, first, last = (int.from_bytes(data[at + i:at + i + 4], "little") for i in (0, 4, 8))
        block = data[at + 12:at + 13 + n]
        order = sorted(range(n + 1), key=lambda i: 256 if i == last else block[i])
        here = first
        for _ in range(n):
            out.append(block[here])
            here = order[here]
        at += 13 + n
    return bytes(out)


def undo_runs(data):
    out, at, count, before = bytearray(), 0, 0, None
    while at < len(data):
        byte = data[at]
        at += 1
        out.append(byte)
        count = count + 1 if byte == before else 1
        before = byte
        if count == 5:
            out += bytes([byte]) * max(0, data[at] - 5)
            at, count = at + 1, 0
    return bytes(out)


def unpack_uz(data):
    signature = int.from_bytes(data[:4], "little")
    data = undo_huffman(data[5 + data[4]:])             # names are short
    if signature == 5678:
        data = undo_runs(data)
    return undo_runs(undo_sorting(undo_places(data)))


def unpack_uz2(data):
    out, at = bytearray(), 0
    while at < len(data):
        packed = int.from_bytes(data[at:at + 4], "little")
        out += zlib.decompress(data[at + 8:at + 8 + packed])
        at += 8 + packed
    return bytes(out)


def unpack_uz3(data):
    return zlib.decompress(data[8:])


def unpack_lzma(data):
    return lzma.decompress(data, lzma.FORMAT_ALONE)


DECODERS = {".uz": unpack_uz, ".uz2": unpack_uz2, ".uz3": unpack_uz3, ".lzma": unpack_lzma}
