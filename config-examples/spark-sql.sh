#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A SQL prompt with rados://, where spark-defaults.conf says nothing of it: spark-sql.sh [-f spark-sql.sql]
exec spark-sql \
  --jars /opt/radosfs/radosfs-spark.jar \
  --conf spark.plugins=io.radosfs.RadosPlugin \
  --conf spark.hadoop.fs.rados.ceph.user=client.spark \
  "$@"
