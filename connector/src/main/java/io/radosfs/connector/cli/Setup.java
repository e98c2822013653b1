// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Option;

/** The settings that a verb works with. */
final class Setup {

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "A setting, such as fs.rados.ceph.conf=FILE; it overrides core-site.xml.")
  private Map<String, String> settings = new TreeMap<>();

  Configuration configuration() {
    Configuration conf = new Configuration();
    settings.forEach(conf::set);
    return conf;
  }
}
