"""Black-box tests of the JSON Schemas: how strict they are, that the command prints them, and that they fit what it writes and nothing else."""
import json
import os
import pathlib
import shutil
import subprocess
import unittest

import jsonschema

import samples
from case import CONFORMANCE, Case, has, load
import schemas

AJV = pathlib.Path(CONFORMANCE).resolve().parent / "build" / "ajv"
Validator = jsonschema.Draft202012Validator
VECTORS = ["iostore/SET002_ucas_missing", "iostore/good_v10_encrypted", "iostore/MET004_sha1_mismatch", "iostore/good_v2", "iostore/BLK008_ucas_truncated_behind",
           "umod/FIL002_header_truncated_nested_twice", "umod/UMD014_path_unsafe_control_01", "upkg/BYT002_script_reference_variable",
           "upkg/EXP019_class_repeated", "uz/good_lzma", "uz/UZC004_huffman_tree_malformed_total_cut", "upkg/good_level_ue2"]
# What documents have of builds with these libraries alone: the digest of a file, and where one stands that is not the computed one.
NEEDS = {"/sha256": ["nettle"], "/related/items/file": ["nettle", "blake3"]}


def validator(name):
    return Validator(schemas.load(name), format_checker=Validator.FORMAT_CHECKER)


class Coverage:
    """What of a schema documents have. Each kind of object in it is tried with a key more, which does not fit."""

    def __init__(self, name):
        self.validator, self.all, self.seen, self.closed = validator(name), set(), set(), set()
        waiting = [("#", self.validator.schema)]
        while waiting:
            where, part = waiting.pop()
            self.all |= {f"{where}/{key}" for key in part.get("properties", {})}
            waiting += [(f"{where}/{inner}", schema) for inner, schema in schemas.inside(part)]

    def fits(self, part, value):
        return self.validator.evolve(schema=part).is_valid(value)

    def visit(self, document):
        waiting = [("#", self.validator.schema, document)]
        while waiting:
            where, part, value = waiting.pop()
            if "$ref" in part:
                name = part["$ref"].removeprefix("#/$defs/")
                waiting.append((f"#/$defs/{name}", self.validator.schema["$defs"][name], value))
            waiting += [(f"{where}/oneOf/{number}", choice, value) for number, choice in enumerate(part.get("oneOf", [])) if self.fits(choice, value)]
            if isinstance(value, list) and "items" in part:
                waiting += [(f"{where}/items", part["items"], item) for item in value]
            if part.get("type") == "object":
                waiting += self.visit_object(where, part, value)

    def visit_object(self, where, part, value):
        if where not in self.closed:
            self.closed.add(where)
            assert self.fits(part, value) and not self.fits(part, {**value, "Other": 1}), where
            for key in part.get("required", []):
                assert not self.fits(part, {k: v for k, v in value.items() if k != key}), (where, key)
        for key in part.get("properties", {}).keys() & value.keys():
            self.seen.add(f"{where}/{key}")
            yield f"{where}/properties/{key}", part["properties"][key], value[key]


class Strictness(unittest.TestCase):
    def test_schemas(self):
        self.assertEqual(schemas.problems(), [])
        for name in schemas.names():
            Validator.check_schema(schemas.load(name))

    def test_what_is_loose_is_found(self):
        number = {"type": "integer", "minimum": 0}
        whole = {"$schema": schemas.DIALECT, "type": "object", "additionalProperties": False, "required": ["a"],
                 "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": number}}
        self.assertEqual(schemas.loose(whole), [])
        for part, says in [({"minimum": 0}, "without the type"), ({"type": "object"}, "open"), ({"type": "array"}, "open"),
                           ({"type": ["integer", "null"]}, "not one type"), ({"type": "string", "pattern": "a"}, "part of a text"),
                           ({}, "anything"), ({"type": "string", "format": "uri"}, "keyword format"), ({"type": "string", "minimum": 1}, "without"),
                           ({"type": "array", "prefixItems": [number]}, "tuple"), ({"type": "array", "items": {}}, "anything"),
                           ({"oneOf": [number, {}]}, "anything"), ({"type": "array", "items": False, "prefixItems": [number], "minItems": 2}, "tuple"),
                           ({"type": "object", "additionalProperties": False, "required": ["b"]}, "nothing is said"),
                           ({"type": "object", "additionalProperties": False, "patternProperties": {"^a": number}}, "part of a text"),
                           ({"type": "object", "additionalProperties": number}, "open"), ({"$schema": schemas.DIALECT, **number}, "$schema")]:
            found = schemas.loose({**whole, "$defs": {"a": part}})
            self.assertTrue(any(says in line for line in found), (part, found))
        self.assertIn("#/$defs/b: nobody uses it", schemas.loose({**whole, "$defs": {"a": number, "b": number}}))
        self.assertIn("#/$defs/a: it is not defined", schemas.loose({**whole, "$defs": {}}))
        self.assertEqual(len(schemas.loose({**whole, "required": ["a", "a"]})), 1)
        self.assertEqual(len(schemas.loose({**whole, "$schema": "http://json-schema.org/draft-07/schema#"})), 1)

    @unittest.skipUnless(AJV.exists() and shutil.which("node"), "needs ajv; ci/install.sh all provides it")
    def test_ajv(self):
        script = ("const Ajv = require('ajv/dist/2020'), fs = require('fs');"
                  "for (const file of process.argv.slice(1)) new Ajv({strict: true}).compile(JSON.parse(fs.readFileSync(file)));")
        done = subprocess.run(["node", "-e", script, *(schemas.path_of(name) for name in schemas.names())], cwd=AJV, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))


class Command(Case):
    def test_every_schema_is_printed(self):
        self.assertEqual(schemas.names(), ["info", "map", "ndjson", "report", "rules"])
        for name in schemas.names():
            done = self.expect(0, "schema", name)
            self.assertEqual((done.stdout, done.stderr), (schemas.path_of(name).read_bytes(), b""))

    def test_other_names(self):
        self.expect_usage("schema", "repotr", says=["'repotr' is not a schema; did you mean report?"])
        self.expect_usage("schema", "no\x1bsuch", says=["'no\\x1Bsuch'", "uvet help schema"])
        self.expect_usage("schema", says=["SCHEMA is missing"])
        self.expect_usage("schema", "rules", "map", says=["'map'"])
        self.expect_usage("schemo", "rules", says=["did you mean schema?"])

    def test_help_names_them_all(self):
        text = self.expect(0, "help", "schema").stdout.decode()
        for name in schemas.names():
            self.assertIn(name, text)


class Documents(Case):
    """What is written fits its schema, and all that a schema speaks of is written somewhere."""

    def setUp(self):
        super().setUp()
        self.write(b"bad\xff.umod", samples.BAD_CRC)
        self.write("outer.umod", samples.around(("System\\Inner.umod", samples.BAD_CRC)))
        self.write("long.umod", samples.around(("System\\" + 100 * "x", samples.GOOD)))
        self.names = [b"bad\xff.umod", "bad.umod", "good.umod", "unknown.txt", "outer.umod", "long.umod", "absent.umod"]
        for vector in VECTORS:
            self.names.append(f"{vector}/{load(os.path.join(CONFORMANCE, 'vectors', *vector.split('/')) + '.vec').file}")
            (self.folder / vector).mkdir(parents=True)
            self.assemble(vector, self.names[-1])
        (self.folder / "iostore" / "SET002_ucas_missing" / "Mod_P.ucas").mkdir()
        for path in (self.folder / "iostore" / "good_v2").iterdir():
            os.link(path, os.fsencode(self.folder) + b"/no\xff" + path.suffix.encode())
        self.names.append(b"no\xff.utoc")

    def said(self, *args):
        return self.run_uvet(*args).stdout.decode()

    def documents(self, name):
        if name in ("report", "ndjson"):
            self.said("baseline", "write", "b.txt", "--reason", "known", "bad.umod")
            self.assemble("iostore/good_global", "global.utoc")
            for options in [["--show-passed", "--baseline", "b.txt", *(["--sha256"] if has("nettle") else [])],
                            ["--level", "structure", "--siblings", "none", "--ignore", "hygiene", "--profile", "author"],
                            ["--max-findings", "2", "--fail-on", "never", "--unknown", "skip"], ["--max-work", "30"],
                            ["--policy-from", "good.umod"], ["--global", "global.utoc"], ["--layout", "nexus"]]:
                text = self.said("check", "-f", "json" if name == "report" else "ndjson", *options, "--", *self.names)
                yield from map(json.loads, text.splitlines())
        elif name == "rules":
            yield json.loads(self.said("rules", "-f", "json"))
        else:
            for path in self.names:
                for line in self.said(name, "-f", "json", "--", path).splitlines():
                    yield json.loads(line)

    def test_they_fit_and_nothing_is_left_over(self):
        for name in schemas.names():
            coverage = Coverage(name)
            for document in self.documents(name):
                self.assertIsNone(next(coverage.validator.iter_errors(document), None), name)
                coverage.visit(document)
            without = tuple(ending for ending, used in NEEDS.items() if not all(map(has, used)))
            self.assertEqual({key for key in coverage.all - coverage.seen if not key.endswith(without)}, set(), name)


if __name__ == "__main__":
    unittest.main()
