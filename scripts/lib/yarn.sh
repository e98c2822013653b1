# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The example of config-examples/yarn on a YARN and a Ceph that run for it; sourced by scripts/test, never run. Needs
# packages.sh, own-folder.sh, launch.sh and matrix.sh, and the top of the repository in $top.

yarn_spark=4.2.0
yarn_seconds=600 # most for the application; it takes a tenth of that on an idle machine

yarn_test() {
  need_jar_ceph_and_spark "$yarn_spark"
  in_own_folder "the example of config-examples/yarn" yarn_steps yarn_down
}

yarn_down() {
  yarn_stop
  own_ceph_down
}

# Also with set -e off: the first step that fails ends it.
yarn_steps() {
  yarn_compile &&
    own_ceph_up &&
    yarn_start &&
    yarn_use &&
    yarn_check
}

yarn_compile() {
  local pom="$top/integration-tests/yarn/pom.xml" target="$top/integration-tests/yarn/target"
  say "Compiling a small YARN (log: $own_folder/compile.log) ..."
  mvn -B -ntp -q -f "$pom" compile dependency:build-classpath -Dmdep.outputFile="$target/classpath" >"$own_folder/compile.log" 2>&1 </dev/null || {
    tail -n 20 "$own_folder/compile.log" >&2
    return 1
  }
  yarn_classpath="$target/classes:$(cat "$target/classpath")"
}

# On loopback: YARN's servers listen at the address of the machine's name.
yarn_start() {
  local i
  mkdir "$own_folder/conf" && printf '127.0.0.1 localhost %s\n' "$(hostname)" >"$own_folder/hosts" || return 1
  mkfifo "$own_folder/stdin"
  (
    cd "$own_folder" && exec "$JAVA_HOME/bin/java" -Xmx768m -XX:+UseSerialGC --add-opens=java.base/java.lang=ALL-UNNAMED \
      -Djdk.net.hosts.file="$own_folder/hosts" -cp "$yarn_classpath" io.radosfs.yarn.SmallYarn "$own_folder/conf"
  ) <"$own_folder/stdin" >"$own_folder/yarn.out" 2>"$own_folder/yarn.log" &
  yarn_pid=$!
  exec 7>"$own_folder/stdin"
  for ((i = 0; i < 120; i++)); do
    if grep -q '^ready' "$own_folder/yarn.out"; then
      say "YARN runs."
      return 0
    fi
    kill -0 "$yarn_pid" 2>/dev/null || break
    sleep 1
  done
  tail -n 20 "$own_folder/yarn.log" >&2
  say "YARN did not start."
  return 1
}

# It ends with its input, and its containers with it.
yarn_stop() {
  local i
  [ -n "${yarn_pid:-}" ] || return 0
  exec 7>&-
  for ((i = 0; i < 60; i++)); do
    kill -0 "$yarn_pid" 2>/dev/null || break
    sleep 1
  done
  if kill "$yarn_pid" 2>/dev/null; then
    say "YARN did not end with its input."
  fi
  yarn_pid=""
}

# The example as it is, but for the two folders and what a small machine has room for.
yarn_use() {
  local here="$own_folder/spark-submit.sh" began="$SECONDS"
  sed "s|/opt/radosfs/radosfs-spark.jar|$(matrix_jar)|; s|/etc/ceph/|$own_folder/ceph/|" "$top/config-examples/yarn/spark-submit.sh" >"$here" || return 1
  # shellcheck disable=SC2154 # set by matrix.sh
  PATH="$matrix_spark_home/$yarn_spark/pyspark/bin:$PATH" SPARK_HOME="$matrix_spark_home/$yarn_spark/pyspark" \
    HADOOP_CONF_DIR="$own_folder/conf" SPARK_LOCAL_IP=127.0.0.1 PYSPARK_PYTHON="$matrix_python" \
    timeout --foreground --kill-after=30 "$yarn_seconds" bash "$here" \
    --conf spark.yarn.stagingDir="file://$own_folder/staging" \
    --conf spark.hadoop.fs.rados.ceph.conf="$own_folder/ceph/ceph.conf" \
    --conf spark.yarn.appMasterEnv.SPARK_LOCAL_IP=127.0.0.1 --conf spark.executorEnv.SPARK_LOCAL_IP=127.0.0.1 \
    --conf spark.yarn.appMasterEnv.PYSPARK_PYTHON="$matrix_python" \
    --conf spark.executor.instances=2 --conf spark.driver.memory=512m --conf spark.executor.memory=512m \
    "$top/integration-tests/src/test/python/on_yarn.py" rados://radosfs/on-yarn >"$own_folder/submit.out" 2>"$own_folder/submit.log" </dev/null || {
    tail -n 30 "$own_folder/submit.log" >&2
    find "$own_folder/target" -name stderr -exec tail -n 30 {} + >&2
    return 1
  }
  say "The application took $((SECONDS - began)) s."
}

yarn_cli() {
  "$top/scripts/radosfs" "$@" -Dfs.rados.ceph.conf="$own_folder/ceph/ceph.conf" -Dfs.rados.ceph.user=client.admin
}

# Two executors were at work; the committer of radosfs has committed both jobs; the key is in no log.
yarn_check() {
  local executors report key
  executors=$(find "$own_folder/target" -name stderr -exec cat {} + | grep -c 'Starting executor ID') || true
  [ "$executors" -eq 2 ] || {
    say "There were $executors executors, not 2."
    return 1
  }
  report=$(yarn_cli cat rados://radosfs/on-yarn/_SUCCESS) || return 1
  grep -q '"committer" *: *"radosfs' <<<"$report" || {
    say "The committer of radosfs has not written the report:" && printf '%s\n' "$report" >&2
    return 1
  }
  yarn_cli fsck rados://radosfs/ >"$own_folder/fsck.log" || {
    cat "$own_folder/fsck.log" >&2
    return 1
  }
  key=$(sed -n 's/^[[:space:]]*key = //p' "$own_folder/ceph/ceph.client.spark.keyring")
  if [ -z "$key" ] || grep -rlF --exclude='*.keyring' "$key" "$own_folder/target" "$own_folder/submit.log" >&2; then
    say "The key is in these files, or there is none."
    return 1
  fi
  say "Two executors on YARN have written a table to rados:// and read it, with the key of whoever submitted."
}
