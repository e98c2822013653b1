// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.radosfs.connector.docs.PageSection;
import io.radosfs.connector.docs.Repository;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The page of the command line says what there is. */
class CommandLinePageTest {

  private static final String PAGE = Repository.page("connector/docs/command-line.md");
  private final SimulatedCluster cluster =
      SimulatedCluster.withPools("lake").addErasureCodedPool("ec");
  private final Configuration conf = SimulatedConnections.configuration(cluster);

  @TempDir Path here;

  @BeforeEach
  void makeFiles() throws IOException {
    conf.set("fs.rados.object.size", "1K");
    cluster.setQuota("lake", 1_000_000);
    try (FileSystem fs = FileSystem.newInstance(URI.create("rados://lake"), conf)) {
      fs.mkdirs(new org.apache.hadoop.fs.Path("/reports"));
      for (String path : List.of("/sales/a.parquet", "/sales/a.parquet", "/sales/d/b.parquet")) {
        try (FSDataOutputStream file = fs.create(new org.apache.hadoop.fs.Path(path), true)) {
          file.write(new byte[1_500]);
        }
      }
    }
    Files.writeString(here.resolve("report.csv"), "1,2");
  }

  /** In their order. Those of jobs are run where the committer is, in JobsCommandTest. */
  @Test
  void itsExamplesRun() throws IOException {
    List<String> examples =
        PageSection.of("connector/docs/command-line.md", "Command line").commands("radosfs");
    assertThat(examples).hasSizeGreaterThan(8);
    for (String example : examples) {
      List<String> words = new ArrayList<>(List.of(example.replace("'", "").split(" ")));
      words.remove(0);
      words.replaceAll(
          word -> word.endsWith(".csv") && !word.contains(":") ? here + "/" + word : word);
      if (!List.of("jobs", "top").contains(words.get(0))) {
        Ran ran = Ran.of(conf, words.toArray(new String[0]));
        assertThat(ran.status()).as(example + ran.err()).isZero();
      }
    }
    assertThat(here.resolve("copy.csv")).hasContent("1,2");
  }

  @Test
  void itNamesAllVerbs() {
    List<String> named = new ArrayList<>();
    Matcher row = Pattern.compile("(?m)^\\| `([^`]*)` \\| ").matcher(PAGE);
    while (row.find()) {
      named.add(row.group(1).replaceAll("[^a-z|\\\\ ].*", "").trim());
    }
    assertThat(named).containsAll(verbs(Radosfs.commandLine(false), ""));
  }

  private static List<String> verbs(CommandLine of, String prefix) {
    List<String> found = new ArrayList<>();
    of.getSubcommands()
        .forEach(
            (name, verb) -> {
              if (name.equals("jobs")) {
                found.addAll(verbs(verb, "jobs "));
              } else if (!verb.getSubcommands().isEmpty()) {
                found.add(name + " " + String.join("\\|", verb.getSubcommands().keySet()));
              } else {
                found.add(prefix + name);
              }
            });
    return found;
  }

  @ParameterizedTest
  @CsvSource({
    "format,     format rados://other@lake",
    "info,       info rados://lake/",
    "doctor,     doctor rados://lake/",
    "df,         df rados://lake/",
    "ls,         ls -R rados://lake/",
    "find,       find rados://lake/",
    "stat,       stat rados://lake/sales/a.parquet",
    "stat,       stat rados://lake/sales",
    "du,         du rados://lake/",
    "export,     export rados://lake/",
    "adopt,      adopt -R rados://lake/",
    "restore,    restore --list rados://lake/",
    "restore,    restore rados://lake/ --to rados://lake/rescued",
    "objects,    objects rados://lake/sales/a.parquet",
    "put,        put {here}/report.csv rados://lake/reports",
    "get,        get rados://lake/sales {here}/sales",
    "mkdir,      mkdir rados://lake/made",
    "mv,         mv rados://lake/sales rados://lake/reports",
    "rm,         rm -r rados://lake/sales",
    "layout,     layout get rados://lake/sales",
    "layout,     layout set --object-size 2K rados://lake/sales",
    "gc,         gc --replaced-now rados://lake/",
    "gc,         gc --dry-run rados://lake/",
  })
  void itNamesAllFields(String verb, String command) throws IOException {
    List<String> words =
        new ArrayList<>(List.of(command.replace("{here}", here.toString()).split(" ")));
    words.add("--json");
    Ran ran = Ran.of(conf, words.toArray(new String[0]));
    assertThat(ran.status()).as(ran.err()).isZero();
    Set<String> documented = DocumentedFields.of(verb);
    assertThat(ran.objects()).isNotEmpty();
    ran.objects()
        .forEach(object -> assertThat(documented).containsAll(DocumentedFields.names(object)));
  }

  @Test
  void itNamesAllFieldsOfFsck() throws IOException {
    var store = cluster.client("vandal").open("lake", "");
    store.write("stray", WriteOp.builder().createExclusive().build());
    Ran ran = Ran.of(conf, "fsck", "--notes", "--json", "rados://lake/");
    assertThat(ran.status()).isEqualTo(1);
    Set<String> types = fieldsOf("fsck", ran.objects());
    cluster
        .client(conf.get("fs.rados.ceph.user", "client.admin"))
        .faults()
        .always(op -> op.summary().equals("list"), Fault.failWith(StoreException.Kind.TIMED_OUT));
    ran = Ran.of(conf, "fsck", "--json", "rados://lake/");
    assertThat(ran.status()).isEqualTo(3);
    types.addAll(fieldsOf("fsck", ran.objects()));
    assertThat(types).contains("finding", "unchecked", "summary");
  }

  private static Set<String> fieldsOf(String verb, List<JsonNode> objects) throws IOException {
    Set<String> types = new TreeSet<>();
    for (JsonNode object : objects) {
      assertThat(DocumentedFields.of(verb)).containsAll(DocumentedFields.names(object));
      types.add(object.get("type").asText());
    }
    return types;
  }

  /** What the page says more than there is would be found here. */
  @Test
  void itNamesNoOtherFields() throws IOException {
    for (String command :
        List.of(
            "ls rados://lake/",
            "du rados://lake/",
            "df rados://lake/",
            "get rados://lake/sales " + here + "/sales")) {
      Ran ran = Ran.of(conf, (command + " --json").split(" "));
      Set<String> seen = new TreeSet<>();
      ran.objects().forEach(object -> seen.addAll(DocumentedFields.names(object)));
      Set<String> documented = DocumentedFields.of(command.substring(0, command.indexOf(' ')));
      documented.remove("quotaObjects"); // The simulation has no such quota.
      assertThat(documented).isEqualTo(seen);
    }
  }

  @Test
  void itNamesTheExitStatusOfEachVerb() {
    Set<String> statuses = new TreeSet<>();
    Radosfs.commandLine(false)
        .getSubcommands()
        .values()
        .forEach(
            verb -> statuses.addAll(verb.getCommandSpec().usageMessage().exitCodeList().keySet()));
    statuses.forEach(status -> assertThat(PAGE).contains("\n| " + status + " | "));
  }
}
