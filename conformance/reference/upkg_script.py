"""Classes, functions, states, structs, enums, constants and variables, and their code (upkg.md 8)."""
import re

from . import filenames, upkg_properties
from .core import Cut

RULES = {f"BYT{n:03}" for n in range(1, 15)} | {f"CLS{n:03}" for n in range(1, 13)} | {f"FUN{n:03}" for n in range(1, 4)}
FIELDS = "function state struct enum const".split()
END_OF_LIST = 0x16
RETURN, STOP, NOTHING, LABELS, END_CODE = 0x04, 0x08, 0x0B, 0x0C, 0x15
BARE_RETURN = 61                  # the last version in which Return has no operand
NOWHERE = LAST_PLACE = 0xFFFF
MAX_DEPTH = 64
LET, DYNAMIC_ELEMENT, CLASS_CONTEXT, LET_BOOL, CONTEXT, ELEMENT = 0x0F, 0x10, 0x12, 0x14, 0x19, 0x1A
BEGIN_VARIABLES = {0, 1, 2, DYNAMIC_ELEMENT, CLASS_CONTEXT, CONTEXT, ELEMENT, 0x29, 0x2D, 0x36}
SWITCH, CASE, ITERATE, ITERATION = 0x05, 0x0A, 0x2F, {0x30, 0x31}
AT_TOP, IN_LIST = set(range(256)) - {END_OF_LIST}, set(range(256)) - ITERATION
ANYWHERE = AT_TOP & IN_LIST
BEGIN_CALLS = {0x1B, 0x1C, 0x38, CLASS_CONTEXT, CONTEXT} | set(range(0x60, 0x100))
BOOL, BEGIN_BOOLS = 0x2D, {0, 1, 2, 0x29, 0x36}
MOST_ELEMENTS, MOST_UNITS, MOST_OUTERS = 1 << 20, 63, 64
LAST_NATIVE, NATIVE, NET = 4095, 0x400, 0x40
OUT, RETURNED, MOST_OUTS = 0x100, 0x400, 16
MOST_BYTES, MOST_LOCALS = (1 << 31) - 1, 1 << 20
SIZES = {**dict.fromkeys(("int", "bool", "float", "name", "object", "class"), 4), "str": 12, "array": 12}
THINGS = {"v": "variable", "f": "function", "c": "class", "s": "struct", "b": "enum", "l": "element", "B": "bool"}
VARIABLES = {"byteproperty": "b", "objectproperty": "c", "structproperty": "s", "arrayproperty": "l", "classproperty": "cc", "mapproperty": "ll",
             "fixedarrayproperty": "l4", "intproperty": "", "boolproperty": "", "floatproperty": "", "nameproperty": "", "strproperty": "",
             "stringproperty": "", "vectorproperty": "", "rotatorproperty": ""}


def must_have_something(body):
    """9.1, of what this section describes."""
    return body.kind in FIELDS or (body.kind in VARIABLES and body.kind not in ("vectorproperty", "rotatorproperty")) \
        or (body.kind == "delegateproperty" and body.in_ue2)


def operands():
    """For each token its operands: r reference, v f c s reference to a variable, function, class, struct, n name, e expression, * expressions up to the end of a list, 1 2 4 so many bytes, t target,
    l length of the expression that follows last, 0 bytes up to a NUL, w units up to a NUL, x of a kind that is read by itself."""
    table = {}
    for tokens, what in (("00 01 02 29", "v"), ("20", "r"), ("05 2B", "1e"), ("06", "t"), ("07", "te"), ("09", "2e"), ("0A 0C 14", "x"),
                         ("08 0B 15 16 17 25 26 27 28 2A 30 31", ""), ("04 0D 0E 2D", "e"), ("0F 10 1A", "ee"), ("11", "eeee"), ("12 19", "el1e"),
                         ("13 2E", "ce"), ("36", "ve"), ("18", "le"), ("1B 38", "n*"), ("1C", "f*"), ("1D 1E", "4"), ("1F", "0"), ("21", "n"), ("22 23", "444"),
                         ("24 2C", "1"), ("2F", "et"), ("32 33", "see"), ("34", "w")):
        table.update({int(token, 16): what for token in tokens.split()})
    table.update({token: "e" for token in range(0x39, 0x5B)})
    table.update({token: "1*" for token in range(0x60, 0x70)})
    table.update({token: "*" for token in range(0x70, 0x100)})
    return table


OPERANDS = operands()


class Stop(Exception):
    """Nothing behind this place can be read."""


def is_measured(package):
    return 61 <= package.version <= 69 and package.licensee == 0


class Code:
    """The tokens of a piece of code. memory is the place in it as it lies in memory."""

    def __init__(self, head, size):
        self.head, self.b, self.size, self.memory = head, head.b, size, 0
        self.version = head.b.p.version
        self.begins, self.targets, self.statements = set(), [], []
        self.all_labels, self.table = [], None
        self.iterates_to, self.last = -1, None

    def read(self):
        b = self.b
        if b.fire("BYT001", self.size < 0):
            raise Stop
        try:
            while self.memory < self.size:
                begin = self.memory
                self.statements.append((begin, self.expression(1, AT_TOP)))
        except Cut:
            b.fire("BYT001")
            raise Stop from None
        if b.fire("BYT001", self.memory != self.size):
            raise Stop
        b.fire("BYT004", any(target not in self.begins for target in self.targets))
        b.fire("BYT007", any(label not in self.begins or label > LAST_PLACE for label in self.all_labels))

    def judge_end(self, last, padding):
        """8.2: the statement that ends it, behind which stands no other but these."""
        tail = list(self.statements)
        while tail and tail[-1][1] in padding:
            tail.pop()
        lesser = self.head.version < 68
        if not self.b.fire("BYT010", not tail or tail[-1][1] not in last, lesser=lesser):
            self.b.fire("BYT010", any(tail[-1][0] < target < self.size for target in self.targets + self.all_labels), lesser=lesser)

    def number(self, n):
        self.memory += n
        return self.b.number(n)

    def name(self):
        self.memory += 4
        return self.head.name()

    def expression(self, depth, fits=ANYWHERE):
        """Reads a token with its operands, and gives it. fits: the tokens that may stand here."""
        b = self.b
        b.j.work.spend()
        if b.fire("BYT006", depth > MAX_DEPTH):
            raise Stop
        self.begins.add(self.memory)
        token = self.number(1)
        what = OPERANDS.get(token)
        if b.fire("BYT003", what is None):
            raise Stop
        b.fire("BYT013", token not in fits)
        if depth == 1:
            b.fire("BYT013", token in ITERATION and self.memory - 1 > self.iterates_to)
            b.fire("BYT013", self.last == SWITCH and token != CASE, lesser=True)
            self.last = token
        if what == "x":
            {0x0A: self.case, 0x0C: self.labels, 0x14: self.let_bool}[token](depth)
        elif token != 4 or self.version > 61:
            self.read_operands(token, what, depth, fits)
        return token

    @staticmethod
    def fitting(token, is_last, fits):
        """The tokens that may begin an expression of this one."""
        if token == ITERATE:
            return BEGIN_CALLS
        if token == BOOL:
            return BEGIN_BOOLS
        if token in (CLASS_CONTEXT, CONTEXT):
            return fits if is_last and fits is not AT_TOP and fits is not IN_LIST else ANYWHERE
        if is_last if token in (DYNAMIC_ELEMENT, ELEMENT) else token == LET and not is_last:
            return BEGIN_VARIABLES
        return ANYWHERE

    def read_operands(self, token, what, depth, fits):
        length = None
        for k, kind in enumerate(what):
            begin = self.memory
            if kind == "e":
                self.expression(depth + 1, self.fitting(token, k == len(what) - 1, fits))
            elif kind == "l":
                length = self.number(2)
            elif kind == "*":
                while self.expression(depth + 1, IN_LIST) != END_OF_LIST:
                    pass
            else:
                self.plain("B" if kind == "v" and fits is BEGIN_BOOLS else kind, token)
                if token == ITERATE:
                    self.iterates_to = max(self.iterates_to, self.targets[-1])
            if kind == "e" and length is not None and k == len(what) - 1:
                self.b.fire("BYT005", length != self.memory - begin + (1 if token == 0x18 else 0))

    def plain(self, kind, token):
        if kind in "rvfcsB":
            self.memory += 4
            ref = self.head.reference_to("BYT009", THINGS.get(kind))
            if kind in "vB" and ref > 0 and self.head.rows.exists(ref) and self.head.is_a(ref, THINGS[kind]):
                self.judge_owner(self.head.rows.row(ref).outer, token)
        elif kind == "n":
            self.name()
        elif kind == "t":
            self.targets.append(self.number(2))
        elif kind in "0w":
            while self.number(2 if kind == "w" else 1):
                pass
        else:
            self.number(int(kind))

    def judge_owner(self, owner, token):
        """8.2: what the variable lies in that a token refers to."""
        if not self.head.rows.exists(owner):
            return
        kind = self.head.class_of(owner) if owner else None
        if token in (0x00, 0x29):
            self.b.fire("BYT014", owner != self.b.ref or kind != "function")
        elif token in (0x01, 0x02):
            self.b.fire("BYT014", kind == "function")
        elif token == 0x36:
            self.b.fire("BYT014", kind != "struct")

    def case(self, depth):
        target = self.number(2)
        if target != NOWHERE:
            self.targets.append(target)
            self.expression(depth + 1)

    def labels(self, _):
        self.table = self.memory
        self.b.fire("BYT011", self.memory % 4)
        while True:
            name, place = self.name(), self.number(4)
            if name == "none":
                return
            self.all_labels.append(place)

    def let_bool(self, depth):
        if self.version > 63:
            self.expression(depth + 1, BEGIN_VARIABLES)
            self.expression(depth + 1)
        else:
            while self.number(1):
                self.number(1)


class Head:
    """What stands before and behind the code."""

    def __init__(self, body):
        self.b, self.rows, self.version = body, body.rows, body.p.version
        self.code_size, self.code = 0, None

    def reference(self):
        ref = self.b.index()
        self.b.fire("BYT002", not self.rows.exists(ref))
        self.b.need_object(ref)
        return ref

    def reference_to(self, rule, thing):
        """One of code or of a variable, to a thing of this kind."""
        ref = self.reference()
        self.b.fire(rule, thing and self.rows.exists(ref) and not self.is_a(ref, thing))
        return ref

    def is_a(self, ref, thing):
        if ref == 0:
            return thing == "enum"
        if thing == "element":
            return ref > 0 and self.rows.row(ref).outer == self.b.ref and self.is_a(ref, "variable")
        row = self.rows.row(ref)
        if thing == "variable":
            kind = self.rows.name(row.class_name) if ref < 0 else self.rows.name_of(row.kind) if row.kind < 0 else None
            return (kind or "").endswith("property")
        return self.is_class(ref) if thing == "class" else self.class_of(ref) == ("boolproperty" if thing == "bool" else thing)

    def name_index(self):
        index = self.b.index()
        self.b.fire("BYT002", not self.b.is_name(index))
        self.b.need_name(index)
        return index

    def name(self):
        return self.rows.name(self.name_index())

    def field(self):
        e = self.b.export
        parent = self.reference()
        self.b.fire("CLS002", parent != e.super and self.rows.exists(parent) and self.rows.exists(e.super))
        self.judge_super(parent)
        self.hold(self.b.ref, parent)
        self.listed(e.outer, e.kind == 0)

    def judge_super(self, ref):
        """8.4: one of the same kind."""
        kind = self.b.kind or "class"
        if kind not in ("class", "function", "state", "struct") or not self.rows.exists(ref):
            return
        if ref == 0:
            is_root = self.rows.name(self.b.export.name) == "object" and re.fullmatch("core[0-9_]*", filenames.fold_ascii(self.b.p.stem))
            self.b.fire("CLS009", kind == "class" and not is_root)
        else:
            self.b.fire("CLS009", not self.is_a(ref, kind))

    def listed(self, outer, behind_class=False):
        """8.5: the first or the next of a list, whose fields lie in that object."""
        ref, seen = self.reference(), self.rows.listed
        if ref == 0 or not self.rows.exists(ref):
            return
        if self.b.fire("CLS003", not self.is_field(ref)):
            return
        bad = ref in seen or ref == self.b.ref or self.rows.row(ref).outer != outer
        seen.add(ref)
        self.b.fire("CLS003", bad or behind_class, lesser=not bad)

    def is_field(self, ref):
        if ref < 0:
            return False
        kind = self.rows.row(ref).kind
        name = self.rows.name_of(kind) if kind < 0 else None
        return kind == 0 or self.rows.engine_class(kind) in FIELDS or (name or "").endswith("property")

    def struct(self):
        self.field()
        source = self.reference()
        self.b.j.fire("CLS004", source and self.rows.exists(source) and self.class_of(source) != "textbuffer")
        self.listed(self.b.ref)
        self.b.fire("CLS011", self.name() == "none")
        self.b.skip(8)
        self.code_size = self.b.number(4, signed=True)
        self.code = Code(self, self.code_size)
        self.code.read()

    def function(self):
        b, old = self.b, self.version <= 63
        self.struct()
        b.skip(2 if old else 0)
        native = b.number(2)
        b.skip((1 if old else 0) + 1 + (2 if old else 0))
        flags = b.number(4)
        if flags & NET:
            self.condition(b.export.super == 0)
        if not flags & NATIVE:
            self.code.judge_end([RETURN], (STOP, NOTHING, END_CODE) if self.version <= BARE_RETURN else ())
        b.fire("FUN001", native > LAST_NATIVE or (native and not flags & NATIVE))

    def condition(self, is_own):
        """8.3: where the condition is under which it is replicated; looked at when all bodies were read."""
        place, ref = self.b.number(2), self.b.export.outer
        for _ in range(MOST_OUTERS):
            if ref > 0 and self.rows.exists(ref) and self.rows.row(ref).kind != 0:
                ref = self.rows.row(ref).outer
        if is_own and ref > 0:
            self.rows.conditions.append((self.b, ref, place))

    def state(self):
        self.struct()
        self.b.skip(16)
        place = self.b.number(2)
        self.b.skip(4)
        has_labels = place != NOWHERE
        self.b.fire("BYT008", has_labels and place != self.code.table, lesser=self.code_size == 0)
        if self.b.kind == "state" or (has_labels and self.code_size > 0):
            self.code.judge_end([STOP, END_CODE] if self.version <= 63 else [STOP], (NOTHING, LABELS))

    def class_(self):
        b = self.b
        self.state()
        self.rows.code_begins[b.ref] = self.code.begins
        b.skip((4 if self.version == 61 else 0) + 4 + 16)
        for _ in range(self.count(9)):
            self.class_reference(self.reference())
            b.skip(8)
        for _ in range(self.count(1)):
            self.name()
        if self.version >= 62:
            within = self.reference()
            if not b.fire("CLS010", within == 0):
                self.class_reference(within)
            b.fire("CLS006", self.is_elsewhere(self.name_index()))
        if not upkg_properties.read(b):
            raise Stop

    def is_elsewhere(self, index):
        """Whether a configuration of this name, if it is one, may be any file."""
        if not self.b.is_name(index):
            return False
        name = self.rows.names.rows[index].text
        kept = name[:MOST_UNITS]
        return "." in name or any(sign in kept for sign in "\\/:") or filenames.is_device(kept)

    def class_of(self, ref):
        row = self.rows.row(ref)
        return self.rows.name(row.class_name) if ref < 0 else self.rows.engine_class(row.kind)

    def class_reference(self, ref):
        self.b.j.fire("CLS001", self.rows.exists(ref) and not self.is_class(ref))

    def is_class(self, ref):
        return ref != 0 and (self.rows.row(ref).kind == 0 if ref > 0 else self.rows.name(self.rows.row(ref).class_name) == "class")

    def count(self, least):
        """How many elements follow (9.1)."""
        n = self.b.index()
        if self.b.fire("CIX006", n < 0) or self.b.fire("NAT003", n > (self.b.end - self.b.at) // least):
            raise Stop
        return n

    def enum(self):
        self.field()
        for _ in range(self.count(1)):
            self.name()

    def constant(self):
        """A text, which may be of two bytes a unit."""
        self.field()
        n = self.b.index()
        length = 2 * -n if n < 0 else n
        if self.b.fire("NAT003", length > self.b.end - self.b.at):
            raise Stop
        self.b.skip(length)

    def variable(self, what):
        self.field()
        n = self.b.number(4, signed=True)
        if self.b.fire("CLS005", not 1 <= n <= (1 if self.b.kind == "boolproperty" else MOST_ELEMENTS)):
            n = 0
        each = SIZES.get(self.b.kind.removesuffix("property"), 1)
        flags = self.b.number(4)
        self.name()
        if flags & 0x20:
            self.condition(True)
        for kind in what:
            if kind == "4":
                number = self.b.number(4)
                each = number if self.b.kind == "stringproperty" else each
                continue
            ref = self.reference_to("CLS007", THINGS[kind])
            if kind == "s":
                self.hold(self.b.export.outer, ref)
        self.add(self.b.export.outer, n * each, flags)

    def add(self, outer, size, flags):
        """8.4, 8.6: a variable counts among those of what it lies in."""
        if outer <= 0 or not self.rows.exists(outer):
            return
        before, outs, returns = self.rows.variables.get(outer, (0, 0, False))
        is_returned = flags & RETURNED and not returns
        is_out = flags & OUT and not is_returned
        size, outs = size + before, outs + bool(is_out)
        self.rows.variables[outer] = min(size, (1 << 32) - 1), outs, returns or is_returned
        if not self.b.fire("CLS012", before <= MOST_BYTES < size):
            self.b.j.fire("FUN003", before <= MOST_LOCALS < size and self.class_of(outer) == "function")
        self.b.fire("FUN002", is_out and outs == MOST_OUTS + 1)

    def hold(self, outer, ref):
        """8.6: a struct of the package holds another, if both are such."""
        if all(r > 0 and self.rows.exists(r) and self.class_of(r) == "struct" for r in (outer, ref)):
            self.rows.holds.append((self.b, outer, ref))


def judge_conditions(rows):
    """8.3, of everything that the network carries."""
    for body, ref, place in rows.conditions:
        body.fire("BYT012", ref in rows.code_begins and place not in rows.code_begins[ref])


def judge_structs(rows):
    """8.6: what leads to a struct that holds itself."""
    held = {}
    for _, outer, ref in rows.holds:
        held.setdefault(outer, set()).add(ref)
    endless, before = set(held), None
    while before != endless:
        before = endless
        endless = {outer for outer in endless if held[outer] & endless}
    for body, _, ref in rows.holds:
        body.fire("CLS008", ref in endless)


def judge(body):
    head = Head(body)
    read = {None: head.class_, "class": head.class_, "function": head.function, "state": head.state, "struct": head.struct, "enum": head.enum, "const": head.constant}
    try:
        if body.kind in VARIABLES:
            head.variable(VARIABLES[body.kind] + ("4" if body.kind == "stringproperty" and body.p.version == 61 else ""))
        elif body.kind in read and (body.kind or body.export.kind == 0):
            read[body.kind]()
        else:
            return
        body.fire("NAT002", body.at != body.end)
    except Cut:
        body.fire("NAT002")
    except Stop:
        pass
