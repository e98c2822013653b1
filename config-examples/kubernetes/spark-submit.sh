#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs an application on Kubernetes, without an operator. Its file is in the image:
#   spark-submit.sh k8s://https://kubernetes.example.com:6443 local:///opt/app/app.py
# Buffers of radosfs are outside of the heap: 256 MB, as fs.rados.buffer.limit says.
folder=$(dirname "$(readlink -f "$0")")
exec spark-submit \
  --master "$1" \
  --deploy-mode cluster \
  --name example \
  --conf spark.kubernetes.namespace=spark \
  --conf spark.kubernetes.authenticate.driver.serviceAccountName=spark \
  --conf spark.kubernetes.container.image=registry.example.com/spark-radosfs:4.1.3 \
  --conf spark.kubernetes.driver.podTemplateFile="$folder/pod-template.yaml" \
  --conf spark.kubernetes.executor.podTemplateFile="$folder/pod-template.yaml" \
  --conf spark.kubernetes.driver.secrets.rook-ceph-client-spark=/etc/ceph-key \
  --conf spark.kubernetes.executor.secrets.rook-ceph-client-spark=/etc/ceph-key \
  --conf spark.executor.instances=2 \
  --conf spark.executor.memory=4g \
  --conf spark.driver.memoryOverhead=768m \
  --conf spark.executor.memoryOverhead=1g \
  --conf spark.decommission.enabled=true \
  --conf spark.storage.decommission.enabled=true \
  --conf spark.storage.decommission.fallbackStorage.path=rados://lake/shuffle/ \
  --conf spark.jars=local:///opt/radosfs/radosfs-spark.jar \
  --conf spark.plugins=io.radosfs.RadosPlugin \
  --conf spark.hadoop.fs.rados.ceph.user=client.spark \
  "${@:2}"
