#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs an application that reads and writes rados://, where spark-defaults.conf says nothing of it:
#   spark-submit.sh --class com.example.App app.jar rados://radosfs/data
exec spark-submit \
  --jars /opt/radosfs/radosfs-spark.jar \
  --conf spark.plugins=io.radosfs.RadosPlugin \
  --conf spark.hadoop.fs.rados.ceph.user=client.spark \
  "$@"
