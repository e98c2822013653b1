# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The image of config-examples/kubernetes; sourced by scripts/test, never run. Needs packages.sh, own-folder.sh,
# launch.sh and matrix.sh, and the top of the repository in $top.
#
# It is built on an image of Debian with a JRE, which stands in for Spark's own; Spark is PyPI's, mounted. Its process gets
# ceph.conf and key as a pod does: two mounted folders, with the ConfigMap's text and with nothing but the key.

image_spark=4.2.0
image_name=radosfs-test-spark

image_test() {
  need_jar_ceph_and_spark "$image_spark"
  # shellcheck disable=SC2154 # set by the script that sources this
  need_docker "$top/target"
  need_base_image bookworm
  in_own_folder "the image of config-examples/kubernetes" image_steps image_down
}

# Also where this is interrupted.
image_down() {
  local status=0
  own_ceph_down || status=1
  stop_own_dockerd
  return "$status"
}

# Also with set -e off: the first step that fails ends it.
image_steps() {
  image_build &&
    image_start_cluster &&
    image_use
}

image_build() {
  local docker="$top/integration-tests/src/test/docker/spark"
  say "Building the image ..."
  mkdir "$own_folder/context" &&
    cp "$top/config-examples/kubernetes/Dockerfile" "$own_folder/context/" &&
    cp "$(matrix_jar)" "$own_folder/context/radosfs-spark.jar" &&
    quietly docker build --network=host -t "$image_name-base" "$docker" &&
    quietly docker build --network=host -t "$image_name" --build-arg "BASE=$image_name-base" "$own_folder/context"
}

# The folders that a pod has mounted.
image_start_cluster() {
  local mon_host
  own_ceph_up || return 1
  mon_host=$(sed -n 's/^ *mon_host *= *//p' "$own_folder/ceph/ceph.conf")
  mkdir "$own_folder/conf" "$own_folder/key" "$own_folder/app" || return 1
  sed -n '/^  ceph.conf: |$/,/^---$/s/^    //p' "$top/config-examples/kubernetes/spark.yaml" |
    sed "s|^mon_host = .*|mon_host = $mon_host|" >"$own_folder/conf/ceph.conf" || return 1
  "$top/scripts/ceph-dev" exec --dir "$own_folder/ceph" -- ceph auth print-key client.spark >"$own_folder/key/spark" || return 1
  cp "$top/config-examples/pyspark_example.py" "$own_folder/app/app.py" || return 1
  chmod -R a+rX "$own_folder"
}

image_run() {
  # shellcheck disable=SC2154 # set by matrix.sh
  docker run --rm --network=host -e SPARK_LOCAL_IP=127.0.0.1 \
    -v "$own_folder/conf:/etc/ceph:ro" -v "$own_folder/key:/etc/ceph-key:ro" -v "$own_folder/app:/opt/app:ro" \
    -v "$matrix_spark_home/$image_spark/pyspark:/opt/spark:ro" "$image_name" "$@"
}

# A table is written and read by Spark's user, whose number is not 0.
image_use() {
  local user log="$own_folder/log" rows
  user=$(image_run id -u) || return 1
  [ "$user" = 185 ] || {
    say "The image runs as user $user, not as 185."
    return 1
  }
  image_run /opt/spark/bin/spark-submit --master 'local[2]' --conf spark.jars=local:///opt/radosfs/radosfs-spark.jar \
    --conf spark.plugins=io.radosfs.RadosPlugin --conf spark.hadoop.fs.rados.ceph.user=client.spark \
    /opt/app/app.py rados://radosfs/image >"$log" 2>"$log.err" || {
    tail -n 40 "$log.err" >&2
    return 1
  }
  rows=$(grep -cE '^[0-9] 100000$' "$log") || true
  [ "$rows" -eq 10 ] || {
    say "Of the ten groups of the table $rows were read:"
    cat "$log" >&2
    return 1
  }
  say "As user $user, without a home, the image has written a table to rados:// and read it."
}
