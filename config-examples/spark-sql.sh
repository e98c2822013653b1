#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A SQL prompt with rados://, where spark-defaults.conf says nothing of it: spark-sql.sh [-f spark-sql.sql]
exec spark-sql \
  --jars /opt/radosfs/radosfs-spark.jar \
  --conf spark.hadoop.fs.rados.impl=io.radosfs.connector.RadosFileSystem \
  --conf spark.sql.sources.commitProtocolClass=io.radosfs.committer.spark.RadosCommitProtocol \
  --conf spark.hadoop.fs.rados.ceph.user=client.spark \
  "$@"
