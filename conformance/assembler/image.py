"""Images: the bytes of a file, with long runs of zeros kept as numbers and written as holes."""

import os

from .pieces import Run, blocks

SPARSE = 1 << 16            # zero runs at least this long become holes in the file


class Image:
    """The assembled bytes: pieces in order, the labels' values, the expectations with their places, and the images of the files that
    lie beside this one, by their names, or in folders beside it, by their paths."""

    def __init__(self):
        self.pieces, self.starts, self.size = [], [], 0
        self.labels, self.expects, self.companions = {}, [], {}
        self.references = {}

    def add(self, piece):
        if len(piece):
            self.pieces.append(piece)
            self.starts.append(self.size)
            self.size += len(piece)

    def slice(self, start, end):
        for at, piece in zip(self.starts, self.pieces):
            a, b = max(start, at), min(end, at + len(piece))
            if a < b:
                yield Run(b - a, piece.byte) if isinstance(piece, Run) else piece[a - at:b - at]

    def patch(self, at, data):
        for start, piece in zip(self.starts, self.pieces):
            if start <= at < start + len(piece):
                piece[at - start:at - start + len(data)] = data
                return

    def write(self, path):
        with open(path, "wb") as out:
            for piece in self.pieces:
                if isinstance(piece, Run) and piece.byte == 0 and piece.n >= SPARSE:
                    out.seek(piece.n, os.SEEK_CUR)
                    continue
                for block in blocks(piece):
                    out.write(block)
            out.truncate(self.size)

    def write_with_companions(self, path, without=()):
        """Writes the file and those beside it, but for those whose names are in without."""
        self.write(path)
        self.write_companions(os.path.dirname(path), without)

    def write_companions(self, folder, without=()):
        for name, image in self.companions.items():
            if name not in without:
                path = os.path.normpath(os.path.join(folder, name))
                os.makedirs(os.path.dirname(path), exist_ok=True)
                image.write(path)
        for name, image in self.references.items():
            path = os.path.join(folder, *name.split("/"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            image.write_with_companions(path)

    def to_bytes(self):
        return b"".join(block for piece in self.pieces for block in blocks(piece))
