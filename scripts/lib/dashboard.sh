# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# config-examples/grafana-dashboard.json, asked of a real Prometheus; sourced by scripts/test, never run. Needs packages.sh,
# own-folder.sh, launch.sh and matrix.sh, and the top of the repository in $top.

dashboard_spark=4.2.0
dashboard_seconds=300 # most for the application; it takes a fifth of that on an idle machine

dashboard_test() {
  need_jar_ceph_and_spark "$dashboard_spark"
  in_own_folder config-examples/grafana-dashboard.json dashboard_steps own_ceph_down
}

# Also with set -e off: the first step that fails ends it.
dashboard_steps() {
  dashboard_need_prometheus &&
    own_ceph_up &&
    dashboard_look
}

# Unpacked, not installed: the package would start a server that listens to everybody.
dashboard_need_prometheus() {
  dashboard_prometheus=$(command -v prometheus) && return 0
  local folder="$HOME/.radosfs/prometheus"
  dashboard_prometheus="$folder/usr/bin/prometheus"
  [ -x "$dashboard_prometheus" ] && return 0
  say "Fetching Prometheus into $folder ..."
  mkdir "$own_folder/package" || return 1
  (
    cd "$own_folder/package" || exit 1
    quietly apt-get download prometheus || { apt_update && quietly apt-get download prometheus; }
  ) && mkdir -p "$HOME/.radosfs" && rm -rf "$folder.new" "$folder" &&
    quietly dpkg-deb -x "$own_folder"/package/*.deb "$folder.new" && mv -T "$folder.new" "$folder" # whole, or not there
}

# A driver, two executors as processes, and a Prometheus that asks the driver, with the settings of the page on metrics.
dashboard_look() {
  # Spark puts the executors' folders into its home.
  # shellcheck disable=SC2154 # set by matrix.sh
  mkdir "$own_folder/spark" && ln -s "$matrix_spark_home/$dashboard_spark/pyspark"/* "$own_folder/spark/" || return 1
  SPARK_HOME="$own_folder/spark" SPARK_LOCAL_IP=127.0.0.1 PYSPARK_PYTHON="$matrix_python" PYTHONDONTWRITEBYTECODE=1 \
    timeout --foreground --kill-after=30 "$dashboard_seconds" "$own_folder/spark/bin/spark-submit" \
    --master 'local-cluster[2,1,1024]' --driver-memory 512m --conf spark.executor.memory=512m \
    --jars "$(matrix_jar)" --driver-class-path "$(matrix_jar)" \
    --conf spark.hadoop.fs.rados.ceph.conf="$own_folder/ceph/ceph.conf" --conf spark.hadoop.fs.rados.ceph.user=client.spark \
    --conf spark.hadoop.fs.rados.plugin.metrics.interval=1s \
    "$top/integration-tests/src/test/python/dashboard.py" --uri rados://radosfs/dashboard --prometheus "$dashboard_prometheus" \
    --page "$top/committer/docs/metrics.md" --dashboard "$top/config-examples/grafana-dashboard.json" --work "$own_folder" \
    </dev/null >&2 2>"$own_folder/spark.log" || {
    tail -n 20 "$own_folder/spark.log" >&2
    return 1
  }
}
