# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The example of config-examples/yarn on a YARN and a Ceph that run for it; sourced by scripts/test, never run. Needs
# packages.sh, launch.sh and matrix.sh, and the top of the repository in $top.

yarn_spark=4.2.0
yarn_seconds=600 # most for the application; it takes a tenth of that on an idle machine

yarn_test() {
  local status=0
  need_jdk_and_maven
  need_commands python3=python3
  need_ceph
  launch_build
  yarn_work=$(mktemp -d)
  trap yarn_down EXIT
  yarn_steps || status=$?
  trap - EXIT
  yarn_down || status=1
  if [ "$status" -eq 0 ]; then
    rm -rf "$yarn_work"
  else
    say "FAILED: the example of config-examples/yarn (logs: $yarn_work)"
  fi
  return "$status"
}

# Also where this is interrupted: the logs stay then.
yarn_down() {
  yarn_stop
  quietly "$top/scripts/ceph-dev" down --purge --dir "$yarn_work/ceph"
}

# Also with set -e off: the first step that fails ends it.
yarn_steps() {
  need_matrix_python &&
    matrix_need_spark "$yarn_spark" &&
    yarn_compile &&
    quietly "$top/scripts/ceph-dev" up --dir "$yarn_work/ceph" &&
    yarn_start &&
    yarn_use &&
    yarn_check
}

yarn_compile() {
  local pom="$top/integration-tests/yarn/pom.xml" target="$top/integration-tests/yarn/target"
  say "Compiling a small YARN (log: $yarn_work/compile.log) ..."
  mvn -B -ntp -q -f "$pom" compile dependency:build-classpath -Dmdep.outputFile="$target/classpath" >"$yarn_work/compile.log" 2>&1 </dev/null || {
    tail -n 20 "$yarn_work/compile.log" >&2
    return 1
  }
  yarn_classpath="$target/classes:$(cat "$target/classpath")"
}

# On loopback: YARN's servers listen at the address of the machine's name.
yarn_start() {
  local i
  mkdir "$yarn_work/conf" && printf '127.0.0.1 localhost %s\n' "$(hostname)" >"$yarn_work/hosts" || return 1
  mkfifo "$yarn_work/stdin"
  (
    cd "$yarn_work" && exec "$JAVA_HOME/bin/java" -Xmx768m -XX:+UseSerialGC --add-opens=java.base/java.lang=ALL-UNNAMED \
      -Djdk.net.hosts.file="$yarn_work/hosts" -cp "$yarn_classpath" io.radosfs.yarn.SmallYarn "$yarn_work/conf"
  ) <"$yarn_work/stdin" >"$yarn_work/yarn.out" 2>"$yarn_work/yarn.log" &
  yarn_pid=$!
  exec 7>"$yarn_work/stdin"
  for ((i = 0; i < 120; i++)); do
    if grep -q '^ready' "$yarn_work/yarn.out"; then
      say "YARN runs."
      return 0
    fi
    kill -0 "$yarn_pid" 2>/dev/null || break
    sleep 1
  done
  tail -n 20 "$yarn_work/yarn.log" >&2
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
  local here="$yarn_work/spark-submit.sh" began="$SECONDS"
  sed "s|/opt/radosfs/radosfs-spark.jar|$(matrix_jar)|; s|/etc/ceph/|$yarn_work/ceph/|" "$top/config-examples/yarn/spark-submit.sh" >"$here" || return 1
  # shellcheck disable=SC2154 # set by matrix.sh
  PATH="$matrix_spark_home/$yarn_spark/pyspark/bin:$PATH" SPARK_HOME="$matrix_spark_home/$yarn_spark/pyspark" \
    HADOOP_CONF_DIR="$yarn_work/conf" SPARK_LOCAL_IP=127.0.0.1 PYSPARK_PYTHON="$matrix_python" \
    timeout --foreground --kill-after=30 "$yarn_seconds" bash "$here" \
    --conf spark.yarn.stagingDir="file://$yarn_work/staging" \
    --conf spark.hadoop.fs.rados.ceph.conf="$yarn_work/ceph/ceph.conf" \
    --conf spark.yarn.appMasterEnv.SPARK_LOCAL_IP=127.0.0.1 --conf spark.executorEnv.SPARK_LOCAL_IP=127.0.0.1 \
    --conf spark.yarn.appMasterEnv.PYSPARK_PYTHON="$matrix_python" \
    --conf spark.executor.instances=2 --conf spark.driver.memory=512m --conf spark.executor.memory=512m \
    "$top/integration-tests/src/test/python/on_yarn.py" rados://radosfs/on-yarn >"$yarn_work/submit.out" 2>"$yarn_work/submit.log" </dev/null || {
    tail -n 30 "$yarn_work/submit.log" >&2
    find "$yarn_work/target" -name stderr -exec tail -n 30 {} + >&2
    return 1
  }
  say "The application took $((SECONDS - began)) s."
}

yarn_cli() {
  "$top/scripts/radosfs" "$@" -Dfs.rados.ceph.conf="$yarn_work/ceph/ceph.conf" -Dfs.rados.ceph.user=client.admin
}

# Two executors were at work; the committer of radosfs has committed both jobs; the key is in no log.
yarn_check() {
  local executors key
  executors=$(find "$yarn_work/target" -name stderr -exec cat {} + | grep -c 'Starting executor ID') || true
  [ "$executors" -eq 2 ] || {
    say "There were $executors executors, not 2."
    return 1
  }
  yarn_cli cat rados://radosfs/on-yarn/_SUCCESS | grep -q '"committer" *: *"radosfs' || {
    say "The committer of radosfs has not written the report:"
    yarn_cli cat rados://radosfs/on-yarn/_SUCCESS >&2
    return 1
  }
  yarn_cli fsck rados://radosfs/ >"$yarn_work/fsck.log" || {
    cat "$yarn_work/fsck.log" >&2
    return 1
  }
  key=$(sed -n 's/^[[:space:]]*key = //p' "$yarn_work/ceph/ceph.client.spark.keyring")
  if [ -z "$key" ] || grep -rlF --exclude='*.keyring' "$key" "$yarn_work/target" "$yarn_work/submit.log" >&2; then
    say "The key is in these files, or there is none."
    return 1
  fi
  say "Two executors on YARN have written a table to rados:// and read it, with the key of whoever submitted."
}
