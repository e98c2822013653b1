#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `scripts/bench micro` and `scripts/bench compare`, which scripts/bench --help explains.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
# shellcheck source=scripts/lib/packages.sh
source "$root/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/launch.sh
source "$root/scripts/lib/launch.sh"
work="$root/target/micro"

# build DIR: compiles the microbenchmarks of a working tree.
build() {
  [ -f "$1/integration-tests/microbenchmarks/pom.xml" ] || die "the commit in $1 has no microbenchmarks"
  say "Building the microbenchmarks in $1 (log: $work/build.log) ..."
  (cd "$1" && mvn -B -DskipTests -Dspotless.check.skip=true package -am -pl integration-tests/microbenchmarks) \
    >"$work/build.log" 2>&1 </dev/null || {
    grep -m 20 ERROR "$work/build.log" >&2 || tail -n 20 "$work/build.log" >&2
    die "the build failed (see above, and $work/build.log)"
  }
}

# java_of DIR MAIN ARGUMENT...: runs a main class of that working tree's microbenchmarks.
java_of() {
  local target="$1/integration-tests/microbenchmarks/target" main="$2"
  shift 2
  "$JAVA_HOME/bin/java" -cp "$target/classes:$(cat "$target/micro.classpath")" "$main" "$@"
}

# measure DIR FILE: one run, with its results as JSON.
measure() {
  java_of "$1" org.openjdk.jmh.Main -foe true -f "$forks" -wi 3 -w "$seconds" -i 5 -r "$seconds" -rf json -rff "$2"
}

# worktree COMMIT: its files in a folder of their own, whose name it prints.
worktree() {
  local hash
  hash=$(git -C "$root" rev-parse --short=12 --verify --quiet "$1^{commit}") || die "there is no commit '$1'"
  # Those that `mvn clean` has removed are in git's list still.
  git -C "$root" worktree prune
  [ -d "$work/$hash" ] || git -C "$root" worktree add --quiet --detach "$work/$hash" "$hash" ||
    die "commit $hash could not be checked out in $work/$hash"
  printf '%s\n' "$work/$hash"
}

# write_report ARGUMENT...: writes the report of what JMH has written, if one is wanted.
write_report() {
  [ -z "$report" ] ||
    launch_java io.radosfs.bench.jmh.JmhReport --report "$report" --started "$started" --command "$typed" "$@"
}

typed="scripts/bench$(printf ' %q' "$@")"
what="$1" seconds=1 forks=1 rounds=5 report="" commits=()
shift
while [ "$#" -gt 0 ]; do
  case "$1" in
    --short) seconds=200ms rounds=3 ;;
    --report) report="${2:-}" && shift ;;
    --report=*) report="${1#*=}" ;;
    --rounds) rounds="${2:-}" && shift ;;
    --rounds=*) rounds="${1#*=}" ;;
    -*) die "unknown option $1: see scripts/bench --help" ;;
    *) commits+=("$1") ;;
  esac
  shift || die "an option's value is missing"
done

need_jdk_and_maven
mkdir -p "$work"
# Before anything is measured, as building takes all cores.
[ -z "$report" ] || launch_build
if [ "$what" = micro ]; then
  [ "${#commits[@]}" -eq 0 ] || die "micro takes no ${commits[0]}: see scripts/bench --help"
  build "$root"
  started="$EPOCHSECONDS"
  measure "$root" "$work/micro.json"
  write_report --results "$work/micro.json" \
    --commit "$(git -C "$root" describe --always --abbrev=12 --dirty --exclude '*' 2>/dev/null || echo unknown)"
  exit 0
fi

case "${#commits[@]}" in
  1 | 2) ;;
  *) die "compare takes one commit or two: see scripts/bench --help" ;;
esac
before=$(worktree "${commits[0]}")
after=$(worktree "${commits[1]:-HEAD}")
build "$before"
build "$after"
started="$EPOCHSECONDS"
results=()
for ((round = 1; round <= rounds; round++)); do
  for side in before after; do
    say "Turn $round of $rounds, ${!side##*/} ($side) ..."
    measure "${!side}" "$work/$side-$round.json" >"$work/jmh.log" || die "JMH failed (see $work/jmh.log)"
    results+=("--$side" "$work/$side-$round.json")
  done
  # After each turn, so that a run that breaks off leaves what it has measured.
  write_report "${results[@]}" --commit "${after##*/}" --commit-before "${before##*/}"
done
java_of "$after" io.radosfs.micro.Comparison "${results[@]}"
