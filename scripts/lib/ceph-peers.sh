# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The other ways to use a Ceph cluster, for scripts/bench peers: an S3 gateway (radosgw), and CephFS (an MDS, and
# ceph-fuse). As plain processes beside a cluster of scripts/ceph-dev, on loopback, with a folder of their own.
# Sourced after packages.sh, ceph-release.sh and ceph-cluster.sh, never run.
#
#   cluster_use DIR; trap peers_down EXIT; peers_up
#
# The folder, PEERS_DIR, which peers_down removes:
#   peers.properties             what the benchmark and the test of migration must know of them: the bucket, S3A's
#                                settings, where CephFS is mounted, process ids
#   pids/                        one process id a file; each names this folder on its command line
#   keyring log/ run/ mds/       the daemons' own
#   cephfs/                      where CephFS is mounted, if it can be

PEERS_DIR=""
PEERS_FS="radosfs-bench"
PEERS_BUCKET="bench"
PEERS_MDS="mds.radosfs-bench"
PEERS_RGW="client.rgw.radosfs-bench"
PEERS_USER="radosfs-bench"

# Daemons and clients that only the comparison needs.
need_ceph_peers() {
  need_commands radosgw=radosgw radosgw-admin=radosgw ceph-mds=ceph-mds ceph-fuse=ceph-fuse curl=curl umount=mount
}

peers_up() {
  local pools systems
  [ "$(cluster_release)" = "$(release_of_host)" ] ||
    die "the peers run on this machine's release of Ceph, $(release_of_host), and the cluster is of $(cluster_release). Give another with --ceph-conf."
  need_release "$(cluster_release)"
  peers_remove_left
  # What is removed at the end must not be somebody else's.
  pools=$(ceph_admin osd pool ls) || die "the cluster in $CLUSTER_DIR does not say which pools it has: scripts/ceph-dev status --dir $CLUSTER_DIR"
  [[ "$pools" != *.rgw.* ]] ||
    die "the cluster in $CLUSTER_DIR has pools of an S3 gateway already. Take one without: scripts/ceph-dev up --dir DIR, and --ceph-conf DIR/ceph.conf"
  systems=$(ceph_admin fs ls --format plain) || die "the cluster in $CLUSTER_DIR does not say which CephFS it has"
  [[ $'\n'"$systems" != *$'\n'name:* ]] ||
    die "the cluster in $CLUSTER_DIR has a CephFS already. Take one without: scripts/ceph-dev up --dir DIR, and --ceph-conf DIR/ceph.conf"
  PEERS_DIR=$(mktemp -d "${TMPDIR:-/tmp}/radosfs-peers.XXXXXX")
  printf '%s\n' "$PEERS_DIR" >"$CLUSTER_DIR/.peers"
  mkdir -p "$PEERS_DIR"/{pids,log,run,mds,cephfs}
  start_gateway
  start_cephfs
}

# The file .peers of a cluster names the folder of its peers. Whoever has them holds its lock, and no daemon does: so a
# folder that is named while the lock is free is of a run that was killed.
peers_remove_left() {
  exec 7<>"$CLUSTER_DIR/.peers"
  flock -n 7 ||
    die "another run has an S3 gateway and CephFS on the cluster in $CLUSTER_DIR. Wait for it, or end it."
  PEERS_DIR=$(cat "$CLUSTER_DIR/.peers")
  [ -n "$PEERS_DIR" ] || return 0
  say "Removing the S3 gateway and CephFS that an earlier run left ..."
  peers_down
}

peers_property() { printf '%s=%s\n' "$1" "$2" >>"$PEERS_DIR/peers.properties"; }

# peers_spawn NAME COMMAND...: each has an argument that begins with PEERS_DIR, by which it is known again.
peers_spawn() {
  local name="$1"
  shift
  (cd / && exec setsid "$@" 7>&-) >"$PEERS_DIR/log/$name.out" 2>&1 </dev/null &
  # Else the shell would tell of one that had to be killed.
  disown "$!"
  printf '%s\n' "$!" >"$PEERS_DIR/pids/$name"
  peers_property "pid.$name" "$!"
}

# Prints the process id of a peer that is alive, or nothing.
peers_pid() {
  local pid
  pid=$(cat "$PEERS_DIR/pids/$1" 2>/dev/null) || return 0
  # For a moment it is still this script; then it is a zombie, or it has the folder on its command line.
  if kill -0 "$pid" 2>/dev/null && [[ "$(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline")" == *"$PEERS_DIR"* ]]; then
    printf '%s\n' "$pid"
  fi
}

# peers_wait NAME COMMAND...: until the command succeeds, while the peer lives and no longer than a minute.
peers_wait() {
  local name="$1" waited
  shift
  for ((waited = 0; waited < 120; waited++)); do
    sleep 0.5
    "$@" >/dev/null 2>&1 && return 0
    [ -n "$(peers_pid "$name")" ] || break
  done
  tail -n 15 "$PEERS_DIR/log/$name".* >&2
  return 1
}

start_gateway() {
  local port access secret
  ceph_admin auth get-or-create "$PEERS_RGW" mon 'allow rw' osd 'allow rwx' mgr 'allow rw' -o "$PEERS_DIR/rgw.keyring"
  port=$(free_port)
  peers_spawn radosgw radosgw --conf "$CLUSTER_CONF" -n "$PEERS_RGW" -f --keyring "$PEERS_DIR/rgw.keyring" \
    --rgw-frontends "beast endpoint=127.0.0.1:$port" --log-file "$PEERS_DIR/log/radosgw.log" \
    --admin-socket "$PEERS_DIR/run/rgw.asok" --rgw-data "$PEERS_DIR/run" --rgw-rados-pool-pg-num-min 8
  peers_wait radosgw curl -s -m 5 "http://127.0.0.1:$port/" || die "radosgw did not start (see above)"
  access=$(od -An -N10 -tx1 /dev/urandom | tr -d ' \n')
  secret=$(od -An -N20 -tx1 /dev/urandom | tr -d ' \n')
  quietly timeout 60 radosgw-admin --conf "$CLUSTER_CONF" user create --uid "$PEERS_USER" --display-name "$PEERS_USER" \
    --access-key "$access" --secret-key "$secret" || die "no user could be made for S3 (see above)"
  # The hash is that of no bytes: the gateway wants it, and curl does not add it.
  quietly curl -sS -f -m 30 --aws-sigv4 aws:amz:us-east-1:s3 --user "$access:$secret" -X PUT \
    -H "x-amz-content-sha256: $(sha256sum </dev/null | cut -d ' ' -f 1)" \
    "http://127.0.0.1:$port/$PEERS_BUCKET" || die "no bucket could be made (see above)"
  peers_property bucket "$PEERS_BUCKET"
  peers_property fs.s3a.endpoint "http://127.0.0.1:$port"
  peers_property fs.s3a.endpoint.region us-east-1
  peers_property fs.s3a.connection.ssl.enabled false
  peers_property fs.s3a.path.style.access true
  # By the others, radosgw 16 refuses objects of 0 bytes over http: XAmzContentSHA256Mismatch.
  peers_property fs.s3a.s3.signing-algorithm AWS4UnsignedPayloadSignerType
  peers_property fs.s3a.access.key "$access"
  peers_property fs.s3a.secret.key "$secret"
}

cephfs_is_active() { [[ "$(ceph_admin mds stat)" == *up:active* ]]; }

cephfs_is_mounted() { grep -q " $PEERS_DIR/cephfs fuse" /proc/self/mounts; }

start_cephfs() {
  if ! [ -w /dev/fuse ]; then
    say "CephFS cannot be mounted: this user may not use /dev/fuse. It is left out."
    return 0
  fi
  ceph_admin osd pool create "$PEERS_FS.meta" 8 >/dev/null 2>&1
  ceph_admin osd pool create "$PEERS_FS.data" 16 >/dev/null 2>&1
  ceph_admin fs new "$PEERS_FS" "$PEERS_FS.meta" "$PEERS_FS.data" >/dev/null 2>&1 || die "no CephFS could be made"
  ceph_admin auth get-or-create "$PEERS_MDS" mon 'profile mds' mgr 'profile mds' mds 'allow *' osd 'allow rwx' \
    -o "$PEERS_DIR/mds/keyring"
  peers_spawn mds ceph-mds --conf "$CLUSTER_CONF" --id "${PEERS_MDS#mds.}" -f --keyring "$PEERS_DIR/mds/keyring" \
    --mds-data "$PEERS_DIR/mds" --log-file "$PEERS_DIR/log/mds.log" --admin-socket "$PEERS_DIR/run/mds.asok"
  peers_wait mds cephfs_is_active || die "the MDS did not start (see above)"
  peers_spawn ceph-fuse ceph-fuse --conf "$CLUSTER_CONF" --id admin -f --client_fs "$PEERS_FS" \
    --log-file "$PEERS_DIR/log/ceph-fuse.log" "$PEERS_DIR/cephfs"
  if peers_wait ceph-fuse cephfs_is_mounted; then
    peers_property cephfs.dir "$PEERS_DIR/cephfs"
  else
    say "CephFS cannot be mounted (see above). It is left out."
  fi
}

# Ends a peer: politely, then (after 5 s) not: what it has is removed anyway.
peers_stop() {
  local pid waited
  pid=$(peers_pid "$1")
  [ -n "$pid" ] || return 0
  kill "$pid" 2>/dev/null || true
  for ((waited = 0; waited < 50; waited++)); do
    [ -n "$(peers_pid "$1")" ] || return 0
    sleep 0.1
  done
  kill -9 "$pid" 2>/dev/null || true
}

# Stops what peers_up started, and removes what they have in the cluster. To be called once, however the run ends.
peers_down() {
  local pool
  [ -n "$PEERS_DIR" ] || return 0
  ! cephfs_is_mounted || umount "$PEERS_DIR/cephfs" || umount -l "$PEERS_DIR/cephfs" || true
  peers_stop ceph-fuse
  peers_stop mds
  peers_stop radosgw
  if [ -n "$(daemon_pid mon.a)" ]; then
    ceph_admin fs fail "$PEERS_FS" >/dev/null 2>&1 || true
    ceph_admin fs rm "$PEERS_FS" --yes-i-really-mean-it >/dev/null 2>&1 || true
    # peers_up saw to it that none of them was there before.
    for pool in $(ceph_admin osd pool ls | grep -e '\.rgw\.' -e "^$PEERS_FS\\."); do
      ceph_admin osd pool rm "$pool" "$pool" --yes-i-really-really-mean-it >/dev/null 2>&1 || say "pool $pool could not be removed"
    done
    ceph_admin auth rm "$PEERS_RGW" >/dev/null 2>&1 || true
    ceph_admin auth rm "$PEERS_MDS" >/dev/null 2>&1 || true
  fi
  if cephfs_is_mounted; then
    say "CephFS is still mounted on $PEERS_DIR/cephfs: the folder is left."
  else
    rm -rf --one-file-system "$PEERS_DIR"
    : >"$CLUSTER_DIR/.peers"
  fi
  PEERS_DIR=""
}
