#!/usr/bin/env python3
"""Makes Mach-O programs with property lists in sections, and a web archive, by the formats' descriptions and without archtool.

usage: make_programs.py ARCHIVES
"""

import pathlib
import plistlib
import struct
import sys

INFO = plistlib.dumps({"CFBundleIdentifier": "demo.helper", "CFBundleVersion": "12"})
JOB = plistlib.dumps({"Label": "demo.helper", "MachServices": {"demo.helper": True}})


def thin(sections, wide=True, big=False):
    """A program with one segment."""
    order = ">" if big else "<"
    entry, head = (80, 32) if wide else (68, 28)
    size = (72 if wide else 56) + entry * len(sections)
    # A command before it, of a kind without sections.
    other = struct.pack(order + "II", 0x1B, 24) + bytes(range(16))
    offset = head + len(other) + size
    records, content = b"", b""
    for name, data in sections:
        place = offset + len(content)
        records += name.encode().ljust(16, b"\0") + b"__TEXT".ljust(16, b"\0")
        records += struct.pack(order + ("QQ" if wide else "II"), 0x1000 + place, len(data))
        records += struct.pack(order + ("8I" if wide else "7I"), place, *[0] * (7 if wide else 6))
        content += data
    numbers = "QQQQ" if wide else "IIII"
    segment = struct.pack(order + "II", 0x19 if wide else 1, size) + b"__TEXT".ljust(16, b"\0")
    segment += struct.pack(order + numbers + "iiII", 0, 0x4000, 0, offset + len(content), 7, 5, len(sections), 0)
    header = struct.pack(order + "IiiIIII", 0xFEEDFACF if wide else 0xFEEDFACE, 0x01000007, 3, 2, 2,
                         len(other) + size, 0)
    return header + (bytes(4) if wide else b"") + other + segment + records + content


def fat(programs, wide=False):
    """Programs of several architectures in one file."""
    entry = 32 if wide else 20
    head = struct.pack(">II", 0xCAFEBABF if wide else 0xCAFEBABE, len(programs))
    offset = (8 + entry * len(programs) + 63) // 64 * 64
    entries, content = b"", b""
    for number, program in enumerate(programs):
        place = offset + len(content)
        if wide:
            entries += struct.pack(">iiQQII", number, 0, place, len(program), 6, 0)
        else:
            entries += struct.pack(">iiIII", number, 0, place, len(program), 6)
        content += program + bytes(-len(program) % 64)
    return (head + entries).ljust(offset, b"\0") + content


def page():
    """A web archive: a page with a picture, two style sheets of one name, a script in Latin-1, and a frame."""
    def resource(url, kind, data, **more):
        names = {"encoding": "WebResourceTextEncodingName", "frame": "WebResourceFrameName"}
        extra = {names[key]: value for key, value in more.items()}
        return {"WebResourceURL": url, "WebResourceMIMEType": kind, "WebResourceData": data, **extra}

    frame = {"WebMainResource": resource("https://example.com/frames/inner", "text/html", b"<p>inside</p>",
                                         encoding="UTF-8", frame="inner")}
    return {
        "WebMainResource": resource("https://example.com/", "text/html",
                                    "<h1>Grüße</h1>".encode("utf-16-le"), encoding="UTF-16LE", frame=""),
        "WebSubresources": [
            resource("https://example.com/img/logo.png?size=2", "image/png", b"\x89PNG\r\n\x1a\n"),
            resource("https://example.com/a/style.css", "text/css", b"p { }"),
            resource("https://example.com/b/style.css", "text/css", b"h1 { }"),
            resource("https://example.com/app", "text/javascript", "alert('Köln')".encode("latin-1"),
                     encoding="ISO-8859-1"),
            resource("https://example.com/..%2F..%2Fetc%2Fpasswd", "text/plain", b"out"),
            resource("data:image/gif;base64,R0lGODdh", "image/gif", b"GIF87a"),
        ],
        "WebSubframeArchives": [frame],
    }


def main(words):
    """Writes all samples."""
    folder = pathlib.Path(words[0]) / "Wrapped"
    folder.mkdir(parents=True, exist_ok=True)
    info, job, other = ("__info_plist", INFO), ("__launchd_plist", JOB), ("__const", b"constant")
    files = {
        "program": thin([other, info]), "program-32": thin([info], wide=False),
        "program-big": thin([info], big=True), "program-32-big": thin([info], wide=False, big=True),
        "program-fat": fat([thin([other], wide=False), thin([info])]),
        "program-fat-64": fat([thin([info]), thin([info], big=True)], wide=True),
        "program-launchd": thin([job]), "program-both": fat([thin([info, job]), thin([info, job])]),
        "program-none": thin([other]),
        "page.webarchive": plistlib.dumps(page(), fmt=plistlib.FMT_BINARY, sort_keys=False),
        "after-header": b"HEADER\0\1" + plistlib.dumps({"x": [1, 2]}, fmt=plistlib.FMT_BINARY),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
