# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A real Ceph cluster (one monitor, one manager, N OSDs, cephx on) as plain processes in one folder, on
# loopback; sourced by scripts/ceph-dev, which the test container runs too. Needs lib/packages.sh for say and die, and
# lib/ceph-release.sh: RELEASE_IN goes before each of Ceph's commands.
#
# The folder:
#   .ceph-dev                    marks the folder as ours: only such a folder is ever emptied or removed
#   created                      exists once the cluster was made completely; holds the number of OSDs
#   release                      the Ceph release of the daemons
#   ceph.conf, ceph.client.*.keyring
#   mon/ mgr/ osd.0/ ...         the daemons' data        pids/   one process id a file
#   log/                         the daemons' logs        run/    their admin sockets
#
# A daemon is recognised by its command line, which names this folder's ceph.conf and the daemon's id: a
# process id alone may be another process's by now.

CLUSTER_DIR=""          # set by cluster_use
CLUSTER_CONF=""
CLUSTER_POOL="radosfs"
CLUSTER_USER="client.spark"
CLUSTER_WAIT="${RADOSFS_CEPH_WAIT:-60}" # seconds within which a cluster must become healthy

cluster_use() {
  CLUSTER_DIR="$1"
  CLUSTER_CONF="$CLUSTER_DIR/ceph.conf"
}

cluster_is_ours() { [ -f "$CLUSTER_DIR/.ceph-dev" ]; }
cluster_is_created() { [ -f "$CLUSTER_DIR/created" ]; }
cluster_osds() { cat "$CLUSTER_DIR/created"; }
cluster_release() { cat "$CLUSTER_DIR/release" 2>/dev/null || release_of_host; }

# One command at a time in a folder: two `up`s at once would both make a cluster. The daemons must not inherit
# the lock (spawn closes it), or it would be held for as long as they live. Fails if the folder was removed meanwhile.
cluster_lock() {
  if ! { exec 9>"$CLUSTER_DIR/.lock"; } 2>/dev/null; then
    [ ! -e "$CLUSTER_DIR" ] || die "cannot write to $CLUSTER_DIR: is that cluster another user's? Nothing was done."
    return 1
  fi
  flock -w 120 9 || die "another ceph-dev has been at work in $CLUSTER_DIR for two minutes. Wait for it, or end it."
  [ "$CLUSTER_DIR/.lock" -ef /proc/self/fd/9 ]
}

# --- commands on the cluster ---------------------------------------------------------------------------------

# In the foreground, so that Ctrl-C reaches the command, and with it this script.
ceph_admin() { timeout --foreground 30 "${RELEASE_IN[@]}" ceph --conf "$CLUSTER_CONF" --connect-timeout 10 "$@" 9>&-; }

# --- processes -------------------------------------------------------------------------------------------------

# daemon names: mon.a, mgr.x, osd.0, osd.1 ...
daemon_names() {
  local i
  printf 'mon.a\nmgr.x\n'
  for ((i = 0; i < $1; i++)); do printf 'osd.%d\n' "$i"; done
}

# The arguments that start a daemon and that recognise it.
daemon_command() { printf 'ceph-%s\n--conf\n%s\n--id\n%s\n' "${1%%.*}" "$CLUSTER_CONF" "${1#*.}"; }

# Prints the process id of a live daemon, or nothing. A zombie has no command line, so it counts as dead.
daemon_pid() {
  local pid
  pid=$(cat "$CLUSTER_DIR/pids/$1" 2>/dev/null) || return 0
  [ -n "$pid" ] && [ -r "/proc/$pid/cmdline" ] || return 0
  local actual expected
  actual=$(tr '\0' '\n' <"/proc/$pid/cmdline" 2>/dev/null) || return 0
  expected=$(daemon_command "$1")
  # A command's own path may be written before its name. What is about to become it, setsid and the release's root, has
  # it among its arguments.
  [[ $'\n'"$actual"$'\n' != *[$'\n'/]"$expected"$'\n'* ]] || printf '%s\n' "$pid"
}

spawn() {
  local command
  mapfile -t command < <(daemon_command "$1")
  # In a session of its own, so that a Ctrl-C in the terminal does not reach it. -f: do not fork, so that the
  # process id known here is the daemon's. Ceph's own packages have tcmalloc; Debian's have the C library's malloc, which
  # without these two gives the memory of each object written back to the kernel, and pays with page faults.
  # In /, as a service: Debian's 20.2 looks for the classes of its OSDs by a relative path.
  # Its process id is written by itself, and the lock is its own, too, until it can be told by its command line. So
  # there is none that the next ceph-dev does not know, however this script ends.
  (
    printf '%s\n' "$BASHPID" >"$CLUSTER_DIR/pids/$1"
    cd /
    export MALLOC_TRIM_THRESHOLD_=$((128 << 20)) MALLOC_MMAP_THRESHOLD_=$((32 << 20))
    exec setsid "${RELEASE_IN[@]}" "${command[@]}" -f 9>&-
  ) >>"$CLUSTER_DIR/log/$1.out" 2>&1 </dev/null &
  local pid="$!" waited
  # For a moment it is still this script: it must not be taken for dead in that time.
  for ((waited = 0; waited < 500; waited++)); do
    [ -z "$(daemon_pid "$1")" ] && kill -0 "$pid" 2>/dev/null || break
    sleep 0.01
  done
}

# Ends a daemon: politely, then (after 20 s) not.
stop_daemon() {
  local pid waited
  pid=$(daemon_pid "$1")
  if [ -n "$pid" ]; then
    kill "$pid" 2>/dev/null || true
    for ((waited = 0; waited < 200; waited++)); do
      [ -n "$(daemon_pid "$1")" ] || break
      sleep 0.1
    done
    if [ -n "$(daemon_pid "$1")" ]; then
      say "$1 (pid $pid) did not stop within 20 s: killing it."
      kill -9 "$pid" 2>/dev/null || true
    fi
  fi
  rm -f "$CLUSTER_DIR/pids/$1"
}

# Every daemon that has a pid file: OSDs first, since they tell the monitor that they leave.
stop_daemons() {
  local file
  for file in "$CLUSTER_DIR"/pids/osd.* "$CLUSTER_DIR"/pids/mgr.* "$CLUSTER_DIR"/pids/mon.*; do
    [ -f "$file" ] || continue
    stop_daemon "$(basename "$file")"
  done
}

log_tails() {
  local name
  for name in "$@"; do
    printf -- '--- %s, end of %s/log/%s.log\n' "$name" "$CLUSTER_DIR" "$name" >&2
    tail -n 15 "$CLUSTER_DIR/log/$name.log" >&2 2>/dev/null || true
    [ ! -s "$CLUSTER_DIR/log/$name.out" ] || tail -n 5 "$CLUSTER_DIR/log/$name.out" >&2
  done
}

# --- the monitor's port ------------------------------------------------------------------------------------------

# True if anything listens on that TCP port of this machine, on any address (state 0A is LISTEN).
port_is_taken() {
  local hex
  hex=$(printf '%04X' "$1")
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v port=":$hex" '$4 == "0A" && substr($2, length($2) - 4) == port { found = 1 } END { exit !found }'
}

# A port that nobody listens on, below the range that the kernel hands out to outgoing connections.
free_port() {
  local port tries
  for ((tries = 0; tries < 100; tries++)); do
    port=$((20000 + RANDOM % 12000))
    if ! port_is_taken "$port"; then
      printf '%s\n' "$port"
      return 0
    fi
  done
  die "found no free TCP port between 20000 and 32000 on 127.0.0.1 in 100 tries"
}

conf_mon_port() { sed -n 's/^ *mon_host *= *\[v2:127\.0\.0\.1:\([0-9]*\)\].*/\1/p' "$CLUSTER_CONF"; }

# The monitor's address is in its own map, so a new port means a new map. Done with the monitor stopped.
move_mon_port() {
  local port="$1" map="$CLUSTER_DIR/monmap"
  {
    "${RELEASE_IN[@]}" ceph-mon --conf "$CLUSTER_CONF" --id a --extract-monmap "$map" &&
      "${RELEASE_IN[@]}" monmaptool --rm a "$map" &&
      "${RELEASE_IN[@]}" monmaptool --addv a "[v2:127.0.0.1:$port]" "$map" &&
      "${RELEASE_IN[@]}" ceph-mon --conf "$CLUSTER_CONF" --id a --inject-monmap "$map"
  } >"$CLUSTER_DIR/log/monmap.out" 2>&1 9>&- || {
    cat "$CLUSTER_DIR/log/monmap.out" >&2
    die "could not move the monitor to port $port (see above). Free its port $(conf_mon_port), or give the cluster up: scripts/ceph-dev down --purge --dir $CLUSTER_DIR"
  }
  rm -f "$map"
  sed -i "s/^\( *mon_host *= *\[v2:127\.0\.0\.1:\)[0-9]*\]/\1$port]/" "$CLUSTER_CONF"
}

# --- making a cluster ----------------------------------------------------------------------------------------------

# Bytes for each OSD's sparse file: 32 GiB, or its share of 80 % of the free disk if that is less.
osd_bytes() {
  local osds="$1" free wanted=$((32 << 30))
  free=$(($(df --output=avail -B1 "$CLUSTER_DIR" | tail -n 1) * 4 / 5 / osds))
  [ "$free" -ge $((4 << 30)) ] ||
    die "$CLUSTER_DIR has too little free disk for $osds OSD(s): 5 GiB each at least. Free some, or give another folder with --dir."
  if [ "$free" -lt "$wanted" ]; then wanted="$free"; fi
  printf '%s\n' "$wanted"
}

# Admin sockets in the folder if their paths fit the 107 bytes of a Unix socket's address; otherwise none.
admin_socket() {
  local path="$CLUSTER_DIR/run/\$name.asok"
  if [ "${#path}" -lt 100 ]; then printf '%s' "$path"; fi
}

write_conf() {
  local osds="$1" port="$2" fsid="$3" replicas=$(($1 < 3 ? $1 : 3)) bytes
  bytes=$(osd_bytes "$osds") # not within the text below, where its failure would go unnoticed
  cat >"$CLUSTER_CONF" <<CONF
# Written by scripts/ceph-dev. Clients need only mon_host and a keyring; the rest is for the daemons.
[global]
  fsid = $fsid
  mon_host = [v2:127.0.0.1:$port]
  mon_initial_members = a
  keyring = $CLUSTER_DIR/ceph.\$name.keyring
  auth_cluster_required = cephx
  auth_service_required = cephx
  auth_client_required = cephx
  auth_allow_insecure_global_id_reclaim = false
  # Loopback needs no encryption, unless a client wants it, and one protocol is enough.
  public_addr = 127.0.0.1
  cluster_addr = 127.0.0.1
  ms_bind_msgr1 = false
  ms_bind_ipv6 = false
  ms_cluster_mode = crc
  ms_service_mode = crc secure
  ms_client_mode = crc
  ms_mon_cluster_mode = crc
  ms_mon_service_mode = crc secure
  ms_mon_client_mode = crc
  # Everything in this folder, nothing in /var or /run.
  log_file =
  run_dir = $CLUSTER_DIR/run
  admin_socket =
  crash_dir = $CLUSTER_DIR/crash
  osd_pool_default_size = $replicas
  osd_pool_default_min_size = 1
  osd_pool_default_pg_num = 16
  osd_pool_default_pgp_num = 16
  osd_pool_default_pg_autoscale_mode = off
  # Read by the manager too, which finds most of the health warnings.
  mon_warn_on_pool_no_redundancy = false
  mon_warn_on_pool_no_app = false
  mon_max_pg_per_osd = 2000
  # All OSDs are on this one host.
  osd_crush_chooseleaf_type = 0

[mon]
  mon_data = $CLUSTER_DIR/mon
  keyring = $CLUSTER_DIR/mon/keyring
  log_file = $CLUSTER_DIR/log/\$name.log
  mon_cluster_log_file = $CLUSTER_DIR/log/cluster.log
  admin_socket = $(admin_socket)
  mon_allow_pool_delete = true
  mon_allow_pool_size_one = true
  # A developer's disk is often fuller than a storage server's.
  mon_data_avail_warn = 3
  mon_data_avail_crit = 1
  # Do not wait for others to join: there are none.
  paxos_propose_interval = 0.05
  mon_osd_min_down_reporters = 1

[mgr]
  mgr_data = $CLUSTER_DIR/mgr
  keyring = $CLUSTER_DIR/mgr/keyring
  log_file = $CLUSTER_DIR/log/\$name.log
  admin_socket = $(admin_socket)
  mgr_stats_period = 1
  mgr_tick_period = 1
  mgr_initial_modules =

[osd]
  osd_data = $CLUSTER_DIR/\$name
  keyring = $CLUSTER_DIR/\$name/keyring
  log_file = $CLUSTER_DIR/log/\$name.log
  admin_socket = $(admin_socket)
  osd_objectstore = bluestore
  bluestore_block_size = $bytes
  osd_memory_target = 939524096
  # No benchmark of the disk at start, which newer releases do for their scheduler.
  osd_op_queue = wpq
CONF
}

# Keys and their rights go into the monitor's first store, which saves one slow command for each.
write_keyrings() {
  local all="$CLUSTER_DIR/initial.keyring"
  local client=()
  # Keys of daemons are always of the release's own type: others are HEALTH_ERR.
  [ -z "$1" ] || client=(--key-type "$1")
  (
    umask 077
    authtool --create-keyring "$all" --gen-key -n mon. --cap mon 'allow *'
    authtool "$all" --gen-key "${client[@]}" -n client.admin \
      --cap mon 'allow *' --cap mgr 'allow *' --cap osd 'allow *' --cap mds 'allow *'
    authtool "$all" --gen-key -n mgr.x --cap mon 'allow profile mgr' --cap osd 'allow *' --cap mds 'allow *'
    # What a Spark job needs, and no more: the maps, and reading and writing one pool.
    authtool "$all" --gen-key "${client[@]}" -n "$CLUSTER_USER" \
      --cap mon 'allow r' --cap osd "allow rw pool=$CLUSTER_POOL"
    keyring_of client.admin "$CLUSTER_DIR/ceph.client.admin.keyring"
    keyring_of "$CLUSTER_USER" "$CLUSTER_DIR/ceph.$CLUSTER_USER.keyring"
    keyring_of mgr.x "$CLUSTER_DIR/mgr/keyring"
  ) >/dev/null 9>&-
}

authtool() { "${RELEASE_IN[@]}" ceph-authtool "$@"; }

keyring_of() {
  printf '[%s]\n\tkey = %s\n' "$1" "$(authtool "$CLUSTER_DIR/initial.keyring" -n "$1" --print-key)" >"$2"
}

# make_mon PORT FSID KEY_TYPE
make_mon() {
  local map="$CLUSTER_DIR/monmap" ciphers=()
  # Clients' keys of the older type are allowed and made, all else has the newer one.
  [ "$3" != aes ] || ciphers=(--auth-allowed-ciphers aes,aes256k --auth-service-cipher aes256k --auth-preferred-cipher aes)
  quietly "${RELEASE_IN[@]}" monmaptool --create --fsid "$2" --addv a "[v2:127.0.0.1:$1]" \
    --set-min-mon-release "$(cluster_release)" "${ciphers[@]}" "$map" || die "monmaptool failed (see above)"
  quietly "${RELEASE_IN[@]}" ceph-mon --mkfs --conf "$CLUSTER_CONF" --id a --monmap "$map" --keyring "$CLUSTER_DIR/initial.keyring" ||
    die "ceph-mon --mkfs failed (see above)"
  rm -f "$map" "$CLUSTER_DIR/initial.keyring"
}

# Makes an OSD's store. Needs no monitor, and waits two seconds for nothing: so it is run in the background, for all
# OSDs at once.
make_osd() {
  local id="$1" data="$CLUSTER_DIR/osd.$1"
  mkdir -p "$data"
  if ! quietly "${RELEASE_IN[@]}" ceph-osd --mkfs --no-mon-config --conf "$CLUSTER_CONF" --id "$id" --osd-uuid "$2"; then
    log_tails "osd.$id"
    die "ceph-osd --mkfs failed in $data (see above). The folder's file system must allow O_DIRECT: tmpfs often does not. Give another with --dir."
  fi
}

# Makes an OSD and its key known to the monitor.
register_osd() {
  local id="$1" secret
  secret=$(authtool --gen-print-key 9>&-)
  printf '{"cephx_secret": "%s"}' "$secret" | ceph_admin osd new "$2" "$id" -i - >/dev/null ||
    die "could not register osd.$id with the monitor"
  (umask 077 && printf '[osd.%s]\n\tkey = %s\n' "$id" "$secret" >"$CLUSTER_DIR/osd.$id/keyring")
}

# Starts the monitor on a free port, another one if somebody took it in between.
start_new_mon() {
  local port="$1" tries
  for ((tries = 0; tries < 5; tries++)); do
    spawn mon.a
    if mon_answers; then return 0; fi
    stop_daemon mon.a
    port_is_taken "$port" || break
    port=$(free_port)
    move_mon_port "$port"
  done
  log_tails mon.a
  die "the monitor did not start (see above)"
}

mon_answers() {
  local waited
  for ((waited = 0; waited < 15; waited++)); do
    [ -n "$(daemon_pid mon.a)" ] || return 1
    # Does not need a quorum's answer to fail quickly, so a loop of short tries starts soonest.
    if timeout --foreground 10 "${RELEASE_IN[@]}" ceph --conf "$CLUSTER_CONF" --connect-timeout 5 mon stat >/dev/null 2>&1 9>&-; then return 0; fi
    sleep 0.3
  done
  return 1
}

# Empties our folder of all that a cluster left in it.
wipe() {
  local pattern
  for pattern in mon mgr 'osd.*' pids log run crash created release upgrading ceph.conf 'ceph.client.*.keyring' initial.keyring monmap; do
    # shellcheck disable=SC2086 # the pattern is to be expanded
    (cd "$CLUSTER_DIR" && rm -rf --one-file-system -- $pattern)
  done
}

# create_cluster OSDS RELEASE KEY_TYPE: with clients' keys of that type; empty where the release has but one.
create_cluster() {
  local osds="$1" key_type="$3" port fsid id uuids=() makers=()
  port=$(free_port)
  fsid=$(cat /proc/sys/kernel/random/uuid)
  mkdir -p "$CLUSTER_DIR"/{mon,mgr,pids,log,run,crash}
  printf '%s\n' "$2" >"$CLUSTER_DIR/release"
  write_conf "$osds" "$port" "$fsid"
  for ((id = 0; id < osds; id++)); do
    uuids+=("$(cat /proc/sys/kernel/random/uuid)")
    # It keeps the lock, as it goes on for a moment where this script is ended.
    make_osd "$id" "${uuids[id]}" &
    makers+=("$!")
  done
  write_keyrings "$key_type"
  make_mon "$port" "$fsid" "$key_type"
  start_new_mon "$port"
  # Before the manager starts, or it would make a pool of its own to keep the health of disks in.
  # (--force: the monitor learns the names of a manager's settings from a running manager only.)
  ceph_admin config set mgr mgr/devicehealth/enable_monitoring false --force >/dev/null
  spawn mgr.x
  for ((id = 0; id < osds; id++)); do
    wait "${makers[id]}" || exit 1 # it has said why
    register_osd "$id" "${uuids[id]}"
    spawn "osd.$id"
  done
  mute_what_is_known
  ceph_admin osd pool create "$CLUSTER_POOL" >/dev/null 2>&1 || die "could not create pool $CLUSTER_POOL"
  ceph_admin osd pool application enable "$CLUSTER_POOL" radosfs >/dev/null 2>&1
  printf '%s\n' "$osds" >"$CLUSTER_DIR/created"
}

# Has the monitor's health leave out what is so by the nature of these clusters, each by its name. `ceph health detail`
# still tells of them.
mute_what_is_known() {
  local release code codes=()
  release=$(cluster_release)
  # Debian's 18.2 has a Python whose modules for the manager's dashboard cannot be loaded twice (PyO3): nothing here
  # uses them.
  [ "$release" -ne 18 ] || codes+=(MGR_MODULE_DEPENDENCY)
  # Clients of 16 and 18 read no other keys than these; after an upgrade the daemons have them too, until somebody
  # rotates them. For a cluster on loopback that is no danger.
  [ "$release" -lt 20 ] || codes+=(AUTH_INSECURE_CLIENT_KEY_TYPE AUTH_INSECURE_SERVICE_KEY_TYPE
    AUTH_INSECURE_SERVICE_TICKETS AUTH_INSECURE_ROTATING_SERVICE_KEY_TYPE AUTH_INSECURE_KEYS_ALLOWED
    AUTH_INSECURE_KEYS_CREATABLE)
  for code in "${codes[@]}"; do
    ceph_admin health mute "$code" --sticky >/dev/null 2>&1 || die "could not mute the health warning $code"
  done
}

# --- another release -------------------------------------------------------------------------------------------------

release_name() {
  case "$1" in
    16) printf 'pacific\n' ;;
    18) printf 'reef\n' ;;
    20) printf 'tentacle\n' ;;
  esac
}

# upgrade_cluster RELEASE: as Ceph's own notes say, one daemon after another: the monitor, the manager, the OSDs. Clients
# go on meanwhile. RELEASE_IN is the new release's. While the file `upgrading` is there, not all of it is done; it may be
# begun again then.
upgrade_cluster() {
  local osds="$1" release="$2" name
  : >"$CLUSTER_DIR/upgrading"
  printf '%s\n' "$release" >"$CLUSTER_DIR/release"
  for name in $(daemon_names "$osds"); do
    stop_daemon "$name"
    case "$name" in
      mon.*) start_new_mon "$(conf_mon_port)" ;;
      *) spawn "$name" ;;
    esac
    [[ "$name" != mgr.* ]] || mute_what_is_known
    # The next OSD goes when this one is back.
    [[ "$name" != osd.* ]] || wait_for_health "$osds"
  done
  ceph_admin osd require-osd-release "$(release_name "$release")" >/dev/null 2>&1 ||
    die "the OSDs do not all have release $release: ceph-dev exec -- ceph versions"
  rm -f "$CLUSTER_DIR/upgrading"
}

# --- starting what does not run --------------------------------------------------------------------------------------

# Restarts the dead daemons of a complete cluster. What the monitor still believes of them is corrected first:
# otherwise it would report the state of before the crash as today's.
restart_dead() {
  local name port dead=("$@")
  for name in "${dead[@]}"; do
    if [ "$name" = mon.a ]; then
      port=$(conf_mon_port)
      if port_is_taken "$port"; then
        port=$(free_port)
        say "The monitor's port $(conf_mon_port) is taken by another process: moving the monitor to $port. Clients that are running must be started again."
        # The other daemons know the old address only.
        stop_daemons
        move_mon_port "$port"
        mapfile -t dead < <(daemon_names "$(cluster_osds)")
      fi
      start_new_mon "$port"
    fi
  done
  for name in "${dead[@]}"; do
    case "$name" in
      osd.*) ceph_admin osd down "${name#osd.}" >/dev/null 2>&1 || true ;;
      mgr.*) ceph_admin mgr fail "${name#mgr.}" >/dev/null 2>&1 || true ;;
    esac
  done
  for name in "${dead[@]}"; do
    [ "$name" = mon.a ] || spawn "$name"
  done
}

dead_daemons() {
  local name
  for name in $(daemon_names "$1"); do
    [ -n "$(daemon_pid "$name")" ] || printf '%s\n' "$name"
  done
}

# --- health --------------------------------------------------------------------------------------------------------

# Reads `ceph status --format json`, prints one line that says how things stand, and succeeds if the cluster
# can be used: a manager, all OSDs up and in, all placement groups active and clean, no HEALTH_ERR.
# The ceph command is a Python program run by /usr/bin/python3, so that is there; a python3 found on the PATH may
# be a slow wrapper.
read_status() {
  /usr/bin/python3 -c '
import json, sys
s = json.load(sys.stdin)
osd, pg = s["osdmap"], s["pgmap"]
states = {p["state_name"]: p["count"] for p in pg.get("pgs_by_state", [])}
health = s["health"]["status"]
known = sum(states.values())
line = "%s: %d of %d OSDs up, %d in; %d placement groups: %s" % (
    health, osd["num_up_osds"], osd["num_osds"], osd["num_in_osds"], pg["num_pgs"],
    ", ".join("%d %s" % (n, name) for name, n in sorted(states.items())) or "none known yet")
for name, check in s["health"].get("checks", {}).items():
    if not check.get("muted"):
        line += "\n  %s: %s" % (name, check["summary"]["message"])
print(line)
clean = sum(n for name, n in states.items() if {"active", "clean"} <= set(name.split("+")))
ok = (s["mgrmap"]["available"] and osd["num_up_osds"] == osd["num_osds"] == osd["num_in_osds"]
      and pg["num_pgs"] > 0 and clean == pg["num_pgs"] and health != "HEALTH_ERR")
sys.exit(0 if ok else 1)
'
}

cluster_status_line() {
  local json
  if ! json=$(ceph_admin status --format json 2>/dev/null); then
    printf 'the monitor does not answer\n'
    return 1
  fi
  read_status <<<"$json"
}

wait_for_health() {
  local osds="$1" line="" dead deadline=$((SECONDS + CLUSTER_WAIT))
  while ! line=$(cluster_status_line); do
    dead=$(dead_daemons "$osds")
    if [ -n "$dead" ]; then
      # shellcheck disable=SC2086 # one word each
      log_tails $dead
      die "${dead//$'\n'/, } died while starting (see above; logs in $CLUSTER_DIR/log)"
    fi
    if [ "$SECONDS" -ge "$deadline" ]; then
      # shellcheck disable=SC2046 # one word each
      log_tails $(daemon_names "$osds")
      die "the cluster is not healthy after $CLUSTER_WAIT s: $line. Logs are in $CLUSTER_DIR/log; RADOSFS_CEPH_WAIT=SECONDS waits longer."
    fi
    sleep 0.3
  done
}
