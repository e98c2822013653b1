# SPDX-License-Identifier: Apache-2.0
"""Writes Parquet and ORC in each mode, and reads every table back, row by row. Given to spark-submit by suite.py."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql.utils import AnalysisException

from rows import PARTS, check, expected, frame, step

# What reading.py expects again, in a process that comes later.
KEPT = range(500, 560)


def refuses_to_write(work):
    try:
        work()
    except AnalysisException:
        return
    raise AssertionError("a table that is there was written in mode error")


def modes(spark, form, uri):
    def write(ids, lot, mode):
        frame(spark, ids, lot).write.mode(mode).format(form).save(uri)

    first, second, third = range(0, 100), range(100, 150), range(1000, 1040)
    write(first, "first", "error")
    check(spark, form, uri, expected(first, "first"))
    refuses_to_write(lambda: write(second, "refused", "error"))
    write(second, "ignored", "ignore")
    check(spark, form, uri, expected(first, "first"))
    write(second, "second", "append")
    check(spark, form, uri, expected(first, "first"), expected(second, "second"))
    write(third, "third", "overwrite")
    return check(spark, form, uri, expected(third, "third"))


def of(ids, *parts):
    return [i for i in ids if i % PARTS in parts]


def partitions(spark, form, uri):
    def write(ids, lot, mode, overwrite, where="true"):
        writer = frame(spark, ids, lot).where(where).write.mode(mode).format(form)
        writer.option("partitionOverwriteMode", overwrite).partitionBy("part").save(uri)

    ids, others, more = range(0, 80), range(200, 240), range(300, 340)
    write(ids, "first", "error", "static")
    check(spark, form, uri, expected(ids, "first"))
    write(ids, "second", "append", "static")
    check(spark, form, uri, expected(ids, "first"), expected(ids, "second"))
    # Replaces all of it, also the partitions that it does not write.
    write(others, "third", "overwrite", "static", "part IN (0, 1, 2)")
    check(spark, form, uri, expected(of(others, 0, 1, 2), "third"))
    # Replaces those that it writes, and no other.
    write(more, "fourth", "overwrite", "dynamic", "part IN (2, 3)")
    check(spark, form, uri, expected(of(others, 0, 1), "third"), expected(of(more, 2, 3), "fourth"))
    # SQL's static overwrite replaces the one that it names.
    name = f"by_part_{form}"
    columns = "id, lot, text, amount, share, day, time, tags, raw"
    spark.sql(f"CREATE TABLE {name} USING {form} OPTIONS (path '{uri}')")
    spark.sql(f"MSCK REPAIR TABLE {name}")
    frame(spark, KEPT, "fifth").createOrReplaceTempView("fifth")
    spark.sql(f"INSERT OVERWRITE TABLE {name} PARTITION (part = 1) SELECT {columns} FROM fifth WHERE part = 1")
    return check(spark, form, uri, *kept_partitions())


def kept_partitions():
    return (
        expected(of(range(200, 240), 0), "third"),
        expected(of(KEPT, 1), "fifth"),
        expected(of(range(300, 340), 2, 3), "fourth"),
    )


def main(base):
    spark = SparkSession.builder.appName("writing").getOrCreate()
    for form in ("parquet", "orc"):
        count = modes(spark, form, f"{base}{form}")
        step(f"{form}: error, ignore, append, overwrite ({count} rows in the end)")
        count = partitions(spark, form, f"{base}{form}-by-part")
        step(f"{form}: static and dynamic overwrite of partitions ({count} rows in the end)")
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1])
