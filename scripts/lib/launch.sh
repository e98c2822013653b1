# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Builds radosfs when its sources are newer than the build, and runs a main class of integration-tests with
# Spark; sourced after packages.sh, never run.

LAUNCH_ROOT=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
LAUNCH_TARGET="$LAUNCH_ROOT/integration-tests/target"
LAUNCH_MORE="" # of the class path; set by launch_more

launch_is_built() {
  # Maven leaves files alone that would not change, so their times say nothing.
  local stamp="$LAUNCH_TARGET/launch.built"
  [ -f "$stamp" ] || return 1
  [ -z "$(find "$LAUNCH_ROOT" -name target -prune -o \
    \( -name pom.xml -o -path '*/src/main/*' -type f \) -newer "$stamp" -print -quit)" ]
}

launch_build() {
  launch_is_built && return 0
  local started="$EPOCHSECONDS"
  say "Building radosfs (log: $LAUNCH_ROOT/target/build.log) ..."
  mkdir -p "$LAUNCH_ROOT/target"
  if ! (cd "$LAUNCH_ROOT" && mvn -B -DskipTests -Dspotless.check.skip=true package -pl integration-tests -am) >"$LAUNCH_ROOT/target/build.log" 2>&1 </dev/null; then
    grep -m 20 ERROR "$LAUNCH_ROOT/target/build.log" >&2 || tail -n 20 "$LAUNCH_ROOT/target/build.log" >&2
    die "the build failed (see above, and $LAUNCH_ROOT/target/build.log)"
  fi
  # As old as the sources that were built: what is edited meanwhile is newer.
  touch -d "@$started" "$LAUNCH_TARGET/launch.built"
}

# launch_more [s3a]: the class path of what radosfs is compared with, which is not built with it; fetched once. It has
# Hadoop's committers for Spark, and S3A if asked for.
launch_more() {
  local pom="$LAUNCH_ROOT/integration-tests/peers/pom.xml" file="$LAUNCH_TARGET/peers${1:+-$1}.classpath"
  if ! [ "$file" -nt "$pom" ] || ! [ "$file" -nt "$LAUNCH_ROOT/pom.xml" ]; then
    say "Fetching what radosfs is compared with (log: $LAUNCH_ROOT/target/peers.log) ..."
    if ! mvn -B -ntp ${1:+-P"$1"} -f "$pom" dependency:build-classpath -Dmdep.outputFile="$file" >"$LAUNCH_ROOT/target/peers.log" 2>&1 </dev/null; then
      tail -n 20 "$LAUNCH_ROOT/target/peers.log" >&2
      die "it could not be fetched (see above)"
    fi
    touch "$file"
  fi
  LAUNCH_MORE=":$(cat "$file")"
}

# launch_java MAIN ARGUMENT...: runs a main class of integration-tests.
launch_java() {
  local jar main="$1" memory
  shift
  jar=$(find "$LAUNCH_TARGET" -maxdepth 1 -name 'radosfs-integration-tests-*.jar' ! -name '*-tests.jar' | head -n 1)
  # Half of the machine, between 1 and 4 GiB: Spark's tasks and the driver share this one process.
  memory=$(($(awk '/^MemTotal:/ { print $2 }' /proc/meminfo) / 2048))
  memory=$((memory < 1024 ? 1024 : memory > 4096 ? 4096 : memory))
  # On loopback, as the session's settings say: Spark need not warn of what the machine's name resolves to.
  # shellcheck disable=SC2086 # RADOSFS_JAVA_OPTS holds several words
  SPARK_LOCAL_IP=127.0.0.1 "$JAVA_HOME/bin/java" @"$LAUNCH_TARGET/launch.args" -Xmx${memory}m ${RADOSFS_JAVA_OPTS:-} \
    -cp "$jar:$(cat "$LAUNCH_TARGET/launch.classpath")$LAUNCH_MORE" "$main" "$@"
}
