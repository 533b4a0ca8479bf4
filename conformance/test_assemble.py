#!/usr/bin/env python3
"""Tests of the assembler: python3 -m unittest conformance/test_assemble.py"""
import bz2
import gzip
import hashlib
import lzma
import os
import sys
import tempfile
import unittest
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import assemble  # noqa: E402
import assembled  # noqa: E402
import changed  # noqa: E402
import run  # noqa: E402
from assembler.crc import crc32_bzip2  # noqa: E402
from assembler.displace import displace  # noqa: E402
from assembler.errors import VecError  # noqa: E402
from assembler.hashes import blake3_bytes, cityhash64_bytes, fnv1a_bytes, xxh64  # noqa: E402
from assembler.rsa import KEY_512  # noqa: E402
from assembler.layout import encode_index, encode_sevenzip_number  # noqa: E402
from assembler.pieces import Run  # noqa: E402

BLAKE3 = {0: "af1349b9f5f9a1a6a0404dea36dcc949", 1: "2d3adedff11b61f14c886e35afa03673", 1024: "42214739f095a406f3fc83deb889744a",
          1025: "d00278ae47eb27b34faecf67b4fe263f", 3072: "b98cb0ff3623be03326b373de6b90952"}          # from its published vectors
XXH64 = {b"": 0xEF46DB3751D8E999, b"a": 0xD24EC4F1A98C6E5B, b"abc": 0x44BC2CF5AD770999}       # from its published vectors
CITY = {b"": 0x9AE16A3B2F90404F, b"hello": 0xB48BE5A931380CE8, "/game/patchfixtures/da_patchtarget".encode("utf-16-le"): 0xEA6DCAF69ECA2F7A,
        "/game/patchfixtures/da_patchreferencer".encode("utf-16-le"): 0x26EEFB7F9C696A70}         # the longer ones from real containers


def lz4_decode(data):
    """A reader of LZ4 blocks, as short as it can be."""
    out, at = bytearray(), 0

    def more(n):
        nonlocal at
        while n == 15 or (n > 15 and data[at - 1] == 255):
            n += data[at]
            at += 1
        return n

    while at < len(data):
        token = data[at]
        at += 1
        n = more(token >> 4)
        out += data[at:at + n]
        at += n
        if at < len(data):
            offset = int.from_bytes(data[at:at + 2], "little")
            at += 2
            for _ in range(more(token & 15) + 4):
                out.append(out[-offset])
    return bytes(out)



class Recipes(unittest.TestCase):
    """Writes recipes to a temporary folder and assembles them."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = os.path.join(self.folder.name, name + ".vec")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def image(self, text, name="test"):
        return assemble.assemble(assemble.load(self.write(name, text)))

    def bytes(self, text):
        return self.image(text).to_bytes()

    def refuse(self, text, words):
        with self.assertRaisesRegex(VecError, words):
            self.image(text)


class Digests(unittest.TestCase):
    def test_known_values(self):
        self.assertEqual(crc32_bzip2([]), 0)
        self.assertEqual(crc32_bzip2([b"\0"]), 0xB1F7404B)
        self.assertEqual(crc32_bzip2([b"123456789"]), 0xFC891918)

    def test_zeros_by_squaring(self):
        for n in (1, 2, 3, 31, 32, 33, 255, 65537):
            self.assertEqual(crc32_bzip2([b"ab", Run(n, 0), b"c"]), crc32_bzip2([b"ab" + bytes(n) + b"c"]), n)

    def test_zeros_against_zlib(self):
        """The reflected CRC of bytes with reversed bits is the same polynomial."""
        reverse = bytes(int(f"{i:08b}"[::-1], 2) for i in range(256))
        data = bytes(range(256)) + bytes(1 << 20)
        expected = int(f"{zlib.crc32(data.translate(reverse)):032b}"[::-1], 2)
        self.assertEqual(crc32_bzip2([bytes(range(256)), Run(1 << 20, 0)]), expected)

    def test_two_gibibytes_are_quick(self):
        self.assertEqual(crc32_bzip2([Run(1 << 30, 0), Run(1 << 30, 0)]), crc32_bzip2([Run(1 << 31, 0)]))


class Indexes(unittest.TestCase):
    CASES = {0: "00", 1: "01", -1: "81", 63: "3F", 64: "4001", -64: "C001", 8191: "7F7F", 8192: "408001", 1048575: "7FFF7F",
             1048576: "40808001", 134217727: "7FFFFF7F", 134217728: "4080808001", 2147483647: "7FFFFFFF0F",
             -2147483647: "FFFFFFFF0F", -2147483648: "C080808010"}

    def test_minimal(self):
        for value, digits in self.CASES.items():
            self.assertEqual(encode_index(value, ("", 0)), bytes.fromhex(digits), value)

    def test_numbers_of_7z(self):
        for value, digits in {0: "00", 0x7F: "7F", 0x80: "8080", 0x3FFF: "BFFF", 0x4000: "C00040", 0x123456: "D25634",
                              1 << 28: "F000000010", 1 << 55: "FE00000000000080", (1 << 56) - 1: "FEFFFFFFFFFFFFFF",
                              1 << 56: "FF0000000000000001", (1 << 64) - 1: "FF" * 9}.items():
            self.assertEqual(encode_sevenzip_number(value, ("", 0)), bytes.fromhex(digits), hex(value))
        for value in (-1, 1 << 64):
            with self.assertRaises(VecError):
                encode_sevenzip_number(value, ("", 0))

    def test_padded(self):
        self.assertEqual(encode_index(3, ("", 0), 2), b"\x43\x00")
        self.assertEqual(encode_index(3, ("", 0), 5), b"\x43\x80\x80\x80\x00")
        self.assertEqual(encode_index(-8, ("", 0), 2), b"\xC8\x00")

    def test_refused(self):
        for args in ((1 << 31, None), (64, 1), (1, 6)):
            with self.assertRaises(VecError):
                encode_index(args[0], ("", 0), args[1])


class Statements(Recipes):
    def test_integers(self):
        self.assertEqual(self.bytes("u8 1\nu16 2\nu32 3\nu64 4"), b"\1\2\0\3\0\0\0\4\0\0\0\0\0\0\0")
        self.assertEqual(self.bytes("u16be 0x102\nu32be 0x1020304\ni32 -2"), b"\1\2\1\2\3\4\xFE\xFF\xFF\xFF")
        self.refuse("u8 256", "test.vec:1: 256 does not fit u8")

    def test_bytes_fill_align(self):
        self.assertEqual(self.bytes("bytes 01 0203\nalign 4\nfill 2 0x41\nalign 4 255"), b"\1\2\3\0AA\xFF\xFF")
        self.refuse("bytes 012", "even number")
        self.refuse("fill 0 - 1", "negative count")

    def test_texts(self):
        self.assertEqual(self.bytes(r'text "a\r\n\t\0\"\\\x80" "b"*3'), b'a\r\n\t\0"\\\x80bbb')
        self.assertEqual(self.bytes('text "\u20ac{{}}"'), b"\x80{}")
        self.assertEqual(self.bytes(r'utf16 "a\uD800"'), b"a\0\x00\xD8")
        self.assertEqual(self.bytes('string "ab"'), b"\x03ab\0")
        self.assertEqual(self.bytes('wstring "ab"'), b"\x83a\0b\0\0\0")
        self.refuse(r'text "\q"', "unknown escape")
        self.refuse(r'text "\u0416"', "not in CP1252")

    def test_labels_and_expressions(self):
        image = self.image("a: u8 end - a.end\nb: { u16 size\n u8 (1 + 2) * 3 / 2 }\nend: u8 b.end")
        self.assertEqual(image.to_bytes(), b"\x03\x05\x00\x04\x04")
        self.assertEqual(image.labels["b.end"], 4)
        self.refuse("u8 nowhere", "nothing is called 'nowhere'")
        self.refuse("a: u8 1\na: u8 2", "used twice")

    def test_places_in_texts(self):
        image = self.image('string "ab{@c}c{@d:de}f"')
        self.assertEqual((image.labels["c"], image.labels["d"], image.labels["d.end"]), (3, 4, 6))

    def test_values_in_texts(self):
        self.assertEqual(self.bytes('let n 7\nlet t "x"\nt1: text "{t}{n+1}{t1.end-t1}"'), b"x83")

    def test_sizes_settle(self):
        data = self.bytes('a: text "size={size}" "."*90')
        self.assertEqual(data[:8], b"size=97.")
        self.refuse("a: fill size + 1", "do not settle")

    def test_repeat(self):
        self.assertEqual(self.bytes('repeat 3 { u8 i; text "{i}" }'), b"\x000\x011\x022")
        image = self.image("repeat 2 j { row[j]: u8 j }\nu8 row[1]\nu8 row[1].end")
        self.assertEqual(image.to_bytes(), b"\0\1\1\2")

    def test_digests(self):
        data = self.bytes("a: text \"123456789\"\nu32 crc32_bzip2(a, a.end)\nu32 crc32(0, 9)")
        self.assertEqual(data[9:], b"\x18\x19\x89\xFC\x26\x39\xF4\xCB")
        self.refuse("u32 crc32_bzip2(0, size)", "over its own bytes")
        self.refuse('text "{crc32(0, 0)}"', "only stand in an integer")

    def test_digest_of_a_digest(self):
        data = self.bytes("u32 crc32(4, 8)\nu32 crc32(8, 9)\nu8 0x41")
        inner = zlib.crc32(b"A").to_bytes(4, "little")
        self.assertEqual(data, zlib.crc32(inner).to_bytes(4, "little") + inner + b"A")

    def test_errors_have_places(self):
        self.refuse("u8 1\nu9 2", r"test.vec:2: unknown statement 'u9'")
        self.refuse("u8 1 2", "unexpected '2'")
        self.refuse("x: {\nu8 1", "not closed")


class Transforms(Recipes):
    def test_zlib(self):
        data = self.bytes('deflate { text "ab"*100; fill 5 }')
        self.assertEqual(zlib.decompress(data), b"ab" * 100 + bytes(5))
        for n in (0, 1, 65535, 65536, 70000):
            stored = self.bytes(f"store {{ fill {n} 7 }}")
            self.assertEqual(zlib.decompress(stored), bytes([7]) * n)
            self.assertEqual(len(stored), 6 + 5 * max(1, -(-n // 65535)) + n)

    def test_adler(self):
        self.assertEqual(self.bytes("a: text \"Wikipedia\"\nu32be adler32(a, a.end)")[9:], b"\x11\xE6\x03\x98")

    def test_lzma(self):
        header = b"\x5D\x00\x00\x01\x00"
        for n in (0, 1, 300):
            text = f'text "abcab"*{n}'
            plain, marked = self.bytes(f"lzma {{ {text} }}"), self.bytes(f"lzma_marked {{ {text} }}")
            for size, stream in ((5 * n, plain), (5 * n, marked), ((1 << 64) - 1, marked)):
                decoder = lzma.LZMADecompressor(format=lzma.FORMAT_ALONE)
                self.assertEqual(decoder.decompress(header + size.to_bytes(8, "little") + stream), b"abcab" * n)
                self.assertTrue(decoder.eof)

    def test_runs(self):
        cases = {"aaaa": b"aaaa", "aaaaa": b"aaaaa\x05", "aaaaaab": b"aaaaa\x06b", "": b""}
        for text, expected in cases.items():
            self.assertEqual(self.bytes(f'runs {{ text "{text}" }}'), expected)
        self.assertEqual(self.bytes("runs { fill 257 1 }"), b"\1" * 5 + b"\xFF\1\1")

    def test_sorting(self):
        """Suffixes of ABRACADABRA and its end, sorted by hand."""
        data = self.bytes('bwt { text "ABRACADABRA" }')
        order = sorted(range(12), key=lambda i: [ord(c) for c in "ABRACADABRA"[i:]] + [256])
        self.assertEqual(data[:12], b"".join(n.to_bytes(4, "little") for n in (11, order.index(1), order.index(0))))
        self.assertEqual(data[12:], bytes(b"ABRACADABRA"[i - 1] if i else 65 for i in order))

    def test_places(self):
        self.assertEqual(self.bytes('mtf { bytes 00 00 02 02 01 00 }'), b"\0\0\2\0\2\2")

    def test_codes(self):
        self.assertEqual(self.bytes('huffman { text "AAB" }'), b"\3\0\0\0" + self.bytes('bits { code "10"; u8 66; code "0"; u8 65; code "110" }'))
        self.assertEqual(self.bytes('huffman { text "AA" }'), b"\2\0\0\0" + self.bytes('bits { code "0"; u8 65 }'))
        self.assertEqual(self.bytes('bits { code "1"; repeat 2 { code "{i}0" }; u8 0x81 }'), b"\x29\x10")
        self.refuse('bits { code "2" }', "written with 0 and 1")

    def test_blocks_in_blocks(self):
        image = self.image("deflate { store { a: u8 a.end; b: u16 b } }\nu8 b")
        self.assertEqual(zlib.decompress(zlib.decompress(image.to_bytes()[:-1])), b"\1\1\0")
        self.assertEqual(image.to_bytes()[-1], 1)
        self.write("base", "verdict valid\ndeflate { mtf { a: u8 1 } }")
        self.assertEqual(zlib.decompress(self.bytes("base base\nset a u8 2")), b"\2")

    def test_digest_in_a_block(self):
        self.assertEqual(zlib.decompress(self.bytes('deflate { a: text "abc"; u32be adler32(a, a.end) }')), b"abc\x02\x4D\x01\x27")


class Derivation(Recipes):
    BASE = "# A base.\nverdict valid\nlet n 2\na: u8 1\nb: { c: u8 n }\nd: u8 3\n"

    def derived(self, edits):
        self.write("base", self.BASE)
        return self.bytes("base base\n" + edits)

    def test_edits(self):
        self.assertEqual(self.derived("set a u16 9"), b"\x09\0\2\3")
        self.assertEqual(self.derived("set c { u8 7; u8 8 }"), b"\1\7\x08\3")
        self.assertEqual(self.derived("before a u8 5\nafter b u8 6"), b"\5\1\2\6\3")
        self.assertEqual(self.derived("drop b"), b"\1\3")
        self.assertEqual(self.derived("let n 4"), b"\1\4\3")

    def test_wrap(self):
        self.write("base", 'verdict valid\na: text "abc"\nu8 a.end - a\nsha1(a)')
        image = self.image("base base\nwrap a store {}\nlet n a.plain.end - a.plain\nafter a { u8 n; sha1(a.plain) }")
        self.assertEqual(image.to_bytes()[14:35], b"\3" + hashlib.sha1(b"abc").digest())
        self.assertEqual(image.to_bytes()[35:], b"\x0E" + hashlib.sha1(image.to_bytes()[:14]).digest())
        twice = self.image("base base\nwrap a store {}\nwrap a part 0 3 {}")
        self.assertEqual([twice.labels[name + ".end"] - twice.labels[name] for name in ("a", "a.plain", "a.plain.plain")], [3, 14, 3])
        self.refuse("base base\nwrap a store { u8 1 }", "nothing in it")

    def test_a_set_statement_keeps_its_label(self):
        self.write("base", self.BASE)
        image = self.image("base base\nset a fill 3\nexpect R @a len a.end - a")
        self.assertEqual((image.expects[0]["at"], image.expects[0]["len"]), (0, 3))

    def test_mistakes(self):
        self.write("base", self.BASE)
        self.refuse("base base\nset z u8 1", "no statement labelled 'z'")
        self.refuse("base base\nu8 1", "only edits it")
        self.refuse("base missing\nset z u8 1", "no vector missing.vec")
        self.refuse("base test\ndrop a", "its own base")

    def test_file_follows_the_base(self):
        self.write("base", "file base.exe\n" + self.BASE)
        self.assertEqual(assemble.load(self.write("next", "base base\ndrop a")).file, "next.exe")
        self.assertEqual(assemble.load(self.write("last", "base base\nfile x.bin")).file, "x.bin")


class Containers(Recipes):
    """What files that lie beside each other need."""

    def test_known_digests(self):
        self.assertEqual(self.bytes('a: text "abc"\nsha1(a)')[3:].hex(), "a9993e364706816aba3e25717850c26c9cd0d89d")
        self.assertEqual(pow(int.from_bytes(self.bytes('a: text "abc"\nrsa512(a)')[3:], "big"), 3, KEY_512[0]).to_bytes(64, "big")[43:].hex(),
                         "00a9993e364706816aba3e25717850c26c9cd0d89d")
        self.assertEqual(self.bytes('a: text "abc"\nblake3(0, 3)')[3:], blake3_bytes(b"abc"))
        self.assertEqual(self.bytes('a: text "abc"\nblake3_160(a)')[3:], blake3_bytes(b"abc")[:20])
        for n, digits in BLAKE3.items():
            self.assertEqual(blake3_bytes(bytes(i % 251 for i in range(n))).hex()[:32], digits, n)
        for text, value in CITY.items():
            self.assertEqual(cityhash64_bytes(text), value, text)

    def test_hashes_of_texts(self):
        self.assertEqual(self.bytes('let t "Mod"\nu64 city_text("{t}")\nu64 city_utf16("{t}")'),
                         b"".join(cityhash64_bytes(t).to_bytes(8, "little") for t in (b"mod", b"m\0o\0d\0")))
        self.assertEqual(self.bytes('let seed 1\nu64 fnv_utf16("", 0)\nu64 fnv_utf16("", seed)\nu64 fnv_utf16_swapped("", 2)'),
                         b"".join(n.to_bytes(8, "little") for n in (0xCBF29CE484222325, 0xCBF29CE484222326, 0x100000001B5)))
        self.assertEqual(fnv1a_bytes(b"foobar", 0), 0x85944171F73967E8)
        self.assertEqual(self.bytes('u64 fnv_utf16("Ab", 7)'), fnv1a_bytes(b"a\0b\0", 7).to_bytes(8, "little"))
        self.assertEqual(self.bytes('a: text "Mod"\nu64 cityhash64(a)')[3:], cityhash64_bytes(b"Mod").to_bytes(8, "little"))
        path = cityhash64_bytes("/script/foo/bar/baz".encode("utf-16-le")) % (1 << 62)
        self.assertEqual(self.bytes('u64 script_object("/Script/Foo.Bar:Baz")\nu64 package_object("/Script/Foo.Bar:Baz")'),
                         b"".join((path | mark << 62).to_bytes(8, "little") for mark in (1, 2)))

    def test_companions(self):
        image = self.image('let stem "x"\nu8 1\na: u16 c + b.end\nu8 beside.end\nfile x.a\n'
                           'beside: companion "{stem}.b" { u8 a; c: u8 size; b: fill 3 }\nexpect R span b\nexpect R span a')
        self.assertEqual((image.to_bytes(), image.companions["x.b"].to_bytes()), (b"\1\6\0\5", b"\1\4\0\0\0"))
        self.assertEqual([(e["file"], e["at"], e["len"]) for e in image.expects], [("x.b", 2, 3), (None, 1, 2)])
        self.refuse('companion "b" { u8 1 }\ncompanion "b" { u8 1 }', "two companions are called b")
        image = self.image('companion "b" { u8 1; companion "c" { a: u8 2 }; u8 a.end }')
        self.assertEqual([image.companions[name].to_bytes() for name in "bc"], [b"\1\1", b"\2"])
        self.refuse('store { companion "b" { u8 1 } }', "may not stand aside, or in a block")

    def test_digests_over_companions(self):
        image = self.image('crc: u32 crc32(b)\nu32 crc32(crc, 4)\ncompanion "b" { text "x"; b: { u8 2; u32 crc32(c) }; c: text "y" }')
        y = zlib.crc32(b"y").to_bytes(4, "little")
        first = zlib.crc32(b"\2" + y).to_bytes(4, "little")
        self.assertEqual(image.to_bytes(), first + zlib.crc32(first).to_bytes(4, "little"))

    def test_aside(self):
        data = self.bytes('a: aside { x: text "abc"; y: u8 x.end }\nu8 a.end\nb: deflate { copy a }\nsha1(a)')
        self.assertEqual((data[0], zlib.decompress(data[1:-20])), (4, b"abc\3"))
        self.assertEqual(data[-20:], hashlib.sha1(b"abc\3").digest())
        self.assertEqual(self.bytes('a: u32 0x04030201\ncopy a 1 2')[4:], b"\2\3")
        self.assertEqual(self.bytes('part 0 4 { u32 crc32(b) }\nb: text "x"')[:4], zlib.crc32(b"x").to_bytes(4, "little"))
        self.refuse('a: { u8 1; copy a }', "copied into itself")
        self.refuse("copy b", "no statement is labelled 'b'")

    def test_written_beside(self):
        path = self.write("test", '# A.\nverdict valid\nfile t.a\nabsent t.c\nu8 1\ncompanion "t.b" { u8 2 }\ncompanion "t.c" { u8 3 }')
        out = os.path.join(self.folder.name, "out", "one")
        os.makedirs(out)
        self.assertEqual(assemble.main([path, "-o", os.path.join(out, "t.a")]), 0)
        self.assertEqual(sorted(os.listdir(out)), ["t.a", "t.b"])
        self.assertEqual(assemble.load(self.write("next", "base test")).file, "t.a")

    def test_packed_blocks(self):
        text = 'text "abcabcabcabcabcabd"*9; fill 40 7; text "0123456789"'
        plain = self.bytes(text)
        self.assertEqual(gzip.decompress(self.bytes(f"gzip {{ {text} }}")), plain)
        for op in ("lz4", "lz4_literals"):
            self.assertEqual(lz4_decode(self.bytes(f"{op} {{ {text} }}")), plain)
        self.assertLess(len(self.bytes(f"lz4 {{ {text} }}")), 80)
        self.assertEqual(self.bytes("lz4 { }"), b"\0")
        self.assertEqual(self.bytes('zstd { text "ab"; fill 16 3; text "c" }'),
                         bytes.fromhex("28B52FFDA013000000") + b"\x10\0\0ab" + b"\x82\0\0\3" + b"\x09\0\0c")

    def test_packed_files(self):
        text = 'text "abcabcabcabcabcabd"*9; fill 40 7'
        plain = self.bytes(text)
        self.assertEqual(zlib.decompress(self.bytes(f"deflate_raw {{ {text} }}"), -15), plain)
        self.assertEqual(lzma.decompress(self.bytes(f"xz {{ {text} }}")), plain)
        self.assertEqual(bz2.decompress(self.bytes(f"bzip2 {{ {text} }}")), plain)
        self.assertEqual(self.bytes('zstd_checked { text "hello" }'), bytes.fromhex("28B52FFDA405000000") + b"\x29\0\0hello" +
                         (xxh64(b"hello") & 0xFFFFFFFF).to_bytes(4, "little"))
        for data, digest in XXH64.items():
            self.assertEqual(xxh64(data), digest)

    def test_octal_numbers(self):
        self.assertEqual(self.bytes("oct8 0x1FF; oct12 size"), b"0000777\x0000000000024\0")
        self.assertEqual(self.bytes('a: text "ab"; oct8 sum8(a, a.end)'), b"ab0000303\0")
        self.assertEqual(self.bytes("a: fill 300 2; oct8 sum8(a, a.end)")[300:], b"0001130\0")
        for text in ("oct8 2097152", "oct8 -1"):
            with self.assertRaises(VecError):
                self.bytes(text)

    def test_aes(self):
        key = bytes(range(32)).hex()
        plain = "00112233445566778899aabbccddeeff"
        self.assertEqual(self.bytes(f'aes256_ecb "{key}" {{ bytes {plain} }}').hex(), "8ea2b7ca516745bfeafc49904b496089")
        self.assertEqual(self.bytes(f'let k "{key}"\naes256_ecb "{{k}}" {{ bytes {plain} 0011 }}')[16:],
                         self.bytes(f'aes256_ecb "{key}" {{ bytes 0011 {plain[:28]} }}'))
        key, counter = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
        self.assertEqual(self.bytes(f'aes256_ctr "{key}", "{counter}" {{ bytes 6bc1bee22e409f96e93d7e117393172aae2d }}').hex(),
                         "601ec313775789a5b7a7f504bbf3d228f443")

    def test_displaced(self):
        rows = "repeat 4 { u64 7*i; u32 1 }"
        seeds, rest = displace(self.bytes(rows), 2, 1000)
        self.assertEqual((self.bytes(f"displace_seeds 2 1000 {{ {rows} }}"), rest), (b"".join(s.to_bytes(4, "little", signed=True) for s in seeds), []))
        self.assertEqual(self.bytes(f"displace_rest 1 0 {{ {rows} }}"), bytes.fromhex("00000000010000000200000003000000"))
        self.assertEqual(self.bytes(f"displace_seeds 1 0 {{ {rows} }}"), (-5).to_bytes(4, "little", signed=True))


class Embedding(Recipes):
    """Vectors that lie in others."""

    def test_bytes_and_labels(self):
        self.write("inner", "verdict valid\na: u8 1\nb: { c: u16 2 }\n")
        image = self.image("u8 9\nx: vector inner\nu8 x.end - x\nexpect R @x.b len x.b.end - x.b\nexpect R span x.c")
        self.assertEqual(image.to_bytes(), b"\x09\x01\x02\0\x03")
        self.assertEqual([(e["at"], e["len"]) for e in image.expects], [(2, 2), (2, 2)])

    def test_in_a_block_that_becomes_other_bytes(self):
        self.write("inner", "verdict valid\nu8 1")
        self.assertEqual(zlib.decompress(self.bytes("deflate { repeat 2 { vector inner } }")), b"\1\1")

    def test_with_other_lets(self):
        self.write("inner", "verdict valid\nlet a 1\nlet b a + 1\nu8 a; u8 b\n")
        self.assertEqual(self.bytes("let n 4\nx: vector inner\nvector inner a n + 1\nvector inner b x.end a 7"), b"\1\2\5\6\7\2")
        self.refuse("vector inner c 1", "inner has no let c")

    def test_another_folder(self):
        for folder in ("one", "two"):
            os.mkdir(os.path.join(self.folder.name, folder))
        self.write("one/inner", "verdict valid\nu8 1")
        self.assertEqual(assemble.assemble(assemble.load(self.write("two/outer", "vector one/inner"))).to_bytes(), b"\1")

    def test_in_an_edit(self):
        self.write("base", "verdict valid\na: u8 1")
        self.write("inner", "base base\nverdict valid\nset a u8 2")
        self.assertEqual(self.bytes("base base\nset a vector inner"), b"\2")

    def test_part(self):
        self.assertEqual(self.bytes("repeat 2 { part 2*i 2 { bytes 01020304 } }\npart 3 9 { x: bytes 01020304 }\nu8 x.end"), b"\1\2\3\4\4\4")

    def test_refused(self):
        self.refuse("vector missing", "no vector missing.vec")
        self.refuse("u8 1\nvector test", "lies in itself")


class Metadata(Recipes):
    def test_expectations(self):
        text = ('# What is wrong.\n# And why.\nverdict invalid\npasses X001 X002\noptions --max-entries=2\nfault eio:a\n'
                'expect R001 warning @a+1 len 2 times 3\nexpect R002 span a related b\na: u32 1\nb: u8 0\n')
        v = assemble.load(self.write("test", text))
        self.assertEqual((v.description, v.verdict, v.passes), ("What is wrong. And why.", "invalid", ["X001", "X002"]))
        self.assertEqual((v.options, v.fault, v.file), (["--max-entries=2"], "eio:a", "test.umod"))
        one, two = assemble.assemble(v).expects
        self.assertEqual((one["rule"], one["severity"], one["at"], one["len"], one["times"]), ("R001", "warning", 1, 2, 3))
        self.assertEqual((two["at"], two["len"], two["related"], two["severity"]), (0, 4, 4, None))


class Identity(Recipes):
    def test_vectors_are_told_apart_by_folder(self):
        v = assemble.load(self.write("test", "u8 1"))
        self.assertEqual((v.name, v.id), ("test", os.path.basename(self.folder.name) + "/test"))

    def test_all_keep_their_folders(self):
        for folder in ("one", "two"):
            os.mkdir(os.path.join(self.folder.name, folder))
            self.write(folder + "/same", "# The same.\nverdict valid\nfile a.bin\nu8 1")
        out = os.path.join(self.folder.name, "out")
        self.assertEqual(assemble.main(["--all", self.folder.name, "-o", out]), 0)
        for folder in ("one", "two"):
            self.assertTrue(os.path.isfile(os.path.join(out, folder, "same", "a.bin")))


class Output(Recipes):
    def test_sparse_file(self):
        path = os.path.join(self.folder.name, "out")
        self.image("u8 1\nfill 0x80000000\nu8 2").write(path)
        self.assertEqual(os.path.getsize(path), 0x80000002)
        with open(path, "rb") as f:
            f.seek(-2, os.SEEK_END)
            self.assertEqual(f.read(), b"\0\2")

    def test_hole_at_the_end(self):
        path = os.path.join(self.folder.name, "out")
        self.image("u8 1\nfill 0x100000").write(path)
        self.assertEqual(os.path.getsize(path), 0x100001)


class Sets(Recipes):
    """What every test takes is assembled once."""

    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.folder.name, "one"))
        self.recipe("u8 2")

    def take(self):
        return assembled.take(self.folder.name, os.path.join(self.folder.name, "kept"))

    def recipe(self, statement):
        self.write("one/a", "# A.\nverdict invalid\nfile a.bin\noptions --max-depth=1\nfault eio:x\nexpect R001 error @x\nu8 1\nx: " + statement)

    def test_a_set_is_made_once(self):
        one = self.take()
        path = os.path.join(one.folder, "one", "a", "a.bin")
        made = os.stat(path)
        w, = one.vectors
        self.assertEqual((w.id, w.path, w.options, w.fault, w.expects[0]["at"]), ("one/a", "one/a/a.bin", ["--max-depth=1"], "eio:1", 1))
        again = self.take()
        self.assertEqual((again.folder, [w.id for w in again.vectors]), (one.folder, ["one/a"]))
        self.assertEqual((os.stat(path).st_ino, os.stat(path).st_mtime_ns), (made.st_ino, made.st_mtime_ns))

    def test_another_recipe_makes_another_set(self):
        one = self.take()
        self.recipe("u8 3")
        two = self.take()
        for taken, byte in ((one, b"\2"), (two, b"\3")):
            with open(os.path.join(taken.folder, "one", "a", "a.bin"), "rb") as f:
                self.assertEqual(f.read(), b"\1" + byte)

    def test_nothing_is_kept_of_what_does_not_assemble(self):
        self.recipe("u8 256")
        for _ in range(2):
            taken = self.take()
            self.assertEqual((len(taken.complaints), taken.vectors, os.path.exists(taken.folder)), (1, [], False))

    def test_a_set_that_nobody_takes_is_removed(self):
        one = self.take()
        self.recipe("u8 3")
        os.utime(os.path.dirname(one.folder), (0, 0))
        self.take()
        self.assertFalse(os.path.exists(one.folder))


class Changed(unittest.TestCase):
    def test_a_change_takes_the_vectors_that_see_it(self):
        for paths, folders in (([], []), (["README.md", "ci/check", "tests/unit/test_rsa.c"], []), (["src/formats/compressed/uz_format.c"], ["stream", "uz"]),
                               (["src/formats/iostore/utoc.c", "conformance/vectors/upkg/a.vec"], ["container_header", "iostore", "upkg", "zen"]),
                               (["src/formats/compressed/uz_format.c", "src/core/text.c"], None), (["src/formats/decode.c"], None),
                               (["src/formats/new/new.c"], None), (["conformance/vectors/run/a.vec"], None), (["CMakeLists.txt"], None),
                               (["conformance/run.py"], None), (["conformance/spec/umod.md"], None)):
            self.assertEqual(changed.folders_of(paths), folders, paths)

    def test_every_folder_of_formats_has_vectors(self):
        formats = os.path.join(os.path.dirname(assembled.VECTORS), "..", "src", "formats")
        of_formats = [changed.vectors_of(entry.name) for entry in os.scandir(formats) if entry.is_dir()]
        self.assertNotIn(None, of_formats)
        self.assertEqual({name for names in of_formats for name in names} | changed.OF_ALL, set(os.listdir(assembled.VECTORS)))


class EveryVector(unittest.TestCase):
    def test_all_assemble(self):
        taken = assembled.take()
        self.assertEqual(taken.complaints, [])
        self.assertEqual(len(taken.vectors), len(list(assemble.find_vectors(assembled.VECTORS))))
        for w in taken.vectors:
            with self.subTest(id=w.id):
                self.assertTrue(w.v.verdict and w.v.description)

    def test_samples_are_those_of_their_recipes(self):
        samples = os.path.join(os.path.dirname(os.path.abspath(__file__)), "samples")
        taken = assembled.take()
        for name in sorted(os.listdir(samples)):
            vector = os.path.join(taken.folder, "umod", os.path.splitext(name)[0])
            with open(os.path.join(samples, name), "rb") as f, open(os.path.join(vector, *os.listdir(vector)), "rb") as made:
                self.assertEqual(f.read(), made.read(), name)


class RuleTables(unittest.TestCase):
    """The table of rules that a page of clauses has."""
    RULES = {i: {"id": i, "spec": spec, "name": name} for i, spec, name in
             (("ABC001", "a.md#1.1", "x_missing"), ("ABC002", "a.md#1.2", "y_unknown"), ("ABC003", "b.md#1.1", "z_repeated"))}
    GOOD = "| rule | clause | name |\n|---|---|---|\n| ABC001 | 1.1 | x_missing |\n| ABC002 | 1.2 | `y_unknown` |\n| NAM001-NAM013 | 3 | as in iostore.md |\n"

    def problems(self, old="", new=""):
        self.assertIn(old, self.GOOD)
        return run.table_problems("a.md", self.GOOD.replace(old, new), self.RULES)

    def test_good(self):
        self.assertEqual(self.problems(), [])

    def test_a_page_without_a_table(self):
        self.assertEqual(run.table_problems("a.md", "Judged by ABC001.\n", self.RULES), [])

    def test_what_is_stale(self):
        for old, new, rule in (("| ABC002 | 1.2 | `y_unknown` |\n", "", "ABC002"), ("x_missing", "x_absent", "ABC001"), ("1.1", "1.3", "ABC001"),
                               ("| ABC001 |", "| ABC009 |", "ABC001"), ("| ABC001 | 1.1 | x_missing |", "| ABC003 | 1.1 | z_repeated |", "ABC003")):
            with self.subTest(old=old, new=new):
                self.assertIn(rule, " ".join(self.problems(old, new)))


if __name__ == "__main__":
    unittest.main()
