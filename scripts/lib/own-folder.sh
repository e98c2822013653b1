# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A test of scripts/test in a folder of its own, with a cluster in it; sourced, never run. Needs packages.sh, launch.sh and
# matrix.sh, and the top of the repository in $top.

own_folder="" # while a test runs in it

# need_jar_ceph_and_spark SPARK: what a test with that one of PyPI's distributions of Spark needs.
need_jar_ceph_and_spark() {
  need_jdk_and_maven
  need_ceph
  launch_build
  need_matrix_python
  matrix_need_spark "$1"
}

# shellcheck disable=SC2154 # set by the script that sources this
own_ceph_up() { quietly "$top/scripts/ceph-dev" up --dir "$own_folder/ceph" --for "$$"; }

own_ceph_down() { quietly "$top/scripts/ceph-dev" down --purge --dir "$own_folder/ceph"; }

# in_own_folder WHAT STEPS DOWN: runs the function STEPS, and then DOWN, also where this is interrupted; the first step that
# fails ends STEPS. The folder is removed if all went well, and stays for its logs otherwise.
in_own_folder() {
  local what="$1" steps="$2" down="$3" status=0
  own_folder=$(mktemp -d)
  # shellcheck disable=SC2064 # the function is known now
  trap "$down" EXIT
  "$steps" || status=$?
  trap - EXIT
  "$down" || status=1
  if [ "$status" -eq 0 ]; then
    rm -rf "$own_folder"
  else
    say "FAILED: $what (logs: $own_folder)"
  fi
  return "$status"
}
