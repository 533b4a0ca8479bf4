#!/usr/bin/env python3
"""Damages every member of every real set, one at a time: sets.py UVET [FOLDER] [--update]. The environment variable UVET_REAL_DATA goes before FOLDER.

A set is a .utoc with its .ucas files, its .pak and the .sig of that, in the folder ue4 of the collection or in an archive of its folder arc. Each member is removed,
renamed, cut, and exchanged for the same member of a sibling: another build of the same project, or of a partition for another partition. What uvet
says of the set that it did not say before is what found the damage; a missing member has to be what a report begins with, as text, JSON and HTML. The
table is conformance/sets.md, which --update writes; without it, it is compared. Exits with 77 when there is no such folder, and with 1 when a
damage is not found that is not among LIMITS, or the table is another.
"""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "..", "..", "conformance", "sets.md")
SKIPPED = 77
KEYS = {"ue4/FabianFG+CUE4Parse": b"CUE4ParseFixtureAESKey0123456789".hex(),
        "ue4/_generated+UEcastoc": "4355453450617273654669787475726541455300000000000000000000000000"}
DAMAGES = ("removed", "renamed", "cut by 1 byte", "cut by half", "exchanged")
# What is not found, by the end of the set's name, the member and the damage, with the reason.
EMPTY = "both are empty, and nothing in an empty .pak says which container it is of: the game mounts the set all the same"
SIGNED = "the two differ in their signatures alone, which take the game's public key to verify"
LIMITS = {
    ("pakchunk1001-Windows_0_P", ".pak", "exchanged"): EMPTY,
    ("pakchunk1002-Windows_0_P", ".pak", "exchanged"): EMPTY,
    ("arc/12_cleared.zip: plugin", ".utoc", "exchanged"): SIGNED,
    ("arc/13_release.zip: plugin", ".utoc", "exchanged"): SIGNED,
}


class Set:
    """A real set: where it comes from, its stem, and the bytes of its members by what follows the stem."""

    def __init__(self, source, stem):
        self.source, self.stem, self.members = source, stem, {}

    def name(self):
        return f"{self.source}: {self.stem}"

    def ordered(self):
        return sorted(self.members, key=lambda m: (m != ".utoc", m))


def members_of(stem, names):
    """Of these names those that belong to a stem, without it."""
    pattern = re.compile(re.escape(stem) + r"(\.utoc|\.ucas|\.pak|\.sig|_s[0-9]+\.ucas)", re.I)
    return {match[1]: name for name in names if (match := pattern.fullmatch(name))}


def add_sets(sets, source, names, read):
    for name in sorted(names):
        if name.lower().endswith(".utoc") and read(name):
            new = Set(source, name[:-5])
            new.members = {member: read(file) for member, file in members_of(new.stem, names).items()}
            sets.append(new)


def file_reader(folder):
    def read(name):
        with open(os.path.join(folder, name), "rb") as f:
            return f.read()
    return read


def real_sets(data):
    sets = []
    for folder, _, names in sorted(os.walk(os.path.join(data, "ue4"))):
        add_sets(sets, os.path.relpath(folder, data), names, file_reader(folder))
    arc = os.path.join(data, "arc")
    for name in sorted(os.listdir(arc)) if os.path.isdir(arc) else ():
        path = os.path.join(arc, name)
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as z:
                add_sets(sets, f"arc/{name}", z.namelist(), z.read)
    return sets


def sibling_of(sets, one, member):
    """The bytes for which a member is exchanged: those of the next set of the same source, or of archives; of a partition of another one."""
    if re.match("_s", member):
        return next(one.members[m] for m in one.ordered()[::-1] if m.startswith("_s") and m != member)
    near = [s for s in sets if (s.source == one.source or (s.source[:3] == one.source[:3] == "arc")) and member in s.members and s is not one]
    after = [s for s in near if sets.index(s) > sets.index(one)] + near
    return next((s.members[member] for s in after if s.members[member] != one.members[member]), None)


def damage(sets, one, member, kind):
    """The files of the damaged set by name, or None where the damage changes nothing."""
    files = {one.stem + m: data for m, data in one.members.items()}
    name = one.stem + member
    data = files.pop(name)
    if kind == "renamed":
        files["Other_" + os.path.basename(name)] = data
    elif kind == "cut by 1 byte":
        files[name] = data[:-1]
    elif kind == "cut by half":
        files[name] = data[:len(data) // 2]
    elif kind == "exchanged":
        other = sibling_of(sets, one, member)
        if other is None:
            return None
        files[name] = other
    return files


class Program:
    def __init__(self, uvet, folder):
        self.uvet, self.folder = uvet, folder

    def lay(self, files):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        for name, data in files.items():
            with open(os.path.join(self.folder, os.path.basename(name)), "wb") as f:
                f.write(data)

    def run(self, source, form, *options):
        args = [self.uvet, "check", "--isolated", "--format", form, *options]
        if source in KEYS:
            with open(self.folder + ".key", "w", encoding="ascii") as f:
                f.write(KEYS[source] + "\n")
            args += ["--aes-key-file", self.folder + ".key"]
        done = subprocess.run([*args, "."], cwd=self.folder, capture_output=True, check=False)
        if done.returncode not in (0, 1, 2):
            sys.exit(f"sets: exit {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode(errors="replace")


def summary(text):
    """What a report says: the verdict, each finding, and the first words of all."""
    report = json.loads(text)
    paths = {a["id"]: a["path"] for a in report["artifacts"]}
    found = [(f["severity"], f["rule"], paths[f["artifact"]], f["message"]) for f in report["findings"]]
    return report["summary"]["verdict"], found, report


RANK = {"error": 0, "undetermined": 1, "warning": 2, "note": 3}


def first_words(program, source, name):
    """Which forms of the report do not begin with a missing member: before any finding they have to name it."""
    bad = []
    text, html = program.run(source, "text"), program.run(source, "html")
    for form, said, begin in (("text", text, r"^(error|warning|note|undetermined)\["), ("html", re.sub("(?s)<style.*?</style>|<head.*?</head>", "", html), r"class=\"finding|<article|<li")):
        first = re.search(begin, said, re.M)
        head = said[:first.start()] if first else said
        line = said[first.start():].split("\n", 1)[0] if first and form == "text" else ""
        if name not in head and name not in line:
            bad.append(form)
    report = json.loads(program.run(source, "json"))
    causes = [json.dumps(a.get("diagnosis", {}), ensure_ascii=False) for a in report["artifacts"]]
    if not any(name in c for c in causes) and not (report["findings"] and name in report["findings"][0]["message"]):
        bad.append("json")
    return bad


def judge(program, sets, one):
    """For each damage of each member what found it."""
    program.lay({one.stem + m: data for m, data in one.members.items()})
    verdict, before, _ = summary(program.run(one.source, "json"))
    known = collections.Counter(before)
    for member in one.ordered():
        for kind in DAMAGES:
            files = damage(sets, one, member, kind)
            if files is None or not files:
                yield member, kind, verdict, "-", "there is no sibling" if files is None else "nothing is left", True, []
                continue
            program.lay(files)
            after, found, _ = summary(program.run(one.source, "json"))
            new = sorted((collections.Counter(found) - known).elements(), key=lambda f: RANK[f[0]])
            names = sorted({f[1] for f in new if RANK[f[0]] == RANK[new[0][0]]}) if new else []
            gone = kind in ("removed", "renamed") and member != ".utoc"
            bad = first_words(program, one.source, os.path.basename(one.stem) + member) if gone else []
            yield member, kind, verdict, after, ", ".join(names[:4]) + (", ..." if len(names) > 4 else ""), bool(new), bad


def reason_of(one, member, kind):
    return next((why for (end, m, k), why in LIMITS.items() if one.name().endswith(end) and m == member and k == kind), None)


def engine_of(one):
    """The engine that made a set, by what the manifest says of its source, or by the only engine that writes its version; None: it is not known."""
    by_name = {"UE5_8": "5.8", "UEcastoc": "4.27"}
    by_version = {2: "4.26", 3: "4.27", 6: "5.4"}
    name = one.name()
    return next((engine for part, engine in by_name.items() if part in name), by_version.get(one.members[".utoc"][16]))


TARGETS = {"SET032", "SET033", "SET034", "PAK057"}


def complaints_of_engines(sets, program):
    """No set is called wrong for the engine that made it, and each of a newer .utoc than 4.26 knows is for that one."""
    for one in sets:
        program.lay({one.stem + m: data for m, data in one.members.items()})
        for engine in filter(None, (engine_of(one), "4.26")):
            _, found, _ = summary(program.run(one.source, "json", "--engine", engine))
            rules = {f[1] for f in found if f[0] in ("error", "warning")} & TARGETS
            is_newer = one.members[".utoc"][16] > 2 and engine == "4.26"
            if bool(rules & {"SET032"}) != is_newer or (rules and not is_newer):
                yield f"{one.name()}: for {engine} there is {', '.join(sorted(rules)) or 'nothing'}"


def write_table(sets, program):
    lines, failures, n = [], [], 0
    for one in sets:
        lines += [f"## {one.source}: {one.stem}", "", "| member | damage | verdict before | verdict after | found by |", "|---|---|---|---|---|"]
        for member, kind, before, after, names, is_found, bad in judge(program, sets, one):
            why = None if is_found else reason_of(one, member, kind)
            n += after != "-"
            if not is_found and not why:
                failures.append(f"{one.name()}: {member} {kind} is not found")
            if bad:
                failures.append(f"{one.name()}: {member} {kind} is not what the report begins with: {', '.join(bad)}")
            lines.append(f"| {member} | {kind} | {before} | {after} | {names or 'not found: ' + str(why)} |")
        lines.append("")
    return lines, failures, n


HEAD = """# Real sets with one member damaged

`tests/real/sets.py` writes this page; no bytes of the sets are in it. Each member of each real set is removed, renamed, cut, and exchanged for that of
another build. *Found by* are the rules of the worst severity that say something they did not say of the set as it is; sets of which the collection has no
`.pak` or no `.ucas` are invalid before.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("uvet")
    parser.add_argument("folder", nargs="?", default=os.path.join(HERE, "..", "..", "..", "shared", "data"))
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    data = os.environ.get("UVET_REAL_DATA", args.folder)
    manifest = os.path.join(data, "MANIFEST.tsv")
    if not os.path.exists(manifest):
        print(f"sets: skipped, there is no {manifest} (set UVET_REAL_DATA)")
        return SKIPPED
    sets = real_sets(data)
    with tempfile.TemporaryDirectory(prefix="uvet-sets-") as temporary:
        program = Program(os.path.abspath(args.uvet), os.path.join(temporary, "set"))
        lines, failures, n = write_table(sets, program)
        failures += complaints_of_engines(sets, program)
    text = HEAD + f"\n{len(sets)} sets, {n} damages.\n\n" + "\n".join(lines).rstrip("\n") + "\n"
    if args.update:
        with open(TABLE, "w", encoding="utf-8") as f:
            f.write(text)
    elif not os.path.exists(TABLE) or open(TABLE, encoding="utf-8").read() != text:
        failures.append("conformance/sets.md is another: --update writes it")
    print("\n".join(failures + [f"sets: {len(sets)} sets, {n} damages, {len(failures)} complaints"]))
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
