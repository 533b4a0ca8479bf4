"""Damaged files: whatever a single cause breaks, its report fits on a page, and -v shows the rest."""
import os
import re
import struct
import threading
import unittest

import samples
from case import Case

LINES = 60

# Vectors in which nothing is wrong, by the endings of the files that are checked.
VECTORS = {
    ".u": ["upkg/good_level_ue2", "upkg/good_mesh", "upkg/good_class_super", "upkg/good_v61"],
    ".umod": ["umod/good_nested", "umod/good_utf16_names"],
    ".utoc": ["iostore/good_partitions", "iostore/good_v8_header_5_full", "iostore/good_v2"],
    ".uz2": ["uz/good_uz2"],
    ".lzma": ["uz/good_lzma"],
}


def zeroed(data, at, n):
    return data[:at] + bytes(len(data[at:at + n])) + data[at + n:]


DAMAGES = {
    "zeroed_head": lambda d: zeroed(d, 64, 4096),
    "zeroed_tail": lambda d: zeroed(d, len(d) // 2, len(d)),
    "all_zeros": lambda d: bytes(len(d)),
    "crlf": lambda d: d.replace(b"\n", b"\r\n"),
    "no_cr": lambda d: d.replace(b"\r\n", b"\n"),
    "as_utf8": lambda d: d.decode("latin-1").encode("utf-8"),
    "cut_half": lambda d: d[:len(d) // 2],
    "cut_end": lambda d: d[:-1],
    "doubled": lambda d: d + d,
    "flipped": lambda d: bytes(b ^ 0xFF if i % 97 == 0 else b for i, b in enumerate(d)),
}


def large_package(n=400):
    """A package of version 61 with n names, and n exports without a class that the names are used by."""
    names = b"".join(b"Name%d\0" % i + struct.pack("<I", 0x00070010) for i in range(n))
    start = 64
    exports = b"".join(b"\0\0" + struct.pack("<i", 0) + samples.index(i) + struct.pack("<I", 0) + b"\0" for i in range(n))
    header = struct.pack("<IHHIIIIIIIII", 0x9E2A83C1, 61, 0, 1, n, start, n, start + len(names), 0, start + len(names) + len(exports), 1, start - 16)
    return header.ljust(start - 16, b"\0") + bytes(range(16)) + names + exports


class Long(Case):
    def lines(self, *args):
        return self.run_uvet("check", *args).stdout.decode("utf-8").splitlines()

    def expect_page(self, name):
        lines = self.lines(name)
        self.assertLessEqual(len(lines), LINES, (name, lines))
        return lines

    def test_every_damage_fits_on_a_page(self):
        for ending, vector in ((ending, vector) for ending, vectors in VECTORS.items() for vector in vectors):
            name = os.path.basename(vector) + ending
            good = self.assemble(vector, name)
            for damage, change in DAMAGES.items():
                with self.subTest(vector=vector, damage=damage):
                    self.write(name, change(good))
                    self.expect_page(name)

    def test_a_zeroed_name_table(self):
        """4 KiB of zeros in the names break one rule many times, and many rules."""
        self.write("names.u", zeroed(large_package(), 80, 4096))
        lines, verbose = self.expect_page("names.u"), self.lines("-v", "names.u")
        self.assertGreater(len(verbose), 4 * len(lines))
        self.assertTrue(any(re.fullmatch(r"   = PNM\d{3} x \d{3} in all: name \d+-\d+.*", line) for line in lines), lines)
        self.assertEqual(lines[0], verbose[0])
        self.assertEqual([line.split("  ")[:2] for line in lines[-1:]], [line.split("  ")[:2] for line in verbose[-1:]])

    def test_a_text_mode_package(self):
        self.write("text.u", large_package().replace(b"\n", b"\r\n"))
        self.assertLess(len(self.expect_page("text.u")), len(self.lines("-v", "text.u")))

    def test_machines_get_all(self):
        """What text shows with -v, JSON and its like have without."""
        self.write("names.u", zeroed(large_package(), 80, 4096))
        for form in ["concise", "json", "ndjson", "sarif"]:
            short, verbose = (self.run_uvet("check", "-f", form, *more, "names.u").stdout for more in [[], ["-v"]])
            self.assertEqual(short, verbose)
            self.assertGreater(short.count(b"PNM"), 50)

    def test_one_line_says_what_was_missing(self):
        name = "cut.u"
        self.write(name, large_package()[:3000])
        missing = [line for line in self.expect_page(name) if line.startswith("not checked: ")]
        self.assertEqual(len(missing), 1)
        self.assertRegex(missing[0], r"\Anot checked: \d+ rules that need [^;]+(; \d+ that needs? [^;]+){3}; \d+ for other reasons\Z")
        verbose = [line for line in self.lines("-v", name) if line.startswith("not checked: ")]
        self.assertTrue(all(line.endswith(")") for line in verbose), verbose)

    def test_nothing_is_wrapped_in_a_pipe(self):
        self.write("names.u", zeroed(large_package(), 80, 4096))
        self.assertEqual(self.lines("names.u"), self.run_uvet("names.u", env={"COLUMNS": "40"}).stdout.decode("utf-8").splitlines())

    @unittest.skipUnless(hasattr(os, "openpty"), "there are no terminals of this kind")
    def test_a_terminal_wraps(self):
        """COLUMNS counts, and a report that goes to a file as well is not wrapped."""
        self.write("names.u", zeroed(large_package(), 80, 4096))
        lines = self.in_terminal("names.u", columns="50")
        self.assertTrue(all(len(line) <= 50 or " | " in line for line in lines), lines)
        self.assertGreater(len(lines), len(self.lines("names.u")))
        self.in_terminal("-f", "text=report.txt", "names.u", columns="50")
        self.assertEqual(self.read("report.txt").decode("utf-8").splitlines(), self.lines("names.u"))

    def in_terminal(self, *args, columns):
        master, slave = os.openpty()
        chunks = []

        def read():
            try:
                while chunk := os.read(master, 65536):
                    chunks.append(chunk)
            except OSError:             # the other end was closed
                pass
        reader = threading.Thread(target=read)
        reader.start()
        self.run_uvet("check", "--color", "never", *args, stdout=slave, env={"COLUMNS": columns})
        os.close(slave)
        reader.join()
        os.close(master)
        return b"".join(chunks).decode("utf-8").replace("\r\n", "\n").splitlines()


if __name__ == "__main__":
    unittest.main()
