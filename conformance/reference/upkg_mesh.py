"""Meshes and animations (upkg.md 9.11 and 9.12)."""
import struct

RULES = {"MSH001", "MSH002"}


def skip_rows(d, size):
    n = d.count(size)
    d.skip(n * size)
    return n


def numbers(d, place, form):
    """The rows of a stretch."""
    at, n = place
    return list(struct.iter_unpack(form, d.b.file.bytes(at, n)))


def sequences(d):
    """The first frame of each sequence, and how many it has."""
    out = []
    for _ in range(d.count(15)):
        d.name()
        d.name()
        out.append((d.i32(), d.i32()))
        for _ in range(d.count(5)):
            d.skip(4)
            d.name()
        d.skip(4)
    return out


class Mesh:
    def __init__(self, d):
        d.skip(25 + 16)
        self.vertices = d.lazy(4)[1] // 4
        triangles = numbers(d, d.lazy(20), "<3H6BIi")
        self.sequences = sequences(d)
        d.lazy(8)
        d.skip(25 + 16)
        d.lazy(4)
        self.textures = d.count(1)
        for _ in range(self.textures):
            d.reference()
        skip_rows(d, 25)
        skip_rows(d, 16)
        self.frame, self.frames = d.i32(), d.i32()
        self.stride = self.frame
        d.skip(8 + 24 + 12 + 8)
        skip_rows(d, 4)
        self.corners = [v for t in triangles for v in t[:3]]
        self.pictures = [t[-1] for t in triangles]

    def judge_sequences(self, d):
        frames = min(self.frames, self.vertices // self.stride) if self.stride > 0 else self.frames
        d.fire("MSH002", any(n < 0 or first < 0 for first, n in self.sequences))
        d.note("MSH002", any(n >= 0 for _, n in self.sequences) and min(n for _, n in self.sequences) == 0, lesser=True)
        d.note("MSH002", any(first >= frames and first >= 0 or first + n > frames for first, n in self.sequences), lesser=True)

    def judge(self, d):
        self.judge_sequences(d)
        d.note("MSH001", self.frame * self.frames != self.vertices or any(v >= self.frame for v in self.corners)
               or any(not 0 <= t < self.textures for t in self.pictures))


class Lod:
    """What a LodMesh has more than a Mesh."""

    def __init__(self, d, mesh):
        self.mesh = mesh
        skip_rows(d, 2)
        skip_rows(d, 2)
        self.faces = numbers(d, self.rows(d, 8), "<4H")
        skip_rows(d, 2)
        self.wedges = numbers(d, self.rows(d, 4), "<HBB")
        self.materials = numbers(d, self.rows(d, 8), "<Ii")
        skip_rows(d, 8)
        d.skip(4)
        self.special = d.i32()
        d.skip(24)
        renamed = d.count(2)
        d.skip(2 * renamed)
        before = d.i32()
        if renamed:
            mesh.stride = before

    @staticmethod
    def rows(d, size):
        at = d.count(size) * size
        d.skip(at)
        return d.b.at - at, at

    def judge(self, d):
        bad = any(w >= len(self.wedges) for face in self.faces for w in face[:3]) or any(face[3] >= len(self.materials) for face in self.faces)
        bad = bad or any(wedge[0] + self.special >= self.mesh.frame for wedge in self.wedges)
        d.note("MSH001", bad or any(not 0 <= texture < self.mesh.textures for _, texture in self.materials), lesser=True)


def mesh(d):
    Mesh(d).judge(d)


def lod_mesh(d):
    base = Mesh(d)
    lod = Lod(d, base)
    base.judge_sequences(d)
    lod.judge(d)
    d.note("MSH001", base.stride * base.frames != base.vertices or base.stride < 0, lesser=True)


def skeletal_mesh(d):
    Lod(d, Mesh(d))
    skip_rows(d, 12)
    skip_rows(d, 12)
    d.count(1)
    d.open_end = True


def track(d):
    d.skip(4)
    skip_rows(d, 16)
    skip_rows(d, 12)
    skip_rows(d, 4)


def animation(d):
    for _ in range(d.count(9)):
        d.name()
        d.skip(8)
    for _ in range(d.count(33)):
        d.skip(24)
        skip_rows(d, 4)
        for _ in range(d.count(7)):
            track(d)
        track(d)
    sequences(d)


READERS = {"mesh": mesh, "lodmesh": lod_mesh, "skeletalmesh": skeletal_mesh, "animation": animation}
