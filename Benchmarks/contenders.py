"""What every measurement needs: programs, workloads, a folder for outputs, and the commands that several share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import make_workloads
from measuring import Command, Runner, Timings, writing

BIG = 100_000
MIDDLE = 5_000
SMALL = 50


@dataclass
class Bench:
    """What every measurement needs: the contenders, the workloads and somewhere to write."""

    runner: Runner
    archtool: str
    peer: str | None
    plistutil: str | None
    work: Path
    scratch: Path
    quick: bool
    # A reader of XML by libxml2 alone, where its headers are installed.
    sax: str | None = None
    # Writes a file again and again to a pipe.
    repeat: str = ""
    # A Python with the packages of peers.
    python: str = "python3"

    def feed(self, version: str, cities: int) -> str:
        return str(make_workloads.feed_path(self.work, version, cities))

    def rounds(self, full: int, quick: int) -> int:
        return quick if self.quick else full

    def interleave(
        self, commands: list[Command], full: int, quick: int, slow: int = 3
    ) -> list[Timings]:
        """Runs the commands in turn; of those that take seconds, `slow` rounds, or one if quick."""
        slow_rounds = self.rounds(full=slow, quick=1)
        return self.runner.interleave(commands, self.rounds(full, quick), slow_rounds)

    # Contenders that several measurements share.

    def start(self, **options) -> Command:
        return Command("archtool --version", [self.archtool, "--version"], **options)

    def dump_json(self, version: str, cities: int, **options) -> Command:
        arguments = [self.archtool, "dump", "--format", "json", self.feed(version, cities)]
        return Command("archtool dump --format json", arguments, **options)

    def validate(self, cities: int, **options) -> Command:
        arguments = [self.archtool, "validate", self.feed("v1", cities)]
        return Command("archtool validate", arguments, **options)

    def migrate(self, cities: int, **options) -> Command:
        output = self.scratch / f"migrated-{cities}"
        arguments = [self.archtool, "migrate", "--from", "v1", "--to", "v2"]
        arguments += [self.feed("v1", cities), "-o", str(output)]
        return writing(Command("archtool migrate", arguments, **options), output)

    def peer_commands(self, label: str, arguments: list[str], **options) -> list[Command]:
        """The Foundation contender, or none where the peer could not be built."""
        if self.peer is None:
            return []
        return [Command(label, [self.peer, *arguments], **options)]


def city_title(version: str, cities: int, path: str) -> str:
    size = Path(path).stat().st_size
    return f"WeatherFeed {version}, {cities:,} cities ({size / 1e6:.1f} MB)"
