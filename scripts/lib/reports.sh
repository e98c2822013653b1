# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What a run of the tests left in its reports; sourced, never run. Needs packages.sh, and the top of the
# repository in $top.

# Told of at most: a log is often shown by its end.
shown_tests=12
shown_lines=3

report_folders() {
  local module kind
  for module in connector committer integration-tests integration-tests/kubernetes integration-tests/contract-tests integration-tests/microbenchmarks; do
    for kind in surefire failsafe; do
      printf '%s\n' "$module/target/$kind-reports"
    done
  done
}

# Those of an earlier run must not pass for those of this one.
forget_reports() {
  local folder
  for folder in $(report_folders); do
    rm -rf "${top:?}/$folder"
  done
}

# reports_of PATTERN: the files of that name in all folders, by their paths in the repository.
reports_of() {
  local folder
  for folder in $(report_folders); do
    (cd "$top" && find "$folder" -maxdepth 1 -name "$1" 2>/dev/null)
  done
}

# Each failed test, the first lines of why, and the file that has the rest.
name_failed_tests() {
  local reports
  mapfile -t reports < <(reports_of 'TEST-*.xml')
  [ "${#reports[@]}" -gt 0 ] || return 0
  (
    cd "$top"
    awk -v most="$shown_tests" -v lines="$shown_lines" '
      function attribute(line, name,    at) {
        at = index(line, " " name "=\"")
        if (at == 0) return ""
        line = substr(line, at + length(name) + 3)
        return substr(line, 1, index(line, "\"") - 1)
      }
      function plain(text) {
        gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text)
        gsub(/&apos;/, "\047", text); gsub(/&#9;/, " ", text); gsub(/&amp;/, "\\&", text)
        return text
      }
      function tell(class, test, kind, why, file,    line, i, n, told) {
        if (++failed == 1) print "\n\nWhat failed:"
        if (failed > most) return
        printf "%s%s%s\n", class, (test == "" ? "" : "#" test), (kind == "" ? "" : ": " kind)
        n = split(why, line, /&#10;/)
        for (i = 1; i <= n && told < lines; i++)
          if (line[i] ~ /[^ ]/) { print "    " substr(plain(line[i]), 1, 240); told++ }
        sub(/TEST-/, "", file); sub(/xml$/, "txt", file)
        print "    more: " file
      }
      /^  <testcase / { test = plain(attribute($0, "name")); class = attribute($0, "classname") }
      /^    <(failure|error)[ >]/ {
        why = attribute($0, "message")
        if (why == "") { why = $0; sub(/.*<!\[CDATA\[/, "", why) }
        tell(class, test, attribute($0, "type"), why, FILENAME)
      }
      END {
        if (failed > most) printf "... and %d more\n", failed - most
        if (failed > 0) printf "Failed in all: %d\n", failed
      }' "${reports[@]}"
  ) >&2
}

# Told of, and no failure: that would be an assertion on times.
name_slow_classes() {
  local seconds="$1" reports slowest
  mapfile -t reports < <(reports_of 'TEST-*.xml')
  [ "${#reports[@]}" -gt 0 ] || return 0
  slowest=$(cd "$top" && sed -n 's/^<testsuite .* name="\([^"]*\)" time="\([0-9]*\)\..*/\2 s \1/p' "${reports[@]}" |
    sort -rn | awk -v most="$seconds" 'NR <= 5 && $1 >= most')
  [ -z "$slowest" ] || say "Slow, and to be tagged if they always are:"$'\n'"$slowest"
}

# How much the explorers tried, which is worth knowing when nothing failed.
tell_what_was_explored() {
  local outputs
  mapfile -t outputs < <(reports_of '*-output.txt')
  [ "${#outputs[@]}" -gt 0 ] || return 0
  (cd "$top" && grep -h '^explored ' "${outputs[@]}" | cut -d ';' -f 1) >&2 || true
}
