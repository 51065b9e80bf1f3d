"""Archives through one archtool process: records as lines of JSON in, answers out, in order.

Spark is not needed here: a batch is whatever the caller wants back beside its answers.
"""

from __future__ import annotations

import base64
import contextlib
import json
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from queue import SimpleQueue
from typing import Any, TypeVar

Batch = TypeVar("Batch")
Answer = dict[str, Any]

# Exit status 1 says that some archive was refused, and its answer says why.
ORDERLY_STATUSES = (0, 1)
STDERR_LINES_KEPT = 40
SECONDS_TO_END = 30


class ArchtoolFailure(Exception):
    """archtool ended too early, or answered what it was not asked."""


def exchange(
    command: Sequence[str], batches: Iterator[tuple[Batch, list[bytes | None]]]
) -> Iterator[tuple[Batch, list[Answer | None]]]:
    """Yields each batch with archtool's answers to its archives, one to one and in order.

    `command` is an archtool command with `--records`. An archive that is None is not sent, and its
    answer is None. Batches are taken from `batches` by a thread, so that neither the writing of
    records nor the reading of answers ever waits for the other. Raises ArchtoolFailure, with what
    archtool wrote to standard error, unless each record is answered and the program ends in order.
    """
    pipe = RecordPipe(command, batches)
    try:
        yield from pipe.answered_batches()
        pipe.finish()
    finally:
        pipe.close()


class RecordPipe:
    """An archtool process, a thread that feeds it, and a thread that keeps its complaints."""

    def __init__(
        self, command: Sequence[str], batches: Iterator[tuple[Batch, list[bytes | None]]]
    ) -> None:
        self.command = list(command)
        self.batches = batches
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        # Batches that were sent, with which of their archives; then None, or what went wrong.
        # It needs no bound: archtool holds few records, and stops reading when it is not read.
        self.sent: SimpleQueue = SimpleQueue()
        self.complaints: deque[str] = deque(maxlen=STDERR_LINES_KEPT)
        self.answer_count = 0
        self.is_closed = threading.Event()
        self.feeder = threading.Thread(target=self._feed, daemon=True)
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.feeder.start()
        self.listener.start()

    def answered_batches(self) -> Iterator[tuple[Batch, list[Answer | None]]]:
        """The batches, each with the answers to the archives in it."""
        while (item := self.sent.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            batch, is_asked = item
            yield batch, [self._next_answer() if asked else None for asked in is_asked]

    def finish(self) -> None:
        """Waits for archtool's end, which must be in order and without a further answer."""
        if self.process.stdout.readline():
            raise self._failure("answered more records than it was sent")
        self._wait()
        if self.process.returncode not in ORDERLY_STATUSES:
            raise self._failure("failed")

    def close(self) -> None:
        """Ends the process if it still runs; its feeder ends with it."""
        self.is_closed.set()
        self.process.kill()
        self.process.wait()
        self.listener.join()
        self.process.stdout.close()

    def _feed(self) -> None:
        end: BaseException | None = None
        number = 0
        try:
            with self.process.stdin as records:
                for batch, archives in self.batches:
                    if self.is_closed.is_set():
                        break
                    self.sent.put((batch, [archive is not None for archive in archives]))
                    for archive in archives:
                        if archive is not None:
                            records.write(record_line(number, archive))
                            number += 1
        except BrokenPipeError:
            # archtool is gone. Whoever waits for the answers finds that out, and says more.
            pass
        except BaseException as error:
            end = error
        finally:
            close_source = getattr(self.batches, "close", None)
            if close_source:
                close_source()
            self.sent.put(end)

    def _listen(self) -> None:
        with self.process.stderr as lines:
            for line in lines:
                self.complaints.append(line.decode("utf-8", errors="replace").rstrip())

    def _next_answer(self) -> Answer:
        line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            raise self._failure("ended before it had answered every record")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or answer.get("id") != self.answer_count:
            shown = line[:200].decode("utf-8", errors="replace").rstrip()
            raise self._failure(f"gave no answer to record {self.answer_count} but: {shown}")
        self.answer_count += 1
        return answer

    def _failure(self, what: str) -> ArchtoolFailure:
        self._wait()
        complaints = "\n".join(self.complaints) or "(nothing)"
        command = " ".join(self.command)
        return ArchtoolFailure(
            f"{command}: {what}; {ending(self.process.returncode)} after {self.answer_count} "
            f"answers. Standard error:\n{complaints}"
        )

    def _wait(self) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=SECONDS_TO_END)
        self.process.kill()
        self.process.wait()
        self.listener.join()


def record_line(number: int, archive: bytes) -> bytes:
    """The line that asks about an archive. Its number is enough: the caller keeps the rest."""
    return b'{"id":%d,"data":"%b"}\n' % (number, base64.b64encode(archive))


def ending(status: int) -> str:
    """How a process ended, in words."""
    if status >= 0:
        return f"exit status {status}"
    with contextlib.suppress(ValueError):
        return f"killed by {signal.Signals(-status).name}"
    return f"killed by signal {-status}"
