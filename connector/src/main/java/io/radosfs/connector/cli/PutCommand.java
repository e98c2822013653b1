// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.cli.ending.ProcessEnd;
import io.radosfs.connector.cli.ending.WholeInput;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Mount;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies a file, or a directory with all that is in it, from this machine. */
@Command(
    name = "put",
    header = "Copies a file or directory from this machine.",
    description =
        "Copies a file, or a directory with all that is in it, from this machine. It is there once"
            + " it is whole. A directory that is being copied has '._COPYING_' after its name."
            + " Nothing of it is left out: it is refused if a name in it is no text, or a symbolic link"
            + " leads to nothing. Nothing is overwritten, unless --overwrite replaces a file. Of the standard input"
            + " nothing is published if Ctrl-C or `kill` ends this command. If the program that"
            + " writes it fails by itself, that cannot be seen, and what it wrote becomes the file:"
            + " copy to a new name, and rename it (mv) once that program is known to have succeeded.")
final class PutCommand implements Callable<Integer> {

  private static final String STDIN = "-";

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "SOURCE",
      description = "A file or directory of this machine; - is the standard input.")
  private File source;

  @Parameters(
      index = "1",
      paramLabel = "URI",
      description =
          "rados://pool/path, or rados://namespace@pool/path: a name that is not there, or a"
              + " directory.")
  private String uri;

  @Mixin private Setup setup;
  @Mixin private Output output;

  @Option(
      names = {"-f", "--overwrite"},
      description = "Replace a file that is there, at the instant at which the new one is whole.")
  private boolean overwrite;

  private final Transfer transfer = new Transfer();

  @Override
  public Integer call() throws IOException {
    Location location = new Location(uri);
    Configuration conf = setup.configuration();
    FileSystem local = FileSystem.getLocal(conf).getRawFileSystem();
    // At the end of the process, what was begun is given up by this verb, and not by Hadoop's hook.
    conf.setBoolean(CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY, !fromStdin());
    Path from = Transfer.local(local, fromStdin() ? new File(".") : source);
    boolean tree = !fromStdin() && local.getFileStatus(from).isDirectory();
    if (tree && overwrite) {
      throw new ParameterException(spec.commandLine(), "--overwrite replaces files alone");
    }
    if (tree) {
      new LocalTree(java.nio.file.Path.of(from.toUri().getPath())).requireWhole();
    }
    try (FileSystem fs = FileSystem.newInstance(location.hadoopPath().toUri(), conf);
        ProgressLine progress = output.showing("put", transfer)) {
      Path copy = copy(fs, location.hadoopPath(), from);
      if (tree) {
        putTree(fs, local, from, new Location(copy.toString()), conf);
      } else {
        putFile(fs, local, from, copy);
      }
      String here = fromStdin() ? STDIN : from.toUri().getPath();
      output.all(transfer.results(new Location(copy.toString()), here), out -> {});
    }
    output.flush();
    return 0;
  }

  private boolean fromStdin() {
    return source.getPath().equals(STDIN);
  }

  /** The name of the copy. */
  private Path copy(FileSystem fs, Path wanted, Path from) throws IOException {
    boolean into = fs.exists(wanted) && fs.getFileStatus(wanted).isDirectory();
    if (into && fromStdin()) {
      throw new FileAlreadyExistsException(wanted + " is a directory: name a file in it");
    }
    Path copy = into ? Transfer.child(wanted, from.getName()) : wanted;
    if (!fs.exists(copy.getParent())) {
      throw new FileNotFoundException("there is no directory " + copy.getParent());
    }
    if (!overwrite && fs.exists(copy)) {
      throw new FileAlreadyExistsException(copy + " is there, and nothing is overwritten");
    }
    return copy;
  }

  /** The file is visible when it is closed, by one operation that also looks for another one. */
  private void putFile(FileSystem fs, FileSystem local, Path from, Path copy) throws IOException {
    if (!fromStdin()) {
      transfer.file(local, from, fs, copy, overwrite);
      return;
    }
    try (ProcessEnd processEnd = new ProcessEnd()) {
      transfer.file(new WholeInput(System.in, processEnd, copy.toString()), fs, copy, overwrite);
    }
  }

  /** The rename is exclusive, where Hadoop's would move the tree into a directory of that name. */
  private void putTree(
      FileSystem fs, FileSystem local, Path from, Location copy, Configuration conf)
      throws IOException {
    Path unfinished = Transfer.unfinished(copy.hadoopPath());
    Transfer.requireNone(fs, unfinished);
    transfer.tree(local, from, fs, unfinished);
    try (Mount mount = Mount.openExisting(copy.authority(), conf)) {
      mount
          .namespace()
          .rename(FsPath.parse(unfinished.toUri().getPath()), copy.path(), /* overwrite= */ false);
    }
  }
}
