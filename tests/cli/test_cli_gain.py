"""Black-box tests of streams that give as much as a stream can: no encoder beats what uvet takes for impossible."""
import lzma
import struct
import unittest
import zlib

from case import Case, needs

LARGE = 1 << 25
OPTIONS = ["--max-ratio", "1000000", "--max-unpacked", str(LARGE)]


class Gain(Case):
    def check_best(self, name, head, stream):
        """The stream is read to its end where the limits allow it, and a limit is all that is told where they do not."""
        self.write(name, head + stream)
        self.expect(0, "check", *OPTIONS, name)
        done = self.expect(2, "check", "--max-ratio", "1", "-f", "concise", name)
        self.assertIn(b"RUN001", done.stdout)

    def test_zlib(self):
        stream = zlib.compress(bytes(LARGE), 9)
        self.assertGreater(LARGE, 1020 * len(stream))
        self.check_best("zeros.uz3", struct.pack("<II", 5678, LARGE), stream)

    @needs("liblzma")
    def test_lzma(self):
        filters = [{"id": lzma.FILTER_LZMA1, "preset": 9, "nice_len": 273, "lc": 0, "lp": 0, "pb": 0}]
        whole = lzma.compress(bytes(LARGE), format=lzma.FORMAT_ALONE, filters=filters)
        self.assertGreater(LARGE, 6700 * (len(whole) - 13))
        self.check_best("zeros.lzma", whole[:1] + struct.pack("<IQ", 65536, LARGE), whole[13:])

    def test_more_is_impossible(self):
        stream = zlib.compress(bytes(LARGE), 9)
        self.write("more.uz3", struct.pack("<II", 5678, 1032 * len(stream) + 1) + stream)
        done = self.expect(1, "check", "-f", "concise", "more.uz3")
        self.assertIn(b"UZH001", done.stdout)
        self.assertNotIn(b"RUN001", done.stdout)


if __name__ == "__main__":
    unittest.main()
