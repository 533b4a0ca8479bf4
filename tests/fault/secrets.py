#!/usr/bin/env python3
"""Assembles encrypted containers under a key that looks like nothing else, and searches what is left of it: secrets.py PROGRAM"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KEY = hashlib.sha256(b"a key that is in no other file").hexdigest().upper()
VECTORS = ["good_encrypted", "good_v10_encrypted", "good_v10_encrypted_ecb", "good_v4_encrypted"]


def vectors_of(folder):
    """The vectors of containers once more, those with a key under KEY."""
    vectors = folder / "vectors"
    shutil.copytree(ROOT / "conformance/vectors/iostore", vectors)
    for path in vectors.glob("*.vec"):
        path.write_text(re.sub(r'^let key( +)"[0-9A-Fa-f]{64}"', rf'let key\1"{KEY}"', path.read_text(), flags=re.M))
    return vectors


def assemble(folder, vectors, name):
    out = folder / name / "Mod_P.utoc"
    out.parent.mkdir()
    subprocess.run([sys.executable, ROOT / "conformance/assemble.py", vectors / f"{name}.vec", "-o", out], check=True)
    return out


def main(program):
    with tempfile.TemporaryDirectory(prefix="uvet-secrets-") as name:
        folder = pathlib.Path(name)
        vectors = vectors_of(folder)
        tocs = [assemble(folder, vectors, name) for name in VECTORS]
        keys = folder / "keys.txt"
        keys.write_text("# " + "a comment that makes the file long\n# " * 4000 + f"\n{KEY}\n")
        done = subprocess.run([program, KEY, keys, *tocs], env={**os.environ, "UVET_SECRET": KEY}, check=False)
        return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
