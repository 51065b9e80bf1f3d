#!/usr/bin/env python3
"""Draws .github/images/terminal.svg: a recording of commands in a terminal of 80 columns.

usage: terminal_picture.py ARCHTOOL OUTPUT

The commands run in a pseudoterminal, in a folder of their own; what they print is drawn with its colors, line after line.
Where animations are off, everything shows at once. The colors are those of the reader's theme, dark or light.
"""

import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata
from pathlib import Path
from xml.sax.saxutils import escape

ARCHIVES = Path(__file__).resolve().parents[1] / "TestArchives"
FILES = {"Feed": "WeatherFeed/v2-1-city", "Before": "WeatherFeed/v2-1-city"}
COMMANDS = [
    "archtool dump --depth 3 Feed",
    "archtool query '$..[?@.Unit == \"C\"].Value' Feed",
    "archtool set -q --in-place --no-journal Feed /topCityWeathers/0/WeatherIcon 14",
    "archtool diff Before Feed",
    "archtool validate Feed",
]
COLUMNS, LINE, CELL, MARGIN = 84, 18, 8.4, 16
# On dark ground, and on light ground.
COLORS = {"31": ("#ff7b72", "#cf222e"), "32": ("#7ee787", "#116329"), "33": ("#e3b341", "#7d4e00"),
          "34": ("#79c0ff", "#0550ae"), "35": ("#d2a8ff", "#8250df"), "36": ("#76e3ea", "#1b7c83"),
          "90": ("#8b949e", "#57606a")}


def printed(program, command, folder):
    """What a command prints in a terminal."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 60, COLUMNS, 0, 0))
    environment = {
        "PATH": f"{Path(program).parent}:{os.environ['PATH']}", "TERM": "xterm-256color", "PAGER": "cat",
        "HOME": str(folder), "LANG": "C.UTF-8",
    }
    process = subprocess.Popen(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=follower, stderr=follower, close_fds=True)
    os.close(follower)
    data = b""
    while True:
        try:
            more = os.read(leader, 65536)
        except OSError:
            break
        if not more:
            break
        data += more
    process.wait()
    os.close(leader)
    return [line.split("\r")[-1] if "\r" in line.rstrip("\r") else line.rstrip("\r")
            for line in data.decode().split("\n")][:-1]


def width(character):
    if unicodedata.combining(character) or character in "\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def spans(line):
    """The parts of a line with their columns and styles."""
    column, style, text, start = 0, {}, "", 0
    for part in re.split(r"(\x1b\[[0-9;]*[A-Za-z])", line):
        if not part.startswith("\x1b"):
            # A wide character ends its part, so that what follows is in its column.
            for character in part:
                text += character
                column += width(character)
                if width(character) != 1:
                    yield start, dict(style), text
                    text, start = "", column
            continue
        if text:
            yield start, dict(style), text
            text = ""
        start = column
        if part.endswith("m"):
            for code in part[2:-1].split(";"):
                if code in ("", "0"):
                    style = {}
                elif code == "1":
                    style["font-weight"] = "bold"
                elif code == "2":
                    style["opacity"] = ".6"
                elif code in COLORS:
                    style["class"] = f"c{code}"
                elif code == "39":
                    style.pop("class", None)
    if text:
        yield start, dict(style), text


def row(number, line, delay):
    parts = []
    for column, style, text in spans(line):
        attributes = "".join(f' {key}="{value}"' for key, value in style.items())
        parts.append(f'<tspan x="{MARGIN + column * CELL:.1f}"{attributes}>{escape(text)}</tspan>')
    appears = f' class="line" style="animation-delay:{delay:.2f}s"' if delay else ""
    return f'<text y="{MARGIN + 24 + (number + 1) * LINE}"{appears}>{"".join(parts)}</text>'


def fills(theme):
    return " ".join(f".c{code} {{ fill: {colors[theme]} }}" for code, colors in COLORS.items())


def main():
    program, output = os.path.abspath(sys.argv[1]), sys.argv[2]
    # The first command and what it prints are there from the start: some viewers show no more than that.
    rows, number, delay = [], 0, 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for target, source in FILES.items():
            shutil.copyfile(ARCHIVES / source, folder / target)
        for command in COMMANDS:
            rows.append(row(number, f"\x1b[32m$\x1b[0m \x1b[1m{command}", delay))
            number += 1
            delay += 0.5 if number > 1 else 0
            for line in printed(program, command, folder):
                rows.append(row(number, line, delay))
                number += 1
            delay += 0.7
    high = MARGIN * 2 + 24 + (number + 1) * LINE
    wide = MARGIN * 2 + COLUMNS * CELL
    picture = f"""<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{high}" viewBox="0 0 {wide:.0f} {high}" role="img" aria-label="A recording of archtool in a terminal">
<style>
text {{ font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e6edf3; white-space: pre }}
.ground {{ fill: #0d1117 }} {fills(0)}
@media (prefers-color-scheme: light) {{ text {{ fill: #1f2328 }} .ground {{ fill: #f6f8fa }} {fills(1)} }}
.line {{ animation: appear .01s both }}
@keyframes appear {{ from {{ opacity: 0 }} to {{ opacity: 1 }} }}
@media (prefers-reduced-motion: reduce) {{ .line {{ animation: none }} }}
</style>
<rect width="100%" height="100%" rx="8" class="ground"/>
<circle cx="22" cy="20" r="6" fill="#ff5f57"/><circle cx="42" cy="20" r="6" fill="#febc2e"/><circle cx="62" cy="20" r="6" fill="#28c840"/>
{chr(10).join(rows)}
</svg>
"""
    Path(output).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
