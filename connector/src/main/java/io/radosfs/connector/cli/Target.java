// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.uri.Authority;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The URI that a verb works on, its first parameter, and the settings. */
final class Target {

  @Parameters(
      index = "0",
      paramLabel = "URI",
      description = "rados://pool/path, or rados://namespace@pool/path.")
  private String uri;

  @Mixin private Setup setup;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb;

  Configuration configuration() {
    return setup.configuration();
  }

  Location location() {
    return new Location(uri);
  }

  Authority authority() {
    return location().authority();
  }

  /**
   * The file system, for a verb that works on the whole of it.
   *
   * @throws ParameterException if the URI has a path: its user may expect that the verb works on
   *     that alone
   */
  Authority wholeFileSystem() throws FsPath.InvalidNameException {
    if (!path().isRoot()) {
      throw new ParameterException(
          verb.commandLine(),
          uri + ": " + verb.name() + " works on a whole file system, " + authority() + "/");
    }
    return authority();
  }

  FsPath path() throws FsPath.InvalidNameException {
    return location().path();
  }

  Path hadoopPath() throws FsPath.InvalidNameException {
    return location().hadoopPath();
  }

  /** What is at the path. One index read. */
  Entry entry(Mount mount) throws IOException {
    return mount
        .namespace()
        .lookup(path())
        .orElseThrow(() -> new FileNotFoundException("no such file: " + this));
  }

  /** As the user gave it. */
  @Override
  public String toString() {
    return uri;
  }
}
