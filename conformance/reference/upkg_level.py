"""Models and levels (upkg.md 9.8 and 9.9)."""

RULES = {f"MDL{n:03}" for n in range(1, 12)} | {f"LVL{n:03}" for n in range(1, 5)}
MAX_ZONES = 64
MAX_VERTICES = 16
BOX, SIDE = 6, 0x40000000
CODE = {"class", "package", "function", "state", "struct", "enum", "const"} | {
    kind + "property" for kind in "byte int bool float object name class array struct str map fixedarray string".split()}
TEXTURES = {"texture", "icetexture", "watertexture", "wettexture", "firetexture", "wavetexture", "scriptedtexture"}
DATA = set("palette sound music textbuffer polys model level font mesh lodmesh skeletalmesh animation".split())
NO_ACTOR, NO_TEXTURE = CODE | TEXTURES | DATA, CODE | DATA | {"levelinfo", "brush"}


class Node:
    def __init__(self, d):
        d.skip(16 + 8 + 1)
        self.first, self.surface, self.back, self.front, self.plane, self.collision, self.render, *self.zones = (d.index() for _ in range(9))
        self.vertices, self.leaves = d.u8(), (d.i32(), d.i32())


def is_known_class(d, ref, classes):
    return d.engine_class_of(ref) in classes


def read_actor(d, rule):
    ref = d.reference()
    d.fire(rule, is_known_class(d, ref, NO_ACTOR))
    return ref


class Surface:
    def __init__(self, d):
        d.fire("MDL011", is_known_class(d, d.reference(), NO_TEXTURE))
        d.skip(4)
        self.point, self.normal, self.u, self.v, self.light_map = (d.index() for _ in range(5))
        d.index()
        d.skip(4)
        read_actor(d, "MDL011")


class LightMap:
    def __init__(self, d):
        self.bits = d.i32()
        d.skip(12)
        self.sides = d.index(), d.index()
        d.skip(8)
        self.light = d.i32()


def inside(n, most, none=False):
    return 0 <= n < most or (none and n == -1)


class Model:
    """The counts and rows of a model."""

    def __init__(self, d):
        d.skip(25 + 16)
        self.vectors = self.plain(d, 12)
        self.points = self.plain(d, 12)
        self.nodes = [Node(d) for _ in range(d.count(43))]
        self.surfaces = [self.surface(d) for _ in range(d.count(16))]
        self.vertices = [(d.index(), d.index())[0] for _ in range(d.count(2))]
        d.skip(4)
        self.read_zones(d)
        polys = d.reference()
        d.fire("MDL011", polys != 0 and d.b.rows.exists(polys) and d.class_of(polys) != "polys")
        self.light_maps = [LightMap(d) for _ in range(d.count(30))]
        self.bits = self.plain(d, 1)
        self.bounds = self.plain(d, 25)
        self.hulls = [d.i32() for _ in range(d.count(4))]
        self.leaves = d.count(11)
        for _ in range(self.leaves):
            d.index(), d.index(), d.index()
            d.skip(8)
        self.lights = [read_actor(d, "MDL011") for _ in range(d.count(1))]
        d.skip(8)

    def surface(self, d):
        """Points and vectors are judged where they stand."""
        out = Surface(d)
        d.fire("MDL005", not inside(out.point, self.points) or not all(inside(n, self.vectors) for n in (out.normal, out.u, out.v)))
        return out

    @staticmethod
    def plain(d, size):
        n = d.count(size)
        d.skip(n * size)
        return n

    def read_zones(self, d):
        size = 20 if d.version == 62 else 16
        self.zones = d.i32()
        negative = d.note("MDL008", self.zones < 0, lesser=True)
        self.zones = 0 if negative else d.fits(self.zones, 1 + size)
        d.fire("MDL008", self.zones > MAX_ZONES, lesser=d.of_227)
        for _ in range(self.zones):
            read_actor(d, "MDL011")
            d.skip(size)

    # -- what it says

    def judge(self, d):
        for node in self.nodes:
            d.b.j.work.spend()
            self.judge_node(d, node)
        for s in self.surfaces:
            d.fire("MDL005", not inside(s.light_map, len(self.light_maps), True))
        for m in self.light_maps:
            d.fire("MDL007", not self.is_lit(m), lesser=d.of_227)
        ends = self.good_hulls()
        for node in self.nodes:
            d.fire("MDL010", inside(node.collision, len(self.hulls)) and not ends[node.collision], lesser=d.of_227)
        d.fire("MDL009", self.has_cycle())

    def is_lit(self, light_map):
        """Whether all lights of a map have their bits."""
        first, bits = light_map.light, light_map.bits
        if not 0 <= bits <= self.bits or not inside(first, len(self.lights), True):
            return False
        if first == -1:
            return True
        if 0 not in self.lights[first:]:
            return False
        wide, high = light_map.sides
        n = self.lights[first:].index(0)
        return wide >= 0 and high >= 0 and bits + n * ((wide + 7) // 8) * high <= self.bits

    def good_hulls(self):
        """For each entry whether what begins there is a whole hull."""
        out = [False] * (len(self.hulls) + 1)
        for i in reversed(range(len(self.hulls))):
            entry = self.hulls[i]
            out[i] = i + BOX < len(self.hulls) if entry == -1 else inside(entry & ~SIDE, len(self.nodes)) and out[i + 1]
        return out

    def judge_node(self, d, node):
        d.fire("MDL001", not inside(node.surface, len(self.surfaces)))
        d.fire("MDL002", node.vertices > MAX_VERTICES, lesser=d.of_227)
        if node.vertices:
            outside = not 0 <= node.first <= len(self.vertices) - node.vertices
            if not d.fire("MDL002", outside):
                d.fire("MDL006", any(not inside(p, self.points) for p in self.vertices[node.first:node.first + node.vertices]))
        d.fire("MDL003", not all(inside(n, len(self.nodes), True) for n in (node.back, node.front, node.plane)))
        zones = all(inside(z, self.zones) or (self.zones == 0 and z == 0) for z in node.zones)
        d.note("MDL004", not inside(node.collision, len(self.hulls), True) or not inside(node.render, self.bounds, True) or not zones
               or not all(inside(n, self.leaves, True) for n in node.leaves))

    def has_cycle(self):
        """Whether a node is met on the way from itself."""
        state = [0] * len(self.nodes)
        for start in range(len(self.nodes)):
            waiting = [(start, False)]
            while waiting:
                n, left = waiting.pop()
                if left:
                    state[n] = 2
                elif state[n] == 0:
                    state[n] = 1
                    waiting.append((n, True))
                    for m in (self.nodes[n].back, self.nodes[n].front, self.nodes[n].plane):
                        if inside(m, len(self.nodes)):
                            if state[m] == 1:
                                return True
                            waiting.append((m, False))
        return False


def model(d):
    Model(d).judge(d)


def level(d):
    n = d.list(1, "LVL002")
    d.fire("LVL001", n < 1)
    d.note("LVL001", n == 1, lesser=True)
    for i in range(n):
        ref = read_actor(d, "LVL004")
        if i < 2 and d.b.rows.exists(ref) and not is_known_class(d, ref, NO_ACTOR):
            is_wrong = i == 0 and (ref == 0 or d.class_of(ref) == "brush")
            d.fire("LVL001", d.class_of(ref) != ("levelinfo", "brush")[i], lesser=not is_wrong)
    d.texts(4)
    d.texts(d.count(1))
    d.skip(8)
    ref = d.reference()
    d.fire("LVL002", d.b.rows.exists(ref) and d.class_of(ref) != "model")
    for _ in range(d.count(19)):
        d.skip(4)
        read_actor(d, "LVL004")
        read_actor(d, "LVL004")
        d.skip(13)
    d.skip(4)
    read_actor(d, "LVL004")
    for _ in range(16):
        text = d.reference()
        d.fire("LVL004", text != 0 and d.b.rows.exists(text) and d.class_of(text) != "textbuffer")
    if d.version >= 63:
        for _ in range(d.count(2)):
            d.texts(2)
    elif d.version == 61:
        d.texts(d.count(1))
        d.texts(d.count(1))
    d.open_end = d.version == 62
