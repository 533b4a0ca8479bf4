#!/usr/bin/env python3
"""Compares the binary interface with that of the last release: abi.py SHARED COMPILER [--update]

What the library exports, and what a compiler makes of the headers, is held against the newest file in ci/abi, by the policy in
docs/VERSIONS.md: what programs that are linked with the release need must be there as it was, unless the version grew so far that they do
not start with this library. What is new is allowed, and said. --update writes the file of the version in uvet.h, which is only done before
that is released: a released one has a tag. First proves that it can fail: on what it has found, changed in every way that breaks a program.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from lint import public_headers, strip

ROOT = pathlib.Path(__file__).resolve().parent.parent
BASELINES = ROOT / "ci/abi"
SKIPPED = 77
ENUM = re.compile(r"enum \w*\s*\{(.*?)\}\s*(\w*);", re.S)
STRUCT = re.compile(r"typedef struct (\w+) \{(.*?)\} \1;", re.S)
CALLBACK = re.compile(r"^typedef ([^;{}()]*?)(uvet_\w+)(\([^;{}]*\));", re.M)
FUNCTION = re.compile(r"^UVET_API ([^;()]*?)(uvet_\w+)(\([^;]*\));", re.M)
PARAMETER = re.compile(r"(?<=[\s*])[a-z_]\w*(?=\s*(?:[,)\[]|$))")


# ---- What there is -----------------------------------------------------------------------------------------------------------------


def type_of(text):
    """A type without the names of its parameters, with single spaces."""
    return re.sub(r"\s+([,)])", r"\1", re.sub(r"\s+", " ", PARAMETER.sub("", text))).strip()


def members(body):
    """Gives the name and type of each member of a struct."""
    for declaration in re.sub(r"\s+", " ", body).split(";"):
        pointer = re.match(r"\s*(.*?\(\*)(\w+)(\).*)$", declaration)
        if pointer:
            yield pointer.group(2), type_of(pointer.group(1) + pointer.group(3))
        elif declaration.strip():
            first, *others = declaration.split(",")
            base, stars, name = re.match(r"\s*(.*?)\s*(\**)(\w+)\s*$", first).groups()
            yield name, f"{base} {stars}".strip()
            for other in others:
                stars, name = re.match(r"\s*(\**)(\w+)\s*$", other).groups()
                yield name, f"{base} {stars}".strip()


def program(header):
    """The source of a program that prints what a compiler makes of structs and enumerations."""
    lines = []
    for struct, body in STRUCT.findall(header):
        lines.append(f'printf("struct {struct}\\t%zu\\n", sizeof({struct}));')
        for name, kind in members(body):
            where = f"offsetof({struct}, {name}), sizeof((({struct} *)0)->{name})"
            lines.append(f'printf("member {struct}.{name}\\t%zu %zu {kind}\\n", {where});')
    for body, name in ENUM.findall(header):
        if name:
            lines.append(f'printf("enum {name}\\t%zu\\n", sizeof({name}));')
        for constant in re.findall(r"\b(UVET_\w+)", body):
            lines.append(f'printf("constant {constant}\\t%d\\n", (int){constant});')
    lines.append('printf("version\\t%s\\n", UVET_VERSION);')
    lines.append('printf("pointer\\t%zu\\n", sizeof(void *));')
    body = "\n\t".join(lines)
    return f"#include <stddef.h>\n#include <stdio.h>\n#include <uvet/uvet.h>\n\nint main(void)\n{{\n\t{body}\n\treturn 0;\n}}\n"


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def compiled(header, compiler):
    with tempfile.TemporaryDirectory(prefix="uvet-abi-") as folder:
        source, run = pathlib.Path(folder, "abi.c"), str(pathlib.Path(folder, "abi"))
        source.write_text(program(header))
        output(compiler, "-I", str(ROOT / "include"), str(source), "-o", run)
        return parse(output(run))


def exported(shared):
    """Gives the functions that a library exports with the nodes that they are in, and its name."""
    rows = [line.split()[-1] for line in output("nm", "-D", "--defined-only", "--with-symbol-versions", shared).splitlines()]
    functions = dict(re.split("@+", row, maxsplit=1) for row in rows if row.startswith("uvet_") and "@" in row)
    name = re.search(r"SONAME\s+(\S+)", output("objdump", "-p", shared))
    return functions, name.group(1) if name else ""


def parse(text):
    return dict(line.split("\t", 1) for line in text.splitlines() if line and not line.startswith("#"))


def describe(header, shared, compiler):
    text = strip(header).replace('extern ""', "")
    now = compiled(text, compiler)
    functions, now["soname"] = exported(shared)
    now["node"] = " ".join(sorted(set(functions.values())))
    for result, name, parameters in CALLBACK.findall(text):
        now[f"callback {name}"] = type_of(f"{result} {parameters}")
    for result, name, parameters in FUNCTION.findall(text):
        if name in functions:
            now[f"function {name}"] = type_of(f"{result} {parameters}")
    return now


# ---- What changed ------------------------------------------------------------------------------------------------------------------


def broken(old, now):
    """What a program that was linked with the old library would miss."""
    for what in sorted(old.keys() - now.keys()):
        yield f"{what} is gone"
    for what in sorted(old.keys() & now.keys()):
        kind = what.split()[0]
        if kind in ("version", "soname", "node") or old[what] == now[what]:
            continue
        if kind != "struct" or int(now[what]) < int(old[what]):
            yield f"{what} was {old[what]}, is {now[what]}"
    for what in sorted(now.keys() - old.keys()):
        struct = f"struct {what.split()[1].split('.')[0]}" if what.startswith("member ") else ""
        if struct in old and int(now[what].split()[0]) < int(old[struct]):
            yield f"{what} lies where an older caller has something else"


def numbers(about):
    return tuple(int(n) for n in about["version"].split("."))


def is_other_interface(old, now):
    """Whether the version says that older programs do not work with it."""
    return now[:2] > old[:2] if now[0] == old[0] == 0 else now[0] > old[0]


def failures(old, now):
    breaks, other = list(broken(old, now)), is_other_interface(numbers(old), numbers(now))
    names = ("soname", "node")
    if numbers(now) < numbers(old):
        yield f"version {now['version']} is older than {old['version']}"
    if not other:
        yield from breaks
        yield from (f"{name} was {old[name]}, is {now[name]}, and the version did not grow" for name in names if old[name] != now[name])
    elif all(old[name] == now[name] for name in names):
        yield f"version {now['version']} has another interface, but programs of {old['version']} would start with it"


def changed(about, **more):
    return {**about, **{key.replace("__", " "): value for key, value in more.items()}}


def without(about, kind):
    gone = next(what for what in about if what.startswith(kind))
    return {what: value for what, value in about.items() if what != gone}


def self_test(now):
    old = dict(now)
    first = next(what for what in now if what.startswith("member uvet_io."))
    grown = changed(now, soname="libuvet.so.99", node="LIBUVET_99", version="99.0.0")
    bad = [without(now, kind) for kind in ("function ", "member ", "struct ", "constant ", "callback ", "enum ")]
    bad += [{**now, what: "9 9 x"} for what in now if what.startswith(("function ", "member ", "callback "))]
    bad += [{**now, what: "7"} for what in now if what.startswith(("constant ", "enum ")) and now[what] != "7"]
    bad += [{**now, "struct uvet_io": "8"}, {**now, "member uvet_io.more": now[first]}, changed(now, version="0.0.9")]
    bad += [changed(now, node="LIBUVET_99"), changed(now, version="99.0.0"), {**without(now, "function "), "version": "99.0.0"}]
    good = [now, grown, without(grown, "function "), {**now, "function uvet_more": "int (void)", "constant UVET_MORE": "99"}]
    good += [{**now, "struct uvet_io": str(int(now["struct uvet_io"]) + 8), "member uvet_io.more": f"{now['struct uvet_io']} 8 x"}]
    for sample in bad:
        if not list(failures(old, sample)):
            sys.exit(f"abi: does not find what is bad in {dict(sample.items() - now.items())}")
    for sample in good:
        if list(failures(old, sample)):
            sys.exit(f"abi: finds fault with {dict(sample.items() - now.items())}: {list(failures(old, sample))}")


def baseline():
    files = sorted(BASELINES.glob("*.txt"), key=lambda path: tuple(map(int, path.stem.split("."))))
    return files[-1] if files else None


def update(now):
    version = now["version"]
    if output("git", "-C", str(ROOT), "tag", "--list", f"v{version.rsplit('.', 1)[0]}.*").strip():
        sys.exit(f"abi: {version} is released: its interface stays as it is")
    path = BASELINES / f"{version.rsplit('.', 1)[0]}.txt"
    lines = [f"{what}\t{now[what]}\n" for what in sorted(now)]
    path.write_text(f"# The binary interface of {version.rsplit('.', 1)[0]}, 64 bits, as ci/abi.py wrote it.\n" + "".join(lines))


def main(shared, compiler, *flags):
    now = describe(public_headers(), shared, compiler)
    if now["pointer"] != "8":
        print("abi: skipped, its files are of machines with 64 bits")
        return SKIPPED
    if flags:
        update(now)
    path = baseline()
    self_test(now)
    old = parse(path.read_text())
    found = list(failures(old, now))
    new = sorted(now.keys() - old.keys())
    for line in found:
        print(f"FAIL {line}")
    for what in new:
        print(f"new: {what}")
    print(f"abi: {len(now)} entries against {path.name}, {len(new)} new, {len(found)} failures")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
