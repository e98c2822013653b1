# SPDX-License-Identifier: Apache-2.0
# Typed into pyspark by released.py, line by line.
import os
base = os.environ["RELEASED_URI"]
def sums(): return tuple(spark.read.parquet(base + "numbers").selectExpr("count(*)", "sum(id)").first())

spark.range(1000).write.parquet(base + "numbers")
first = sums()
spark.range(2000).write.mode("overwrite").parquet(base + "numbers")
second = sums()
protocol = spark.conf.get("spark.sql.sources.commitProtocolClass")
loader = spark._jvm.java.lang.Thread.currentThread().getContextClassLoader()
def jar(name): return loader.loadClass(name).getProtectionDomain().getCodeSource().getLocation().toString().split("/")[-1]

jars = jar("io.radosfs.RadosPlugin"), jar("io.radosfs.connector.RadosFileSystem"), jar("com.sun.jna.Native")
print(first, second, protocol, jars)
right = first == (1000, 499500) and second == (2000, 1999000) and protocol == "io.radosfs.committer.spark.RadosCommitProtocol"
right = right and jars[0] == jars[1] and jars[0].startswith("io.radosfs_radosfs-spark-") and jars[2].startswith("net.java.dev.jna_jna-")
print("released:", "done" if right else "wrong")
