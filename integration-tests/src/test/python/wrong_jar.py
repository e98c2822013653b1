# SPDX-License-Identifier: Apache-2.0
"""A session as README has it in a program that python runs, where the path of the jar is wrong. Run by suite.py."""

import sys

from pyspark.sql import SparkSession

if __name__ == "__main__":
    SparkSession.builder.config("spark.jars", sys.argv[1]).config("spark.plugins", "io.radosfs.RadosPlugin").getOrCreate()
    print("a session without radosfs")
