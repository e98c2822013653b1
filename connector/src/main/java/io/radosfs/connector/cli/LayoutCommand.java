// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Mount;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows and changes where the data of a directory's new files goes. */
@Command(
    name = "layout",
    header = "Shows and sets where the data of a directory's new files goes.",
    description =
        "Shows and sets in which pool, and in objects of what size, the data of new files of a"
            + " directory is kept. Directories made in it take it over, and keep it when they are"
            + " renamed. Files and directories that are there already stay as they are.",
    synopsisSubcommandLabel = "get|set|clear",
    subcommands = {LayoutCommand.Get.class, LayoutCommand.Set.class, LayoutCommand.Clear.class})
final class LayoutCommand {

  private LayoutCommand() {}

  private abstract static class Verb implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private Target target;
    @Mixin private Output output;
    @Mixin private Sizes sizes;

    /** Returns the resulting layout. */
    abstract DataLayout run(Mount mount, FsPath directory) throws IOException;

    final ParameterException wrong(String message) {
      return new ParameterException(spec.commandLine(), message);
    }

    @Override
    public Integer call() throws IOException {
      try (Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
        DataLayout layout = run(mount, target.path());
        output.result(
            () -> fields(mount, layout), () -> "new files: " + describe(mount, layout, sizes));
        output.flush();
      }
      return 0;
    }
  }

  static String describe(Mount mount, DataLayout layout, Sizes sizes) {
    return "pool "
        + mount.dataPool(layout)
        + ", object size "
        + sizes.text(objectSize(mount, layout))
        + (layout.isDefault() ? " (the default)" : "");
  }

  static Fields fields(Mount mount, DataLayout layout) {
    return new Fields()
        .with("dataPool", mount.dataPool(layout))
        .with("objectSize", objectSize(mount, layout))
        .with("isDefault", layout.isDefault());
  }

  private static int objectSize(Mount mount, DataLayout layout) {
    return layout.objectSize().orElse(mount.superblock().objectSize());
  }

  /** Shows a layout. */
  @Command(
      name = "get",
      header = "Shows what new files of a directory get.",
      description = "Shows the pool and object size that new files of a directory get.")
  static final class Get extends Verb {
    @Override
    DataLayout run(Mount mount, FsPath directory) throws IOException {
      return mount.layouts().of(directory);
    }
  }

  /** Sets a layout. */
  @Command(
      name = "set",
      header = "Sets what new files of a directory get.",
      description =
          "Sets what new files of a directory get; what is not given stays as it is. A pool is"
              + " tried first: it must be there, and this Ceph user must be able to write to it."
              + " So must all users that write to the directory.")
  static final class Set extends Verb {
    @Option(
        names = "--data-pool",
        paramLabel = "POOL",
        description = "Keep the data in this pool, which may be erasure-coded.")
    private String pool;

    @Option(
        names = "--object-size",
        paramLabel = "SIZE",
        description = "Bytes in one RADOS object of a file, such as 4M.")
    private String objectSize;

    @Override
    DataLayout run(Mount mount, FsPath directory) throws IOException {
      if (pool == null && objectSize == null) {
        throw wrong("give --data-pool, --object-size or both; `layout clear` takes both away");
      }
      Optional<Integer> size = objectSize == null ? Optional.empty() : Optional.of(bytes());
      UnaryOperator<DataLayout> change =
          before -> {
            DataLayout after = pool == null ? before : before.withPool(Optional.of(pool));
            return size.isEmpty() ? after : after.withObjectSize(size);
          };
      return mount.layouts().change(directory, change);
    }

    private int bytes() {
      Configuration given = new Configuration(false);
      given.set(Options.OBJECT_SIZE.key(), objectSize);
      try {
        return Math.toIntExact(new Settings(given, "").get(Options.OBJECT_SIZE));
      } catch (IllegalArgumentException e) {
        throw wrong("--object-size: " + e.getMessage());
      }
    }
  }

  /** Takes a layout away. */
  @Command(
      name = "clear",
      header = "Takes the layout of a directory away.",
      description =
          "Removes the layout of a directory: new files get what the superblock "
              + "says, whatever directories above say.")
  static final class Clear extends Verb {
    @Override
    DataLayout run(Mount mount, FsPath directory) throws IOException {
      return mount.layouts().change(directory, before -> DataLayout.DEFAULT);
    }
  }
}
