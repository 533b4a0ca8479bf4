"""Lists of properties in bodies (upkg.md 7.2)."""
from .core import Cut, Judgement

RULES = {f"PRP{n:03}" for n in range(1, 18)}
BYTE, INT, BOOL, FLOAT, OBJECT, NAME, STRING, CLASS, ARRAY, STRUCT, STR = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13
NEVER_SAVED = (8, 11, 12, 14, 15)
LONGEST_STRING, LAST_STRINGS = 255, 61
SIZES = (1, 2, 4, 12, 16)
SIZE_BYTES = {5: 1, 6: 2, 7: 4}
NUMBERS = {BYTE: 1, INT: 4, BOOL: 0, FLOAT: 4}
STRUCTS_ARE_LISTS = 118          # the version from which on
STRUCTS = {"vector": 12, "rotator": 12, "color": 4, "scale": 17, "coords": 48, "adrop": 8, "floatparams": 8}
REGION, REGION_BEHIND_ZONE = "pointregion", 5
STILL_IN_MEMORY = ("vector", "rotator", "color")
NOT_KNOWN = ("coords", "adrop", "quat", "box")
MAX_NESTING = 16


class Stop(Exception):
    """The rest of the object is another one to each reader; it is not judged."""


class Tag:
    """What stands before the value of a property."""

    def __init__(self, name, info):
        self.name, self.type, self.form, self.bit = name, info & 15, info >> 4 & 7, info >> 7
        self.struct, self.size, self.element = None, 0, 0


class Reader:
    def __init__(self, body):
        self.b, self.soft = body, body.in_ue2
        self.version = body.p.version

    def fire(self, rule, when=True, lesser=False):
        """Most of what is an error in UE1 is a warning in UE2."""
        return self.b.fire(rule, when, lesser=lesser or self.soft)

    def stop(self, rule, when=True):
        if self.fire(rule, when):
            raise Stop

    # -- lists and tags (7.2.1 to 7.2.4)

    def read_list(self, end, depth):
        seen = set()
        while True:
            tag = self.read_tag(end, depth)
            if tag is None:
                return
            begin = self.b.at
            self.stop("PRP002", begin + tag.size > end)
            if depth == 0 and not self.soft:
                key = (tag.name, tag.element)
                self.b.j.fire("PRP007", key in seen)
                seen.add(key)
            if depth == 0 and tag.element == 0:
                self.b.properties.setdefault(tag.name, (tag, begin))
            self.judge_tag(tag)
            self.read_value(tag, begin + tag.size, depth)
            self.b.at = begin + tag.size

    def read_tag(self, end, depth):
        """The next tag; None where the list ends."""
        b = self.b
        try:
            index = b.index(end)
        except Cut:
            self.stop("PRP003", depth == 0)
            b.j.fire("PRP013")
            return None
        self.stop("PRP001", not b.is_name(index))
        b.need_name(index)
        name = b.rows.name(index)
        if name == "none":
            return None
        try:
            tag = Tag(name, b.number(1, end=end))
            if tag.type == STRUCT:
                tag.struct = b.index(end)
                b.need_name(tag.struct)
            tag.size = SIZES[tag.form] if tag.form < 5 else b.number(SIZE_BYTES[tag.form], end=end)
            if tag.bit and tag.type != BOOL:
                tag.element = self.read_element(end)
        except Cut:
            self.stop("PRP002")
        return tag

    def read_element(self, end):
        """An index in an array, whose first bits tell its length."""
        first = self.b.number(1, end=end)
        if first < 0x80:
            return first
        more = 1 if first < 0xC0 else 3
        self.b.skip(more, end)
        value = self.b.file.number(self.b.at - more - 1, more + 1, "big")
        return value & (0x3FFF if more == 1 else 0x3FFFFFFF)

    def judge_tag(self, tag):
        j, size = self.b.j, tag.size
        wasteful = tag.form >= 5 and (size in SIZES or (tag.form == 6 and size < 0x100) or (tag.form == 7 and size < 0x10000))
        j.fire("PRP005", tag.type != BOOL and wasteful)
        j.fire("PRP006", tag.type != BOOL and tag.bit and tag.element == 0)
        self.fire("PRP004", tag.type == 0)
        late = tag.type == STRING and not self.soft and self.version > LAST_STRINGS
        self.fire("PRP004", tag.type in NEVER_SAVED or late, lesser=True)

    # -- values (7.2.5 to 7.2.9)

    def read_value(self, tag, end, depth):
        if tag.type in NUMBERS:
            self.stop("PRP008", tag.size != NUMBERS[tag.type])
        elif tag.type in (OBJECT, CLASS):
            self.read_number(end, self.b.rows.exists, self.b.need_object)
        elif tag.type == NAME:
            self.read_number(end, self.b.is_name, self.b.need_name)
        elif tag.type == STRING:
            self.read_delegate(end) if self.soft else self.read_string(tag, end)
        elif tag.type == STR:
            self.read_text(end)
        elif tag.type == ARRAY:
            self.read_array(end)
        elif tag.type == STRUCT:
            self.read_struct(tag, end, depth)

    def read_number(self, end, exists, need):
        """A reference or a name, which takes all bytes and exists."""
        try:
            number = self.b.index(end)
        except Cut:
            self.stop("PRP009")
        self.stop("PRP009", self.b.at != end)
        self.fire("PRP009", not exists(number))
        need(number)

    def read_string(self, tag, end):
        self.b.fire("PRP017", self.version > LAST_STRINGS and tag.element > 0)
        data = self.b.file.bytes(self.b.at, end - self.b.at)
        self.b.fire("PRP016", len(data) > LONGEST_STRING)
        self.stop("PRP010", data.find(b"\0") != len(data) - 1 or not data)

    def read_text(self, end):
        b = self.b
        try:
            count = b.index(end)
        except Cut:
            self.stop("PRP010")
        unit = 2 if count < 0 else 1
        length = abs(count) * unit
        self.stop("PRP010", b.at + length != end)
        self.fire("PRP010", count and any(b.file.bytes(end - unit, unit)))

    def read_delegate(self, end):
        try:
            ref, name = self.b.index(end), self.b.index(end)
        except Cut:
            ref, name = 0, None
        if self.b.j.fire("PRP015", name is None or self.b.at != end):
            raise Stop
        self.fire("PRP009", not self.b.rows.exists(ref) or not self.b.is_name(name))
        self.b.need_object(ref)
        self.b.need_name(name)

    def read_array(self, end):
        try:
            count = self.b.index(end)
        except Cut:
            count = -1
        if self.b.fire("PRP014", not 0 <= count <= end - self.b.at):
            raise Stop

    def read_struct(self, tag, end, depth):
        if self.fire("PRP012", not self.b.is_name(tag.struct)):
            return
        name = self.b.rows.name(tag.struct)
        if self.version < STRUCTS_ARE_LISTS or name in STILL_IN_MEMORY:
            self.judge_flat(tag, name, end)
        elif name not in NOT_KNOWN:
            if depth + 1 > MAX_NESTING:
                raise Stop
            self.read_list(end, depth + 1)
            self.b.j.fire("PRP013", self.b.at != end)


    def judge_flat(self, tag, name, end):
        """A struct as it lies in memory; in UE2 only three are known so."""
        if name == REGION and not self.soft:
            self.judge_region(end)
        elif not self.soft or name in STILL_IN_MEMORY:
            self.b.j.fire("PRP011", name in STRUCTS and tag.size != STRUCTS[name])

    def judge_region(self, end):
        b, begin, silent = self.b, self.b.at, self.b.j
        b.j = Judgement(b.file, None, silent.work)
        try:
            b.index()
        except Cut:
            b.at = None
        fits, b.at, b.j = b.at is not None and b.at + REGION_BEHIND_ZONE == end, begin, silent
        if not b.j.fire("PRP011", not fits):
            zone = b.index()
            self.fire("PRP009", not b.rows.exists(zone))
            b.need_object(zone)


def read(body):
    """Reads the list of properties at a place in a body; whether what follows it can be read."""
    try:
        Reader(body).read_list(body.end, 0)
        return True
    except Stop:
        return False
