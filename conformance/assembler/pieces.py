"""Pieces of a file: bytes, or a run of one byte that is too long to hold."""


class Run:
    """n equal bytes that are not written out."""

    def __init__(self, n, byte):
        self.n, self.byte = n, byte

    def __len__(self):
        return self.n


def blocks(piece):
    if not isinstance(piece, Run):
        yield bytes(piece)
        return
    left = piece.n
    while left:
        n = min(left, 1 << 20)
        yield bytes([piece.byte]) * n
        left -= n
