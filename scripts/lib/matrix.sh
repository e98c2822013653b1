# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The matrix: each release of Ceph with each release of Spark and each JDK; sourced by scripts/test, never run.
# Needs packages.sh and ceph-release.sh, and the top of the repository in $top.
#
# A cell is named ceph=18,spark=3.5.8,jdk=17. It is the smoke suite of integration-tests/src/test/python, run with
# PyPI's distribution of that Spark on a cluster of that Ceph. With JDK 17 it has this machine's librados; with a newer
# JDK it runs in a root folder of scripts/ceph-dev, which has that JDK, and the librados of its release of Ceph.

MATRIX_SPARKS="3.5.8 4.1.3 4.2.0"
MATRIX_JDKS="17 21 25"
# Those of the usual build: with its own tests, every release of Ceph and of Spark has its turn.
# shellcheck disable=SC2034 # read by scripts/test
MATRIX_OF_BUILD=("ceph=18,spark=3.5.8,jdk=17" "ceph=20,spark=4.2.0,jdk=25")

matrix_spark_home="${RADOSFS_SPARK_DIR:-$HOME/.radosfs/spark}"
# shellcheck disable=SC2154 # set by the script that sources this
matrix_logs="$top/target/matrix"
matrix_seconds=1500 # most for one cell; it takes a tenth of that on an idle machine
matrix_clusters="" # folder of the clusters, while there are any
declare -A matrix_started=()

# What comes with a release of Spark.
matrix_hadoop_of() {
  case "$1" in
    3.5.8) printf '3.3.4\n' ;;
    4.1.3) printf '3.4.2\n' ;;
    4.2.0) printf '3.5.0\n' ;;
  esac
}
matrix_scala_of() {
  case "$1" in
    3.*) printf '2.12\n' ;;
    *) printf '2.13\n' ;;
  esac
}
matrix_delta_of() {
  case "$1" in
    3.5.8) printf '3.3.2\n' ;;
    *) printf '4.4.0\n' ;;
  esac
}

# Delta's own libraries; Spark has what they need beside.
matrix_delta_libraries() {
  case "$1" in
    3.5.8) printf '%s\n' delta-spark_2.12 delta-storage ;;
    *) printf '%s\n' "delta-spark_${1%.*}_2.13" delta-storage delta-kernel-api delta-kernel-defaults delta-kernel-unitycatalog ;;
  esac
}

# matrix_unsupported SPARK JDK: why they do not go together; nothing if they do.
matrix_unsupported() {
  case "$1,$2" in
    3.5.8,17 | 4.1.3,17 | 4.1.3,21 | 4.2.0,*) ;;
    3.5.8,*) printf 'Spark 3.5 supports JDK 17 at most\n' ;;
    *,25) printf 'Hadoop %s does not run on JDK 25, only 3.5.0 and later do\n' "$(matrix_hadoop_of "$1")" ;;
  esac
}

# The release of Ceph in whose root folder a cell runs; nothing if it runs on this machine as it is. Debian has the
# newer JDKs from trixie on, and with it Ceph 18.
matrix_root_of() {
  if [ "$2" -gt 17 ]; then
    if [ "$1" -lt 18 ]; then printf '18\n'; else printf '%s\n' "$1"; fi
  fi
}

matrix_cells() {
  local ceph spark jdk
  for ceph in $RELEASES; do
    for spark in $MATRIX_SPARKS; do
      for jdk in $MATRIX_JDKS; do printf 'ceph=%s,spark=%s,jdk=%s\n' "$ceph" "$spark" "$jdk"; done
    done
  done
}

# matrix_select [PART...]: the cells that have all of what one of the arguments says: ceph=18,jdk=17 names each Spark's.
matrix_select() {
  [ "$#" -gt 0 ] || {
    matrix_cells
    return 0
  }
  local part cell wanted word found
  for part in "$@"; do
    found=false
    for cell in $(matrix_cells); do
      wanted=true
      for word in ${part//,/ }; do [[ ",$cell," == *",$word,"* ]] || wanted=false; done
      if "$wanted"; then
        found=true
        printf '%s\n' "$cell"
      fi
    done
    "$found" || die "the matrix has no cell $part. Its cells are ceph=N,spark=N,jdk=N, with Ceph $RELEASES, Spark $MATRIX_SPARKS, JDK $MATRIX_JDKS."
  done | sort -u
}

# matrix_run CELL...: runs them, Ceph by Ceph, and prints the table, also with what came out of other cells of the same jar
# before. With $matrix_beside each Ceph's are run beside the others': then the times say nothing. Fails if one of these
# fails. The jar is built already.
matrix_run() {
  local ceph status=0 beside=() release
  matrix_forget_other_jars
  rm -f "$matrix_logs/table.md"
  need_librados
  need_matrix_python
  trap matrix_stop EXIT
  matrix_clusters=$(mktemp -d)
  for ceph in $RELEASES; do
    if "${matrix_beside:-false}"; then
      (matrix_release "$ceph" "$@" || exit 1) &
      beside+=("$!")
    else
      matrix_release "$ceph" "$@" || status=1
    fi
  done
  for release in "${beside[@]}"; do wait "$release" || status=1; done
  matrix_stop
  trap - EXIT
  matrix_table | tee "$matrix_logs/table.md"
  return "$status"
}

# matrix_release CEPH CELL...: runs those of them that are of this Ceph, on one cluster.
matrix_release() {
  local ceph="$1" cell status=0
  shift
  for cell in "$@"; do
    [[ "$cell" == "ceph=$ceph,"* ]] || continue
    matrix_cell "$cell" || status=1
  done
  matrix_stop_cluster "$ceph"
  return "$status"
}

# matrix_prepare CELL...: installs what the cells need, so that they need not wait for it when their time has come. In a
# subshell, and behind all else that this machine does.
matrix_prepare() (
  local cell ceph spark jdk root
  renice -n 19 -p "$BASHPID" >/dev/null
  need_matrix_python
  for cell in "$@"; do
    IFS=, read -r ceph spark jdk <<<"$cell"
    ceph="${ceph#*=}" spark="${spark#*=}" jdk="${jdk#*=}"
    matrix_need_spark "$spark" || return 1
    need_release "$ceph"
    root=$(matrix_root_of "$ceph" "$jdk")
    if [ -n "$root" ]; then
      need_release "$root"
      release_need_jdk "$root" "$jdk" >/dev/null || return 1
    fi
  done
)

# What came out of a cell is in its folder, for as long as the jar is the same.
matrix_forget_other_jars() {
  local jar
  jar=$(sha256sum <"$(matrix_jar)")
  if [ "$jar" != "$(cat "$matrix_logs/jar.sha256" 2>/dev/null)" ]; then
    rm -rf "${matrix_logs:?}"
    mkdir -p "$matrix_logs"
    printf '%s\n' "$jar" >"$matrix_logs/jar.sha256"
  fi
}

# The folder of a cell.
matrix_folder() {
  local name="${1//=/-}"
  printf '%s\n' "$matrix_logs/${name//,/-}"
}

# matrix_cell CELL: leaves what came out in its folder.
matrix_cell() {
  local cell="$1" ceph spark jdk why began log
  IFS=, read -r ceph spark jdk <<<"$cell"
  ceph="${ceph#*=}" spark="${spark#*=}" jdk="${jdk#*=}"
  why=$(matrix_unsupported "$spark" "$jdk")
  if [ -n "$why" ]; then
    return 0 # the table says so
  fi
  log=$(matrix_folder "$cell")
  rm -rf "$log"
  mkdir -p "$log"
  say ""
  say "Ceph $ceph, Spark $spark, JDK $jdk (logs: $log)"
  if matrix_start_cluster "$ceph" && matrix_need_spark "$spark" && began="$SECONDS" && (matrix_suite "$ceph" "$spark" "$jdk" "$log"); then
    printf '%s s, %s\n' "$((SECONDS - began))" "$(cat "$log/client")" >"$log/result"
    return 0
  fi
  printf 'FAILED, see %s\n' "${log#"$top/"}" >"$log/result"
  say "FAILED: Ceph $ceph, Spark $spark, JDK $jdk (logs: $log)"
  return 1
}

# matrix_suite CEPH SPARK JDK LOG: in a subshell, whose RELEASE_IN is that of the client.
matrix_suite() {
  local ceph="$1" spark="$2" jdk="$3" log="$4" dir="$matrix_clusters/$1" pool="smoke-$2-$3" root java java17 keys=() more=()
  root=$(matrix_root_of "$ceph" "$jdk")
  java17=$(matrix_jdk_17) || return 1
  RELEASE_IN=()
  if [ -n "$root" ]; then
    need_release "$root" # also where this machine has that release: its JDKs are not on this machine
    java=$(release_need_jdk "$root" "$jdk") || return 1
  else
    java="$java17"
  fi
  # The keys that Ceph 20 makes by itself, for the librados that reads them.
  if [ "$ceph" -ge 20 ]; then
    keys=(--key_type aes)
    if [ "${root:-0}" -ge 20 ]; then keys=(--key_type aes256k); fi
  fi
  matrix_admin "$ceph" osd pool create "$pool" 8 &&
    matrix_admin "$ceph" osd pool application enable "$pool" radosfs &&
    matrix_admin "$ceph" auth get-or-create "client.$pool" mon "allow r" osd "allow rw pool=$pool" \
      "${keys[@]}" -o "$dir/ceph.client.$pool.keyring" || return 1
  # Executors as processes take a while, and are the same on each Ceph.
  [[ " ${MATRIX_OF_BUILD[*]} " != *" ceph=$ceph,spark=$spark,jdk=$jdk "* ]] || more=(--executors)
  printf 'librados %s, key %s\n' "$(matrix_librados)" "${keys[1]:-aes}" >"$log/client"
  say "Its client has $(cat "$log/client")"
  # In the foreground: what ends this script ends the suite too, which then ends what it has started.
  timeout --foreground --kill-after=30 "$matrix_seconds" "${RELEASE_IN[@]}" "$matrix_python" \
    "$top/integration-tests/src/test/python/suite.py" --spark-home "$matrix_spark_home/$spark/pyspark" \
    --delta "$(printf '%s\n' "$matrix_spark_home/$spark/delta"/*.jar | paste -sd,)" \
    --jar "$(matrix_jar)" --java-home "$java" --cli-java-home "$java17" --radosfs "$top/scripts/radosfs" \
    --conf "$dir/ceph.conf" --user "client.$pool" --keyring "$dir/ceph.client.$pool.keyring" "${more[@]}" --uri "rados://$pool/" --logs "$log" </dev/null >&2 || return 1
}

matrix_jar() { find "$top/committer/target" -maxdepth 1 -name 'radosfs-spark-*.jar' | head -n 1; }

# --- clusters --------------------------------------------------------------------------------------------------------

# A cell's pool is its own: so one cluster serves for all cells of a release.
matrix_start_cluster() {
  local ceph="$1" version
  [ -z "${matrix_started[$ceph]:-}" ] || return 0
  "$top/scripts/ceph-dev" up --release "$ceph" --dir "$matrix_clusters/$ceph" --for "$$" >"$matrix_logs/ceph-$ceph.log" 2>&1 || {
    tail -n 20 "$matrix_logs/ceph-$ceph.log" >&2
    return 1
  }
  version=$("$top/scripts/ceph-dev" exec --dir "$matrix_clusters/$ceph" -- ceph version) || return 1
  version=$(sed -n 's/^ceph version \([0-9.]*\).*/\1/p' <<<"$version")
  printf '%s\n' "$version" >"$matrix_logs/ceph-$ceph.version"
  matrix_started[$ceph]=true
  say "A cluster of Ceph $version runs."
}

matrix_admin() {
  local ceph="$1"
  shift
  quietly "$top/scripts/ceph-dev" exec --dir "$matrix_clusters/$ceph" -- ceph "$@"
}

matrix_stop_cluster() {
  [ -e "$matrix_clusters/$1" ] || return 0
  quietly "$top/scripts/ceph-dev" down --purge --dir "$matrix_clusters/$1" || say "The cluster in $matrix_clusters/$1 was not removed."
}

matrix_stop() {
  local ceph
  [ -n "$matrix_clusters" ] || return 0
  for ceph in $RELEASES; do matrix_stop_cluster "$ceph"; done
  rmdir "$matrix_clusters" || true
  matrix_clusters=""
}

# --- what a cell needs -----------------------------------------------------------------------------------------------

need_matrix_python() {
  need_commands python3=python3
  # That of the machine's own packages, which root folders have in the same place.
  matrix_python=/usr/bin/python3
  [ -x "$matrix_python" ] || apt_install python3
  "$matrix_python" -m pip --version >/dev/null 2>&1 || apt_install python3-pip
}

# matrix_need_spark SPARK: PyPI's distribution, checked by its hash, and Delta for it. Installed once.
matrix_need_spark() {
  local spark="$1" home="$matrix_spark_home/$1" made library
  [ ! -d "$home" ] || return 0
  mkdir -p "$matrix_spark_home"
  exec 8>"$matrix_spark_home/.lock"
  flock 8
  if [ ! -d "$home" ]; then
    say "Installing Spark $spark in $home (450 MB from PyPI) ..."
    rm -rf "$matrix_spark_home/$spark".?????? # of one that was interrupted
    made=$(mktemp -d -p "$matrix_spark_home" "$spark.XXXXXX")
    grep "^pyspark==$spark " "$top/scripts/lib/spark-distributions.txt" >"$made/requirement.txt" ||
      die "scripts/lib/spark-distributions.txt has no Spark $spark. It has: $(sed -n 's/^pyspark==\([^ ]*\) .*/\1/p' "$top/scripts/lib/spark-distributions.txt" | tr '\n' ' ')"
    if ! quietly "$matrix_python" -m pip install --no-deps --no-compile --no-cache-dir --require-hashes \
      --target "$made" --requirement "$made/requirement.txt"; then
      rm -rf "$made"
      exec 8>&-
      say "pip could not install Spark $spark (see above)."
      return 1
    fi
    for library in $(matrix_delta_libraries "$spark"); do
      if ! (cd "$top" && quietly mvn -B -ntp -N dependency:copy "-DoutputDirectory=$made/delta" \
        "-Dartifact=io.delta:$library:$(matrix_delta_of "$spark")"); then
        rm -rf "$made"
        exec 8>&-
        say "Maven could not get Delta's $library for Spark $spark (see above)."
        return 1
      fi
    done
    chmod 755 "$made"
    mv -T "$made" "$home"
  fi
  exec 8>&-
}

matrix_jdk_17() {
  local home
  for home in "$JAVA_HOME" /usr/lib/jvm/*-17-*; do
    if [ "$(jdk_major "$home")" = 17 ]; then
      printf '%s\n' "$home"
      return 0
    fi
  done
  say "the matrix needs a JDK 17: install openjdk-17-jdk-headless, or set JAVA_HOME"
  return 1
}

# The release of the librados that a process of the client loads, by its package.
matrix_librados() {
  # shellcheck disable=SC2016 # dpkg-query expands it
  "${RELEASE_IN[@]}" dpkg-query --show --showformat '${Version}' librados2 | sed 's/[^0-9.].*//'
}

# --- the table -------------------------------------------------------------------------------------------------------

# As committer/docs/tested-releases.md has it.
matrix_table() {
  local ceph spark jdk why row
  row="| Spark | JDK |"
  for ceph in $RELEASES; do row+=" Ceph $(cat "$matrix_logs/ceph-$ceph.version" 2>/dev/null || printf '%s' "$ceph") |"; done
  printf '%s\n| --- | --- | --- | --- | --- |\n' "$row"
  for spark in $MATRIX_SPARKS; do
    for jdk in $MATRIX_JDKS; do
      row="| $spark (Scala $(matrix_scala_of "$spark"), Hadoop $(matrix_hadoop_of "$spark"), Delta $(matrix_delta_of "$spark")) | $jdk |"
      why=$(matrix_unsupported "$spark" "$jdk")
      if [ -n "$why" ]; then
        row+=" not supported: $why | the same | the same |"
      else
        for ceph in $RELEASES; do
          row+=" $(cat "$(matrix_folder "ceph=$ceph,spark=$spark,jdk=$jdk")/result" 2>/dev/null || printf 'not run') |"
        done
      fi
      printf '%s\n' "$row"
    done
  done
}
