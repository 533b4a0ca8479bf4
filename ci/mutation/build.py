"""The build whose objects the mutants share: what is compiled with which flags, and what is linked to which program."""
import collections
import json
import os
import shlex
import subprocess

UNITS = "units"                 # all unit tests that are linked alike, in one program


class BuildError(Exception):
    pass


def run(args, cwd=None):
    done = subprocess.run(args, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(f"{shlex.join(args)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


class Link:
    """One program: how it is linked, with which objects, all relative to the build folder."""

    def __init__(self, argv):
        self.argv = argv
        self.objects = {a for a in argv if a.endswith(".o")}

    def command(self, replaced, out):
        """The command that links to another file, with some objects replaced."""
        argv = [replaced.get(a, a) for a in self.argv]
        argv[argv.index("-o") + 1] = out
        return argv


class Build:
    """A release build in a folder of its own; everything is relative to it."""

    def __init__(self, root, folder):
        self.root, self.folder = root, folder

    def prepare(self):
        """Configures and builds; the tests' list is ctest's."""
        run(["cmake", "-S", self.root, "-B", self.folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=OFF",
             "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"])
        run(["cmake", "--build", self.folder])
        with open(os.path.join(self.folder, "compile_commands.json"), encoding="utf-8") as f:
            self.commands = json.load(f)
        self.compiles = collections.defaultdict(list)
        for c in self.commands:
            argv = [a for a in shlex.split(c["command"]) if os.path.basename(a) != "ccache"]
            self.compiles[os.path.relpath(c["file"], self.root)].append(argv)
        self.tests = json.loads(run(["ctest", "--show-only=json-v1"], self.folder))["tests"]
        self.links = {}
        for test in self.tests:
            for word in self.words_of(test):
                self.add_program(word)
        self.join_units()

    def words_of(self, test):
        """The command and the environment of a test, as words in which programs stand."""
        words = list(test.get("command", []))
        for p in test.get("properties", []):
            if p["name"] == "ENVIRONMENT":
                words += [value.partition("=")[2] for value in p["value"]]
        return words

    def add_program(self, word):
        name = os.path.relpath(word, self.folder) if os.path.isabs(word) else ""
        if not name or name.startswith("..") or name in self.links or not os.access(word, os.X_OK) or not os.path.isfile(word):
            return
        self.links[name] = Link(self.link_of(name))

    def link_of(self, name):
        last = run(["ninja", "-t", "commands", name], self.folder).rstrip("\n").split("\n")[-1]
        argv = [a for a in shlex.split(last) if a not in (":", "&&")]
        if "libuvet.a" in argv:                 # it is made of the same objects
            i = argv.index("libuvet.a")
            argv[i:i + 1] = [a for a in self.links["uvet"].argv if "/uvet_objects.dir/" in a]
        return argv

    def join_units(self):
        """Those unit tests that differ in one object only become one program, which takes the number of a test."""
        alike = collections.defaultdict(list)
        for test in self.tests:
            name = os.path.relpath(test["command"][0], self.folder) if test.get("command") else ""
            if test["name"].startswith("unit.") and name in self.links:
                argv, own = self.links[name].argv, self.own_object(name)
                alike[tuple(a for a in argv if a not in (own, name))].append((test, name, own))
        self.unit_numbers = {}
        together = max(alike.values(), key=len)
        out = os.path.join(self.folder, UNITS)
        os.makedirs(out, exist_ok=True)
        objects = []
        for i, (test, name, own) in enumerate(together):
            joined = os.path.join(UNITS, f"{i}.o")
            run(["objcopy", "--redefine-sym", f"main=unit_{i}", own, joined], self.folder)
            run(["objcopy", "--keep-global-symbol", f"unit_{i}", joined], self.folder)
            objects.append(joined)
            self.unit_numbers[test["name"]] = i
        self.write_driver(os.path.join(out, "driver.c"), len(together))
        run(["cc", "-c", os.path.join(UNITS, "driver.c"), "-o", os.path.join(UNITS, "driver.o")], self.folder)
        _, name, own = together[0]
        argv = self.links[name].argv
        i = argv.index(own)
        self.links[UNITS] = Link([*argv[:i], *objects, os.path.join(UNITS, "driver.o"), *argv[i + 1:]])
        run(self.links[UNITS].command({}, os.path.join(UNITS, UNITS)), self.folder)

    def own_object(self, name):
        return next((a for a in self.links[name].argv if a.endswith(".o") and f"/{os.path.basename(name)}.dir/" in a), None)

    def write_driver(self, path, n):
        with open(path, "w", encoding="utf-8") as f:
            f.write("#include <stdlib.h>\n")
            f.write("".join(f"int unit_{i}(void);\n" for i in range(n)))
            f.write("int main(int argc, char **argv)\n{\n\tswitch (argc > 1 ? atoi(argv[1]) : -1) {\n")
            f.write("".join(f"\tcase {i}: return unit_{i}();\n" for i in range(n)))
            f.write("\tdefault: return 3;\n\t}\n}\n")


def is_same(a, b):
    with open(a, "rb") as f, open(b, "rb") as g:
        return f.read() == g.read()


class Bench:
    """One worker's folder, where a mutant is compiled and its programs are linked when they are first wanted."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.replaced, self.linked = {}, {}

    def clear(self):
        subprocess.run(["rm", "-rf", self.folder], check=True)
        os.makedirs(self.folder)
        self.replaced, self.linked = {}, {}

    def compile(self, mutant):
        """Compiles the changed source in every way in which the build does. "" if it has become other code, or what it is instead:
        "refused" by the compiler, or "equivalent", the same objects."""
        with open(os.path.join(self.build.root, mutant.path), encoding="utf-8") as f:
            text = mutant.apply(f.read())
        source = os.path.join(self.folder, os.path.basename(mutant.path))
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        same = True
        for i, argv in enumerate(self.build.compiles[mutant.path]):
            argv, out = list(argv), os.path.join(self.folder, f"{i}.o")
            original = argv[argv.index("-o") + 1]
            argv[argv.index("-o") + 1], argv[argv.index("-c") + 1] = out, source
            if subprocess.run(argv, cwd=self.build.folder, capture_output=True, check=False).returncode != 0:
                return "refused"
            if not is_same(out, os.path.join(self.build.folder, original)):
                same = False
                self.replaced[original] = out
        return "equivalent" if same else ""

    def program(self, name):
        """The path of a program of this mutant, which is linked again if it contains the changed source."""
        link = self.build.links[name]
        if not link.objects.intersection(self.replaced):
            return os.path.join(self.build.folder, UNITS if name == UNITS else "", name)
        if name not in self.linked:
            out = os.path.join(self.folder, os.path.basename(name))
            run(link.command(self.replaced, out), self.build.folder)
            self.linked[name] = out
        return self.linked[name]

    def is_changed(self, name):
        return bool(self.build.links[name].objects.intersection(self.replaced))
