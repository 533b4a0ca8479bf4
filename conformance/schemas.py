#!/usr/bin/env python3
"""The JSON Schemas of this folder: how strict they are, and the one that is made from another.

    schemas.py [--update]

Says what is loose in a schema, by rules that are stricter than those of JSON Schema, and whether ndjson.schema.json is what follows from
report.schema.json; with --update it is written. Exit 1 if anything is the matter.
"""
import argparse
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
DIALECT = "https://json-schema.org/draft/2020-12/schema"
MADE = "ndjson"

# The keywords that mean something for one type alone.
OF_TYPE = {
    "object": {"properties", "patternProperties", "additionalProperties", "required"},
    "array": {"items", "prefixItems", "minItems", "maxItems", "uniqueItems"},
    "string": {"pattern", "minLength", "maxLength"},
    "integer": {"minimum", "maximum"},
    "boolean": set(),
    "null": set(),
}
SAYS_WHAT = {"type", "$ref", "const", "enum", "oneOf"}
KEYWORDS = SAYS_WHAT | {"description"} | set().union(*OF_TYPE.values())
AT_THE_TOP = {"$schema", "$id", "title", "$defs"}


def path_of(name):
    return HERE / f"{name}.schema.json"


def names():
    return sorted(path.name.removesuffix(".schema.json") for path in HERE.glob("*.schema.json"))


def load(name):
    def no_duplicates(pairs):
        keys = [key for key, _ in pairs]
        if len(set(keys)) != len(keys):
            raise ValueError(f"{name}: a key is there twice: {keys}")
        return dict(pairs)

    return json.loads(path_of(name).read_text(encoding="utf-8"), object_pairs_hook=no_duplicates)


# ------------------------------------------------------------------------------------------------------------ strictness

def inside(schema):
    """The schemas in a schema, each with what leads to it."""
    for key in ("properties", "patternProperties", "$defs"):
        for name, part in schema.get(key, {}).items():
            yield f"{key}/{name}", part
    for key in ("oneOf", "prefixItems"):
        for number, part in enumerate(schema.get(key, [])):
            yield f"{key}/{number}", part
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield key, schema[key]


def loose_here(schema, is_top):
    """What is the matter with a schema itself."""
    found = set(schema)
    kind = schema.get("type")
    for keyword in sorted(found - KEYWORDS - (AT_THE_TOP if is_top else set())):
        yield f"nobody knows the keyword {keyword}"
    if not found & SAYS_WHAT:
        yield "anything is allowed"
    if "type" in found and kind not in list(OF_TYPE):
        yield f"{kind} is not one type"
    for of, keywords in OF_TYPE.items():
        for keyword in sorted(found & keywords if of != kind else ()):
            yield f"{keyword} without the type {of}"
    if kind == "object":
        if schema.get("additionalProperties") is not False:
            yield "the object is open"
        for key in sorted(set(schema.get("required", [])) - set(schema.get("properties", {}))):
            yield f"{key} is required, and nothing is said of it"
        if len(set(schema.get("required", []))) != len(schema.get("required", [])):
            yield "a key is required twice"
    if kind == "array" and "items" not in found:
        yield "the array is open"
    if "prefixItems" in found and (schema.get("items") is not False or schema.get("minItems") != len(schema["prefixItems"])):
        yield "the tuple is open"
    for pattern in [schema["pattern"]] if "pattern" in found else list(schema.get("patternProperties", {})):
        re.compile(pattern)
        if not (pattern.startswith("^") and pattern.endswith("$")):
            yield f"the pattern {pattern} fits a part of a text"


def loose(schema):
    """What is the matter with a document, a line each."""
    out, waiting, used = [], [("#", schema)], set()
    if schema.get("$schema") != DIALECT:
        out.append(f"#: $schema is not {DIALECT}")
    while waiting:
        where, part = waiting.pop()
        out += [f"{where}: {what}" for what in loose_here(part, where == "#")]
        waiting += [(f"{where}/{name}", inner) for name, inner in inside(part)]
        if "$ref" in part:
            used.add(part["$ref"])
    defined = {f"#/$defs/{name}" for name in schema.get("$defs", {})}
    out += [f"{ref}: it is not defined" for ref in sorted(used - defined)]
    out += [f"{ref}: nobody uses it" for ref in sorted(defined - used)]
    return out


# ------------------------------------------------------------------------------------------------------------- the lines

def line(kind, part, more=None):
    """An object of a report as a line: with its type, and what it has more."""
    more = {"type": {"const": kind}, **(more or {})}
    return {**part, "required": [*more, *part["required"]], "properties": {**more, **part["properties"]}}


def ndjson(report):
    """The schema of a line follows from that of the report: the same objects, each with its type."""
    defs = dict(report["$defs"])
    head = {key: report["properties"][key] for key in ("schema", "tool", "policy")}
    lines = {
        "finding": line("finding", defs.pop("finding")),
        "artifact": line("artifact", defs.pop("artifact")),
        "summary": line("summary", defs.pop("summary"), head),
    }
    return {
        "$schema": DIALECT,
        "$id": "urn:uvet:ndjson:1",
        "title": "uvet report, a line",
        "description": "A line of what uvet check --format ndjson prints: findings, then the artifact that they are of, and at the end a summary. "
                       "Readers ignore keys that they do not know: a later version may add some, and values, under the same number. "
                       "Made from report.schema.json by schemas.py --update.",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in lines],
        "$defs": {**defs, **lines},
    }


def text_of_lines():
    return json.dumps(ndjson(load("report")), indent=2, ensure_ascii=False) + "\n"


def update():
    path_of(MADE).write_text(text_of_lines(), encoding="utf-8", newline="")


def problems():
    """What is the matter with the files."""
    out = [f"{name}.schema.json: {what}" for name in names() for what in loose(load(name))]
    if path_of(MADE).read_text(encoding="utf-8") != text_of_lines():
        out.append(f"{MADE}.schema.json does not follow from report.schema.json: schemas.py --update")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help=f"write {MADE}.schema.json")
    args = parser.parse_args()
    if args.update:
        update()
    found = problems()
    print("".join(f"{what}\n" for what in found), end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
