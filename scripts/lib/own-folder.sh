# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A test of scripts/test in a folder of its own; sourced, never run. Needs packages.sh.

own_folder="" # while a test runs in it

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
