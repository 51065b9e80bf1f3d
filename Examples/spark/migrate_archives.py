#!/usr/bin/env python3
"""Migrates archives from one schema version to another, with Spark.

Reads a folder of archives, or a table with an identifier and the bytes of an archive in each row.
Writes a table that has a row for each of them: what became of it, the new archive, or the error.
What was migrated is validated before it is written. The README says how to run it.

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
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, Observation, SparkSession, functions
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
    "losses": (StringType(), pyarrow.string()),
    "warnings": (StringType(), pyarrow.string()),
    "error_code": (StringType(), pyarrow.string()),
    "error_message": (StringType(), pyarrow.string()),
    "error_offset": (LongType(), pyarrow.int64()),
    "error_path": (StringType(), pyarrow.string()),
}

# An archive with one of these outcomes is in the target version, and valid.
GOOD_OUTCOMES = ("changed", "unchanged")
OUTCOMES = (*GOOD_OUTCOMES, "refused", "failed", "invalid")

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
    source: str | None
    target: str
    family: str | None
    schemas: str | None
    jobs: int
    migrate_options: tuple[str, ...]

    def migrate_command(self) -> list[str]:
        """Without --from archtool finds the version of each archive by itself."""
        versions = ["--from", self.source] if self.source else []
        family = ["--schema", self.family] if self.family else []
        return self._command(
            "migrate", *versions, "--to", self.target, *family, *self.migrate_options
        )

    def validate_command(self) -> list[str]:
        """With --schema, by the target version: what fits it may fit an older one as well."""
        family = ["--schema", f"{self.family}@{self.target}"] if self.family else []
        return self._command("validate", *family)

    def _command(self, name: str, *options: str) -> list[str]:
        schemas = ["--schemas", find_shipped(self.schemas)] if self.schemas else []
        jobs = ["--jobs", str(self.jobs)]
        return [find_shipped(self.archtool), name, "--records", *jobs, *schemas, *options]


def find_shipped(name: str) -> str:
    """What was shipped with --files or --archives under this name, if there is such a thing."""
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
            originals = batch.column("data").to_pylist()
            for result, verdict, original in zip(results, verdicts, originals, strict=True):
                apply_verdict(result, verdict, plan.target, original)
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
    for name in ("lost", "losses", "warnings"):
        if answer.get(name):
            result[name] = json.dumps(answer[name], ensure_ascii=False)
    set_error(result, answer.get("error"))
    return result


def apply_verdict(
    result: Result, verdict: Answer | None, target: str, original: bytes | None
) -> None:
    """Marks a migrated archive as invalid, and puts the old one back, if it does not fit."""
    if verdict is None:
        return
    version = (verdict.get("version") or "").rpartition("@")[2]
    if verdict["outcome"] == "valid" and version == target:
        return
    violations = verdict.get("violations") or [{}]
    problem = verdict.get("error") or {
        "code": violations[0].get("rule", "version"),
        "message": violations[0].get("message")
        or f"it is taken for {version or 'no known version'}; --schema says of which family it is",
        "offset": violations[0].get("offset"),
        "path": violations[0].get("path"),
    }
    result["outcome"] = "invalid"
    result["data"] = original
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


def migrate_table(
    spark: SparkSession, options: argparse.Namespace, plan: Plan
) -> tuple[DataFrame, dict[str, int]]:
    """Writes the output, and gives it with the counts of this run, which are taken on the way."""
    for name, limit in BATCH_LIMITS.items():
        spark.conf.set(name, limit)
    archives = read_archives(spark, options)
    schema = output_schema(archives)
    if options.goes_on:
        archives = without_done(spark, archives, options)
    counts = dict.fromkeys(OUTCOMES, 0)
    for step in range(options.steps):
        part = archives
        if options.steps > 1:
            part = archives.filter(functions.abs(functions.hash(col("id")) % options.steps) == step)
        for outcome, number in write_step(part, schema, options, plan, step).items():
            counts[outcome] += number
    met = {name: number for name, number in sorted(counts.items()) if number}
    return output(spark, options), met


def write_step(
    archives: DataFrame,
    schema: StructType,
    options: argparse.Namespace,
    plan: Plan,
    step: int,
) -> dict[str, int]:
    """Migrates some of the archives and commits them. Counts what is read and what is written."""
    read, written = Observation(f"read {step}"), Observation(f"written {step}")
    rows = functions.count(functions.lit(1)).alias("rows")
    archives = archives.observe(read, rows)
    results = spread(archives, options.partitions).mapInArrow(migration(plan), schema)
    each = [functions.count_if(col("outcome") == name).alias(name) for name in OUTCOMES]
    results = results.observe(written, rows, *each)
    goes_on = options.goes_on or step > 0
    writer = results.write.format(options.output_format)
    writer.mode("append" if goes_on else "errorifexists").save(options.output)
    rows_in, counts = read.get["rows"] or 0, dict(written.get)
    if rows_in != (counts.pop("rows") or 0):
        raise SystemExit(f"error: {rows_in} archives were read, and other than that written")
    return {name: number or 0 for name, number in counts.items()}


def output(spark: SparkSession, options: argparse.Namespace) -> DataFrame:
    return spark.read.format(options.output_format).load(options.output)


def without_done(
    spark: SparkSession, archives: DataFrame, options: argparse.Namespace
) -> DataFrame:
    """The archives whose identifiers the output of an earlier run does not hold."""
    try:
        done = output(spark, options).select(col("id").alias("done")).distinct()
    except AnalysisException:
        # There is no output yet, or nothing was committed to it.
        return archives
    return archives.join(done, col("id").eqNullSafe(col("done")), "left_anti")


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
        options.archtool, options.source, options.target, options.family, options.schemas,
        options.jobs, tuple(options.migrate_options),
    )  # fmt: skip
    spark = SparkSession.builder.appName("migrate archives").getOrCreate()
    written, counts = migrate_table(spark, options, plan)
    if options.rejects:
        rejects = written.filter(~col("outcome").isin(*GOOD_OUTCOMES))
        writer = rejects.write.format(options.output_format)
        writer.mode("overwrite" if options.goes_on else "errorifexists").save(options.rejects)
    report(counts)
    return exit_status(counts, keeps_rejects=options.rejects is not None)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--input", required=True, help="the folder or table to read")
    add("--format", default="parquet", help="folder, or a data source of Spark (default: parquet)")
    add("--id-column", default="id", metavar="NAME", help="what names a row (default: id)")
    add("--data-column", default="data", metavar="NAME", help="its archive (default: data)")
    add("--from", dest="source", metavar="VERSION", help="such as v1 (default: what each is in)")
    add("--to", dest="target", required=True, metavar="VERSION", help="such as v2")
    add("--schema", dest="family", metavar="NAME", help="the family of all archives")
    add("--output", required=True, help="the table to write; it must not exist")
    add("--output-format", default="parquet", help="a data source of Spark (default: parquet)")
    add("--rejects", help="a table for the rows that were not migrated")
    add("--continue", dest="goes_on", action="store_true", help="skip what the output holds")
    add("--steps", type=int, default=1, help="commit the output in so many steps (default: 1)")
    add("--archtool", default="archtool", help="its name in --files, or its path on the nodes")
    add("--schemas", metavar="DIR", help="a folder of schema families, on each node")
    add("--jobs", type=int, default=1, help="threads of an archtool process (default: 1)")
    add("--partitions", type=int, help="spread the rows over so many tasks")
    add("migrate_options", nargs="*", metavar="-- OPTION", help="further options of migrate")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
