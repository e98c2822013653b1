# SPDX-License-Identifier: Apache-2.0
"""Writes and reads a table by executors that are processes of their own. Given to spark-submit by suite.py."""

import sys

from pyspark.sql import SparkSession

from rows import check, expected, frame

IDS = range(0, 200)


def main(base):
    spark = SparkSession.builder.appName("executors").getOrCreate()
    uri = f"{base}by-executors"
    frame(spark, IDS, "executors", 4).write.mode("overwrite").parquet(uri)
    check(spark, "parquet", uri, expected(IDS, "executors"))
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1])
