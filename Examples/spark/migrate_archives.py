#!/usr/bin/env python3
"""Migrates archives from one schema version to another, with Spark.

Reads a folder of archives, or a table with an identifier and the bytes of an archive in each row.
Writes a Parquet table that has a row for each of them: what became of it, the new archive, or the
error. What was migrated is validated before it is written. The README says how to run it.

Exit status: 0 all done; 1 a migrated archive is not valid, or some were refused and --rejects is
not given; other than that the job's own failure, with its message.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

import pyarrow
from pyspark import SparkFiles
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col
from pyspark.sql.types import BinaryType, LongType, StringType, StructField, StructType

from archtool_pipe import Answer, exchange

Result = dict[str, Any]
Batches = Iterator[pyarrow.RecordBatch]

# The columns of the output behind `id`, with their types in Spark and in Arrow.
COLUMNS = {
    "outcome": (StringType(), pyarrow.string()),
    "family": (StringType(), pyarrow.string()),
    "from_version": (StringType(), pyarrow.string()),
    "to_version": (StringType(), pyarrow.string()),
    "data": (BinaryType(), pyarrow.binary()),
    "lost": (StringType(), pyarrow.string()),
    "error_code": (StringType(), pyarrow.string()),
    "error_message": (StringType(), pyarrow.string()),
    "error_offset": (LongType(), pyarrow.int64()),
    "error_path": (StringType(), pyarrow.string()),
}

# An archive with one of these outcomes is in the target version, and valid.
GOOD_OUTCOMES = ("changed", "unchanged")

# Rows that travel together between Spark and Python, at most: archives are large.
BATCH_LIMITS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": 1000,
    "spark.sql.execution.arrow.maxBytesPerBatch": 16 << 20,
}


# -- What runs on the workers --------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """The archtool commands that each partition is piped through."""

    archtool: str
    source: str
    target: str
    schemas: str | None
    jobs: int
    migrate_options: tuple[str, ...]

    def migrate_command(self) -> list[str]:
        versions = ["--from", self.source, "--to", self.target]
        return self._command("migrate", *versions, *self.migrate_options)

    def validate_command(self) -> list[str]:
        return self._command("validate")

    def _command(self, name: str, *options: str) -> list[str]:
        schemas = ["--schemas", self.schemas] if self.schemas else []
        jobs = ["--jobs", str(self.jobs)]
        return [find_archtool(self.archtool), name, "--records", *jobs, *schemas, *options]


def find_archtool(name: str) -> str:
    """The program that was shipped with --files under this name, if there is one."""
    if os.sep in name:
        return name
    shipped = SparkFiles.get(name)
    return shipped if os.path.exists(shipped) else name


def migration(plan: Plan) -> Callable[[Batches], Batches]:
    """The function that takes the batches of a partition (id, data) to those of the output.

    It depends on nothing but the rows: a task that Spark runs again gives the same rows again.
    """

    def migrate(batches: Batches) -> Batches:
        archives = ((batch, archives_of(batch)) for batch in batches)
        answered = exchange(plan.migrate_command(), archives)
        migrated = (migrated_batch(batch, answers) for batch, answers in answered)
        for (batch, results), verdicts in exchange(plan.validate_command(), migrated):
            for result, verdict in zip(results, verdicts, strict=True):
                apply_verdict(result, verdict, plan.target)
            yield output_batch(batch, results)

    return migrate


def archives_of(batch: pyarrow.RecordBatch) -> list[bytes | None]:
    """The archives of a batch. Where a row has none, archtool says what it says of an empty one."""
    return [archive or b"" for archive in batch.column("data").to_pylist()]


def migrated_batch(
    batch: pyarrow.RecordBatch, answers: list[Answer | None]
) -> tuple[tuple[pyarrow.RecordBatch, list[Result]], list[bytes | None]]:
    """A batch with the results of migration, and the archives that are to be validated."""
    originals = batch.column("data").to_pylist()
    results = [result_of(*pair) for pair in zip(answers, originals, strict=True)]
    archives = [
        result["data"] if result["outcome"] in GOOD_OUTCOMES else None for result in results
    ]
    return (batch, results), archives


def result_of(answer: Answer, original: bytes | None) -> Result:
    """The output row for an answer of migrate; what was not changed keeps its bytes."""
    changed = answer["outcome"] == "changed"
    result: Result = dict.fromkeys(COLUMNS)
    result["outcome"] = answer["outcome"]
    result["family"] = answer.get("family")
    result["from_version"] = answer.get("from")
    result["to_version"] = answer.get("to")
    result["data"] = base64.b64decode(answer["data"], validate=True) if changed else original
    if "lost" in answer:
        result["lost"] = json.dumps(answer["lost"], ensure_ascii=False)
    set_error(result, answer.get("error"))
    return result


def apply_verdict(result: Result, verdict: Answer | None, target: str) -> None:
    """Marks a migrated archive as invalid if it does not fit the target version."""
    if verdict is None:
        return
    version = (verdict.get("version") or "").rpartition("@")[2]
    if verdict["outcome"] == "valid" and version == target:
        return
    violations = verdict.get("violations") or [{}]
    problem = verdict.get("error") or {
        "code": violations[0].get("rule", "version"),
        "message": violations[0].get("message") or f"it is in {version or 'no known version'}",
        "offset": violations[0].get("offset"),
        "path": violations[0].get("path"),
    }
    result["outcome"] = "invalid"
    set_error(result, problem)


def set_error(result: Result, error: Answer | None) -> None:
    for name in ("code", "message", "offset", "path"):
        result[f"error_{name}"] = (error or {}).get(name)


def output_batch(batch: pyarrow.RecordBatch, results: list[Result]) -> pyarrow.RecordBatch:
    """The rows of the output, each with the identifier as it came."""
    arrays = [batch.column("id")]
    for name, (_, kind) in COLUMNS.items():
        arrays.append(pyarrow.array([result[name] for result in results], type=kind))
    return pyarrow.RecordBatch.from_arrays(arrays, names=["id", *COLUMNS])


# -- What runs on the driver ---------------------------------------------------------------------


def read_archives(spark: SparkSession, options: argparse.Namespace) -> DataFrame:
    """The input as two columns, `id` and `data`."""
    if options.format == "folder":
        return read_folder(spark, options.input)
    frame = spark.read.format(options.format).load(options.input)
    kind = frame.schema[options.data_column].dataType
    if not isinstance(kind, BinaryType):
        raise SystemExit(f"error: the column {options.data_column} is not binary: {kind}")
    return frame.select(
        col(options.id_column).alias("id"), col(options.data_column).alias("data")
    )


def read_folder(spark: SparkSession, folder: str) -> DataFrame:
    """The files in a folder and the folders in it, by their paths.

    Spark leaves out empty files whatever the source, but an empty archive is one to be reported.
    """
    files = spark.read.format("binaryFile").option("recursiveFileLookup", True).load(folder)
    archives = files.select(col("path").alias("id"), col("content").alias("data"))
    listed = [hadoop_path(url) for url in files.inputFiles()]
    if len(listed) == files.count():
        return archives
    read = {row["path"] for row in files.select("path").toLocalIterator()}
    empty = [(path, b"") for path in listed if path not in read]
    return archives.unionAll(spark.createDataFrame(empty, archives.schema))


def hadoop_path(url: str) -> str:
    """A file's URL as Hadoop spells its path, which is how the rows have it."""
    parts = urlsplit(url)
    authority = f"//{parts.netloc}" if parts.netloc else ""
    return f"{parts.scheme}:{authority}{unquote(parts.path)}"


def spread(frame: DataFrame, partitions: int | None) -> DataFrame:
    """The rows in so many partitions; fewer than there are cost no shuffle."""
    if partitions is None:
        return frame
    fewer = partitions < frame.rdd.getNumPartitions()
    return frame.coalesce(partitions) if fewer else frame.repartition(partitions)


def output_schema(archives: DataFrame) -> StructType:
    identifier = StructField("id", archives.schema["id"].dataType)
    return StructType(
        [identifier, *(StructField(name, kind) for name, (kind, _) in COLUMNS.items())]
    )


def migrate_table(spark: SparkSession, options: argparse.Namespace, plan: Plan) -> DataFrame:
    """Writes the output, and reads back what was written: nothing is migrated twice."""
    for name, limit in BATCH_LIMITS.items():
        spark.conf.set(name, limit)
    archives = read_archives(spark, options)
    results = spread(archives, options.partitions).mapInArrow(
        migration(plan), output_schema(archives)
    )
    results.write.parquet(options.output)
    written = spark.read.parquet(options.output)
    count_in, count_out = archives.count(), written.count()
    if count_in != count_out:
        raise SystemExit(f"error: {count_in} archives were read and {count_out} written")
    return written


def count_outcomes(written: DataFrame) -> dict[str, int]:
    rows = written.groupBy("outcome").count().collect()
    return {row["outcome"]: row["count"] for row in sorted(rows)}


def report(counts: dict[str, int]) -> None:
    for name, count in [*counts.items(), ("archives", sum(counts.values()))]:
        print(f"{name:10}{count:14,}", flush=True)


def exit_status(counts: dict[str, int], keeps_rejects: bool) -> int:
    if counts.get("invalid"):
        print("error: what archtool migrated does not validate", file=sys.stderr)
        return 1
    rejects = sum(count for outcome, count in counts.items() if outcome not in GOOD_OUTCOMES)
    if rejects and not keeps_rejects:
        print(f"error: {rejects} archives were not migrated (see --rejects)", file=sys.stderr)
        return 1
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    plan = Plan(
        options.archtool, options.source, options.target, options.schemas, options.jobs,
        tuple(options.migrate_options),
    )  # fmt: skip
    spark = SparkSession.builder.appName("migrate archives").getOrCreate()
    written = migrate_table(spark, options, plan)
    if options.rejects:
        written.filter(~col("outcome").isin(*GOOD_OUTCOMES)).write.parquet(options.rejects)
    counts = count_outcomes(written)
    report(counts)
    return exit_status(counts, keeps_rejects=options.rejects is not None)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--input", required=True, help="the folder or table to read")
    add("--format", default="parquet", help="folder, or a data source of Spark (default: parquet)")
    add("--id-column", default="id", metavar="NAME", help="what names a row (default: id)")
    add("--data-column", default="data", metavar="NAME", help="its archive (default: data)")
    add("--from", dest="source", required=True, metavar="VERSION", help="such as v1")
    add("--to", dest="target", required=True, metavar="VERSION", help="such as v2")
    add("--output", required=True, help="the Parquet table to write; it must not exist")
    add("--rejects", help="a Parquet table for the rows that were not migrated")
    add("--archtool", default="archtool", help="its name in --files, or its path on the nodes")
    add("--schemas", metavar="DIR", help="a folder of schema families, on each node")
    add("--jobs", type=int, default=1, help="threads of an archtool process (default: 1)")
    add("--partitions", type=int, help="spread the rows over so many tasks")
    add("migrate_options", nargs="*", metavar="-- OPTION", help="further options of migrate")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
