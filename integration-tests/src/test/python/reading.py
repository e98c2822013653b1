# SPDX-License-Identifier: Apache-2.0
"""Reads what other processes wrote, also those that were killed; goes on with their work; and writes a Delta table.

Given to spark-submit by suite.py, with Delta's settings.
"""

import sys

from pyspark.sql import SparkSession

from killed import (
    LATER_FILES,
    MANY,
    NEW,
    NEW_LOT,
    OLD_LOT,
    STREAM_FILES,
    STREAM_ROWS,
    add_to_stream,
    kept_by_the_killed_job,
    many,
    stream,
)
from rows import check, expected, frame, step
from writing import kept_partitions


def as_others_left_it(spark, base):
    for form in ("parquet", "orc"):
        check(spark, form, f"{base}{form}", expected(range(1000, 1040), "third"))
        check(spark, form, f"{base}{form}-by-part", *kept_partitions())
    step("Parquet and ORC as the first process left them")


def after_the_kills(spark, base):
    check(spark, "parquet", f"{base}killed-job", kept_by_the_killed_job())
    step("the table whose overwrite was killed in its job: the old one, whole")
    frame(spark, NEW, "again").write.mode("overwrite").parquet(f"{base}killed-job")
    check(spark, "parquet", f"{base}killed-job", expected(NEW, "again"))

    uri = f"{base}killed-commit"
    found = sorted(tuple(row) for row in spark.read.parquet(uri).select("id", "lot", "p").collect())
    lots = {lot: [(i, lot, i) for i in range(MANY)] for lot in (OLD_LOT, NEW_LOT)}
    which = [lot for lot, rows in lots.items() if rows == found]
    if not which:
        raise AssertionError(f"{uri}: neither the old table nor the new one, but {len(found)} rows: {found}")
    step(f"the table whose overwrite was killed in its commit: the {which[0]} one, whole")
    many(spark, "again").write.mode("overwrite").partitionBy("p").parquet(uri)
    found = sorted(tuple(row) for row in spark.read.parquet(uri).select("id", "lot", "p").collect())
    if found != [(i, "again", i) for i in range(MANY)]:
        raise AssertionError(f"{uri}: the job that ran again left {found}")
    step("both jobs run again")


def the_stream_goes_on(spark, base):
    before = stream_ids(spark, base)
    # Its first batches were done before the kill, and no batch is there in part.
    if len(before) < STREAM_ROWS or len(before) % STREAM_ROWS or before != list(range(len(before))):
        raise AssertionError(f"the killed stream left {before}")
    files = STREAM_FILES + LATER_FILES
    add_to_stream(spark, base, range(STREAM_FILES, files))
    query = stream(spark, base).trigger(availableNow=True).start()
    query.awaitTermination()
    if query.exception() is not None:
        raise query.exception()
    if query.recentProgress[0]["batchId"] == 0:
        raise AssertionError("the stream began anew: its checkpoint was not found")
    ids = stream_ids(spark, base)
    if ids != list(range(files * STREAM_ROWS)):
        raise AssertionError(f"the stream has not each row once: {ids}")
    step(f"the stream goes on from its checkpoint: {len(before)} rows before, {len(ids)} after, each once")


def stream_ids(spark, base):
    return sorted(row[0] for row in spark.read.schema("id BIGINT").parquet(f"{base}stream-out").collect())


def delta(spark, base):
    uri = f"{base}delta"
    ids, more = range(0, 40), range(40, 60)
    frame(spark, ids, "first").write.format("delta").partitionBy("part").save(uri)
    check(spark, "delta", uri, expected(ids, "first"))
    frame(spark, more, "second").write.format("delta").mode("append").save(uri)
    check(spark, "delta", uri, expected(ids, "first"), expected(more, "second"))
    frame(spark, range(50, 70), "merged").createOrReplaceTempView("source")
    spark.sql(
        f"MERGE INTO delta.`{uri}` t USING source s ON t.id = s.id AND t.part = s.part "
        "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
    )
    spark.sql(f"DELETE FROM delta.`{uri}` WHERE id < 10")
    check(
        spark, "delta", uri,
        expected(range(10, 40), "first"), expected(range(40, 50), "second"), expected(range(50, 70), "merged"),
    )  # fmt: skip
    versions = sorted(row[0] for row in spark.sql(f"DESCRIBE HISTORY delta.`{uri}`").select("version").collect())
    if versions != [0, 1, 2, 3]:
        raise AssertionError(f"{uri} has the versions {versions}")
    earlier = spark.read.format("delta").option("versionAsOf", 1).load(uri).count()
    if earlier != 60:
        raise AssertionError(f"version 1 of {uri} has {earlier} rows, and not 60")
    step("Delta: write, append, merge, delete, an earlier version")


def main(base):
    spark = SparkSession.builder.appName("reading").getOrCreate()
    as_others_left_it(spark, base)
    after_the_kills(spark, base)
    the_stream_goes_on(spark, base)
    delta(spark, base)
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1])
