// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Identity;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.upkeep.Adoption;
import io.radosfs.connector.upkeep.Adoption.Adopted;
import io.radosfs.connector.upkeep.ForeignObjects;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes files of objects that other programs wrote. */
@Command(
    name = "adopt",
    header = "Makes files of objects that other programs wrote, without a copy.",
    description =
        "Makes files of objects that `rados put` or other programs wrote, without a copy: object a/b"
            + " of the data pool becomes the file /a/b, and an empty object a/b/ the directory /a/b."
            + " Stop what writes to these objects first. From then on they are radosfs', which"
            + " removes an object when its file is removed.",
    exitCodeList = {
      "0:all are files now",
      "1:some could not be adopted; stderr says which, and why",
      "2:the command line was not understood; nothing was done",
    })
final class AdoptCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;
  @Mixin private Sizes sizes;

  @Option(
      names = {"-R", "--recursive"},
      description = "All objects whose names begin with the path and a slash, too.")
  private boolean recursive;

  @Option(
      names = {"-n", "--dry-run"},
      description = "Change nothing. Show what would be adopted.")
  private boolean dryRun;

  @Option(
      names = "--resume",
      description =
          "Go on where an earlier adoption was ended early. Only while no other `radosfs adopt`"
              + " runs.")
  private boolean resume;

  private final Map<Adoption.Outcome, Integer> counts = new EnumMap<>(Adoption.Outcome.class);
  private int failed;

  @Override
  public Integer call() throws IOException {
    Configuration conf = target.configuration();
    FsPath top = target.path();
    try (Mount mount = Mount.openExisting(target.authority(), conf);
        ProgressLine progress = output.showing("adopt", new OperationCount(mount))) {
      Adoption adoption = mount.adoption();
      FsPermission mask = FsPermission.getUMask(conf);
      Identity identity = Identity.ofProcess(mount.settings());
      Attributes ofFiles = identity.attributes(FsPermission.getFileDefault().applyUMask(mask));
      Attributes ofDirectories = identity.attributes(FsPermission.getDirDefault().applyUMask(mask));
      for (FsPath above : above(top)) {
        attempt(above, () -> adoption.directoryAt(above, ofDirectories, dryRun).orElse(null));
      }
      if (recursive) {
        for (String name : adoption.objects().names(top)) {
          Optional<FsPath> file = ForeignObjects.file(name);
          if (file.isPresent()) {
            attempt(file.get(), () -> adoption.fileAt(file.get(), ofFiles, resume, dryRun));
          } else {
            FsPath marked = ForeignObjects.directory(name).orElseThrow();
            attempt(marked, () -> adoption.directoryAt(marked, ofDirectories, dryRun).orElse(null));
          }
        }
      } else {
        attempt(top, () -> one(adoption, top, ofFiles, ofDirectories));
      }
    }
    output.result(this::summary, this::sentence);
    output.flush();
    return failed > 0 ? 1 : 0;
  }

  private Adopted one(Adoption adoption, FsPath path, Attributes ofFiles, Attributes ofDirectories)
      throws IOException {
    if (path.isRoot()) {
      throw new FileNotFoundException("/ is no name of an object: --recursive adopts all");
    }
    try {
      return adoption.fileAt(path, ofFiles, resume, dryRun);
    } catch (FileNotFoundException e) {
      return adoption.directoryAt(path, ofDirectories, dryRun).orElseThrow(() -> e);
    }
  }

  /**
   * The directories above a path, from the top; markers of them are in the way of what is below.
   */
  private static Deque<FsPath> above(FsPath path) {
    Deque<FsPath> above = new ArrayDeque<>();
    for (FsPath at = path; !at.isRoot() && !at.parent().isRoot(); at = at.parent()) {
      above.addFirst(at.parent());
    }
    return above;
  }

  /** A failure of one is told, and the others go on. */
  private void attempt(FsPath path, CallableRaisingIOE<Adopted> adoption) {
    try {
      Adopted adopted = adoption.apply();
      if (adopted != null) {
        tell(adopted);
      }
    } catch (IOException e) {
      failed++;
      output.warn(path + ": " + e.getMessage());
    }
  }

  private void tell(Adopted adopted) {
    counts.merge(adopted.outcome(), 1, Integer::sum);
    switch (adopted.outcome()) {
      case ADOPTED, ADOPTABLE -> output.result(() -> fields(adopted), () -> line(adopted));
      case A_FILE_ALREADY -> {}
      case OF_ANOTHER_FILE -> {
        if (!recursive) {
          failed++;
          output.warn(
              adopted.path()
                  + ": the object of that name is the data of a file already, which has another"
                  + " path, or is being written or removed");
        }
      }
    }
  }

  private String line(Adopted adopted) {
    return String.format(
        "%s  %10s  %s%s",
        adopted.outcome(),
        adopted.isFile() ? sizes.text(adopted.length()) : "-",
        target.location().of(adopted.path()),
        adopted.isFile() ? "" : "/");
  }

  private Fields fields(Adopted adopted) {
    return new Fields()
        .with("type", adopted.isFile() ? "file" : "directory")
        .with("uri", target.location().of(adopted.path()))
        .with("path", adopted.path().toString())
        .with("length", adopted.length())
        .with("result", adopted.outcome().name());
  }

  private int count(Adoption.Outcome outcome) {
    return counts.getOrDefault(outcome, 0);
  }

  private Fields summary() {
    return new Fields()
        .with("type", "summary")
        .with("adopted", count(Adoption.Outcome.ADOPTED))
        .with("adoptable", count(Adoption.Outcome.ADOPTABLE))
        .with("filesAlready", already())
        .with("failed", failed)
        .with("dryRun", dryRun);
  }

  private int already() {
    return count(Adoption.Outcome.A_FILE_ALREADY) + count(Adoption.Outcome.OF_ANOTHER_FILE);
  }

  private String sentence() {
    String made =
        dryRun
            ? count(Adoption.Outcome.ADOPTABLE) + " would be adopted; nothing was changed"
            : count(Adoption.Outcome.ADOPTED) + " adopted";
    return made + ", " + already() + " are of files already, " + failed + " failed";
  }
}
