#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs an application on YARN. Each machine has librados2 and /etc/ceph/ceph.conf; the key is with whoever submits:
#   spark-submit.sh app.py
# Buffers of radosfs are outside of the heap: 256 MB, as fs.rados.buffer.limit says.
exec spark-submit \
  --master yarn \
  --deploy-mode cluster \
  --jars /opt/radosfs/radosfs-spark.jar \
  --files /etc/ceph/ceph.client.spark.keyring \
  --conf spark.hadoop.fs.rados.ceph.keyring=ceph.client.spark.keyring \
  --conf spark.plugins=io.radosfs.RadosPlugin \
  --conf spark.hadoop.fs.rados.ceph.user=client.spark \
  --conf spark.driver.memoryOverhead=768m \
  --conf spark.executor.memoryOverhead=1g \
  "$@"
