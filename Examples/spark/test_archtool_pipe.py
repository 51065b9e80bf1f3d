"""The pipe against programs that behave, dally, answer wrongly, and die."""

from __future__ import annotations

import json
import sys
import threading
import unittest
from collections.abc import Iterator

from archtool_pipe import ArchtoolFailure, exchange

# Each stands for archtool: it reads records on standard input and writes answers.
ECHO = "import sys\nfor line in sys.stdin: sys.stdout.write(line)"
# Answers nothing before it has read everything: its own buffers and the pipe's are full by then.
LATE_ECHO = "import sys\nsys.stdout.write(sys.stdin.read())"
COMPLAINT = "the reader fell over"
FAULTS = {
    "ends early and in order": "import sys\nsys.stdout.write(sys.stdin.readline())",
    "ends with a status": f"import sys\nsys.exit('{COMPLAINT}') if sys.stdin.readline() else 0",
    "ends with 65 when all is answered": f"{ECHO}\nsys.stderr.write('{COMPLAINT}')\nsys.exit(65)",
    "is killed": "import os\ninput()\nos.kill(os.getpid(), 11)",
    "reads nothing": "",
    "leaves out a record": "import sys\nfor line in list(sys.stdin)[1:]: sys.stdout.write(line)",
    "changes the order": "import sys\nsys.stdout.write(''.join(reversed(list(sys.stdin))))",
    "answers twice": "import sys\nfor line in sys.stdin: sys.stdout.write(line * 2)",
    "answers after the last": f"{ECHO}\nprint('{{}}')",
    "writes no JSON": "import sys\nfor line in sys.stdin: print('Segmentation fault')",
    "writes half a line": "import sys\nsys.stdout.write(sys.stdin.readline()[:9])",
}


def command(program: str) -> list[str]:
    return [sys.executable, "-c", program]


def answers(program: str, batches: Iterator[tuple[str, list[bytes | None]]]) -> list:
    return list(exchange(command(program), batches))


def some_batches(count: int = 4, size: int = 5, length: int = 100) -> Iterator:
    for number in range(count):
        yield f"batch {number}", [bytes([number]) * length] * size


class ArchtoolPipeTests(unittest.TestCase):
    def test_gives_each_batch_the_answers_to_its_archives(self) -> None:
        batches = [("first", [b"a", None, b"b"]), ("none", []), ("skipped", [None])]
        batches.append(("last", [b"c"]))
        found = answers(ECHO, iter(batches))
        self.assertEqual([batch for batch, _ in found], ["first", "none", "skipped", "last"])
        data = [[answer and answer["data"] for answer in answered] for _, answered in found]
        self.assertEqual(data, [["YQ==", None, "Yg=="], [], [None], ["Yw=="]])

    def test_accepts_the_status_that_says_some_were_refused(self) -> None:
        self.assertEqual(len(answers(f"{ECHO}\nsys.exit(1)", some_batches())), 4)

    def test_never_waits_for_a_program_that_waits_for_it(self) -> None:
        # 40 MB, which no pipe holds, to a program that answers late.
        found = answers(LATE_ECHO, some_batches(count=40, size=10, length=100_000))
        self.assertEqual(sum(len(answered) for _, answered in found), 400)

    def test_reports_every_fault_of_the_program(self) -> None:
        for name, program in FAULTS.items():
            with self.subTest(name), self.assertRaises(ArchtoolFailure) as caught:
                answers(program, some_batches())
            if COMPLAINT in program:
                self.assertIn(COMPLAINT, str(caught.exception))

    def test_names_the_signal_that_killed_the_program(self) -> None:
        with self.assertRaisesRegex(ArchtoolFailure, "killed by SIGSEGV"):
            answers(FAULTS["is killed"], some_batches())

    def test_keeps_the_end_of_a_long_complaint(self) -> None:
        program = "import sys\nfor n in range(100_000): print('line', n, file=sys.stderr)"
        program += "\nsys.exit(2)"
        with self.assertRaises(ArchtoolFailure) as caught:
            answers(program, some_batches())
        self.assertIn("line 99999", str(caught.exception))
        self.assertNotIn("line 99000\n", str(caught.exception))

    def test_passes_on_an_error_of_the_source(self) -> None:
        def source() -> Iterator:
            yield from some_batches(count=1)
            raise LookupError("no such block")

        with self.assertRaisesRegex(LookupError, "no such block"):
            answers(ECHO, source())

    def test_passes_on_the_failure_of_a_pipe_before_it(self) -> None:
        first = exchange(command(FAULTS["is killed"]), some_batches())
        second = ((batch, [json.dumps(answer).encode()]) for batch, (answer, *_) in first)
        with self.assertRaisesRegex(ArchtoolFailure, "killed by SIGSEGV"):
            answers(ECHO, second)

    def test_ends_the_program_when_nobody_wants_the_rest(self) -> None:
        source_is_closed = threading.Event()

        def endless() -> Iterator:
            try:
                while True:
                    yield from some_batches()
            finally:
                source_is_closed.set()

        exchanged = exchange(command(ECHO), endless())
        next(exchanged)
        exchanged.close()
        self.assertTrue(source_is_closed.wait(timeout=60))


if __name__ == "__main__":
    unittest.main()
