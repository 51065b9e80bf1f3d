#!/usr/bin/env python3
"""Makes inputs that hold others: signed profiles, archives as text, and data values of known kinds.

usage: make_wrapped.py FOLDER
"""

import base64
import gzip
import pathlib
import plistlib
import struct
import sys
import zlib

OID_SIGNED = bytes.fromhex("06092a864886f70d010702")
OID_DATA = bytes.fromhex("06092a864886f70d010701")


def element(tag, content):
    """An element with a length in the fewest bytes, as DER has it."""
    size = len(content)
    if size < 128:
        return bytes([tag, size]) + content
    width = (size.bit_length() + 7) // 8
    return bytes([tag, 128 | width]) + size.to_bytes(width, "big") + content


def open_element(tag, content):
    """An element that an end marker ends, as BER allows."""
    return bytes([tag, 128]) + content + b"\0\0"


def signed(content):
    """A message without signers around a content, as DER."""
    inner = element(0x30, OID_DATA + element(0xA0, element(4, content)))
    data = element(0x30, element(2, b"\1") + element(0x31, b"") + inner + element(0x31, b""))
    return element(0x30, OID_SIGNED + element(0xA0, data))


def streamed(content, *cuts):
    """The same with lengths that are not known, and the content in parts."""
    parts, start = b"", 0
    for end in (*cuts, len(content)):
        parts += element(4, content[start:end])
        start = end
    octets = open_element(0x24, parts)
    inner = open_element(0x30, OID_DATA + open_element(0xA0, octets))
    data = open_element(0x30, element(2, b"\1") + element(0x31, b"") + inner + element(0x31, b""))
    return open_element(0x30, OID_SIGNED + open_element(0xA0, data))


def profile():
    """What a provisioning profile says, as XML."""
    return plistlib.dumps({
        "AppIDName": "Weather", "Name": "Weather Distribution", "TeamIdentifier": ["ABCDE12345"],
        "TimeToLive": 365, "Version": 1,
        "Entitlements": {"application-identifier": "ABCDE12345.demo.Weather", "get-task-allow": False},
    })


def png(width, height):
    """A PNG of one color."""
    def chunk(name, content):
        body = name + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + bytes((width + 7) // 8)) * height, 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def kinds():
    """Data values of each kind that is recognized, and of none."""
    return {
        "png": png(64, 48), "jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF\0",
        "gif": b"GIF89a" + struct.pack("<HH", 3, 500), "heic": b"\0\0\0\x18ftypheic\0\0\0\0",
        "pdf": b"%PDF-1.4\n", "sqlite": b"SQLite format 3\0", "gzip": gzip.compress(b"text", mtime=0),
        "zip": b"PK\3\4\x14\0", "json": b'{"city": "Seoul", "temperature": 32.4}',
        "text": "Grüße aus Köln, \x41n einem langen Sommertag im Juli\n".encode(),
        "short": b"abc", "other": bytes(range(20)), "half": b"Gr\xc3", "empty": b"",
    }


def main(words):
    """Writes all samples."""
    archives = pathlib.Path(words[0])
    folder = archives / "Wrapped"
    folder.mkdir(parents=True, exist_ok=True)
    movie = (archives / "Movie" / "v2").read_bytes()
    lines = base64.encodebytes(movie)
    digits = movie.hex()
    files = {
        "profile.mobileprovision": signed(profile()),
        "profile.mobileconfig": streamed(profile(), 100, 100, 300),
        "movie.base64": lines,
        "movie.url": b"data:application/octet-stream;base64," + base64.b64encode(movie),
        "movie.pem": b"-----BEGIN ARCHIVE-----\n" + lines + b"-----END ARCHIVE-----\n",
        "movie.hex": "\n".join(digits[n:n + 60] for n in range(0, len(digits), 60)).encode() + b"\n",
        "movie.literal": b"0x" + digits.upper().encode(),
        "signed.base64": base64.encodebytes(signed(movie)),
        "kinds.plist": plistlib.dumps(kinds(), fmt=plistlib.FMT_BINARY, sort_keys=False),
        "bplist15": b"bplist15\x13" + bytes(8) + b"\x12" + bytes(4) + b"\x09",
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
