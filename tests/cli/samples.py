"""Samples: small installers, good and bad, for the tests of the command line."""
import struct


def crc(data):
    """CRC-32/BZIP2, as an installer's trailer has it."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value & 0x80000000 else 0)) & 0xFFFFFFFF
    return value ^ 0xFFFFFFFF


def index(number):
    """A compact index, for numbers from 0 to 8191."""
    if number < 64:
        return bytes([number])
    return bytes([number & 63 | 64, number >> 6])


def string(text):
    return index(len(text) + 1) + text.encode("cp1252") + b"\0"


def manifests(files):
    """The two manifests. The .ini tells its own size, so it is written until that is right."""
    int_text = b"[Setup]\r\nLocalProduct=Foo\r\nSetupWindowTitle=Foo\r\n"
    ini_text = b""
    for _ in range(3):
        ini_text = (
            "[Setup]\r\nProduct=Foo\r\nVersion=100\r\nGroup=Files\r\n\r\n[Files]\r\n"
            f"Copy=(Src=System\\Manifest.ini,Size={len(ini_text)},Flags=3)\r\n"
            f"Copy=(Src=System\\Manifest.int,Size={len(int_text)},Flags=3)\r\n"
            + "".join(f"File=(Src={name},Size={len(data)})\r\n" for name, data in files)).encode("cp1252")
    return ini_text, int_text


def umod(payload=b"These bytes stand for a text.\r\n"):
    """An installer in which nothing is wrong."""
    return around(("System\\Foo.txt", payload))


def around(*files):
    """An installer of these files, pairs of name and bytes."""
    ini_text, int_text = manifests(files)
    members = [("System\\Manifest.ini", ini_text, 3), ("System\\Manifest.int", int_text, 3)]
    members += [(name, data, 0) for name, data in files]
    body, directory = b"", index(len(members))
    for name, data, flags in members:
        directory += string(name) + struct.pack("<III", len(body), len(data), flags)
        body += data
    whole = body + directory
    return whole + struct.pack("<IIIII", 0x9FE3C5A3, len(body), len(whole) + 20, 1, crc(whole))


GOOD = umod()
BAD_CRC = GOOD[:-4] + bytes(byte ^ 0xFF for byte in GOOD[-4:])
UNKNOWN = b"This is a text and no mod file.\n" * 4
