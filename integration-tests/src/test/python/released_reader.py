# SPDX-License-Identifier: Apache-2.0
"""Reads what released_session.py wrote, and writes a table of its own; given to spark-submit by released.py."""

import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
base = sys.argv[1]
found = tuple(spark.read.parquet(f"{base}numbers").selectExpr("count(*)", "sum(id)").first())
if found != (2000, 1999000):
    raise AssertionError(f"{base}numbers has {found}")
spark.range(10).write.mode("overwrite").orc(f"{base}more")
print("released: done" if spark.read.orc(f"{base}more").count() == 10 else "released: wrong")
spark.stop()
