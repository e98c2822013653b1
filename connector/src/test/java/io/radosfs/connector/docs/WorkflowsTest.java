// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What scripts/test can run is run by itself, each night if not more often. */
class WorkflowsTest {

  /** Parts of other runs, for whoever changes something. */
  private static final Set<String> BY_HAND =
      Set.of("scripts/test --quick", "scripts/test --it", "scripts/test --ceph-release");

  private static final Pattern FORM = Pattern.compile("(?m)^(?:Usage:)? +(scripts/test --[\\w-]+)");

  private static List<String> forms(String text) {
    return FORM.matcher(text).results().map(form -> form.group(1)).toList();
  }

  @Test
  void eachFormOfTheScriptRunsEachNight() {
    String nightly = Repository.page(".github/workflows/nightly.yml");
    List<String> forms = forms(Repository.page("scripts/test"));
    assertThat(forms).hasSizeGreaterThan(6).containsAll(BY_HAND);
    Stream<String> profiles =
        Stream.of(
            "scripts/test -Pspark-4.2", "scripts/test -Pspark-3.5", ".ci/run", ".ci/run -Pdeep");
    assertThat(
            Stream.concat(forms.stream().filter(form -> !BY_HAND.contains(form)), profiles)
                .filter(run -> !nightly.contains("- run: " + run + "\n")))
        .as("what nightly.yml does not run")
        .isEmpty();
  }

  @Test
  void theExamplesForKubernetesAreHeldAgainstTheReleasesThatThePageNames() {
    String nightly = Repository.page(".github/workflows/nightly.yml");
    String page = Repository.page("committer/docs/kubernetes.md");
    Map<String, String> releases =
        Map.of(
            "rook/rook/v", "Rook ",
            "kubeflow/spark-operator/v", "Kubeflow's operator ",
            "apache/spark-kubernetes-operator/", "Apache's ");
    releases.forEach(
        (tag, named) -> {
          Matcher fetched =
              Pattern.compile(" " + tag + "([\\d.]+)/\\S+\\.yaml\\n").matcher(nightly);
          assertThat(fetched.find()).as(tag).isTrue();
          assertThat(page).containsPattern(Pattern.quote(named + fetched.group(1)) + "\\b");
        });
    assertThat(nightly).contains("-Dtest=PublishedSchemasTest", "-Dkubernetes.crds=");
  }
}
