# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The README on a bare machine; sourced by scripts/test, never run. Needs packages.sh, ceph-release.sh, matrix.sh and
# release.sh, and the top of the repository in $top.
#
# The machine is a root folder that debootstrap has just made: a Debian without Java, Python, librados, home or sources. It
# shares the network with this one, on which a cluster of scripts/ceph-dev runs. integration-tests/src/test/python/bare.py
# is its user.

bare_suite=bookworm

bare_test() {
  local status=0
  # shellcheck disable=SC2154 # set by the script that sources this
  release_logs="$top/target/bare"
  need_jdk_and_maven
  need_commands git=git gpg=gpg unshare=util-linux python3=python3
  need_debootstrap
  need_ceph
  release_run bare_steps || status=$?
  [ "$status" -eq 0 ] || say "FAILED: the bare machine (logs: $release_logs)"
  return "$status"
}

# Also with set -e off: the first step that fails ends it.
bare_steps() {
  # shellcheck disable=SC2154 # release.sh sets it
  local machine="$release_work/machine"
  release_make_key &&
    release_build one &&
    bare_make_machine "$machine" &&
    bare_start_cluster "$machine" &&
    bare_use "$machine"
}

# bare_make_machine ROOT: with what it would get from elsewhere in /srv: from Maven Central, and the archive.
bare_make_machine() {
  local version shared
  version=$(release_version)
  say "Making a bare Debian $bare_suite in $1 (log: $release_logs/debootstrap.log) ..."
  as_root debootstrap --variant=minbase "$bare_suite" "$1" >"$release_logs/debootstrap.log" 2>&1 || {
    tail -n 20 "$release_logs/debootstrap.log" >&2
    return 1
  }
  # Whoever made the folder removes it, with these in it.
  as_root mkdir -p "$1/srv/central" "$1/etc/ceph" && as_root chown "$(id -u):$(id -g)" "$1/srv" "$1/srv/central" "$1/etc/ceph" || return 1
  cp -r "$release_work/one/target/staging/io" "$1/srv/central/" || return 1
  release_copy_jna "$1/srv/central" || return 1
  cp "$1/srv/central/io/radosfs/radosfs-distribution/$version/radosfs-distribution-$version.tar.gz" "$1/srv/radosfs-$version.tar.gz" || return 1
  # How this machine finds hosts, and reaches the packages of Debian and Python.
  for shared in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/apt/apt.conf.d /usr/local/share/ca-certificates; do
    [ ! -e "$shared" ] || as_root cp -rLT "$shared" "$1$shared" || return 1
  done
}

# bare_start_cluster ROOT: the machine gets a conf that names the monitors alone, and the pool is there. The user is not.
bare_start_cluster() {
  local cluster="$release_work/ceph"
  "$top/scripts/ceph-dev" up --dir "$cluster" --for "$$" >"$release_logs/ceph.log" 2>&1 || {
    tail -n 20 "$release_logs/ceph.log" >&2
    return 1
  }
  "$top/scripts/ceph-dev" exec --dir "$cluster" -- ceph config generate-minimal-conf >"$1/etc/ceph/ceph.conf" &&
    bare_ceph osd pool create mypool 8 &&
    bare_ceph osd pool application enable mypool radosfs &&
    bare_ceph auth del client.spark
}

bare_ceph() { quietly "$top/scripts/ceph-dev" exec --dir "$release_work/ceph" -- ceph "$@"; }

# bare_use ROOT: in mounts and processes of its own, which end with it.
bare_use() {
  # shellcheck disable=SC2016 # that shell expands it
  as_root unshare --mount --pid --fork --kill-child --propagation private bash -c '
    set -e
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    exec python3 -B "$2" --root "$1" --readme "$3" --ceph-dev "$4" --cluster "$5" --version "$6" --logs "$7"' \
    bash "$1" "$top/integration-tests/src/test/python/bare.py" "$top/README.md" "$top/scripts/ceph-dev" "$release_work/ceph" \
    "$(release_version)" "$release_logs" </dev/null
}
