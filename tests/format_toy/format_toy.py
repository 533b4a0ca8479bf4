"""Adds a format to a copy of the tree by the seven steps of CONTRIBUTING.md and nothing else, and tests it there;
docs/ADDING_A_FORMAT.md explains it. The new files are those below tree/; the rows that lists get stand here."""
import importlib.util
import pathlib
import re

from sandbox import ROOT, demand, files_below, run

HERE = pathlib.Path(__file__).resolve().parent
MUTANT = "900"

# The rows that lists get: the file, what stands before them, "" for its end, and the row. The steps are those of CONTRIBUTING.md.
ROWS = [
    (4, "src/rule/ids/all.def", '#include "rule/ids/engine.def"\n', '#include "rule/ids/toy.def"\n#include "rule/ids/engine.def"\n'),
    (4, "src/rule/ids/all.def", " TXT0", " TOY007 TXT0"),
    (6, "src/formats/formats.def", "", "FORMAT(toy)\n"),
    (6, "fuzz/formats.def", "", 'FORMAT (toy, "toy", oracle_plain, mutate_plain, whole_file, no_memory, print_nothing, false)\n'),
    (7, "corpus/seeds.txt", "", "toy       vectors    toy/*\n"),
    (7, "fuzz/mutants/MUTANTS.tsv", "", f"{MUTANT}\ta byte less\ttoy\toracle: the report counts what the map explains\tseed\t0.0\n"),
    (7, "conformance/reference/uncovered.py", "NOT_COVERED = {\n", 'NOT_COVERED = {\n    "TOY": "no game has the format",\n'),
]
# What programs write after that: run.py --update, and those that the pages themselves name.
GENERATED = {"conformance/rules.md", "conformance/details/toy.txt", "conformance/spec/toy.md", "conformance/coverage.md", "fuzz/dict/uvet.dict"}
SWEEPS = ["truncate", "flip", "memory", "read", "fields", "output", "cut", "work", "kept"]
TABLES = {"truncate": "truncation.txt", "flip": "detection.txt"}
TARGETS = ["uvet", "faultcheck", "fuzz_toy", "make_dict", "mutate", "sweep_versions", *(f"sweep_{name}" for name in SWEEPS)]


def carry_out(copy):
    """The seven steps."""
    for name, data in files_below(HERE / "tree").items():
        copy.add(name, data)
    for _, name, old, new in ROWS:
        copy.edit(name, old, new)


def check_lists(copy):
    """The house rules hold in the copy, and scripts that have lists of formats know it."""
    demand(" 0 complaints" in copy.python("ci/lint.py"), "lint complains")
    run("python3", "-m", "unittest", "-q", "test_assemble.Changed", cwd=copy.tree / "conformance")
    demand("toy 4096" in run("bash", "-c", 'work=.; . fuzz/harnesses.sh; echo "$harnesses"', cwd=copy.tree), "no harness")


def check_vectors(copy, files):
    """Failing and passing ones, both sides of each rule; and what the program writes of them is all that changes."""
    uvet, faultcheck = copy.program("uvet"), copy.program("tests/faultcheck")
    copy.python("conformance/run.py", uvet, "--faultcheck", faultcheck, "--only", "toy/*", "--update", "--no-schema")
    copy.python("conformance/run.py", uvet, "--faultcheck", faultcheck, "--only", "toy/*", "--keep", files)
    ids = set(re.findall(r"RULE_ID\((\w+)\)", (copy.tree / "src/rule/ids/toy.def").read_text()))
    failing = {path.name[:6] for path in (copy.tree / "conformance/vectors/toy").glob("*.vec")}
    demand(ids <= failing, f"no vector breaks {sorted(ids - failing)}")
    second = copy.python("conformance/reference/compare.py", uvet, "--what", "vectors", "--only", "toy/*", "--mutations", "3")
    demand(" 0 unexplained differences, 0 complaints" in second, second[-600:])


def check_command(copy, files):
    """What a user sees of a good sample, and of a bad one."""
    uvet, good = copy.program("uvet"), files / "toy/good_v2/good_v2.toy"
    for args, code, words in (
            (["check", good], 0, ["toy shop", "2 items"]), (["info", good], 0, ["toy shop", "items"]),
            (["map", good], 0, ["tag", "header", "item", "trailer", "shop"]),
            (["map", "--format", "json", good], 0, ['"unexplained":0', '"name":"price"']),
            (["check", files / "toy/TOY004_item_ids_unsorted/TOY004_item_ids_unsorted.toy"], 1, ["TOY004", "id 3 is not above 3"]),
            (["explain", "TOY005"], 0, ["price_zero"]), (["rules", "--format", "layouts"], 0, ["toy_trailer"])):
        said = run(uvet, *args, expect=code)
        for word in words:
            demand(word in said, f"uvet {args[0]} does not say {word}:\n{said}")


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_sweeps(copy, files, work):
    """Every beginning, bit, request for memory, read and byte of output of the format's vectors."""
    load(ROOT / "tests/sweep/seeds.py").write_list(str(files), str(work))
    for name in SWEEPS:
        tables = [work / TABLES[name]] if name in TABLES else []
        said = run(copy.program(f"tests/sweep_{name}"), work / "list.txt", *tables, env={"UVET_UPDATE": "1"})
        demand(name in ("fields", "cut") or re.search(r"[1-9]", said), f"sweep {name} did nothing: {said}")


def check_coverage(copy, work):
    """The table of versions shows the format without an edit."""
    page = copy.tree / "conformance/coverage.md"
    run("python3", "-c", "import sys; sys.path.insert(0, 'tests/sweep'); import seeds; seeds.main(sys.argv[1])", work, cwd=copy.tree)
    run(copy.program("tests/sweep_versions"), work / "list.txt", page, env={"UVET_UPDATE": "1"})
    shown = page.read_text(encoding="utf-8").partition("## toy shop\n")[2]
    demand("| 1 | yes |" in shown and "| 2 | yes |" in shown, f"coverage.md shows of the format: {shown}")


def check_fuzzing(copy, files, work):
    """Seeds, dictionary and mutator follow from the rows; every oracle holds, and sees the planted bug."""
    dictionary = run(copy.program("fuzz/make_dict"))
    demand('"TOY!"' in dictionary, "the dictionary does not have the magic number")
    (copy.tree / "fuzz/dict/uvet.dict").write_text(dictionary)
    copy.python("fuzz/seeds.py", work / "seeds")
    inputs, mutated = work / "seeds/toy", work / "mutated"
    demand(len(list(inputs.iterdir())) > 10, "there are no seeds")
    mutated.mkdir()
    run(copy.program("fuzz/mutate"), "toy", files / "toy/good_v2/good_v2.toy", 300, mutated)
    kept = [data for data in files_below(mutated).values() if data[:4] == b"TOY!"]
    demand(len(set(kept)) > 100, f"of 300 changed copies {len(set(kept))} differ and still have the magic number")
    run(copy.program("fuzz/fuzz_toy"), inputs, mutated)
    demand("broken promise" in run(plant(copy, work), inputs, expect=None), "no oracle notices the planted bug")


def plant(copy, work):
    """The harness with the planted bug, by the commands of the build."""
    source = "CMakeFiles/uvet_objects.dir/src/formats/toy/toy.c.o"
    compiled, program = work / "toy.o", work / "fuzz_toy"
    for target, old, new in ((source, f"-o {source}", f"-DUVET_MUTANT={MUTANT} -o {compiled}"),
                             ("fuzz/fuzz_toy", "-o fuzz/fuzz_toy", f"{compiled} -o {program}")):
        command = run("ninja", "-C", copy.build, "-t", "commands", target).splitlines()[-1]
        run("sh", "-c", command.replace(old, new), cwd=copy.build)
    return program
