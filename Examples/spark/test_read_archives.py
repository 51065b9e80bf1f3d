"""The reading job in local mode with two workers, against what plistlib says of every archive."""

from __future__ import annotations

import json
import shutil
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import read_archives
import sample_archives
from test_migrate_archives import ARCHTOOL, rows, setUpModule, tearDownModule, write_table

__all__ = ["setUpModule", "tearDownModule"]
COUNT = 300


def names(value: Any) -> Iterator[str]:
    """Every EnglishName in a model, in order."""
    for key, element in value.items() if isinstance(value, dict) else enumerate(value):
        if key == "EnglishName":
            yield element
        if isinstance(element, (dict, list)):
            yield from names(element)


def is_feed(number: int) -> bool:
    return number % sample_archives.PERIOD not in sample_archives.ODD_ONES


class ReadTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp(prefix="archtool-spark-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        write_table(cls.folder / "table", range(COUNT))

    def answers(self, name: str, *words: str) -> list[dict]:
        """The rows of the output, of which there is one for each archive, in order."""
        output = self.folder / name
        arguments = ["--input", self.folder / "table", "--id-column", "number"]
        arguments += ["--data-column", "payload", "--archtool", ARCHTOOL, "--output", output]
        status = read_archives.main([str(argument) for argument in arguments] + ["--", *words])
        self.assertEqual(status, 0)
        found = rows(output)
        self.assertEqual([row["id"] for row in found], list(range(COUNT)))
        for row in found:
            is_unreadable = row["id"] % sample_archives.PERIOD in sample_archives.UNREADABLE
            self.assertEqual(row["outcome"], "failed" if is_unreadable else "shown", row)
            self.assertEqual(row["error_code"] is not None, is_unreadable, row)
            self.assertEqual(row["answer"] is None, is_unreadable, row)
        return found

    def test_dumps_the_values_of_every_archive(self) -> None:
        for row in self.answers("dumped", "dump"):
            if is_feed(row["id"]):
                model = sample_archives.model_v1(sample_archives.archive(row["id"]))
                self.assertEqual(list(names(json.loads(row["answer"]))), list(names(model)))

    def test_finds_what_a_query_selects(self) -> None:
        for row in self.answers("queried", "query", "--all-paths", "$..EnglishName"):
            if is_feed(row["id"]):
                model = sample_archives.model_v1(sample_archives.archive(row["id"]))
                found = [result["value"] for result in json.loads(row["answer"])]
                self.assertEqual(sorted(found), sorted(names(model)))

    def test_finds_values_by_their_key(self) -> None:
        for row in self.answers("found", "find", "--all-paths", "--key", "EnglishName", "--count"):
            if is_feed(row["id"]):
                model = sample_archives.model_v1(sample_archives.archive(row["id"]))
                self.assertEqual(json.loads(row["answer"]), len(list(names(model))))


if __name__ == "__main__":
    unittest.main()
