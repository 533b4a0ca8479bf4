"""The signatures of a container, from 7.11 to 7.16 of conformance/spec/iostore.md; the digests of blocks are in payload.py."""
import base64
import hashlib
import re

from .core import Cut

RULES = {"SET018", "SIG001", "SIG002", "SIG004", "SIG005", "SIG006"}
HEADER_SIZE = 144


def size(c, at):
    """Bytes of the section of signatures that begins at this place; None where they do not fit."""
    j = c.j
    try:
        one = c.file.i32(at)
    except Cut:
        return len(c.file) + 1
    total = 4 + 2 * one + 20 * c.h["n_blocks"]
    if j.fire("SIG001", one <= 0 or at + total > len(c.file)):
        return None
    c.signature_size = one
    return total


def judge(c):
    if "signatures" in c.sections:
        c.j.fire("SIG006")
        c.j.fire("SIG002", c.signature_size not in (256, 512))
        if not c.j.fire("SIG005", not c.file.signing):
            judge_signatures(c, PublicKey(c.file.signing))
    else:
        c.j.fire("SET018", c.file.signing)


class PublicKey:
    """Modulus and exponent of a key file's lines: numbers in base64, their lowest byte first."""

    def __init__(self, lines):
        self.modulus, self.exponent = (number_of(lines, name) for name in ("SigningModulus", "SigningPublicExponent"))
        self.size = (self.modulus.bit_length() + 7) // 8

    def is_of(self, signature, data):
        """Whether a signature is that of bytes (7.14)."""
        value = int.from_bytes(signature, "big")
        if len(signature) != self.size or value >= self.modulus:
            return False
        digest = hashlib.sha1(data).digest()
        padded = b"\0\1" + b"\xff" * (self.size - len(digest) - 3) + b"\0" + digest
        return pow(value, self.exponent, self.modulus) == int.from_bytes(padded, "big")


def number_of(lines, name):
    found = (re.fullmatch(rf"\s*{name}\s*=\s*(\S+)\s*", line) for line in lines)
    return next(int.from_bytes(base64.b64decode(match[1]), "little") for match in found if match)


def judge_signatures(c, key):
    at, total = c.sections["signatures"]
    n = c.signature_size
    digests = c.file.bytes(at + 4 + 2 * n, total - 4 - 2 * n)
    header = c.file.bytes(0, HEADER_SIZE)
    c.j.fire("SIG004", not key.is_of(c.file.bytes(at + 4, n), header) or not key.is_of(c.file.bytes(at + 4 + n, n), digests))
