"""The job in local mode with two workers, against what plistlib says of every archive.

The environment variable ARCHTOOL names the program; the default is the project's debug build.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import plistlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The workers import the job's modules too.
os.environ["PYTHONPATH"] = str(HERE)
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable

import pyarrow
import pyarrow.parquet
import pyspark
from pyspark.sql import SparkSession

import migrate_archives
import sample_archives

ARCHTOOL = os.path.abspath(
    os.environ.get("ARCHTOOL") or sample_archives.PROJECT / ".build" / "debug" / "archtool"
)
COUNT = 2000
FILES = 8
VERSIONS = ["--from", "v1", "--to", "v2"]


def setUpModule() -> None:
    # A task may fail twice before the job does.
    builder = SparkSession.builder.master("local[2,2]").config("spark.ui.enabled", False)
    builder.config("spark.ui.showConsoleProgress", False)
    spark = builder.config("spark.sql.shuffle.partitions", 2).getOrCreate()
    # The failures that the tests ask for are not to be told in full.
    spark.sparkContext.setLogLevel("OFF")


def tearDownModule() -> None:
    SparkSession.builder.getOrCreate().stop()


def write_table(folder: Path, numbers: range) -> None:
    """A Parquet table that Spark had no hand in, in some files."""
    folder.mkdir()
    step = -(-len(numbers) // FILES)
    for first in range(0, len(numbers), step):
        part = numbers[first : first + step]
        archives = [sample_archives.archive(number) for number in part]
        columns = {
            "number": pyarrow.array(part, pyarrow.int64()),
            "payload": pyarrow.array(archives, pyarrow.binary()),
            "comment": pyarrow.array(["not wanted"] * len(part)),
        }
        pyarrow.parquet.write_table(pyarrow.table(columns), folder / f"{first:06}.parquet")


def rows(table: Path) -> list[dict]:
    return sorted(pyarrow.parquet.read_table(table).to_pylist(), key=lambda row: row["id"])


def run(*arguments: object) -> tuple[int, str, str]:
    """The job's exit status, and what it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as output:
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            status = migrate_archives.main([str(argument) for argument in arguments])
    return status, output.getvalue(), errors.getvalue()


class JobTestCase(unittest.TestCase):
    """A folder for each test class, and the arguments that its runs share."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp(prefix="archtool-spark-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def arguments(self, output: str, archtool: object = ARCHTOOL) -> list[object]:
        common = ["--input", self.folder / "table", "--id-column", "number"]
        common += ["--data-column", "payload", "--archtool", archtool, *VERSIONS]
        return [*common, "--output", self.folder / output]

    def assert_same_rows(self, table: Path, expected: list[dict]) -> None:
        found = rows(table)
        self.assertEqual(len(found), len(expected))
        for row, expected_row in zip(found, expected, strict=True):
            self.assertEqual(row, expected_row)

    def stand_in(self, name: str, script: str) -> Path:
        """A shell script in archtool's place; $ARCHTOOL is the real one."""
        path = self.folder / name
        path.write_text(f"#!/bin/sh\nARCHTOOL='{ARCHTOOL}'\n{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path


class TableTests(JobTestCase):
    """Two thousand archives, some of them bad, through the job once."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        write_table(cls.folder / "table", range(COUNT))
        case = cls()
        cls.status, cls.printed, _ = run(
            *case.arguments("output"), "--rejects", cls.folder / "rejects"
        )
        cls.rows = rows(cls.folder / "output")

    def test_has_a_row_for_each_archive_and_no_other(self) -> None:
        self.assertEqual(self.status, 0)
        self.assertEqual([row["id"] for row in self.rows], list(range(COUNT)))

    def test_gives_each_archive_its_outcome(self) -> None:
        for row in self.rows:
            self.assertIn(row["outcome"], sample_archives.expected_outcomes(row["id"]), row)

    def test_keeps_every_value_of_every_archive_that_it_migrates(self) -> None:
        for row in self.rows:
            if row["outcome"] == "changed":
                original = sample_archives.archive(row["id"])
                self.assertEqual(
                    sample_archives.typed(sample_archives.model_v2(row["data"])),
                    sample_archives.typed(sample_archives.model_v1(original)),
                )
                self.assertEqual((row["from_version"], row["to_version"]), ("v1", "v2"))
                self.assertEqual(row["family"], "WeatherFeed")

    def test_leaves_the_bytes_of_all_others_alone(self) -> None:
        for row in self.rows:
            if row["outcome"] != "changed":
                self.assertEqual(row["data"], sample_archives.archive(row["id"]))

    def test_puts_what_it_cannot_migrate_among_the_rejects(self) -> None:
        rejects = rows(self.folder / "rejects")
        expected = [
            number
            for number in range(COUNT)
            if sample_archives.expected_outcomes(number)[-1] == "failed"
        ]
        self.assertEqual([row["id"] for row in rejects], expected)
        for row in rejects:
            self.assertTrue(row["error_code"] and row["error_message"], row)
            self.assertEqual(row, self.rows[row["id"]])

    def test_prints_how_many_archives_had_each_outcome(self) -> None:
        counts: dict[str, int] = {}
        for row in self.rows:
            counts[row["outcome"]] = counts.get(row["outcome"], 0) + 1
        lines = [f"{name:10}{count:14,}" for name, count in sorted(counts.items())]
        lines.append(f"{'archives':10}{COUNT:14,}")
        self.assertEqual(self.printed.splitlines(), lines)

    def test_gives_the_same_rows_again_however_they_are_spread(self) -> None:
        for partitions in (1, 11):
            output = f"output-{partitions}"
            run(*self.arguments(output), "--partitions", partitions)
            self.assert_same_rows(self.folder / output, self.rows)

    def test_gives_the_same_rows_if_a_task_fails_and_runs_again(self) -> None:
        marker = self.folder / "has-failed"
        script = f'mkdir "{marker}" 2>/dev/null && kill -SEGV $$\nexec "$ARCHTOOL" "$@"'
        run(*self.arguments("output-retried", self.stand_in("falls-once", script)))
        self.assertTrue(marker.is_dir())
        self.assert_same_rows(self.folder / "output-retried", self.rows)

    def test_finds_the_versions_of_a_mixed_fleet_without_from(self) -> None:
        arguments = [*self.arguments("output-mixed"), "--rejects", self.folder / "rejects-mixed"]
        position = arguments.index("--from")
        del arguments[position : position + 2]
        status, _, _ = run(*arguments)
        self.assertEqual(status, 0)
        for row, same in zip(rows(self.folder / "output-mixed"), self.rows, strict=True):
            if same["outcome"] in ("changed", "unchanged"):
                self.assertEqual(row, same)
            elif row["outcome"] == "changed":
                # An older version than --from has, of another family.
                self.assertEqual((row["family"], row["from_version"]), ("Movie", "v0"))
            else:
                self.assertIn(row["outcome"], ("refused", "failed"))

    def test_goes_on_where_an_earlier_run_ended(self) -> None:
        arguments = [*self.arguments("output-twice"), "--continue"]
        arguments += ["--rejects", self.folder / "rejects-twice"]
        part = self.folder / "part"
        write_table(part, range(500))
        run(*arguments, "--input", part)
        # What the first run did is not given to archtool again.
        script = f'[ "$1" = migrate ] || exec "$ARCHTOOL" "$@"\ntee -a "{self.folder}/asked" | '
        script += 'exec "$ARCHTOOL" "$@"'
        counting = self.stand_in("counts", script)
        _, printed, _ = run(*arguments, "--archtool", counting)
        self.assert_same_rows(self.folder / "output-twice", self.rows)
        self.assertEqual(len((self.folder / "asked").read_bytes().splitlines()), COUNT - 500)
        self.assertRegex(printed, f"archives +{COUNT - 500:,}")
        self.assertEqual(rows(self.folder / "rejects-twice"), rows(self.folder / "rejects"))

    def test_commits_in_steps(self) -> None:
        run(*self.arguments("output-steps"), "--steps", 3)
        self.assert_same_rows(self.folder / "output-steps", self.rows)

    def test_writes_other_formats(self) -> None:
        run(*self.arguments("output-orc"), "--output-format", "orc")
        spark = SparkSession.builder.getOrCreate()
        found = spark.read.orc(str(self.folder / "output-orc"))
        self.assertEqual(found.count(), COUNT)

    def test_fails_for_rejects_that_nobody_asked_for(self) -> None:
        write_table(self.folder / "small", range(40))
        arguments = [*self.arguments("output-strict"), "--input", self.folder / "small"]
        status, _, errors = run(*arguments)
        self.assertEqual(status, 1)
        self.assertIn("were not migrated", errors)


class FailureTests(JobTestCase):
    """Programs in archtool's place that do not do what archtool does."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        write_table(cls.folder / "table", range(210, 216))

    def test_fails_with_the_last_words_of_an_archtool_that_dies_half_way(self) -> None:
        script = """
            [ "$1" = migrate ] || exec "$ARCHTOOL" "$@"
            head -n 1 | "$ARCHTOOL" "$@"
            echo "a hole in the reader" >&2
            kill -SEGV $$"""
        with self.assertRaisesRegex(Exception, "(?s)killed by SIGSEGV.*a hole in the reader"):
            run(*self.arguments("crashed", self.stand_in("dies", script)), "--partitions", 1)
        self.assertFalse((self.folder / "crashed" / "_SUCCESS").exists())

    def test_fails_with_the_message_of_an_archtool_that_refuses_its_options(self) -> None:
        with self.assertRaisesRegex(Exception, "(?s)exit status 64.*no-such-option"):
            run(*self.arguments("misused"), "--", "--no-such-option")

    def test_exits_with_1_if_what_was_migrated_is_not_valid(self) -> None:
        # Says of each archive that it was changed, and gives it back as it was.
        script = """
            [ "$1" = migrate ] || exec "$ARCHTOOL" "$@"
            exec sed 's/"data"/"outcome":"changed","data"/'"""
        status, printed, errors = run(
            *self.arguments("wrong", self.stand_in("does-nothing", script)),
            *("--rejects", self.folder / "wrong-rejects"),
        )
        self.assertEqual(status, 1)
        self.assertIn("does not validate", errors)
        self.assertRegex(printed, "invalid +6")
        self.assertEqual({row["outcome"] for row in rows(self.folder / "wrong")}, {"invalid"})

    def test_refuses_an_archive_column_that_is_not_binary(self) -> None:
        with self.assertRaisesRegex(SystemExit, "comment is not binary"):
            run(*self.arguments("text"), "--data-column", "comment")


class AddedMemberTests(JobTestCase):
    """A family whose old archives fit the new version too."""

    def test_validates_by_the_target_that_schema_names(self) -> None:
        family = self.folder / "Note"
        family.mkdir()
        schema = {
            "x-archive": {"envelope": "plist"},
            "type": "object",
            "properties": {"a": {"type": "integer"}},
            "required": ["a"],
            "additionalProperties": False,
        }
        newer = {**schema, "properties": {**schema["properties"], "b": {"type": "integer"}}}
        (family / "family.json").write_text('{"family": "Note", "versions": ["v1", "v2"]}')
        (family / "v1.schema.json").write_text(json.dumps(schema))
        (family / "v2.schema.json").write_text(json.dumps(newer))
        (family / "v1-v2.lens.json").write_text('{"lens": [{"add": {"name": "b"}}]}')
        (self.folder / "table").mkdir()
        archives = [plistlib.dumps({"a": number}) for number in range(20)]
        columns = {"number": pyarrow.array(range(20)), "payload": pyarrow.array(archives)}
        pyarrow.parquet.write_table(pyarrow.table(columns), self.folder / "table" / "0.parquet")
        arguments = [*self.arguments("output"), "--schemas", family, "--schema", "Note"]
        status, printed, _ = run(*arguments)
        self.assertEqual(status, 0)
        self.assertRegex(printed, "changed +20")


class FolderTests(JobTestCase):
    """The job as it is submitted, on files."""

    def test_migrates_the_files_of_a_folder_and_misses_none(self) -> None:
        archives = self.folder / "archives"
        (archives / "a" / "b").mkdir(parents=True)
        names = ["plain", "a/nested", "a/b/deep", "a/with space", "a/50%20 #1?ü"]
        for number, name in enumerate(names):
            (archives / name).write_bytes(sample_archives.feed_v1(number))
        for name in ("empty", "a/empty 100%"):
            (archives / name).touch()
        submit = [shutil.which("spark-submit", path=Path(sys.executable).parent)]
        submit += ["--master", "local[2]", "--conf", "spark.ui.enabled=false"]
        submit += ["--files", ARCHTOOL, "--py-files", HERE / "archtool_pipe.py"]
        submit += [HERE / "migrate_archives.py", "--format", "folder", "--input", archives]
        submit += ["--archtool", Path(ARCHTOOL).name, "--output", self.folder / "output", *VERSIONS]
        submit += ["--rejects", self.folder / "rejects"]
        environment = {**os.environ, "SPARK_HOME": os.path.dirname(pyspark.__file__)}
        del environment["PYTHONPATH"]
        result = subprocess.run(submit, env=environment, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        prefix = f"file:{archives}/"
        found = {row["id"].removeprefix(prefix): row for row in rows(self.folder / "output")}
        self.assertEqual(sorted(found), sorted([*names, "empty", "a/empty 100%"]))
        for number, name in enumerate(names):
            original = sample_archives.model_v1(sample_archives.feed_v1(number))
            self.assertEqual(sample_archives.model_v2(found[name]["data"]), original)
        self.assertEqual(found["empty"]["outcome"], "failed")


if __name__ == "__main__":
    unittest.main()
