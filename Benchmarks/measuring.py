"""Runs commands in turn, A B A B, and keeps what each run cost."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import statistics
import subprocess
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Callable

# Far beyond the slowest peer: a run that takes longer hangs.
RUN_LIMIT_SECONDS = 900


@dataclass
class Command:
    """One contender: what to run, and what must hold before and after."""

    label: str
    arguments: list[str]
    output: str = os.devnull
    # What one run works on, when contenders are given different amounts (files of a fleet).
    units: int = 1
    # Runs a round, in succession, of which the median counts: the first run of a short command meets caches that are full
    # of an interpreter. What is prepared is prepared once.
    repeats: int = 1
    # Takes seconds: fewer rounds, and no warm-up.
    slow: bool = False
    # Whether the older build takes a turn as well.
    has_baseline: bool = True
    # Whether most of its time is the program's start, which has a bound against another program's and not against the
    # older build's.
    is_mostly_start: bool = False
    prepare: Callable[[], None] | None = None
    # Says what is wrong with what a run left behind, or nothing.
    fault: Callable[[], str | None] | None = None


def writing(command: Command, output: Path) -> Command:
    """The command with a check that each of its runs makes the output anew."""
    command.prepare = lambda: output.unlink(missing_ok=True)
    command.fault = lambda: None if output.exists() else "no output was written"
    return command


def filling(command: Command, folder: Path, files: int) -> Command:
    """The command with a check that each of its runs fills an empty folder with so many files."""

    def empty() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    def fault() -> str | None:
        found = sum(1 for path in folder.rglob("*") if path.is_file())
        return None if found == files else f"{found} files were written, not {files}"

    command.prepare, command.fault = empty, fault
    return command


@dataclass
class Sample:
    seconds: float
    cpu_seconds: float
    peak_bytes: int


@dataclass
class Timings:
    """A command's samples, one a round; a round that it sat out holds none."""

    command: Command
    samples: list[Sample | None] = field(default_factory=list)
    failure: str | None = None
    # The same command, run by an older build in the same rounds.
    baseline: Timings | None = None

    @property
    def seconds(self) -> list[float]:
        return [sample.seconds for sample in self.samples if sample]

    @property
    def cpu_seconds(self) -> list[float]:
        return [sample.cpu_seconds for sample in self.samples if sample]

    @property
    def median(self) -> float | None:
        return statistics.median(self.seconds) if self.seconds else None

    @property
    def median_cpu(self) -> float | None:
        return statistics.median(self.cpu_seconds) if self.cpu_seconds else None

    @property
    def peak_bytes(self) -> int | None:
        return max((sample.peak_bytes for sample in self.samples if sample), default=None)


class CommandFailure(Exception):
    """A contender that did not do its work, in words for the report."""


@dataclass
class Runner:
    """Starts commands through the launcher, which times them and reads their peak memory."""

    launcher: str
    archtool: str
    # An older build, which takes a turn after each command of archtool.
    baseline: str | None = None

    def interleave(self, commands: list[Command], rounds: int, slow_rounds: int) -> list[Timings]:
        """Runs the commands in turn, each round in the same order."""
        timings = [self.with_baseline(command) for command in commands]
        contenders = [one for timing in timings for one in (timing, timing.baseline) if one]
        self.run_rounds(contenders, rounds, slow_rounds)
        return timings

    def with_baseline(self, command: Command) -> Timings:
        timing = Timings(command)
        if self.baseline and command.has_baseline and self.archtool in command.arguments:
            arguments = [
                self.baseline if argument == self.archtool else argument
                for argument in command.arguments
            ]
            timing.baseline = Timings(replace(command, arguments=arguments))
        return timing

    def run_rounds(self, timings: list[Timings], rounds: int, slow_rounds: int) -> None:
        for timing in timings:
            if not timing.command.slow:
                self.take(timing)
                timing.samples.clear()
        for number in range(rounds):
            for timing in timings:
                sits_out = timing.command.slow and number >= slow_rounds
                if sits_out or timing.failure:
                    timing.samples.append(None)
                else:
                    self.take(timing)

    def take(self, timing: Timings) -> None:
        command = timing.command
        try:
            runs = self.run(command)
        except CommandFailure as failure:
            timing.failure = str(failure)
            timing.samples.append(None)
            return
        seconds = statistics.median(run.seconds for run in runs)
        cpu_seconds = statistics.median(run.cpu_seconds for run in runs)
        peak = max(run.peak_bytes for run in runs)
        timing.samples.append(Sample(seconds, cpu_seconds, peak))

    def run(self, command: Command) -> list[Sample]:
        if command.prepare:
            command.prepare()
        samples, status, complaint = self.launch(command)
        if status != 0:
            first_line = complaint.strip().splitlines()[:1] or ["no message"]
            raise CommandFailure(f"exit {status}: {first_line[0]}")
        fault = command.fault() if command.fault else None
        if fault:
            raise CommandFailure(fault)
        return samples

    def launch(self, command: Command) -> tuple[list[Sample], int, str]:
        """Runs a command: what each run cost, the status of the last one, and what they complained of."""
        process = subprocess.Popen(
            [self.launcher, str(command.repeats), command.output, *command.arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            # A group of its own, so that a run that hangs ends together with its launcher.
            start_new_session=True,
        )
        try:
            result, complaint = process.communicate(timeout=RUN_LIMIT_SECONDS)
        except BaseException as interruption:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            if isinstance(interruption, subprocess.TimeoutExpired):
                raise CommandFailure(f"no end after {RUN_LIMIT_SECONDS} s") from None
            raise
        if process.returncode != 0:
            raise CommandFailure(complaint.strip())
        runs = [line.split() for line in result.splitlines()]
        samples = [
            Sample(float(seconds), float(cpu_seconds), int(kilobytes) * 1024)
            for seconds, cpu_seconds, kilobytes, _ in runs
        ]
        return samples, int(runs[-1][-1]), complaint


def paired(numerator: Timings, denominator: Timings, of: str = "seconds") -> list[float]:
    """The ratios of two commands' times for equal work, round by round."""
    scale = denominator.command.units / numerator.command.units
    return [
        getattr(above, of) / getattr(below, of) * scale
        for above, below in zip(numerator.samples, denominator.samples)
        if above and below and getattr(below, of) > 0
    ]


def paired_ratio(
    numerator: Timings, denominator: Timings, of: str = "seconds"
) -> float | None:
    ratios = paired(numerator, denominator, of)
    return statistics.median(ratios) if ratios else None
