# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# config-examples/grafana-dashboard.json, asked of a real Prometheus; sourced by scripts/test, never run. Needs packages.sh,
# launch.sh and matrix.sh, and the top of the repository in $top.

dashboard_spark=4.2.0
dashboard_seconds=300 # most for the application; it takes a fifth of that on an idle machine

dashboard_test() {
  local status=0
  need_jdk_and_maven
  need_commands python3=python3
  need_ceph
  launch_build
  dashboard_work=$(mktemp -d)
  trap dashboard_down EXIT
  dashboard_steps || status=$?
  trap - EXIT
  dashboard_down || status=1
  if [ "$status" -eq 0 ]; then
    rm -rf "$dashboard_work"
  else
    say "FAILED: config-examples/grafana-dashboard.json (logs: $dashboard_work)"
  fi
  return "$status"
}

# Also where this is interrupted: the logs stay then.
dashboard_down() {
  quietly "$top/scripts/ceph-dev" down --purge --dir "$dashboard_work/ceph"
}

# Also with set -e off: the first step that fails ends it.
dashboard_steps() {
  need_matrix_python &&
    matrix_need_spark "$dashboard_spark" &&
    dashboard_need_prometheus &&
    quietly "$top/scripts/ceph-dev" up --dir "$dashboard_work/ceph" &&
    dashboard_look
}

# Unpacked, not installed: the package would start a server that listens to everybody.
dashboard_need_prometheus() {
  dashboard_prometheus=$(command -v prometheus) && return 0
  local folder="$HOME/.radosfs/prometheus"
  dashboard_prometheus="$folder/usr/bin/prometheus"
  [ -x "$dashboard_prometheus" ] && return 0
  say "Fetching Prometheus into $folder ..."
  mkdir "$dashboard_work/package" || return 1
  (
    cd "$dashboard_work/package" || exit 1
    quietly apt-get download prometheus || { apt_get update && quietly apt-get download prometheus; }
  ) && quietly dpkg-deb -x "$dashboard_work"/package/*.deb "$dashboard_work/prometheus" &&
    mkdir -p "$folder" && cp -a "$dashboard_work/prometheus/." "$folder/"
}

# A driver, two executors as processes, and a Prometheus that asks the driver, with the settings of the page on metrics.
dashboard_look() {
  # Spark puts the executors' folders into its home.
  # shellcheck disable=SC2154 # set by matrix.sh
  mkdir "$dashboard_work/spark" && ln -s "$matrix_spark_home/$dashboard_spark/pyspark"/* "$dashboard_work/spark/" || return 1
  SPARK_HOME="$dashboard_work/spark" SPARK_LOCAL_IP=127.0.0.1 PYSPARK_PYTHON="$matrix_python" PYTHONDONTWRITEBYTECODE=1 \
    timeout --foreground --kill-after=30 "$dashboard_seconds" "$dashboard_work/spark/bin/spark-submit" \
    --master 'local-cluster[2,1,1024]' --driver-memory 512m --conf spark.executor.memory=512m \
    --jars "$(matrix_jar)" --driver-class-path "$(matrix_jar)" \
    --conf spark.hadoop.fs.rados.ceph.conf="$dashboard_work/ceph/ceph.conf" --conf spark.hadoop.fs.rados.ceph.user=client.spark \
    --conf spark.hadoop.fs.rados.plugin.metrics.interval=1s \
    "$top/integration-tests/src/test/python/dashboard.py" --uri rados://radosfs/dashboard --prometheus "$dashboard_prometheus" \
    --page "$top/committer/docs/metrics.md" --dashboard "$top/config-examples/grafana-dashboard.json" --work "$dashboard_work" \
    </dev/null >&2 2>"$dashboard_work/spark.log" || {
    tail -n 20 "$dashboard_work/spark.log" >&2
    return 1
  }
}
