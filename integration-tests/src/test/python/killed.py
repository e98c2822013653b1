# SPDX-License-Identifier: Apache-2.0
"""Drivers that suite.py kills with SIGKILL: one in the middle of a job and of a stream, one in the commit of its job."""

import sys
import threading
import time

from pyspark.sql import SparkSession

from rows import expected, frame

OLD, NEW = range(0, 60), range(1000, 1240)
TASKS = 6
GROUP = "killed"

# So many partitions that the commit is longer than it takes to kill it.
MANY = 150
OLD_LOT, NEW_LOT = "old", "new"

# Files before the kill, and those that come after it; and what each of them adds.
STREAM_FILES, LATER_FILES, STREAM_ROWS = 8, 4, 40
STREAM_SETTINGS = {"maxFilesPerTrigger": 1}


def many(spark, lot):
    return spark.range(0, MANY, 1, 2).selectExpr("id", f"'{lot}' AS lot", "id AS p")


def stream(spark, base):
    """Drops ids that came before: so the checkpoint, which is on rados:// too, has offsets, commits and state."""
    source = spark.readStream.schema("id BIGINT").options(**STREAM_SETTINGS).parquet(f"{base}stream-in")
    sink = source.dropDuplicates(["id"]).writeStream.format("parquet")
    return sink.option("checkpointLocation", f"{base}stream-checkpoint").option("path", f"{base}stream-out")


def add_to_stream(spark, base, numbers):
    """Each file has its own ids, and those of the file before it again."""
    for number in numbers:
        ids = range(max(0, number - 1) * STREAM_ROWS, (number + 1) * STREAM_ROWS)
        spark.range(ids.start, ids.stop, 1, 1).write.mode("append").parquet(f"{base}stream-in")


def in_the_job(spark, base):
    add_to_stream(spark, base, range(STREAM_FILES))
    frame(spark, OLD, "old").write.parquet(f"{base}killed-job")
    overwrite = threading.Thread(target=overwrite_without_end, args=(spark, f"{base}killed-job"), daemon=True)
    overwrite.start()
    while tasks_done(spark) < TASKS - 1:
        if not overwrite.is_alive():
            raise AssertionError("the overwrite that was not to end has ended")
        time.sleep(0.05)
    query = stream(spark, base).start()
    while query.lastProgress is None or query.lastProgress["batchId"] < 1:
        if query.exception() is not None:
            raise query.exception()
        time.sleep(0.05)
    print("READY: all tasks but one are committed, and the stream has done two batches", flush=True)
    time.sleep(600)


def overwrite_without_end(spark, uri):
    spark.sparkContext.setJobGroup(GROUP, "is killed")
    # The last task does not end.
    sleep = f"IF(id < {NEW.stop - 1}, lot, reflect('java.lang.Thread', 'sleep', 600000L))"
    frame(spark, NEW, "new", TASKS).selectExpr("*", f"{sleep} AS slept").write.mode("overwrite").parquet(uri)


def tasks_done(spark):
    tracker = spark.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(GROUP)]
    stages = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
    return sum(stage.numCompletedTasks for stage in stages if stage)


def in_the_commit(spark, base):
    many(spark, OLD_LOT).write.mode("overwrite").partitionBy("p").parquet(f"{base}killed-commit")
    many(spark, NEW_LOT).write.mode("overwrite").partitionBy("p").parquet(f"{base}killed-commit")


def kept_by_the_killed_job():
    return expected(OLD, "old")


if __name__ == "__main__":
    session = SparkSession.builder.appName("killed").getOrCreate()
    {"job": in_the_job, "commit": in_the_commit}[sys.argv[2]](session, sys.argv[1])
