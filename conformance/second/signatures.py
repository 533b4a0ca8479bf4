"""The signatures of a container, from 7.11 and 7.12 of conformance/spec/iostore.md."""
from .core import Cut

RULES = {"SIG001", "SIG002", "SIG005", "SIG006"}


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
        c.j.fire("SIG005", not c.file.signing)
