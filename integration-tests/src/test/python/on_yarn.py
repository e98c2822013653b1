# SPDX-License-Identifier: Apache-2.0
"""The application of scripts/test --yarn: writes a table to rados://, overwrites a part of it and reads it back."""

import sys

from pyspark.sql import SparkSession

path = sys.argv[1]
spark = SparkSession.builder.appName("radosfs on YARN").getOrCreate()
numbers = spark.range(100_000).selectExpr("id", "id % 10 AS digit").repartition(4)
numbers.write.partitionBy("digit").parquet(path)
spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
numbers.where("digit < 2 and id < 1000").write.mode("overwrite").partitionBy("digit").parquet(path)

rows = spark.read.parquet(path).count()
if rows != 80_200:
    raise SystemExit(f"{path} has {rows} rows")
