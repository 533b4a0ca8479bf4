"""Vectors: what a recipe says of itself, its statements, and its edits of another recipe."""
import os
import pickle

from .errors import VecError
from .hashes import WIDE_DIGESTS
from .parser import INTEGERS, Node, Tokens, parse_digest, parse_expr, parse_text
from .transforms import TRANSFORMS

SEVERITIES = ("error", "warning", "note", "undetermined")
VERDICTS = ("valid", "invalid", "undetermined")
APART = ("companion", "aside")              # blocks whose bytes lie elsewhere
BLOCK_ARGS = {"aes256_ecb": "t", "aes256_ctr": "tt", "displace_seeds": "ee", "displace_rest": "ee", "companion": "t", "part": "ee"}


def id_of(path):
    """A vector's folder and name."""
    return os.path.basename(os.path.dirname(os.path.abspath(path))) + "/" + os.path.splitext(os.path.basename(path))[0]


class Vector:
    """A parsed recipe: what it says of itself, and its statements."""

    def __init__(self, path, seen=()):
        self.path, self.seen, self.name = path, seen, os.path.splitext(os.path.basename(path))[0]
        self.id = id_of(path)
        self.description, self.nodes, self.lets = "", [], {}
        self.file = self.verdict = self.fault = self.target = self.instead = self.base = self.codec = None
        self.expects, self.passes, self.options, self.nested, self.absent = [], [], [], [], []
        self.scope, self.unjudged = set(), []
        self.references = []        # vectors whose files lie in folders of their names
        self.missing = False
        self.edits = []


def load(path, seen=()):
    """Reads a recipe and, if it has a base, applies its edits to the base's statements."""
    if path in seen:
        raise VecError((path, 1), "a vector is its own base, or lies in itself")
    try:
        with open(path, encoding="utf-8") as f:
            lines = f.read().splitlines()
    except OSError as e:
        raise VecError((path, 0), e.strerror) from None
    v = Vector(path, seen + (path,))
    v.description = leading_comment(lines)
    t = Tokens(path, lines)
    statements = parse_block(t, v, top=True)
    if v.base:
        base = load_base(find_vector(v, *v.base), v.seen)
        v.nodes, v.lets = base.nodes, {**base.lets, **v.lets}
        inherited = base.file if has_companions(base.nodes) else v.name + os.path.splitext(base.file)[1]
        v.file = v.file or inherited
        for edit in v.edits:
            apply_edit(v.nodes, edit)
        if statements:
            raise VecError(statements[0].where, "a vector with a base only edits it: set, wrap, before, after, drop")
    elif v.edits:
        raise VecError(v.edits[0][2], "an edit needs a base")
    else:
        v.nodes = statements
    v.file = v.file or v.name + ".umod"
    return v


def has_companions(nodes):
    return any(n.op == "companion" or (n.children is not None and has_companions(n.children)) for n in nodes)


BASES = {}


def load_base(path, seen):
    """load() for a recipe that others edit: it is read once, and each of them gets a copy of its own."""
    if path in seen:
        raise VecError((path, 1), "a vector is its own base, or lies in itself")
    try:
        state = os.stat(path)
    except OSError as e:
        raise VecError((path, 0), e.strerror) from None
    key = path, state.st_mtime_ns, state.st_size
    if key not in BASES:
        BASES[key] = pickle.dumps(load(path, seen), pickle.HIGHEST_PROTOCOL)
    return pickle.loads(BASES[key])


def leading_comment(lines):
    out = []
    for line in lines:
        if not line.startswith("#"):
            break
        out.append(line[1:].strip())
    return " ".join(out)


def find_vector(v, name, where):
    here = os.path.dirname(v.path)
    for folder in (here, os.path.dirname(here)):
        candidate = os.path.join(folder, *name.split("/")) + ".vec"
        if os.path.isfile(candidate):
            return candidate
    raise VecError(where, f"no vector {name}.vec here or one folder up")


def parse_block(t, v, top=False):
    nodes = []
    while True:
        t.skip_ends()
        kind, _, where = t.peek()
        if kind == "eof":
            if not top:
                raise VecError(where, "a block is not closed")
            return nodes
        if t.is_mark("}") and not top:
            t.next()
            return nodes
        node = parse_statement(t, v, top)
        if node:
            nodes.append(node)


def parse_statement(t, v, top):
    kind, text, where = t.peek()
    if kind == "raw":
        t.next()
        if not top:
            raise VecError(where, f"{text[0]} may not stand in a block")
        parse_raw(v, text[0], text[1], where)
        return None
    if kind == "word" and top and text in ("set", "wrap", "before", "after", "drop"):
        parse_edit(t, v)
        return None
    if kind == "word" and top and text == "let":
        parse_let(t, v)
        return None
    if kind == "word" and top and text == "expect":
        parse_expect(t, v)
        return None
    label, index = parse_label(t)
    node = parse_operation(t, v)
    node.label, node.label_index = label, index
    return node


def parse_label(t):
    if t.peek()[0] != "word":
        return None, None
    if t.peek(1)[:2] == ("mark", ":"):
        name = t.next()[1]
        t.take(":")
        return name, None
    if t.peek(1)[:2] == ("mark", "["):
        name = t.next()[1]
        t.take("[")
        index = parse_expr(t)
        t.take("]")
        t.take(":")
        return name, index
    return None, None


def parse_operation(t, v):
    kind, op, where = t.next()
    if kind == "mark" and op == "{":
        return Node("group", (), where, parse_block(t, v))
    if kind != "word":
        raise VecError(where, f"expected a statement, found {op or 'the end of the line'!r}")
    if op == "repeat":
        count = parse_expr(t)
        variable = t.next()[1] if t.peek()[0] == "word" else "i"
        t.take("{")
        return Node(op, (count, variable), where, parse_block(t, v))
    if op in TRANSFORMS or op in BLOCK_ARGS or op in ("bits", "aside"):
        args = parse_args(t, BLOCK_ARGS.get(op, ""))
        t.take("{")
        return Node(op, args, where, parse_block(t, v))
    if op in INTEGERS or op in ("index", "sevenzip_number", "vint"):
        args = (parse_expr(t),)
    elif op in ("index_long", "vint_long"):
        args = (parse_expr(t), parse_expr(t))
    elif op in ("fill", "align"):
        first = parse_expr(t)
        args = (first, ("int", 0) if t.peek()[0] == "end" or t.is_mark("}") else parse_expr(t))
    elif op in WIDE_DIGESTS:
        args = (parse_digest(t, op),)
    elif op == "copy":
        args = (t.word("a label"),) + ((parse_expr(t), parse_expr(t)) if t.peek()[0] == "word" else ())
    elif op in ("text", "utf16", "string", "wstring", "string32", "wstring32", "code"):
        args = (parse_text(t),)
    elif op == "bytes":
        args = (parse_hex(t, where),)
    elif op == "vector":
        args = (load(find_vector(v, parse_name(t), where), v.seen), parse_beside(t), parse_lets(t))
    else:
        raise VecError(where, f"unknown statement {op!r}")
    end_statement(t)
    return Node(op, args, where)


def parse_args(t, forms):
    """Numbers and texts; a comma parts two texts, which would else be one."""
    args = []
    for form in forms:
        if form == "t" and args:
            t.take(",")
        args.append(parse_text(t) if form == "t" else parse_expr(t))
    return tuple(args)


def end_statement(t):
    if t.peek()[0] not in ("end", "eof") and not t.is_mark("}"):
        raise VecError(t.peek()[2], f"unexpected {t.peek()[1]!r}")


def parse_hex(t, where):
    digits = ""
    while t.peek()[0] == "word":
        digits += t.next()[1]
    try:
        return bytes.fromhex(digits)
    except ValueError:
        raise VecError(where, f"{digits!r} is not an even number of hexadecimal digits") from None


def parse_name(t):
    name = t.word("a vector")
    while t.is_mark("/"):
        name += t.next()[1] + t.word("a vector")
    return name


def parse_beside(t):
    """The file beside the vector's own that is meant; None: its own."""
    if t.peek()[:2] != ("word", "beside"):
        return None
    t.next()
    return parse_text(t)


def parse_lets(t):
    lets = []
    while t.peek()[0] == "word":
        lets.append((t.next()[1], parse_expr(t)))
    return lets


def parse_edit(t, v):
    kind, where = t.next()[1:]
    label = t.word("a label")
    node = None
    if kind != "drop":
        node = parse_statement(t, v, False)
    v.edits.append((kind, label, where, node))


def parse_let(t, v):
    where = t.next()[2]
    name = t.word("a name")
    value = ("text", parse_text(t)) if t.peek()[0] == "text" else ("expr", parse_expr(t))
    end_statement(t)
    if name in v.lets and v.lets[name][1][0] == v.path:
        raise VecError(where, f"{name} is defined twice")
    v.lets[name] = (value, where)


def parse_raw(v, op, value, where):
    if op == "base":
        v.base = (value, where)
    elif op == "verdict":
        if value not in VERDICTS:
            raise VecError(where, f"a verdict is one of {', '.join(VERDICTS)}")
        v.verdict = value
    elif op == "passes":
        v.passes += value.split()
    elif op == "options":
        v.options += value.split()
    elif op == "scope":
        v.scope |= set(value.split())
    elif op == "unjudged":
        v.unjudged.append(parse_unjudged(value, where))
    elif op == "absent":
        v.absent.append(value)
    elif op == "reference":
        v.references.append(load(find_vector(v, value, where), v.seen))
    elif op == "nested":
        v.nested.append(parse_nested(value, where))
    elif op == "input":
        if value != "missing":
            raise VecError(where, "the only word after input is missing")
        v.missing = True
    else:
        setattr(v, op, value)


def parse_unjudged(value, where):
    reason, _, n = value.partition(" ")
    if not n.strip().isdigit():
        raise VecError(where, f"expected a reason and a number of bytes, found {value!r}")
    return reason, int(n)


def parse_nested(value, where):
    name, _, verdict = value.rpartition(" ")
    if not name.strip() or verdict not in (*VERDICTS, "not_applicable"):
        raise VecError(where, f"expected a nested file and its verdict, found {value!r}")
    return name.strip(), verdict


def parse_expect(t, v):
    where = t.next()[2]
    e = {"rule": t.word("a rule"), "severity": None, "in": None, "file": None, "at": None, "len": None, "times": 1, "related": None,
         "where": where}
    while t.peek()[0] not in ("end", "eof"):
        if t.is_mark("@"):
            t.next()
            e["at"] = parse_expr(t)
            continue
        word = t.word("@place, len, span, in, times, related or a severity")
        if word in SEVERITIES:
            e["severity"] = word
        elif word == "len":
            skip_at(t)
            e["len"] = parse_expr(t)
        elif word == "span":
            skip_at(t)
            e["at"] = parse_expr(t)
            e["len"] = ("span", e["at"])
        elif word == "in":
            key = "file" if t.peek()[:2] == ("word", "file") else "in"
            if key == "file":
                t.next()
            e[key] = "".join(chars for _, chars in parse_text(t))
        elif word == "times":
            e["times"] = parse_expr(t)[1]
        elif word == "related":
            skip_at(t)
            e["related"] = parse_expr(t)
        else:
            raise VecError(where, f"unexpected {word!r} in expect")
    v.expects.append(e)


def skip_at(t):
    if t.is_mark("@"):
        t.next()


def apply_edit(nodes, edit):
    kind, label, where, node = edit
    place = find_label(nodes, label)
    if not place:
        raise VecError(where, f"the base has no statement labelled {label!r}")
    siblings, i = place
    if kind == "drop":
        del siblings[i]
    elif kind == "set":
        node = node.copy()
        node.label = node.label or label
        siblings[i] = node
    elif kind == "wrap":
        if node.children != []:
            raise VecError(where, "wrap needs a block with nothing in it")
        inner, siblings[i] = siblings[i], node.copy()
        siblings[i].label, siblings[i].label_index, siblings[i].children = inner.label, inner.label_index, [inner]
        demote(inner, inner.label)
    else:
        siblings.insert(i if kind == "before" else i + 1, node.copy())


def demote(node, label):
    """What is wrapped is called .plain, what was .plain is called .plain.plain."""
    if node.label == label or (node.label or "").startswith(label + ".plain"):
        node.label = label + ".plain" + node.label[len(label):]
    for child in node.children or ():
        demote(child, label)


def find_label(nodes, label):
    for i, node in enumerate(nodes):
        if node.label == label:
            return nodes, i
        if node.children is not None:
            found = find_label(node.children, label)
            if found:
                return found
    return None


def find_vectors(folder):
    """All .vec files below a folder, in a fixed order."""
    out = []
    for here, folders, files in os.walk(folder):
        folders.sort()
        out += [os.path.join(here, f) for f in sorted(files) if f.endswith(".vec")]
    return out
