# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The test of what is published; sourced by scripts/test, never run. Needs packages.sh, ceph-release.sh and matrix.sh, and
# the top of the repository in $top.
#
# Builds the last commit as a release in two clones, with a key that is thrown away, and compares both byte for byte. Then
# uses it as somebody would who has neither sources nor Maven: pyspark --packages, and the archive's command line.

# shellcheck disable=SC2154 # set by the script that sources this
release_logs="$top/target/release"
release_work="" # folder of the clones, the key and the cluster, while there are any
release_sparks=()

# release_test [SPARK...]: with these releases of Spark, or with all.
release_test() {
  local status=0 spark
  release_sparks=("$@")
  [ "$#" -gt 0 ] || read -ra release_sparks <<<"$MATRIX_SPARKS"
  need_jdk_and_maven
  need_commands git=git gpg=gpg unshare=util-linux
  need_librados
  need_matrix_python
  need_ceph
  for spark in "${release_sparks[@]}"; do matrix_need_spark "$spark" || return 1; done
  release_run release_steps || status=$?
  [ "$status" -eq 0 ] || say "FAILED: the test of the release (logs: $release_logs)"
  return "$status"
}

# release_run FUNCTION: in a folder of its own, which is removed after.
release_run() {
  local status=0
  rm -rf "$release_logs"
  mkdir -p "$release_logs"
  release_work=$(mktemp -d)
  trap release_stop EXIT
  "$1" || status=$?
  release_stop
  trap - EXIT
  return "$status"
}

# Also with set -e off, as it is for a function whose status is asked for: the first step that fails ends it.
release_steps() {
  release_make_key &&
    release_build one &&
    release_build two/deeper &&
    release_compare &&
    release_look_at_files &&
    release_look_at_jars &&
    release_look_at_archive &&
    release_use
}

# --- building --------------------------------------------------------------------------------------------------------

release_gpg() { gpg --homedir "$release_work/key" --batch --quiet "$@"; }

release_make_key() {
  mkdir -m 700 "$release_work/key"
  quietly release_gpg --passphrase '' --pinentry-mode loopback --quick-generate-key 'radosfs test <test@example.invalid>' ed25519 sign 1d
}

# The version that the last commit is, or will be released as.
release_version() { sed -n '/^  <version>/ { s:.*<version>\(.*\)</version>:\1:; s:-SNAPSHOT$::; p; q }' "$top/pom.xml"; }

# release_build CLONE: stages the last commit, with the version that it will be released as.
release_build() {
  local clone="$release_work/$1" log="$release_logs/build-${1//\//-}.log" version began="$SECONDS"
  version=$(release_version)
  mkdir -p "$(dirname "$clone")"
  git clone --quiet --no-hardlinks "$top" "$clone" || return 1
  say "Building radosfs $version in $clone (log: $log) ..."
  if ! (
    cd "$clone" || exit 1
    git ls-files '*pom.xml' | xargs sed -i "s:<version>$version-SNAPSHOT</version>:<version>$version</version>:"
    # What builders differ in, beside their folders. Jars keep the modes of files, so the umask is not one of these.
    umask 022
    if [ "$1" != one ]; then
      export TZ=Asia/Kathmandu LC_ALL=C
    fi
    mvn -B -ntp -Prelease -pl '!integration-tests,!integration-tests/kubernetes,!integration-tests/contract-tests,!integration-tests/microbenchmarks' "-Dgpg.homedir=$release_work/key" -Dspotless.check.skip=true
  ) >"$log" 2>&1 </dev/null; then
    grep -m 20 ERROR "$log" >&2 || tail -n 20 "$log" >&2
    return 1
  fi
  say "It took $((SECONDS - began)) s."
}

# What is staged, but for signatures and checksums, and Maven's lists of versions, which have the time.
release_files() {
  (cd "$1/target/staging" && find io -type f ! -name 'maven-metadata.xml*' ! -name '*.asc' ! -name '*.md5' ! -name '*.sha1' | LC_ALL=C sort)
}

release_compare() {
  local file different=0
  release_files "$release_work/one" >"$release_logs/files.txt"
  if ! release_files "$release_work/two/deeper" | diff "$release_logs/files.txt" - >&2; then
    say "The two builds have not the same files (see above)."
    return 1
  fi
  while IFS= read -r file; do
    if ! cmp -s "$release_work/one/target/staging/$file" "$release_work/two/deeper/target/staging/$file"; then
      say "Differs: $file"
      different=$((different + 1))
      release_keep_both "$file"
    fi
  done <"$release_logs/files.txt"
  [ "$different" -eq 0 ] || {
    say "$different files of $(wc -l <"$release_logs/files.txt") differ between the two builds (see above, and $release_logs/differ)."
    return 1
  }
  [ -s "$release_logs/files.txt" ] || return 1
  say "Reproducible: $(wc -l <"$release_logs/files.txt") files, $(du -shc "$release_work/one/target/staging" | sed -n '$s/\t.*//p'), are the same in two builds."
}

release_keep_both() {
  local name="${1##*/}"
  mkdir -p "$release_logs/differ/one" "$release_logs/differ/two"
  cp "$release_work/one/target/staging/$1" "$release_logs/differ/one/$name"
  cp "$release_work/two/deeper/target/staging/$1" "$release_logs/differ/two/$name"
}

# --- what is staged ----------------------------------------------------------------------------------------------------

# Every file is signed and has checksums that are right.
release_look_at_files() {
  local file signed=0 staging="$release_work/one/target/staging"
  while IFS= read -r file; do
    release_gpg --verify "$staging/$file.asc" "$staging/$file" 2>>"$release_logs/signatures.log" || {
      say "The signature of $file is not there or not right (see $release_logs/signatures.log)."
      return 1
    }
    [ "$(sha1sum <"$staging/$file" | cut -d' ' -f1)" = "$(cat "$staging/$file.sha1")" ] || {
      say "The checksum of $file is not there or not right."
      return 1
    }
    signed=$((signed + 1))
  done <"$release_logs/files.txt"
  release_look_for_files "$staging/io/radosfs" || return 1
  say "Signed, with checksums: $signed files."
}

# What repositories and users expect of each module.
release_look_for_files() {
  local version file missing=0
  version=$(release_version)
  for file in radosfs-{connector,committer,spark}/"$version"/%{.pom,.jar,-sources.jar,-javadoc.jar,-cyclonedx.json,-cyclonedx.xml} \
    radosfs-spark/"$version"/%-all.jar radosfs-bom/"$version"/%.pom \
    radosfs-distribution/"$version"/%{.pom,.tar.gz,-cyclonedx.json}; do
    file="${file//%/${file%%/*}-$version}"
    [ -s "$1/$file" ] || { say "There is no $file." && missing=$((missing + 1)); }
  done
  [ "$missing" -eq 0 ]
}

release_jar() { printf '%s\n' "$release_work/one/target/staging/io/radosfs/radosfs-spark/$(release_version)/radosfs-spark-$(release_version)$1.jar"; }

# Spark users meet no library that they may have in another version; licences are there; and no POM leads to other POMs.
release_look_at_jars() {
  local folder="$release_work/one/target/staging/io/radosfs" pom
  release_has_only "$(release_jar '')" 'io/radosfs/|META-INF/' || return 1
  release_has_only "$(release_jar -all)" 'io/radosfs/|META-INF/|com/sun/jna/' || return 1
  release_has_licences_of_jna "$(release_jar -all)" || return 1
  if grep -l '<parent>\|<type>pom</type>\|SNAPSHOT' "$folder"/*/*/*.pom >&2; then
    say "These POMs refer to others, or to a snapshot."
    return 1
  fi
  pom="$folder/radosfs-spark/$(release_version)/radosfs-spark-$(release_version).pom"
  release_needed_by "$pom" >"$release_logs/needed.txt"
  [ "$(cat "$release_logs/needed.txt")" = jna ] || {
    say "Who resolves radosfs-spark gets more than JNA:" && cat "$release_logs/needed.txt" >&2
    return 1
  }
  say "The jar of radosfs-spark has nothing but its own packages, and needs JNA alone."
}

# release_has_only JAR PATTERN: of files; and what a licence asks for.
release_has_only() {
  local listed others
  listed=$(jar_list "$1") || return 1
  others=$(grep -v '/$' <<<"$listed" | grep -Ev "^($2)" || true)
  [ -z "$others" ] || {
    say "${1##*/} contains what it should not:" && head -n 10 <<<"$others" >&2
    return 1
  }
  [ "$(grep -c -x 'META-INF/LICENSE\|META-INF/NOTICE' <<<"$listed")" -eq 2 ] || {
    say "${1##*/} has no LICENSE, or no NOTICE"
    return 1
  }
}

# release_has_licences_of_jna JAR: both of its own, and that of libffi, which is in its native libraries.
release_has_licences_of_jna() {
  local listed licence
  listed=$(jar_list "$1") || return 1
  for licence in AL2.0 LGPL2.1 LICENSE-libffi; do
    grep -q -x "META-INF/$licence" <<<"$listed" || {
      say "${1##*/} has no META-INF/$licence"
      return 1
    }
  done
}

release_look_at_archive() {
  local version
  version=$(release_version)
  release_archive_is_whole "$release_work/one/target/staging/io/radosfs/radosfs-distribution/$version/radosfs-distribution-$version.tar.gz" \
    "radosfs-$version"
}

# release_archive_is_whole ARCHIVE FOLDER: THIRD-PARTY.txt names each library of others, with its licence, and all examples
# are there.
release_archive_is_whole() {
  local listed libraries missing
  listed=$(tar -tzf "$1") || return 1
  libraries=$(sed -n "s:^$2/lib/\\(.*\\.jar\\)\$:\\1:p" <<<"$listed" | grep -v '^radosfs-' | LC_ALL=C sort)
  [ -n "$libraries" ] || {
    say "${1##*/} has no libraries"
    return 1
  }
  # A line of it: (licence) ... name (group:artifact:version - address)
  missing=$(tar -xzOf "$1" "$2/THIRD-PARTY.txt" |
    sed -n 's/^ *([^)]\+).* ([^:() ]*:\([^: ]*\):\([^: ]*\) - .*)$/\1-\2.jar/p' | LC_ALL=C sort | LC_ALL=C comm -13 - <(printf '%s\n' "$libraries")) || return 1
  [ -z "$missing" ] || {
    say "THIRD-PARTY.txt of ${1##*/} names no licence of:" && printf '%s\n' "$missing" >&2
    return 1
  }
  missing=$(git -C "$top" ls-files config-examples | sed "s:^:$2/:" | grep -v -x -F -f <(printf '%s\n' "$listed") || true)
  [ -z "$missing" ] || {
    say "${1##*/} does not contain:" && printf '%s\n' "$missing" >&2
    return 1
  }
  say "The archive names the licences of its $(wc -l <<<"$libraries") libraries, and has all examples."
}

jar_list() { "$JAVA_HOME/bin/jar" --list --file "$1"; }

# The modules that a user of this POM gets with it.
release_needed_by() {
  "$matrix_python" - "$1" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree

POM = "{http://maven.apache.org/POM/4.0.0}"
for needed in tree.parse(sys.argv[1]).getroot().iterfind(f"{POM}dependencies/{POM}dependency"):
    if needed.findtext(POM + "optional") != "true" and needed.findtext(POM + "scope", "compile") in ("compile", "runtime"):
        print(needed.findtext(POM + "artifactId"))
PYTHON
}

# --- using it --------------------------------------------------------------------------------------------------------

# With each Spark, in a place that has the staging repository, Spark, the cluster's conf and key, and neither home nor sources.
release_use() {
  local place="$release_work/place" cluster="$release_work/ceph" version spark java
  version=$(release_version)
  java=$(matrix_jdk_17) || return 1
  mkdir -p "$place/logs" "$place/spark"
  cp -r "$release_work/one/target/staging" "$place/staging"
  cp "$top"/integration-tests/src/test/python/{released*,steps}.py "$top/committer/docs/releases.md" "$place/"
  release_copy_jna "$place/others" || return 1
  tar -C "$place" -xzf "$place/staging/io/radosfs/radosfs-distribution/$version/radosfs-distribution-$version.tar.gz" || return 1
  "$top/scripts/ceph-dev" up --dir "$cluster" --for "$$" >"$release_logs/ceph.log" 2>&1 || {
    tail -n 20 "$release_logs/ceph.log" >&2
    return 1
  }
  for spark in "${release_sparks[@]}"; do
    say "Using it from the staging repository, with Spark $spark on $("$top/scripts/ceph-dev" exec --dir "$cluster" -- ceph version)"
    quietly "$top/scripts/ceph-dev" exec --dir "$cluster" -- rados --pool radosfs purge radosfs --yes-i-really-really-mean-it || return 1
    release_in_place "$place" "$matrix_spark_home/$spark" env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME="$HOME" JAVA_HOME="$java" \
      "$matrix_python" "$place/released.py" --place "$place" --version "$version" --spark-home "$place/spark/pyspark" \
      --conf "$cluster/ceph.conf" --user client.spark --uri rados://radosfs/ --hidden "$HOME" --hidden "$top" \
      --hidden "$release_work/one" --hidden "$release_work/two" --logs "$place/logs/spark-$spark" </dev/null >&2 || return 1
  done
  release_use_newest_jdk "$place/radosfs-$version/bin/radosfs" "$cluster/ceph.conf"
}

# release_use_newest_jdk RADOSFS CONF: the command line on the newest JDK, which is in the root folder of a release of Ceph.
# It warns of nothing, nor do Java and Hadoop.
release_use_newest_jdk() (
  local jdk="${MATRIX_JDKS##* }" root java verb log="$release_logs/newest-jdk.log"
  root=$(matrix_root_of 16 "$jdk")
  need_release "$root"
  java=$(release_need_jdk "$root" "$jdk") || return 1
  for verb in "ls -R" fsck "jobs list" gc; do
    # shellcheck disable=SC2086 # words
    if ! "${RELEASE_IN[@]}" env JAVA_HOME="$java" RADOSFS_CACHE="" "$1" $verb rados://radosfs/ -Dfs.rados.ceph.conf="$2" \
      -Dfs.rados.ceph.user=client.spark >"$log" 2>"$log.err" </dev/null || [ -s "$log.err" ]; then
      say "radosfs $verb on JDK $jdk failed, or warned:" && cat "$log" "$log.err" >&2
      return 1
    fi
  done
  say "The archive's command line runs on JDK $jdk, without a warning."
)

# What a public repository has: JNA, as Maven has fetched it. So the test asks no network for it.
release_copy_jna() {
  local version form
  version=$(sed -n 's:.*<jna.version>\(.*\)</jna.version>.*:\1:p' "$top/pom.xml")
  for form in pom jar; do
    (cd "$top" && quietly mvn -B -ntp -N dependency:copy "-Dartifact=net.java.dev.jna:jna:$version:$form" \
      "-DoutputDirectory=$1/net/java/dev/jna/jna/$version") || return 1
  done
}

# release_in_place PLACE SPARK COMMAND [ARGUMENT...]: in mounts of its own, which end with it.
release_in_place() {
  local user=()
  [ "$(id -u)" -eq 0 ] || user=(--user --map-root-user)
  # shellcheck disable=SC2016 # that shell expands it
  unshare --mount --propagation private "${user[@]}" bash -c '
    set -e
    mount --bind "$2" "$1/spark"
    mount --bind "$5" "$1/logs"
    for hidden in "$HOME" "$3" "$4/one" "$4/two"; do
      if [ -d "$hidden" ]; then mount -t tmpfs hidden "$hidden"; fi
    done
    cd "$1"
    shift 5
    exec "$@"' bash "$1" "$2" "$top" "$release_work" "$release_logs" "${@:3}"
}

release_stop() {
  [ -n "$release_work" ] || return 0
  if [ -e "$release_work/ceph" ]; then
    quietly "$top/scripts/ceph-dev" down --purge --dir "$release_work/ceph" || {
      # With its folder the process ids of its daemons would be gone.
      say "The cluster in $release_work/ceph was not removed. Remove it: scripts/ceph-dev down --purge --dir $release_work/ceph"
      return 1
    }
  fi
  gpgconf --homedir "$release_work/key" --kill all 2>/dev/null || true
  # What apt has put into a machine of bare.sh is root's.
  [ ! -e "$release_work/machine" ] || as_root rm -rf --one-file-system "$release_work/machine"
  rm -rf "${release_work:?}"
  release_work=""
}
