// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.operations.Namespace;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.PathIOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Gives a file or directory another name. */
@Command(
    name = "mv",
    header = "Gives a file or directory another name.",
    description =
        "Gives a file, or a directory with all that is in it, another name in the same file system,"
            + " at one instant and without moving data. Where TO is a directory, it is moved into"
            + " that. Nothing is overwritten.")
final class MvCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;

  @Parameters(
      index = "1",
      paramLabel = "TO",
      description = "The new name, rados://pool/path, or a directory that is there.")
  private String to;

  @Override
  public Integer call() throws IOException {
    Location wanted = new Location(to);
    FsPath source = target.path();
    if (!wanted.authority().equals(target.authority())) {
      throw new PathIOException(
          to,
          "mv: it is of another file system than " + target + ": copy it there, with get and put");
    }
    if (source.isRoot()) {
      throw new PathIOException(target.toString(), "mv: the root has no other name");
    }
    FsPath renamed;
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
      Namespace namespace = mount.namespace();
      boolean into =
          namespace.lookup(wanted.path()).filter(Entry.OfDirectory.class::isInstance).isPresent();
      renamed = into ? wanted.path().child(source.name()) : wanted.path();
      namespace.rename(source, renamed, /* overwrite= */ false);
    }
    output.all(List.of(new Location(wanted.of(renamed)).named()), out -> {});
    output.flush();
    return 0;
  }
}
