# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The page on migration, from an S3 gateway and CephFS; sourced by scripts/test, never run. Needs packages.sh,
# ceph-release.sh, ceph-cluster.sh, ceph-peers.sh, the top of the repository in $top, and scripts/test's functions.

migration_test() {
  need_ceph
  need_ceph_peers
  # shellcheck disable=SC2154 # set by the script that sources this
  "$top/scripts/ceph-dev" up --osds 3 --dir "$it_cluster" >&2
  cluster_use "$it_cluster"
  trap peers_down EXIT
  say "Starting an S3 gateway and CephFS ..."
  peers_up
  integration_test PeersMigrationTest -Ps3a "-Dpeers.properties=$PEERS_DIR/peers.properties"
}
