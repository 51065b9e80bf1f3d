#!/usr/bin/env python3
"""Reads archives with a command of archtool, with Spark: dump, query, find, get, info, classes or validate.

Reads a folder of archives, or a table with an identifier and the bytes of an archive in each row.
Writes a table that has a row for each of them: what the command answered as JSON, or the error.
The command and its options come last, after `--`. The README says how to run it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pyarrow
from pyspark.sql import SparkSession
from pyspark.sql.types import BooleanType, LongType, StringType, StructField, StructType

from archtool_pipe import Answer, exchange
from migrate_archives import (
    BATCH_LIMITS, Batches, Result, archives_of, find_shipped, read_archives, set_error, spread,
)  # fmt: skip

# The columns of the output behind `id`, with their types in Spark and in Arrow.
COLUMNS = {
    "outcome": (StringType(), pyarrow.string()),
    "found": (BooleanType(), pyarrow.bool_()),
    "answer": (StringType(), pyarrow.string()),
    "warnings": (StringType(), pyarrow.string()),
    "error_code": (StringType(), pyarrow.string()),
    "error_message": (StringType(), pyarrow.string()),
    "error_offset": (LongType(), pyarrow.int64()),
    "error_path": (StringType(), pyarrow.string()),
}

# What the commands answer; an answer has one of these.
ANSWERS = ("value", "results", "matches", "info", "classes", "count", "type", "version")


@dataclass(frozen=True)
class Reading:
    """The archtool command that each partition is piped through."""

    archtool: str
    words: tuple[str, ...]
    jobs: int

    def command(self) -> list[str]:
        name, *options = self.words
        return [find_shipped(self.archtool), name, "--records", "--jobs", str(self.jobs), *options]


def reading(plan: Reading) -> Callable[[Batches], Batches]:
    """The function that takes the batches of a partition (id, data) to those of the output."""

    def read(batches: Batches) -> Batches:
        archives = ((batch, archives_of(batch)) for batch in batches)
        for batch, answers in exchange(plan.command(), archives):
            results = [result_of(answer) for answer in answers]
            arrays = [batch.column("id")]
            for name, (_, kind) in COLUMNS.items():
                arrays.append(pyarrow.array([result[name] for result in results], type=kind))
            yield pyarrow.RecordBatch.from_arrays(arrays, names=["id", *COLUMNS])

    return read


def result_of(answer: Answer) -> Result:
    """The output row for an answer."""
    result: Result = dict.fromkeys(COLUMNS)
    result["outcome"] = answer["outcome"]
    result["found"] = answer.get("found")
    name = next((name for name in ANSWERS if name in answer), None)
    if name:
        result["answer"] = json.dumps(answer[name], ensure_ascii=False)
    if answer.get("warnings"):
        result["warnings"] = json.dumps(answer["warnings"], ensure_ascii=False)
    set_error(result, answer.get("error"))
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    spark = SparkSession.builder.appName("read archives").getOrCreate()
    for name, limit in BATCH_LIMITS.items():
        spark.conf.set(name, limit)
    archives = spread(read_archives(spark, options), options.partitions)
    columns = [StructField(name, kind) for name, (kind, _) in COLUMNS.items()]
    schema = StructType([StructField("id", archives.schema["id"].dataType), *columns])
    plan = Reading(options.archtool, tuple(options.words), options.jobs)
    results = archives.mapInArrow(reading(plan), schema)
    results.write.format(options.output_format).mode("errorifexists").save(options.output)
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--input", required=True, help="the folder or table to read")
    add("--format", default="parquet", help="folder, or a data source of Spark (default: parquet)")
    add("--id-column", default="id", metavar="NAME", help="what names a row (default: id)")
    add("--data-column", default="data", metavar="NAME", help="its archive (default: data)")
    add("--output", required=True, help="the table to write; it must not exist")
    add("--output-format", default="parquet", help="a data source of Spark (default: parquet)")
    add("--archtool", default="archtool", help="its name in --files, or its path on the nodes")
    add("--jobs", type=int, default=1, help="threads of an archtool process (default: 1)")
    add("--partitions", type=int, help="spread the rows over so many tasks")
    add("words", nargs="+", metavar="-- COMMAND", help="the command, such as query '$..title'")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
