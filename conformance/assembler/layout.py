"""Laying out: giving every label its place, again and again until nothing moves, then writing the bytes."""
import copy
import functools

from .crc import DIGESTS
from .errors import VecError
from .image import Image
from .hashes import WIDE_DIGESTS, cityhash64_bytes, hash_text
from .parser import INTEGERS, RAW_BYTE, TEXT_HASHES
from .pieces import Run
from .transforms import TRANSFORMS, pack, transform, unpack
from .vector import APART, find_label

MAX_PASSES = 40
OBJECT_MARKS = {"script_object": 1, "package_object": 2}    # the upper two bits of what imports such an object
INNER = ("inner",)          # the home of labels that count from the start of a block that becomes other bytes


class NeedsBytes(Exception):
    """A digest was asked for before the bytes exist."""


class Assembler:
    """Lays a vector out again and again until every label keeps its value, then writes its bytes once."""

    def __init__(self, vector):
        self.v = vector
        self.labels, self.fresh = {}, {}
        self.homes = {}             # which file a label lies in: None the vector's own, ("companion", name), ("aside", label)
        self.home = None
        self.images = {}            # the bytes of files, by their home, once sizes have settled
        self.variables = []
        self.evaluating, self.copying = [], []
        self.depth = 0              # blocks that become other bytes and are being made
        self.first = True           # labels may still be unknown
        self.final = False          # sizes have settled, bytes are written
        self.defining = True        # labels are being given their places

    def run(self):
        for _ in range(MAX_PASSES):
            before = dict(self.labels)
            self.fresh = {}
            self.fresh["size"] = self.place(self.v.nodes, 0)
            self.labels = self.fresh
            if self.labels == before and not self.first:
                break
            self.first = False
        else:
            raise VecError((self.v.path, 1), "the sizes do not settle")
        self.final, self.defining = True, False
        image = self.images[None] = Image()
        waiting = []
        self.emit(self.v.nodes, image, waiting)
        self.resolve(waiting)
        image.labels = self.labels
        image.companions = {home[1]: beside for home, beside in self.images.items() if home}
        image.references = {f"{v.name}/{v.file}": embedded(v, ()) for v in self.v.references}
        image.expects = [self.expectation(e) for e in self.v.expects]
        return image

    # -- values

    def value(self, expr, where, digest=None):
        kind = expr[0]
        if kind == "int":
            return expr[1]
        if kind == "neg":
            return -self.value(expr[1], where, digest)
        if kind == "digest":
            if digest is None:
                raise VecError(where, "a digest may only stand in an integer of fixed width")
            return self.digest(expr, where, digest)
        if kind == "text_hash":
            return self.text_hash(expr[1], expr[2], self.value(expr[3], where), where)
        if kind == "element":
            return self.name(f"{expr[1]}[{self.value(expr[2], where)}]{expr[3]}", where)
        if kind == "name":
            return self.name(expr[1], where, digest)
        left, right = self.value(expr[1], where, digest), self.value(expr[2], where, digest)
        if kind == "+":
            return left + right
        if kind == "-":
            return left - right
        if kind == "*":
            return left * right
        if right == 0:
            if self.first:
                return 0
            raise VecError(where, "division by zero")
        return left // right

    def text_hash(self, name, items, seed, where):
        width, mark = TEXT_HASHES[name][0], OBJECT_MARKS.get(name)
        chars = lower(self.chars(items, where, 0, width))
        if mark is None:
            return hash_text(name, bytes(self.encode(chars, width, where)), seed)
        path = chars.replace(".", "/").replace(":", "/")
        return cityhash64_bytes(bytes(self.encode(path, width, where))) % (1 << 62) | mark << 62

    def digest(self, expr, where, digest):
        start = self.value(expr[2], where)
        end = self.span_end(expr[2], where) if expr[3] is None else self.value(expr[3], where)
        home = self.home_of(expr[2], where)
        if (home == INNER or self.depth) and expr[3] is None and expr[2][0] == "name":
            return DIGESTS[expr[1]]([self.stretch(expr[2][1], where)])
        if home and home[0] == "aside":
            return DIGESTS[expr[1]]([self.stretch(home[1], where)[start:end]])
        return digest(expr[1], home, start, end)

    def home_of(self, expr, where):
        """The home of the first label of an expression; INNER, which is wherever one is, if it has none."""
        if expr[0] == "element":
            return self.homes.get(f"{expr[1]}[{self.value(expr[2], where)}]{expr[3]}", INNER)
        if expr[0] == "name":
            let = self.v.lets.get(expr[1])
            return self.home_of(let[0][1], where) if let and let[0][0] == "expr" else self.homes.get(expr[1], INNER)
        homes = (self.home_of(part, where) for part in expr[1:] if isinstance(part, tuple))
        return next((home for home in homes if home != INNER), INNER)

    def stretch(self, label, where):
        """The bytes of a labelled statement, in a file or aside."""
        place = find_label(self.v.nodes, label)
        if not place:
            raise VecError(where, f"no statement is labelled {label!r}")
        node = place[0][place[1]]
        if node in self.copying:
            raise VecError(where, f"{label} is copied into itself")
        defining, self.defining = self.defining, False
        self.copying.append(node)
        try:
            return self.inner(node.children if node.op in APART else [node])
        finally:
            self.copying.pop()
            self.defining = defining

    def name(self, name, where, digest=None):
        for variable, number in reversed(self.variables):
            if variable == name:
                return number
        if name in self.v.lets:
            return self.let(name, where, digest)
        if name in self.labels:
            return self.labels[name]
        if self.first:
            return 0
        raise VecError(where, f"nothing is called {name!r}")

    def let(self, name, where, digest):
        (kind, value), defined = self.v.lets[name]
        if kind == "text":
            raise VecError(where, f"{name} is a text, not a number")
        if name in self.evaluating:
            raise VecError(defined, f"{name} is defined by itself")
        self.evaluating.append(name)
        try:
            return self.value(value, defined, digest)
        finally:
            self.evaluating.pop()

    def count(self, expr, where):
        n = self.value(expr, where)
        if n < 0 and self.final:
            raise VecError(where, f"{n} is a negative count")
        return max(n, 0)

    def chars(self, items, where, at, width):
        """The characters of a text. Marks and spans define labels at their place."""
        out, n = [], 0
        for item in items:
            piece = self.item_chars(item, where, at + n, width)
            out.append(piece)
            n += self.encoded_length(piece, width, where)
        return "".join(out)

    def item_chars(self, item, where, at, width):
        kind = item[0]
        if kind == "chars":
            return item[1]
        if kind == "times":
            return self.chars(item[1], where, at, width) * self.count(item[2], where)
        if kind == "mark":
            self.define(item[1], at, where)
            return ""
        if kind == "span":
            self.define(item[1], at, where)
            inner = self.chars(item[2], where, at, width)
            self.define(item[1] + ".end", at + self.encoded_length(inner, width, where), where)
            return inner
        expr = item[1]
        if expr[0] == "name" and expr[1] in self.v.lets and self.v.lets[expr[1]][0][0] == "text":
            return self.chars(self.v.lets[expr[1]][0][1], where, at, width)
        return str(self.value(expr, where))

    def encoded_length(self, s, width, where):
        return len(self.encode(s, width, where))

    @staticmethod
    def encode(s, width, where):
        if s.isascii():
            return s.encode("ascii" if width == 1 else "utf-16-le")
        out = bytearray()
        for c in s:
            n = ord(c)
            if RAW_BYTE <= n <= RAW_BYTE + 255:
                out += (n - RAW_BYTE).to_bytes(width, "little")
            elif width == 1:
                try:
                    out += c.encode("cp1252")
                except UnicodeEncodeError:
                    raise VecError(where, f"U+{n:04X} is not in CP1252; write \\xNN") from None
            elif n < 0x10000:
                out += n.to_bytes(2, "little")
            else:
                out += c.encode("utf-16-le")
        return out

    # -- layout

    def define(self, name, at, where):
        if not self.defining:
            return
        if name in self.fresh:
            raise VecError(where, f"the label {name!r} is used twice")
        if name in self.v.lets:
            raise VecError(where, f"{name!r} is a label and also defined by let")
        self.fresh[name], self.homes[name] = at, self.home

    def label(self, node):
        if node.label is None or node.label_index is None:
            return node.label
        return f"{node.label}[{self.value(node.label_index, node.where)}]"

    def place(self, nodes, at):
        for node in nodes:
            name = self.label(node)
            if node.op in APART:
                self.place_apart(node, name)
                continue
            if name:
                self.define(name, at, node.where)
            if name and node.op == "vector":
                self.place_inside(name, node, at)
            at = self.place_one(node, at)
            if name:
                self.define(name + ".end", at, node.where)
        return at

    def place_apart(self, node, name):
        """What lies in another file, or in none, counts from its own beginning."""
        home, self.home = self.home, self.home_apart(node, name)
        end = self.place(node.children, 0)
        if name:
            self.define(name, 0, node.where)
            self.define(name + ".end", end, node.where)
        self.home = home

    def home_apart(self, node, name):
        if self.home and self.home[0] != "companion":
            raise VecError(node.where, f"{node.op} may not stand aside, or in a block that becomes other bytes")
        if node.op == "companion":
            return "companion", self.chars(node.args[0], node.where, 0, 1)
        if not name:
            raise VecError(node.where, "what lies aside needs a label")
        return "aside", name

    def place_inside(self, name, node, at):
        for label, place in self.embedded(node).labels.items():
            self.define(f"{name}.{label}", at + place, node.where)

    def place_one(self, node, at):
        if node.op == "group":
            return self.place(node.children, at)
        if node.op == "repeat":
            for n in range(self.count(node.args[0], node.where)):
                self.variables.append((node.args[1], n))
                at = self.place(node.children, at)
                self.variables.pop()
            return at
        if node.op in INTEGERS:
            return at + INTEGERS[node.op][0]
        if node.op in WIDE_DIGESTS:
            return at + WIDE_DIGESTS[node.op]
        if node.op == "fill":
            return at + self.count(node.args[0], node.where)
        if node.op == "align":
            return at + self.padding(node, at)
        return at + len(self.encoded(node, at))

    def padding(self, node, at):
        n = self.value(node.args[0], node.where)
        if n < 1:
            raise VecError(node.where, f"cannot align to {n}")
        return -at % n

    def encoded(self, node, at):
        """The bytes of a statement whose length depends on its value."""
        op, where = node.op, node.where
        if op in TRANSFORMS:
            return transform(op, self.inner(node.children), *(self.argument(arg, where) for arg in node.args))
        if op == "copy":
            data = self.stretch(node.args[0], where)
            if len(node.args) == 1:
                return data
            first = self.count(node.args[1], where)
            return data[first:first + self.count(node.args[2], where)]
        if op == "bits":
            return pack(self.bits(node.children))
        if op == "bytes":
            return node.args[0]
        if op == "vector":
            return self.embedded(node).to_bytes()
        if op == "part":
            first = self.count(node.args[0], where)
            return self.inner(node.children)[first:first + self.count(node.args[1], where)]
        if op == "index":
            return encode_index(self.value(node.args[0], where), where)
        if op == "index_long":
            return encode_index(self.value(node.args[0], where), where, self.value(node.args[1], where))
        if op == "sevenzip_number":
            return encode_sevenzip_number(self.value(node.args[0], where), where)
        if op == "vint":
            return encode_vint(self.count(node.args[0], where), where)
        if op == "vint_long":
            return encode_vint(self.count(node.args[0], where), where, self.count(node.args[1], where))
        if op in ("text", "utf16"):
            width = 1 if op == "text" else 2
            return self.encode(self.chars(node.args[0], where, at, width), width, where)
        width = 2 if op.startswith("w") else 1
        defining, self.defining = self.defining, False      # measured first, labelled behind the length
        body = self.encode(self.chars(node.args[0], where, at, width), width, where) + bytes(width)
        self.defining = defining
        n = len(body) // width
        n = n if width == 1 else -n
        head = n.to_bytes(4, "little", signed=True) if op.endswith("32") else encode_index(n, where)
        self.chars(node.args[0], where, at + len(head), width)
        return head + body

    def argument(self, arg, where):
        """A transform's argument: bytes in hexadecimal, or a number."""
        if isinstance(arg, tuple):
            return self.count(arg, where)
        digits = self.chars(arg, where, 0, 1)
        try:
            return bytes.fromhex(digits)
        except ValueError:
            raise VecError(where, f"{digits!r} is not hexadecimal") from None

    # -- blocks that become other bytes; labels in them count from the block's start

    def inner(self, nodes):
        if self.defining:
            home, self.home = self.home, INNER
            self.place(nodes, 0)
            self.home = home
        defining, self.defining = self.defining, False
        image, waiting, variables = Image(), [], list(self.variables)
        self.depth += 1
        self.emit(nodes, image, waiting)
        self.resolve(waiting)
        self.depth -= 1
        self.variables, self.defining = variables, defining
        return image.to_bytes()

    def embedded(self, node):
        """The Image of a vector that lies in this one, or of a file that lies beside that vector's."""
        vector, beside, lets = node.args
        for name, _ in lets:
            if name not in vector.lets:
                raise VecError(node.where, f"{vector.name} has no let {name}")
        image = embedded(vector, tuple((name, self.value(expr, node.where)) for name, expr in lets))
        if beside is None:
            return image
        name = self.chars(beside, node.where, 0, 1)
        if name not in image.companions:
            raise VecError(node.where, f"no {name} lies beside {vector.name}")
        return image.companions[name]

    def bits(self, nodes):
        """The bits of a block: codes as they are, other statements a byte at a time, its lowest bit first. Labels have no place
        there; they serve edits only."""
        out = []
        for node in nodes:
            if node.op == "code":
                out.append(self.code(node))
            elif node.op == "group":
                out.append(self.bits(node.children))
            elif node.op == "repeat":
                for n in range(self.count(node.args[0], node.where)):
                    self.variables.append((node.args[1], n))
                    out.append(self.bits(node.children))
                    self.variables.pop()
            else:
                bare = node.copy()
                bare.label = None
                out.append(unpack(self.inner([bare])))
        return "".join(out)

    def code(self, node):
        bits = self.chars(node.args[0], node.where, 0, 1)
        if set(bits) - {"0", "1"}:
            raise VecError(node.where, "a code is written with 0 and 1")
        return bits

    # -- bytes

    def emit(self, nodes, image, waiting):
        for node in nodes:
            self.emit_one(node, image, waiting)

    def emit_apart(self, node, waiting):
        if node.op == "aside":
            return
        home = "companion", self.chars(node.args[0], node.where, 0, 1)
        if home in self.images:
            raise VecError(node.where, f"two companions are called {home[1]}")
        self.images[home] = Image()
        self.emit(node.children, self.images[home], waiting)

    def emit_one(self, node, image, waiting):
        if node.op in APART:
            self.emit_apart(node, waiting)
        elif node.op == "group":
            self.emit(node.children, image, waiting)
        elif node.op == "repeat":
            for n in range(self.count(node.args[0], node.where)):
                self.variables.append((node.args[1], n))
                self.emit(node.children, image, waiting)
                self.variables.pop()
        elif node.op in INTEGERS:
            self.emit_integer(node, image, waiting)
        elif node.op in WIDE_DIGESTS:
            waiting.append((image, image.size, WIDE_DIGESTS[node.op], node, list(self.variables)))
            image.add(bytearray(WIDE_DIGESTS[node.op]))
        elif node.op in ("fill", "align"):
            n = self.count(node.args[0], node.where) if node.op == "fill" else self.padding(node, image.size)
            byte = self.value(node.args[1], node.where)
            if not 0 <= byte <= 255:
                raise VecError(node.where, f"{byte} is not a byte")
            image.add(Run(n, byte))
        else:
            image.add(bytearray(self.encoded(node, image.size)))

    def emit_integer(self, node, image, waiting):
        width = INTEGERS[node.op][0]

        def later(*_):
            raise NeedsBytes

        try:
            data = self.integer(node, self.value(node.args[0], node.where, later), self.final)
        except NeedsBytes:
            waiting.append((image, image.size, width, node, list(self.variables)))
            data = bytes(width)
        image.add(bytearray(data))

    @staticmethod
    def integer(node, n, final=True):
        if node.op in WIDE_DIGESTS:
            return n.to_bytes(WIDE_DIGESTS[node.op], "big")
        width, signed, order = INTEGERS[node.op]
        if order == "octal":
            if final and not 0 <= n < 8 ** (width - 1):
                raise VecError(node.where, f"{n} does not fit {node.op}")
            return b"%0*o\0" % (width - 1, max(n, 0) % 8 ** (width - 1))
        bits = 8 * width
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (-(1 << bits - 1), (1 << bits) - 1)
        if final and not low <= n <= high:
            raise VecError(node.where, f"{n} does not fit {node.op}")
        return (n % (1 << bits)).to_bytes(width, order)

    def resolve(self, waiting):
        """Fills in the digests, those whose range holds no other open digest first."""
        while waiting:
            done = next((w for w in waiting if self.fill_in(w, waiting)), None)
            if done is None:
                raise VecError(waiting[0][3].where, "this digest is over its own bytes")
            waiting.remove(done)

    def fill_in(self, item, waiting):
        image, at, _, node, self.variables = item

        def digest(name, home, start, end):
            over = image if home == INNER else self.images.get(home)
            if over is None:
                raise VecError(node.where, "a block that becomes other bytes has no digest over a file")
            if not 0 <= start <= end <= over.size:
                raise VecError(node.where, f"the range {start}..{end} is not inside the {over.size} bytes")
            if any(i is over and start < a + w and a < end for i, a, w, _, _ in waiting):
                raise NeedsBytes
            return DIGESTS[name](over.slice(start, end))

        try:
            image.patch(at, self.integer(node, self.value(node.args[0], node.where, digest)))
        except NeedsBytes:
            return False
        finally:
            self.variables = []
        return True

    def expectation(self, e):
        out = dict(e)
        where = e["where"]
        home = INNER if e["at"] is None else self.home_of(e["at"], where)
        if e["file"] is None and home and home[0] == "companion":
            out["file"] = home[1]
        for key in ("at", "related"):
            if e[key] is not None:
                out[key] = self.value(e[key], where)
        if e["len"] is not None and e["len"][0] == "span":
            out["len"] = self.span_end(e["at"], where) - out["at"]
        elif e["len"] is not None:
            out["len"] = self.value(e["len"], where)
        return out

    def span_end(self, expr, where):
        if expr[0] == "element":
            return self.value((expr[0], expr[1], expr[2], ".end"), where)
        if expr[0] == "name":
            return self.name(expr[1] + ".end", where)
        raise VecError(where, "span needs one label")


def lower(s):
    """The text with its ASCII letters in lower case; others stay as they are."""
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in s)


def encode_vint(value, where, width=1):
    """Seven bits a byte, the lowest first; bit 7 in all bytes but the last. There are at least as many bytes as width says."""
    if value < 0:
        raise VecError(where, f"{value} is below 0")
    groups = [value & 0x7F]
    while value > 0x7F or len(groups) < width:
        value >>= 7
        groups.append(value & 0x7F)
    return bytes(group | 0x80 for group in groups[:-1]) + bytes(groups[-1:])


def encode_index(value, where, width=None):
    """Unreal's compact index: sign, more, six bits; then seven bits a byte; the fifth byte has eight."""
    magnitude = abs(value)
    if magnitude > 0xFFFFFFFF >> 1 and value != -(1 << 31):
        raise VecError(where, f"{value} does not fit a compact index")
    groups = [magnitude & 0x3F]
    magnitude >>= 6
    while magnitude or (width is not None and len(groups) < width):
        if len(groups) == 5:
            raise VecError(where, "a compact index has at most 5 bytes")
        last = len(groups) == 4
        groups.append(magnitude & (0xFF if last else 0x7F))
        magnitude >>= 8 if last else 7
    if width is not None and len(groups) != width:
        raise VecError(where, f"{value} needs {len(groups)} bytes, not {width}")
    out = bytearray([groups[0] | (0x80 if value < 0 else 0) | (0x40 if len(groups) > 1 else 0)])
    for i, group in enumerate(groups[1:], 1):
        out.append(group | (0x80 if i < len(groups) - 1 else 0))
    return bytes(out)


def encode_sevenzip_number(value, where):
    """A number of 7z: the ones at the top of the first byte say how many bytes follow, lowest first; the rest of it is above them."""
    if not 0 <= value < 1 << 64:
        raise VecError(where, f"{value} does not fit a number of 7z")
    n = next((n for n in range(8) if value < 1 << 7 * (n + 1)), 8)
    first = 0xFF if n == 8 else (0xFF00 >> n & 0xFF) | value >> 8 * n
    return bytes([first]) + (value & (1 << 8 * n) - 1).to_bytes(n, "little")


@functools.lru_cache(maxsize=64)
def embedded(vector, lets):
    inner = copy.copy(vector)
    inner.lets = {**vector.lets, **{name: (("expr", ("int", value)), (vector.path, 1)) for name, value in lets}}
    return assemble(inner)


def assemble(vector):
    """Returns the Image of a loaded Vector."""
    return Assembler(vector).run()
