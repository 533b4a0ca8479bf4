"""Transforms: what a block of statements becomes when it is compressed, sorted or coded. Each is written from its definition, so that
a decoder under test cannot share a mistake with it."""
import functools
import heapq
import zlib

from .aes import aes256_ctr, aes256_ecb
from .displace import displace_rest, displace_seeds
from .packing import bzip2, deflate_raw, gzip, lz4, lz4_literals, xz, zstd, zstd_checked
from .rangecoder import lzma_literals
from .rarcodes import rar4_literals, rar5_literals

BLOCK = 0x40000             # bytes that are sorted together
RUN_LEAD, RUN_MAX = 5, 255


def deflate(data):
    return zlib.compress(data, 9)


def raw_deflate(data):
    """Deflate without the head and the checksum of zlib around it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def store(data):
    """A zlib stream whose blocks are copies: its length follows from the data alone."""
    out = bytearray(b"\x78\x01")
    pieces = [data[i:i + 65535] for i in range(0, len(data), 65535)] or [b""]
    for i, piece in enumerate(pieces):
        n = len(piece)
        out += bytes([i == len(pieces) - 1]) + n.to_bytes(2, "little") + (n ^ 0xFFFF).to_bytes(2, "little") + piece
    return bytes(out + zlib.adler32(data).to_bytes(4, "big"))


def runs(data):
    """Behind five equal bytes their number, 5 to 255."""
    out, at = bytearray(), 0
    while at < len(data):
        n = 1
        while n < RUN_MAX and at + n < len(data) and data[at + n] == data[at]:
            n += 1
        out += data[at:at + 1] * min(n, RUN_LEAD)
        if n >= RUN_LEAD:
            out.append(n)
        at += n
    return bytes(out)


def suffix_order(data):
    """The beginnings of all suffixes in their order, that of the end among them: an end sorts behind every byte."""
    n = len(data) + 1
    rank = list(data) + [256]
    order = sorted(range(n), key=rank.__getitem__)
    width = 1
    while True:
        keys = [(rank[i], rank[i + width] if i + width < n else -1) for i in range(n)]
        order.sort(key=keys.__getitem__)
        rank = [0] * n
        for before, here in zip(order, order[1:]):
            rank[here] = rank[before] + (keys[before] != keys[here])
        if rank[order[-1]] == n - 1:
            return order
        width *= 2


def bwt(data):
    """Blocks of 262144 bytes, the last shorter: length, where suffix 1 and suffix 0 stand, and the byte before each suffix."""
    out = bytearray()
    for at in range(0, len(data), BLOCK):
        block = data[at:at + BLOCK]
        order = suffix_order(block)
        for number in (len(block), order.index(1), order.index(0)):
            out += number.to_bytes(4, "little")
        out += bytes(block[i - 1] if i else block[0] for i in order)
    return bytes(out)


def mtf(data):
    """For each byte its place in a list of all bytes, from which it then moves to the front."""
    table, out = list(range(256)), bytearray()
    for byte in data:
        place = table.index(byte)
        out.append(place)
        table.insert(0, table.pop(place))
    return bytes(out)


def huffman_tree(data):
    """A tree of (count, number, byte or pair of trees); numbers make it the same every time."""
    counts = {}
    for byte in data:
        counts[byte] = counts.get(byte, 0) + 1
    heap = [(n, byte, byte) for byte, n in counts.items()] or [(0, 0, 0)]
    heapq.heapify(heap)
    number = 256
    while len(heap) > 1:
        a, b = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, (a[0] + b[0], number, (a[2], b[2])))
        number += 1
    return heap[0][2]


def huffman_bits(data):
    """The tree, a node as 1 and a leaf as 0 and its byte, then each byte's path."""
    bits, paths, todo = [], {}, [(huffman_tree(data), "")]
    while todo:
        tree, path = todo.pop()
        if isinstance(tree, tuple):
            bits.append("1")
            todo += [(tree[1], path + "1"), (tree[0], path + "0")]
        else:
            bits.append("0" + f"{tree:08b}"[::-1])
            paths[tree] = path
    return "".join(bits) + "".join(paths[byte] for byte in data)


def pack(bits):
    """Bits into bytes, the first one lowest."""
    return bytes(int(bits[i:i + 8][::-1], 2) for i in range(0, len(bits), 8))


def unpack(data):
    return "".join(f"{byte:08b}"[::-1] for byte in data)


def huffman(data):
    return len(data).to_bytes(4, "little") + pack(huffman_bits(data))


TRANSFORMS = {"deflate": deflate, "raw_deflate": raw_deflate, "store": store, "runs": runs, "bwt": bwt, "mtf": mtf, "huffman": huffman,
              "lzma": functools.partial(lzma_literals, marked=False), "lzma_marked": functools.partial(lzma_literals, marked=True),
              "gzip": gzip, "deflate_raw": deflate_raw, "xz": xz, "bzip2": bzip2, "zstd_checked": zstd_checked, "lz4": lz4, "lz4_literals": lz4_literals, "zstd": zstd, "aes256_ecb": aes256_ecb, "aes256_ctr": aes256_ctr,
              "displace_seeds": displace_seeds, "displace_rest": displace_rest,
              "rar4_literals": rar4_literals, "rar5_literals": rar5_literals}


@functools.lru_cache(maxsize=64)
def transform(name, data, *args):
    return TRANSFORMS[name](data, *args)
