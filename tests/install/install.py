#!/usr/bin/env python3
"""Installs into a scratch folder and builds small programs against it: install.py BUILD COMPILER SEEDS

In C and in C++, through pkg-config (shared and static), through find_package, and through dlopen, from C and from Python. Each program
checks a seed and must print what is wrong with it. A static program is wholly static: no library is loaded when it starts.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77


def run(*args, **more):
    done = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"install: {' '.join(args)}: exit {done.returncode}\n{done.stdout}")
    return done.stdout


def cxx_of(compiler):
    folder, name = os.path.split(compiler)
    for c, cxx in (("clang", "clang++"), ("gcc", "g++"), ("cc", "c++")):
        if name.startswith(c):
            found = shutil.which(os.path.join(folder, name.replace(c, cxx, 1)))
            if found:
                return found
    return shutil.which("c++")


class Prefix:
    """An installed uvet."""

    def __init__(self, build, folder):
        self.folder, self.env = folder, dict(os.environ)
        run("cmake", "--install", build, "--prefix", folder)
        self.libdir = next(top for top, _, names in os.walk(folder) if "libuvet.a" in names)
        self.env["PKG_CONFIG_PATH"] = os.path.join(self.libdir, "pkgconfig")
        self.env["LD_LIBRARY_PATH"] = self.libdir

    def flags(self, *how):
        return run("pkg-config", *how, "uvet", env=self.env).split()

    def check_version(self):
        """The header's version is the package's, and the library's name has its first number."""
        with open(os.path.join(self.folder, "include/uvet/uvet.h"), encoding="utf-8") as f:
            version = ".".join(re.findall(r"^#define UVET_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", f.read(), re.M))
        if run("pkg-config", "--modversion", "uvet", env=self.env).strip() != version:
            sys.exit(f"install: pkg-config does not say {version}")
        shared = os.path.join(self.libdir, "libuvet.so")
        if os.path.exists(shared) and os.path.basename(os.path.realpath(shared)) != f"libuvet.so.{version}":
            sys.exit(f"install: libuvet.so is not libuvet.so.{version}")
        if os.path.exists(shared) and not os.path.exists(f"{shared}.{version.split('.')[0]}"):
            sys.exit(f"install: there is no libuvet.so.{version.split('.')[0]}")

    def check_pages(self):
        """Manual, completions and schemas are those that the program prints."""
        program = os.path.join(self.folder, "bin", "uvet")
        for path, command in (("share/man/man1/uvet.1", ["help", "--man"]),
                              ("share/bash-completion/completions/uvet", ["completion", "bash"]),
                              ("share/zsh/site-functions/_uvet", ["completion", "zsh"]),
                              ("share/fish/vendor_completions.d/uvet.fish", ["completion", "fish"]),
                              ("share/uvet/report.schema.json", ["schema", "report"]),
                              ("share/uvet/rules.schema.json", ["schema", "rules"])):
            with open(os.path.join(self.folder, path), encoding="utf-8") as f:
                if f.read() != run(program, *command):
                    sys.exit(f"install: {path} is not what uvet {' '.join(command)} prints")

    def expect(self, command, expected):
        out = run(*command, env=self.env)
        if not all(word in out for word in expected):
            sys.exit(f"install: {' '.join(command)} printed:\n{out}")
        print(f"install: {' '.join(os.path.basename(word) for word in command[:-1]) or os.path.basename(command[0])} ok")


def build_with_pkg_config(prefix, scratch, compiler, ending, static):
    source = shutil.copy(os.path.join(HERE, "use.c"), os.path.join(scratch, "use." + ending))
    program = os.path.join(scratch, f"pkg_{ending}_{'static' if static else 'shared'}")
    how = ["--static"] if static else []
    run(compiler, "-Wall", "-Wextra", "-Werror", *(["-static"] if static else []), *prefix.flags("--cflags", *how), source, "-o", program,
        *prefix.flags("--libs", *how))
    return program


def build_loader(prefix, scratch, compiler):
    """A host that names no library when it is linked."""
    program = os.path.join(scratch, "load")
    run(compiler, "-Wall", "-Wextra", "-Werror", *prefix.flags("--cflags"), os.path.join(HERE, "load.c"), "-o", program, "-ldl")
    return program


def build_with_cmake(prefix, scratch, compiler, cxx):
    build = os.path.join(scratch, "cmake")
    run("cmake", "-S", HERE, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix.folder}", f"-DCMAKE_C_COMPILER={compiler}",
        f"-DCMAKE_CXX_COMPILER={cxx}")
    run("cmake", "--build", build)
    return [os.path.join(build, name) for name in ("use_c", "use_cpp", "use_static")]


def main(build, compiler, seeds):
    cxx = cxx_of(compiler)
    if not cxx or not shutil.which("pkg-config"):
        print("install: skipped, it needs a C++ compiler and pkg-config")
        return SKIPPED
    with open(os.path.join(seeds, "list.txt"), encoding="utf-8") as f:
        seed = next(line.split("\t")[1].rstrip("\n") for line in f if line.startswith("umod/UMD004_size_mismatch\t"))
    expected = ["UMD004 the trailer says", " invalid"]
    with tempfile.TemporaryDirectory(prefix="uvet-install-") as scratch:
        prefix = Prefix(build, os.path.join(scratch, "prefix"))
        run(os.path.join(prefix.folder, "bin", "uvet"), "version")
        prefix.check_version()
        prefix.check_pages()
        programs = [build_with_pkg_config(prefix, scratch, c, ending, static)
                    for c, ending in ((compiler, "c"), (cxx, "cpp")) for static in (False, True)]
        for program in programs + build_with_cmake(prefix, scratch, compiler, cxx):
            prefix.expect([program, seed], expected)
        shared = os.path.join(prefix.libdir, "libuvet.so")
        if os.path.exists(shared):
            prefix.expect([build_loader(prefix, scratch, compiler), shared, seed], expected)
            prefix.expect([sys.executable, os.path.join(HERE, "load.py"), shared, seed], expected)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
