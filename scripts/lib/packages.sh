# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Installs what the scripts need and is missing on a machine; sourced, never run.
#
#   source "$(dirname "${BASH_SOURCE[0]}")/lib/packages.sh"
#   need_jdk_and_maven; need_librados; need_ceph; need_docker
#
# Every need_* function first looks whether the thing is already there, however it came there, and
# only then asks apt for it. On a machine without apt it names what to install and fails.

# dockerd, ldconfig and debootstrap live in sbin, which is often missing in a normal user's PATH.
export PATH="$PATH:/usr/sbin:/sbin"

# Ceph's own commands, and its daemons, read more arguments from it, which beat those that they are given: a --conf there
# would send to another cluster, perhaps one in use, what a script means for its own.
unset CEPH_ARGS

# Messages go to stderr, so that a script's own output can be captured.
say() { printf '%s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# need_root COMMAND...: whether as_root can run it. Asked before as_root where the message would go unread, with the
# command's output.
need_root() {
  [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null || die "this needs root, and there is no sudo here. As root, run: $*"
}

as_root() {
  need_root "$@"
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Runs a command, showing its output only when it fails: a hundred lines of apt are noise otherwise.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 </dev/null || status=$?
  [ "$status" -eq 0 ] || tail -n 40 "$log" >&2
  rm -f "$log"
  return "$status"
}

# Runs a command so that a signal to this script alone, or Ctrl-C, ends it too, with all that it has started. A shell that
# waits for a command in the foreground would leave it behind. The command must not read from the terminal.
ends_with_this() {
  local running status=0
  # With a process group of its own.
  set -m
  "$@" &
  running=$!
  set +m
  # shellcheck disable=SC2064 # this one
  trap "kill -- -$running 2>/dev/null || true; wait $running || true; exit 130" INT TERM HUP
  wait "$running" || status=$?
  trap - INT TERM HUP
  return "$status"
}

apt_get() { quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 "$@"; }

# apt-get waits for the lock of its packages by itself, but not for that of its lists, which a fresh machine's daily
# update holds.
apt_update() {
  local deadline=$((SECONDS + 120)) log status
  log=$(mktemp)
  while true; do
    status=0
    as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get update >"$log" 2>&1 </dev/null || status=$?
    if [ "$status" -eq 0 ] || [ "$SECONDS" -ge "$deadline" ] || ! grep -q 'Could not get lock' "$log"; then break; fi
    sleep 2
  done
  [ "$status" -eq 0 ] || tail -n 40 "$log" >&2
  rm -f "$log"
  return "$status"
}

# apt_install PACKAGE...: tries with the package lists as they are, and refreshes them only if that fails,
# since a machine used a minute ago has good ones and a fresh one has none.
apt_install() {
  command -v apt-get >/dev/null ||
    die "these Debian/Ubuntu packages are missing and there is no apt-get here: $*. Install their like with your own package manager and run this again."
  need_root apt-get install "$*"
  say "Installing $* ..."
  if ! apt_get install -y --no-install-recommends "$@" 2>/dev/null; then
    apt_update || die "apt-get update failed (see above). Check the machine's network and apt sources."
    apt_get install -y --no-install-recommends "$@" ||
      die "apt-get could not install $* (see above). Install them by hand and run this again."
  fi
}

# The first of the named packages that apt can install here.
apt_first_available() {
  local package
  for package in "$@"; do
    if [ -n "$(apt-cache --quiet=0 madison "$package" 2>/dev/null)" ]; then
      printf '%s\n' "$package"
      return 0
    fi
  done
  return 1
}

# need_commands COMMAND=PACKAGE...: installs the packages of those commands that are not on the PATH.
need_commands() {
  local pair missing=()
  for pair in "$@"; do
    command -v "${pair%%=*}" >/dev/null && continue
    [[ " ${missing[*]:-} " == *" ${pair#*=} "* ]] || missing+=("${pair#*=}")
  done
  [ "${#missing[@]}" -eq 0 ] || apt_install "${missing[@]}"
}

# Major version of the JDK in the given home (nothing if there is no compiler in it: a JRE does not build).
jdk_major() {
  [ -x "$1/bin/javac" ] || return 0
  "$1/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p'
}

# Prints the home of a JDK that builds and runs this project: JAVA_HOME, the one on the PATH, or one from where Debian and
# Ubuntu put them. 17 to 23: the Hadoop that it is built with does not run on later ones.
find_jdk() {
  local home major on_path=""
  command -v javac >/dev/null && on_path=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
  for home in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/*-17-* /usr/lib/jvm/*-21-*; do
    [ -n "$home" ] || continue
    major=$(jdk_major "$home")
    if [ -n "$major" ] && [ "$major" -ge 17 ] && [ "$major" -le 23 ]; then
      printf '%s\n' "$home"
      return 0
    fi
  done
  return 1
}

# A JDK 17 to 23, exported as JAVA_HOME, and Maven.
need_jdk_and_maven() {
  local home package
  if ! home=$(find_jdk); then
    command -v apt-cache >/dev/null ||
      die "no JDK 17 to 23 found, and no apt here to install one. Install a JDK 17 and set JAVA_HOME."
    package=$(apt_first_available openjdk-17-jdk-headless openjdk-21-jdk-headless) || {
      need_root apt-get update
      apt_update || true
      package=$(apt_first_available openjdk-17-jdk-headless openjdk-21-jdk-headless) ||
        die "apt knows no openjdk-17-jdk-headless. Install a JDK 17 by hand and set JAVA_HOME."
    }
    apt_install "$package"
    home=$(find_jdk) || die "$package is installed but no JDK 17 to 23 can be found. Set JAVA_HOME."
  fi
  export JAVA_HOME="$home"
  need_commands mvn=maven
}

has_librados() {
  # Not by a pipe to grep -q, which ends ldconfig by a signal where it has found it early: with pipefail, a failure.
  [[ "$(ldconfig -p 2>/dev/null)" == *librados.so.2* ]]
}

# The C library that the connector calls.
need_librados() {
  has_librados || apt_install librados2
}

# The daemons and tools of a Ceph cluster (no orchestration: scripts/ceph-dev starts them as plain processes).
need_ceph() {
  need_commands ceph-mon=ceph-mon ceph-osd=ceph-osd ceph-mgr=ceph-mgr ceph=ceph-common \
    monmaptool=ceph-base flock=util-linux
}

# --- Docker -----------------------------------------------------------------------------------------------

# In the foreground, so that Ctrl-C reaches the command, and with it this script.
docker_answers() { timeout --foreground 20 docker info >/dev/null 2>&1; }

# need_docker [LOGDIR]: a Docker daemon that this user can talk to. If it has to start dockerd itself (a
# machine without systemd), it leaves its process id in DOCKERD_PID for stop_own_dockerd.
need_docker() {
  local log_dir="${1:-${TMPDIR:-/tmp}}"
  if command -v docker >/dev/null && docker_answers; then return 0; fi
  need_commands docker=docker.io dockerd=docker.io iptables=iptables
  docker_answers && return 0
  if [ -n "${DOCKER_HOST:-}" ]; then
    die "DOCKER_HOST is set to $DOCKER_HOST, but no Docker daemon answers there. Start it, or unset DOCKER_HOST."
  fi
  need_root dockerd
  as_root docker info >/dev/null 2>&1 || start_docker "$log_dir"
  docker_answers && return 0
  # The daemon runs, but the socket belongs to root and the group docker. Membership of the group would be
  # for ever and needs a new login; this holds until the daemon is started again.
  need_commands setfacl=acl
  as_root setfacl -m "u:$(id -un):rw" /var/run/docker.sock || true
  docker_answers ||
    die "the Docker daemon runs, but $(id -un) may not use it. Run as root, or: sudo usermod -aG docker $(id -un), then log in again."
  say "Gave $(id -un) access to the Docker daemon's socket until the daemon is started again."
}

start_docker() {
  local log_dir="$1"
  if [ -d /run/systemd/system ]; then
    as_root systemctl start docker ||
      die "systemd could not start Docker. See: systemctl status docker; journalctl -u docker"
    return 0
  fi
  mkdir -p "$log_dir"
  local log="$log_dir/dockerd.log" pid_file="/var/run/docker.pid"
  # dockerd refuses to start over the pid file that a killed one left, if anything has that id by now.
  if [ -f "$pid_file" ] && ! grep -aqs dockerd "/proc/$(cat "$pid_file")/cmdline"; then
    as_root rm -f "$pid_file"
  fi
  say "Starting dockerd (log: $log) ..."
  as_root setsid dockerd >"$log" 2>&1 </dev/null &
  local waited
  for ((waited = 0; waited < 60; waited++)); do
    if as_root docker info >/dev/null 2>&1; then
      # shellcheck disable=SC2034 # read by stop_own_dockerd, and by the scripts that source this
      DOCKERD_PID=$(cat "$pid_file")
      return 0
    fi
    sleep 0.5
    kill -0 $! 2>/dev/null || break
  done
  tail -n 20 "$log" >&2
  die "dockerd did not come up (log: $log). It needs root with the right to mount and to use iptables. Without Docker the tests run on a given cluster: mvn verify -Dceph.conf=PATH (scripts/ceph-dev up starts one)."
}

# Stops the dockerd that need_docker started in this shell, and no other.
stop_own_dockerd() {
  [ -n "${DOCKERD_PID:-}" ] || return 0
  local pid="$DOCKERD_PID" waited
  DOCKERD_PID=""
  grep -aqs dockerd "/proc/$pid/cmdline" || return 0
  as_root kill "$pid" 2>/dev/null || return 0
  for ((waited = 0; waited < 40; waited++)); do
    grep -aqs dockerd "/proc/$pid/cmdline" || return 0
    sleep 0.5
  done
  say "dockerd (pid $pid) is still stopping; leaving it to that."
}

# debootstrap, and what it checks Debian's signatures with, which Ubuntu has not by itself.
need_debootstrap() {
  need_commands debootstrap=debootstrap
  [ -f /usr/share/keyrings/debian-archive-keyring.gpg ] || apt_install debian-archive-keyring
}

# need_base_image SUITE: debian:SUITE-slim, on which a test cluster's image is built. Pulled as usual; where that cannot
# be done, made with debootstrap.
need_base_image() {
  local suite="$1" image="debian:$1-slim" root
  docker image inspect "$image" >/dev/null 2>&1 && return 0
  say "Pulling $image ..."
  timeout --foreground "${RADOSFS_PULL_TIMEOUT:-90}" docker pull "$image" >/dev/null 2>&1 && return 0
  say "$image cannot be pulled here: making it with debootstrap (about a minute) ..."
  need_debootstrap
  root=$(as_root mktemp -d)
  if ! quietly as_root debootstrap --variant=minbase "$suite" "$root"; then
    as_root rm -rf --one-file-system "$root"
    die "debootstrap failed (see above), so there is no base image. Pull it elsewhere and docker load it here, or run the tests on a given cluster: mvn verify -Dceph.conf=PATH"
  fi
  as_root tar -C "$root" --one-file-system -c . | docker import - "$image" >/dev/null
  as_root rm -rf --one-file-system "$root"
}
