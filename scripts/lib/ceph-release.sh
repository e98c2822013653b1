# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Ceph releases beside that of this machine; sourced, never run. Needs lib/packages.sh.
#
# Each release comes with a release of Debian: a root folder of it is made with debootstrap once, and a command is run
# in it by lib/in-root. Nothing of this machine is changed by that.

RELEASE_ROOTS="${RADOSFS_CEPH_ROOTS:-$HOME/.radosfs/ceph-roots}"
RELEASES="16 18 20"
RELEASE_IN=() # what a command of Ceph is run by; set by need_release
RELEASE_LIB=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")

# The release of Debian that has this release of Ceph.
release_suite() {
  case "$1" in
    16) printf 'bookworm\n' ;;
    18) printf 'trixie\n' ;;
    20) printf 'sid\n' ;;
    *) die "there is no Ceph release $1 for the development cluster; there are: $RELEASES" ;;
  esac
}

# The major version of the Ceph on this machine, or nothing.
release_of_host() { ! command -v ceph-osd >/dev/null || ceph-osd --version | sed -n 's/^ceph version \([0-9]*\)\..*/\1/p'; }

# need_release [N]: Ceph's daemons and tools, of this machine or, if that has another release than N, of a root folder.
# Sets RELEASE_IN, which goes before each of their commands.
need_release() {
  local wanted="${1:-}"
  RELEASE_IN=()
  if [ -z "$wanted" ] || [ "$wanted" = "$(release_of_host)" ]; then
    need_ceph
    return 0
  fi
  case "$(readlink -m "${CLUSTER_DIR:-/}")/" in
    /var/tmp/*) ;;
    /usr/* | /etc/* | /var/*) die "Ceph $wanted is run with folders /usr, /etc and /var of its own, and does not see $CLUSTER_DIR: choose another with --dir." ;;
  esac
  if [ "$(id -u)" -ne 0 ] && ! unshare --user --map-root-user --mount true 2>/dev/null; then
    die "Ceph $wanted is run in namespaces, which this machine does not let $(id -un) make. Run this as root, or: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), kernel.unprivileged_userns_clone=1 (Debian)."
  fi
  # What reads the state of a cluster runs on this machine.
  need_commands python3=python3
  release_make_root "$wanted"
  release_share "$RELEASE_ROOTS/$wanted"
  RELEASE_IN=("$RELEASE_LIB/in-root" "$RELEASE_ROOTS/$wanted")
}

release_make_root() {
  local release="$1" root="$RELEASE_ROOTS/$1" suite made
  [ ! -e "$root/shared" ] || return 0
  suite=$(release_suite "$release")
  need_commands unshare=util-linux
  need_root scripts/ceph-dev up --release "$release"
  need_debootstrap
  say "Ceph $release is not on this machine: making a root folder of Debian $suite with it in $root (two minutes) ..."
  mkdir -p "$RELEASE_ROOTS"
  # Another one may be at it. A root that was begun and not finished has no name yet.
  exec 8>"$RELEASE_ROOTS/.lock"
  flock 8
  if ! [ -e "$root/shared" ]; then
    as_root rm -rf --one-file-system "$RELEASE_ROOTS/$release".?????? # of one that was interrupted
    made=$(mktemp -d -p "$RELEASE_ROOTS" "$release.XXXXXX")
    if ! release_fill "$suite" "$made"; then
      as_root rm -rf --one-file-system "$made"
      die "could not install Ceph $release of Debian $suite (see above). What is tested with it can be left out; the other releases are not touched."
    fi
    as_root mv -T "$made" "$root"
  fi
  exec 8>&-
}

# debootstrap, and then apt within the new root.
release_fill() {
  local suite="$1" root="$2"
  # Apt fetches as a user of its own. A mirror may be late with sid, which promises to be renewed each week. Signatures
  # are checked all the same. The last packages are for the tests that run in the root.
  quietly as_root debootstrap --variant=minbase "$suite" "$root" &&
    as_root chmod 755 "$root" &&
    as_root bash -c 'echo "Acquire::Check-Valid-Until \"false\";" >"$1/etc/apt/apt.conf.d/90late-mirror"' bash "$root" &&
    release_install "$root" ceph-mon ceph-osd ceph-mgr ceph-common ceph-base librados2 faketime procps &&
    as_root mkdir "$root/view" &&
    as_root touch "$root/shared"
}

# release_install ROOT PACKAGE...: apt within a root, with a /proc of its own, which ends with it.
release_install() {
  quietly as_root unshare --mount --pid --fork --propagation private bash -c '
    set -e
    mount -t proc proc "$1/proc"
    export DEBIAN_FRONTEND=noninteractive
    chroot "$1" apt-get update
    chroot "$1" apt-get install -y --no-install-recommends "${@:2}"
    chroot "$1" apt-get clean
    rm -rf "$1"/var/lib/apt/lists/*' bash "$@"
}

# release_need_tools N: what tests that run in the root folder use beside Ceph.
release_need_tools() {
  local root="$RELEASE_ROOTS/$1"
  if [ "${#RELEASE_IN[@]}" -eq 0 ] || { [ -x "$root/usr/bin/jq" ] && [ -x "$root/usr/bin/zsh" ]; }; then return 0; fi
  exec 8>"$RELEASE_ROOTS/.lock"
  flock 8
  say "Installing jq and zsh in $root ..."
  release_install "$root" jq zsh || die "could not install jq and zsh (see above)"
  exec 8>&-
}

# release_need_jdk N MAJOR: a JDK of the release of Debian in the root folder; prints where it is in there. Its packages
# put it where the root shows this machine's JDKs, so it has another name too.
release_need_jdk() {
  local root="$RELEASE_ROOTS/$1" home="/usr/local/lib/jdk-$2"
  if [ ! -x "$root$home/bin/java" ]; then
    exec 8>"$RELEASE_ROOTS/.lock"
    flock 8
    if [ ! -x "$root$home/bin/java" ]; then
      say "Installing JDK $2 in $root ..."
      release_install "$root" "openjdk-$2-jre-headless" || die "could not install JDK $2 (see above)"
      as_root bash -c 'rm -rf "$2" "$2.new" && cp -al "$1"/usr/lib/jvm/java-"$3"-openjdk-* "$2.new" && mv -T "$2.new" "$2"' \
        bash "$root" "$root$home" "$2"
    fi
    exec 8>&-
  fi
  printf '%s\n' "$home"
}

# Has the root show what a test needs of this machine's /usr and /etc: its JDKs with their settings, Maven, and the
# names of hosts and users. A mount needs something to be mounted on.
release_share() {
  local root="$1" shared wanted
  wanted=$(for shared in /usr/lib/jvm /usr/share/maven /usr/share/maven-repo /usr/share/java /etc/maven /etc/java-* \
    /etc/ssl/certs/java /etc/hosts /etc/resolv.conf /etc/passwd /etc/group /var/tmp; do
    [ ! -e "$shared" ] || printf '%s\n' "$shared"
  done)
  [ "$wanted" != "$(cat "$root/shared")" ] || return 0
  as_root bash -c '
    set -e
    while read -r shared; do
      if [ -d "$shared" ]; then mkdir -p "$1$shared"; else mkdir -p "$(dirname "$1$shared")"; touch "$1$shared"; fi
    done <<<"$2"
    printf "%s\n" "$2" >"$1/shared"' bash "$root" "$wanted"
}
