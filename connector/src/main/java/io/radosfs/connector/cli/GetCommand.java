// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Copies a file, or a directory with all that is in it, to this machine. */
@Command(
    name = "get",
    header = "Copies a file or directory to this machine.",
    description =
        "Copies a file, or a directory with all that is in it, to this machine. What is being"
            + " copied has '._COPYING_' after its name until it is whole. Nothing is"
            + " overwritten. Each file is of one instant, and a directory is not: what others change"
            + " while it is copied may be in the copy in part.")
final class GetCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "DESTINATION",
      description = "A name that is not there, or a directory. By default this directory.")
  private File destination = new File(".");

  @Override
  public Integer call() throws IOException {
    Configuration conf = target.configuration();
    // Without checksum files beside the copies.
    FileSystem local = FileSystem.getLocal(conf).getRawFileSystem();
    Path source = target.hadoopPath();
    Path copy = copy(local, source);
    Path unfinished = Transfer.unfinished(copy);
    Transfer transfer = new Transfer();
    try (FileSystem fs = FileSystem.newInstance(source.toUri(), conf);
        ProgressLine progress = output.showing("get", transfer)) {
      Transfer.requireNone(local, unfinished);
      transfer.tree(fs, source, local, unfinished);
      name(unfinished, copy);
    }
    output.all(transfer.results(target.location(), copy.toUri().getPath()), out -> {});
    output.flush();
    return 0;
  }

  /** Hadoop's rename would replace a file that is there by now, or move into a directory. */
  private static void name(Path unfinished, Path copy) throws IOException {
    try {
      name(nio(unfinished), nio(copy));
    } catch (java.nio.file.FileAlreadyExistsException e) {
      throw new FileAlreadyExistsException(
          copy + " was made meanwhile, and nothing is overwritten: the copy is " + unfinished);
    }
  }

  private static void name(java.nio.file.Path unfinished, java.nio.file.Path copy)
      throws IOException {
    if (Files.isRegularFile(unfinished) && isLinked(unfinished, copy)) {
      Files.delete(unfinished);
    } else {
      java.nio.file.Path unused = Files.move(unfinished, copy);
    }
  }

  /**
   * A link fails where something is, in the same instant. Returns false on a file system without
   * links, where the move that follows looks first.
   */
  private static boolean isLinked(java.nio.file.Path file, java.nio.file.Path name)
      throws java.nio.file.FileAlreadyExistsException {
    try {
      java.nio.file.Path unused = Files.createLink(name, file);
      return true;
    } catch (java.nio.file.FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | IOException e) {
      return false;
    }
  }

  private static java.nio.file.Path nio(Path path) {
    return java.nio.file.Path.of(path.toUri().getPath());
  }

  /** The name of the copy, which is free. */
  private Path copy(FileSystem local, Path source) throws IOException {
    Path wanted = Transfer.local(local, destination);
    boolean into = local.exists(wanted) && local.getFileStatus(wanted).isDirectory();
    if (into && source.isRoot()) {
      throw new FileAlreadyExistsException(
          wanted + " is there: name a DESTINATION that is not, for the copy of " + target);
    }
    Path copy = into ? Transfer.child(wanted, source.getName()) : wanted;
    if (Files.exists(nio(copy), LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(copy + " is there, and nothing is overwritten");
    }
    if (!local.exists(copy.getParent())) {
      throw new FileNotFoundException("there is no directory " + copy.getParent());
    }
    return copy;
  }
}
