"""A copy of the tree in which an example is carried out: what may be edited is said beforehand, and everything else stays as it is."""
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPTIONS = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O0", "-DUVET_FUZZ=ON", "-DUVET_WERROR=OFF", "-DBUILD_SHARED_LIBS=OFF"]


# The sources of BLAKE3 that ci/install.sh unpacked lie in a folder that is not copied.
OPTIONS += [f"-DUVET_BLAKE3_FOLDER={folder}" for folder in
            sorted((ROOT / "build/blake3/usr/share/cargo/registry").glob("blake3-1.*/c"))[-1:]]


class Failed(Exception):
    """What an example shows not to be so."""


def demand(good, what):
    if not good:
        raise Failed(what)


def run(*args, cwd=None, env=None, expect=0):
    """Runs a program and returns what it printed; ends where its exit code is not the expected one, if that is not None."""
    done = subprocess.run([str(a) for a in args], cwd=cwd, capture_output=True, text=True, errors="replace", check=False,
                          env={**os.environ, **(env or {})})
    out = done.stdout + done.stderr
    demand(expect in (None, done.returncode), f"{' '.join(str(a) for a in args)}: exit {done.returncode}\n{out[-4000:]}")
    return out


def files_below(folder):
    """Every file below a folder, by its name from there on."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def blocks_of(page):
    """The blocks of code of a page that say which file they are of: its name, and the text."""
    return re.findall(r"(?m)^`([\w/.]+)`:\n\n```\w*\n(.*?)^```$", page, re.S)


def put(path, data):
    """Writes a file if it is not as it should be: what is built of it need not be built again."""
    if not path.is_file() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


class Copy:
    """The tree without its history, below a folder of builds. A second run makes anew only what is not as it was."""

    def __init__(self, folder):
        self.tree, self.build = folder / "tree", folder / "build"
        self.added, self.edited, self.ours = {}, {}, set()
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
        names = [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
        self.wanted = {name: (ROOT / name).read_bytes() for name in names}
        self.modes = {name: (ROOT / name).stat().st_mode for name in names}

    def add(self, name, data):
        """A new file."""
        demand(name not in self.wanted, f"{name} is there already")
        self.wanted[name] = self.added[name] = data
        self.ours.add(name)

    def edit(self, name, old, new):
        """An edit of a list: the first such text becomes another one; without an old one the new one stands at the end."""
        text = self.wanted[name].decode()
        demand(old in text, f"{name} does not have {old!r}")
        self.wanted[name] = (text + new if old == "" else text.replace(old, new, 1)).encode()
        self.edited.setdefault(name, []).append(new)
        self.ours.add(name)

    def take_stock(self):
        """What was added and edited since it was asked last."""
        stock = self.added, self.edited
        self.added, self.edited = {}, {}
        return stock

    def write(self):
        """Makes the folder what is wanted, and begins a history: what changes from here on is the work of programs."""
        folders = []
        for folder, inner, names in os.walk(self.tree):
            folders.append(folder)
            inner[:] = [name for name in inner if name not in (".git", "build", "__pycache__")]
            for path in (pathlib.Path(folder, name) for name in names):
                if path.relative_to(self.tree).as_posix() not in self.wanted:
                    path.unlink()
        for folder in reversed(folders):
            if folder != str(self.tree) and not os.listdir(folder):
                os.rmdir(folder)
        for name, data in self.wanted.items():
            put(self.tree / name, data)
            (self.tree / name).chmod(self.modes.get(name, 0o644))
        shutil.rmtree(self.tree / ".git", ignore_errors=True)
        self.git("init", "-q")
        self.keep()

    def remove(self, name):
        """A file that what follows does not need."""
        (self.tree / name).unlink()

    def git(self, *args):
        return run("git", "-c", "user.name=example", "-c", "user.email=example@localhost", "-c", "core.autocrlf=false", *args, cwd=self.tree)

    def keep(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "As it is")

    def changed(self):
        """The files that are not as they were kept."""
        return {line[3:] for line in self.git("status", "--porcelain", "-uall").splitlines()}

    def compile(self, *targets):
        if not (self.build / "build.ninja").exists():
            run("cmake", "-S", self.tree, "-B", self.build, *OPTIONS)
        said = run("cmake", "--build", self.build, "-j", os.cpu_count(), "--target", *targets)
        for name in {name for name in self.ours if name.endswith((".c", ".h"))}:
            demand(not re.search(rf"{re.escape(name)}:.*warning", said), f"the compiler warns of {name}:\n{said[-4000:]}")

    def program(self, name):
        return self.build / name

    def python(self, script, *args, **options):
        return run("python3", self.tree / script, *args, cwd=self.tree, **options)
