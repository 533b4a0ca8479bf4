#!/usr/bin/env python3
"""Checks that the IBT note of programs and libraries is true: branches.py FILE...

The note promises that every indirect call and jump lands on an endbr64. The linker writes it when it is told to, whatever the objects
hold; those of the C library and of static libraries may lack the instruction. So every address that code or data could jump to is
looked at: the entry, what the loader calls, what a relocation stores, and what an instruction loads.
"""
import re
import subprocess
import sys

LANDING = ("endbr64",)
CODE = re.compile(r"^\s*([0-9a-f]+):\t(.*)$")


def tool(*args):
    return subprocess.run(args, capture_output=True, text=True, check=True).stdout


class Image:
    """A linked file: its instructions by address, in order."""

    def __init__(self, path):
        self.path, self.at, self.order = path, {}, []
        for line in tool("objdump", "-d", "--no-show-raw-insn", path).splitlines():
            match = CODE.match(line)
            if match:
                address = int(match[1], 16)
                self.at[address] = match[2].strip()
                self.order.append(address)

    def targets(self):
        """Pairs of an address in code and what makes it reachable."""
        entry = int(re.search(r"Entry point address:\s+0x([0-9a-f]+)", tool("readelf", "-hW", self.path))[1], 16)
        if entry:
            yield entry, "entry"
        for name, value in re.findall(r"\((INIT|FINI)\)\s+0x([0-9a-f]+)", tool("readelf", "-dW", self.path)):
            yield int(value, 16), f"DT_{name}"
        for value in re.findall(r"R_X86_64_RELATIVE\s+([0-9a-f]+)", tool("readelf", "-rW", self.path)):
            if int(value, 16) in self.at:
                yield int(value, 16), "relocation"
        for address in self.order:
            match = re.match(r"lea .*# ([0-9a-f]+)", self.at[address])
            if match and int(match[1], 16) in self.at:
                yield int(match[1], 16), f"lea at {address:#x}"

    def tables(self):
        """Jumps through a table of offsets, whose targets the compiler left without a landing."""
        for i, address in enumerate(self.order):
            match = re.match(r"jmp\s+\*(%\w+)$", self.at[address])
            if match and re.match(rf"add\s+%\w+,{match[1]}$", self.at[self.order[i - 1]]):
                yield address


def main(*paths):
    failures = 0
    for path in paths:
        image = Image(path)
        targets = sorted(set(image.targets()))
        for address, why in targets:
            if not image.at[address].startswith(LANDING):
                failures += 1
                print(f"FAIL {path}: {address:#x} ({why}): {image.at[address]}")
        for address in image.tables():
            failures += 1
            print(f"FAIL {path}: {address:#x}: jump through a table without notrack")
        if len(targets) < 10:
            failures += 1
            print(f"FAIL {path}: {len(targets)} targets found, which cannot be all")
        print(f"branches: {path}: {len(targets)} targets of indirect branches")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
