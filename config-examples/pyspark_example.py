"""Writes a table to rados:// and reads it back.

    python3 pyspark_example.py rados://radosfs/example
"""

import sys

from pyspark.sql import SparkSession

spark = (
    SparkSession.builder.appName("radosfs example")
    .config("spark.jars", "/opt/radosfs/radosfs-spark.jar")
    .config("spark.plugins", "io.radosfs.RadosPlugin")
    .config("spark.hadoop.fs.rados.ceph.user", "client.spark")
    .getOrCreate()
)

numbers = spark.range(1_000_000).selectExpr("id", "id % 10 AS digit")
numbers.write.mode("overwrite").partitionBy("digit").parquet(sys.argv[1])

for row in spark.read.parquet(sys.argv[1]).groupBy("digit").count().orderBy("digit").collect():
    print(row["digit"], row["count"])
