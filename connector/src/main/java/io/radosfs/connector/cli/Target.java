// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.uri.Authority;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The URI that a verb works on, its first parameter, and the settings. */
final class Target {

  @Parameters(
      index = "0",
      paramLabel = "URI",
      description = "rados://pool/path, or rados://namespace@pool/path.")
  private String uri;

  @Mixin private Setup setup;

  Configuration configuration() {
    return setup.configuration();
  }

  Location location() {
    return new Location(uri);
  }

  Authority authority() {
    return location().authority();
  }

  FsPath path() throws FsPath.InvalidNameException {
    return location().path();
  }

  Path hadoopPath() throws FsPath.InvalidNameException {
    return location().hadoopPath();
  }

  /** As the user gave it. */
  @Override
  public String toString() {
    return uri;
  }
}
