// SPDX-License-Identifier: Apache-2.0
package io.radosfs.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.docs.PageSection;
import io.radosfs.suites.SuitePool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.tools.DistCp;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * The commands of {@code hadoop} on the page on migration.
 *
 * @param configuration of each command
 * @param places what stands on the page for a place, and where it is here
 */
record MigrationCommands(Supplier<Configuration> configuration, Map<String, String> places) {

  static List<String> all() {
    return PageSection.of("connector/docs/migration.md", "Copying files").commands("hadoop");
  }

  /** The one command of the page that has this in it. */
  static String with(String part) {
    List<String> found = all().stream().filter(command -> command.contains(part)).toList();
    assertThat(found).as(part).hasSize(1);
    return found.get(0);
  }

  /**
   * @param more options of DistCp
   * @return its status
   */
  int run(String command, String... more) throws Exception {
    String here = command.replace("rados://lake/", SuitePool.uri().toString());
    for (Map.Entry<String, String> place : places.entrySet()) {
      here = here.replace(place.getKey(), place.getValue());
    }
    List<String> words = new ArrayList<>(List.of(here.split(" ")));
    boolean copies = words.get(1).equals("distcp");
    Tool tool = copies ? new DistCp(configuration.get(), null) : new FsShell(configuration.get());
    List<String> arguments = new ArrayList<>(words.subList(2, words.size()));
    arguments.addAll(copies ? arguments.size() - 2 : 0, List.of(more));
    return ToolRunner.run(tool.getConf(), tool, arguments.toArray(String[]::new));
  }
}
