"""AES-256 after FIPS 197, for many blocks at once: the state is sixteen planes, each with one byte of every block."""

ROUNDS = 14


def times(a, b):
    """The product in GF(2^8)."""
    out = 0
    while b:
        if b & 1:
            out ^= a
        a = a << 1 ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return out


def s_box():
    """The inverse of each byte, and an affine map of its bits."""
    out = bytearray()
    for a in range(256):
        inverse = next((b for b in range(256) if times(a, b) == 1), 0)
        value = 0x63
        for shift in range(5):
            turned = inverse << shift
            value ^= (turned | turned >> 8) & 0xFF
        out.append(value)
    return bytes(out)


S = s_box()
INVERSE_S = bytes(S.index(b) for b in range(256))
PRODUCTS = {n: bytes(times(n, b) for b in range(256)) for n in (1, 2, 3, 9, 11, 13, 14)}
FORWARD, BACKWARD = (2, 3, 1, 1), (14, 11, 13, 9)               # the first rows of the matrices; the next are turned by one
SHIFTED = [(4 * (i // 4 + i % 4) + i % 4) % 16 for i in range(16)]      # where each byte of a state comes from
UNSHIFTED = [SHIFTED.index(i) for i in range(16)]


def round_keys(key):
    words, constant = [list(key[i:i + 4]) for i in range(0, 32, 4)], 1
    for i in range(8, 4 * (ROUNDS + 1)):
        w = list(words[-1])
        if i % 8 == 0:
            w = [S[b] for b in w[1:] + w[:1]]
            w[0] ^= constant
            constant = times(constant, 2)
        elif i % 8 == 4:
            w = [S[b] for b in w]
        words.append([a ^ b for a, b in zip(words[-8], w)])
    return [sum(words[i:i + 4], []) for i in range(0, len(words), 4)]


def xor(*planes):
    out = 0
    for plane in planes:
        out ^= int.from_bytes(plane, "little")
    return out.to_bytes(len(planes[0]), "little")


def add_key(state, key):
    return [plane.translate(bytes(b ^ k for b in range(256))) for plane, k in zip(state, key)]


def mix(state, row):
    """Each column times the matrix."""
    out = []
    for i in range(16):
        column, r = i // 4 * 4, i % 4
        out.append(xor(*(state[column + k].translate(PRODUCTS[row[(k - r) % 4]]) for k in range(4))))
    return out


def planes(data):
    return [data[i::16] for i in range(16)]


def joined(state):
    out = bytearray(16 * len(state[0]))
    for i, plane in enumerate(state):
        out[i::16] = plane
    return bytes(out)


def decrypt(data, key):
    """Whole blocks, each by itself (ECB)."""
    keys = round_keys(key)
    state = add_key(planes(data), keys[ROUNDS])
    for number in range(ROUNDS - 1, -1, -1):
        state = add_key([state[i].translate(INVERSE_S) for i in UNSHIFTED], keys[number])
        if number:
            state = mix(state, BACKWARD)
    return joined(state)


def encrypt(data, key):
    keys = round_keys(key)
    state = add_key(planes(data), keys[0])
    for number in range(1, ROUNDS + 1):
        state = [state[i].translate(S) for i in SHIFTED]
        if number < ROUNDS:
            state = mix(state, FORWARD)
        state = add_key(state, keys[number])
    return joined(state)


def add_counter(data, key, vector):
    """CTR: the vector of 12 bytes and a number from 0 on, its highest byte first, for each block."""
    counters = b"".join(vector + i.to_bytes(4, "big") for i in range(-(-len(data) // 16)))
    return xor(data, encrypt(counters, key)[:len(data)]) if data else b""
