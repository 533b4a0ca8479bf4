"""AES-256, forwards only, from its definition (FIPS 197): a block cipher that recipes use block by block (ECB) or as a counter (CTR)."""
import functools

BLOCK, ROUNDS = 16, 14


def double(a):
    return (a << 1 ^ (0x11B if a & 0x80 else 0)) & 0xFF


def substitutions():
    """The S-box: the inverse in GF(2^8), then an affine map. Inverses come from powers of 3."""
    power, box, a = [], [0] * 256, 1
    for _ in range(255):
        power.append(a)
        a ^= double(a)
    for i, value in enumerate([0] + power):
        inverse = 0 if i == 0 else power[-(i - 1) % 255]
        b = inverse
        for shift in (1, 2, 3, 4):
            b ^= (inverse << shift | inverse >> 8 - shift) & 0xFF
        box[value] = b ^ 0x63
    return bytes(box)


SBOX = substitutions()
TWICE = bytes(double(a) for a in SBOX)
THRICE = bytes(double(a) ^ a for a in SBOX)
ROWS = tuple((4 * (i // 4 + i % 4) + i % 4) % BLOCK for i in range(BLOCK))     # where each byte comes from: row r moves r columns


@functools.lru_cache(maxsize=16)
def round_keys(key):
    words, constant = [key[i:i + 4] for i in range(0, 32, 4)], 1
    while len(words) < 4 * (ROUNDS + 1):
        w = words[-1]
        if len(words) % 8 == 0:
            w = bytes(SBOX[b] for b in w[1:] + w[:1])
            w = bytes([w[0] ^ constant]) + w[1:]
            constant = double(constant)
        elif len(words) % 8 == 4:
            w = bytes(SBOX[b] for b in w)
        words.append(bytes(a ^ b for a, b in zip(words[-8], w)))
    return [b"".join(words[i:i + 4]) for i in range(0, len(words), 4)]


def add(a, b):
    return (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).to_bytes(len(a), "big")


def columns(s):
    """Bytes after substitution and moved rows, each column multiplied by the matrix 2 3 1 1."""
    out = bytearray()
    for i in range(0, BLOCK, 4):
        a, b, c, d = s[i:i + 4]
        out += bytes((TWICE[a] ^ THRICE[b] ^ SBOX[c] ^ SBOX[d], SBOX[a] ^ TWICE[b] ^ THRICE[c] ^ SBOX[d],
                      SBOX[a] ^ SBOX[b] ^ TWICE[c] ^ THRICE[d], THRICE[a] ^ SBOX[b] ^ SBOX[c] ^ TWICE[d]))
    return bytes(out)


def encrypt(keys, block):
    s = add(block, keys[0])
    for key in keys[1:-1]:
        s = add(columns([s[i] for i in ROWS]), key)
    return add(bytes(SBOX[s[i]] for i in ROWS), keys[-1])


def aes256_ecb(data, key):
    """Whole blocks; what is short of one is padded with its own beginning, as the engine's packer does."""
    keys = round_keys(key)
    if len(data) % BLOCK:
        data += (data * BLOCK)[:-len(data) % BLOCK]
    return b"".join(encrypt(keys, data[i:i + BLOCK]) for i in range(0, len(data), BLOCK))


def aes256_ctr(data, key, counter):
    """The counter, 16 bytes, is a number with its highest byte first."""
    keys, start = round_keys(key), int.from_bytes(counter, "big")
    stream = b"".join(encrypt(keys, ((start + i) % (1 << 128)).to_bytes(BLOCK, "big")) for i in range(-(-len(data) // BLOCK)))
    return add(data, stream[:len(data)]) if data else b""
