#!/usr/bin/env python3
"""Writes what the commands of transcripts print now into the examples of the manual pages.

usage: refresh_pages.py

`make update-transcripts` runs it: an example in a page shows the output of the same command in the page's transcript, in
the same order, unless it shows none. Lines are broken with a backslash where they are too long for a page.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "archtool-tutorial.7": "tutorial.txt", "archtool-schema.5": "schema-family.txt",
    "archtool-migrate.1": "migration-guide.txt", "archtool-app.7": "app-guide.txt",
}
WIDTH = 69
NAMES = {"aq": "'", "ga": "`", "ha": "^", "ti": "~", "dq": '"'}
ESCAPES = {"\\": "\\e", **{value: f"\\({key}" for key, value in NAMES.items() if key != "dq"}}


def plain(text):
    """Lines of a display as a terminal shows them."""
    text = re.sub(r"\\e\n +", "", text)

    def replaced(match):
        if match[1]:
            return chr(int(match[1], 16))
        return NAMES[match[2]] if match[2] else {"e": "\\", "&": ""}.get(match[3], match[3])

    return re.sub(r"\\(?:\[u([0-9A-F]+)\]|\((..)|(.))", replaced, text)


def escaped(line):
    text = "".join(ESCAPES.get(c, c if ord(c) < 127 else f"\\[u{ord(c):04X}]") for c in line).replace("-", "\\-")
    return "\\&" + text if text.startswith(".") else text


def folded(line):
    """A line as lines that fit, each but the last with a backslash at its end."""
    first = True
    while len(line) > (WIDTH if first else WIDTH - 2):
        end = (WIDTH if first else WIDTH - 2) - 2
        space = line.rfind(" ", 20, end)
        cut = space + 1 if space > 0 else end
        while cut < len(line) and line[cut] == " ":
            cut += 1
        yield ("" if first else "  ") + escaped(line[:cut]) + "\\e"
        line, first = line[cut:], False
    yield ("" if first else "  ") + escaped(line)


def steps(text):
    """The commands of a text with what follows each; first what precedes them."""
    found = [["", ""]]
    for line in text.split("\n"):
        if line.startswith("$ "):
            found.append([line, ""])
        else:
            found[-1][1] += line + "\n"
    return found


def main():
    for name, transcript in PAGES.items():
        page = ROOT / "man" / name
        recorded = steps((ROOT / "TestArchives/Transcripts" / transcript).read_text(encoding="utf-8"))[1:]
        source, place = page.read_text(encoding="utf-8"), 0
        parts = re.split(r"(\.Bd -literal[^\n]*\n)(.*?)(\n?\.Ed)", source, flags=re.S)
        for at in range(2, len(parts), 4):
            shown = steps(plain(parts[at]))
            changed = False
            for step in shown[1:]:
                position = next((n for n in range(place, len(recorded)) if recorded[n][0] == step[0]), None)
                if position is None:
                    raise SystemExit(f"{name}: no transcript has: {step[0]}")
                place = position + 1
                output = recorded[position][1].replace("\r", "").strip("\n")
                if step[1].strip("\n") and step[1].strip("\n") != output:
                    step[1], changed = output + "\n", True
            if changed:
                text = "".join((step[0] + "\n" if step[0] else "") + step[1] for step in shown).strip("\n")
                parts[at] = "\n".join(line for whole in text.split("\n") for line in folded(whole))
        page.write_text("".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
