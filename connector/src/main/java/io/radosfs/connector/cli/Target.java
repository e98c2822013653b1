// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.uri.Authority;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The URI that a verb works on, and the settings. */
final class Target {

  @Parameters(
      paramLabel = "URI",
      description = "rados://pool/path, or rados://namespace@pool/path.")
  private String uri;

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

  Authority authority() {
    return Authority.of(new Path(uri).toUri());
  }

  FsPath path() throws FsPath.InvalidNameException {
    String path = new Path(uri).toUri().getPath();
    return path.isEmpty() ? FsPath.ROOT : FsPath.parse(path);
  }

  /** As the user gave it. */
  @Override
  public String toString() {
    return uri;
  }
}
