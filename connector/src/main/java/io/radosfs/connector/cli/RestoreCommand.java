// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.upkeep.Restoration;
import io.radosfs.connector.upkeep.Restoration.Kept;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes files of the data of replaced files. */
@Command(
    name = "restore",
    header = "Makes files of the data of replaced files, without a copy.",
    description =
        "Makes files of the data of files that were replaced, while it is kept"
            + " (fs.rados.replaced.retention): of a table that was overwritten by mistake, what was"
            + " in it before. It restores what was replaced last at the path or below it, into"
            + " another directory, where each file has its path below that of the URI. What is there"
            + " stays as it is. Safe while others work, also beside `gc`.",
    exitCodeList = {
      "0:all are files now, or all that is kept was listed",
      "1:there is nothing to restore, or some could not be restored; stderr says which, and why",
      "2:the command line was not understood; nothing was done",
    })
final class RestoreCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private Target target;
  @Mixin private Output output;
  @Mixin private Sizes sizes;

  @Option(
      names = "--to",
      paramLabel = "DIR",
      description =
          "The directory to restore into, in the same file system: rados://pool/rescued. It is made"
              + " if it is missing.")
  private String to;

  @Option(
      names = "--list",
      description =
          "Change nothing. Show all that is kept at the path or below it, and until when.")
  private boolean list;

  @Option(
      names = {"-n", "--dry-run"},
      description = "Change nothing. Show what would be restored.")
  private boolean dryRun;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description =
          "Restore what was replaced earlier: leave out what is kept for longer than until this"
              + " time, as --list shows it, such as 2026-11-24T10:15:30Z.")
  private String until;

  @Option(
      names = "--within",
      paramLabel = "TIME",
      defaultValue = "1m",
      description =
          "What was replaced so long before the last file, such as 10m or 1d, is restored with it"
              + " (default: ${DEFAULT-VALUE}).")
  private String within;

  private final Set<String> told = new HashSet<>();
  private final Failures failures = this::fail;
  private int restored;
  private int failed;

  @Override
  public Integer call() throws IOException {
    long latest = latest();
    long span = OptionTime.millis(spec, "--within", within);
    FsPath top = target.path();
    FsPath directory = list ? FsPath.ROOT : directory();
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration());
        ProgressLine progress = output.showing("restore", new OperationCount(mount))) {
      Restoration restoration = mount.restoration();
      if (!list && !dryRun) {
        restoration.handOver(top, failures);
      }
      List<Kept> kept = restoration.kept(top, failures);
      if (list) {
        kept.forEach(this::tellKept);
      } else {
        restore(restoration, kept, Restoration.latest(kept, latest, span), top, directory);
      }
    }
    output.flush();
    return failed > 0 ? 1 : 0;
  }

  private void restore(
      Restoration restoration, List<Kept> kept, List<Kept> chosen, FsPath top, FsPath directory)
      throws IOException {
    if (chosen.isEmpty()) {
      throw new FileNotFoundException(
          "no data of replaced files is kept of "
              + target
              + (until == null ? "" : " until " + until)
              + (failed > 0 ? ", beside what could not be read, as told above" : "")
              + ". It is kept for "
              + Options.REPLACED_RETENTION.key()
              + ", and until it is restored; files that were renamed since they were written are"
              + " found under their earlier paths");
    }
    for (Kept one : chosen) {
      boolean unused =
          failures.attempt(
              one.path().toString(),
              () -> {
                FsPath path = one.pathIn(directory, top);
                if (dryRun) {
                  restoration.requireFree(one, path);
                } else {
                  restoration.restore(one, path);
                }
                restored++;
                tell(one, path);
              });
    }
    LeftOut leftOut = LeftOut.of(kept, chosen);
    output.result(() -> summary(leftOut), () -> sentence(leftOut));
  }

  /**
   * What is kept and was not chosen.
   *
   * @param paths of which no other state was chosen
   */
  private record LeftOut(int files, int paths) {

    static LeftOut of(List<Kept> kept, List<Kept> chosen) {
      Set<FsPath> paths = new HashSet<>();
      kept.forEach(one -> paths.add(one.path()));
      chosen.forEach(one -> paths.remove(one.path()));
      return new LeftOut(kept.size() - chosen.size(), paths.size());
    }

    String text() {
      if (files == 0) {
        return "";
      }
      return ", "
          + files
          + " replaced earlier were left out"
          + (paths == 0
              ? ""
              : " (paths of which nothing is restored: "
                  + paths
                  + ". Where one job has replaced all, and was interrupted, a longer --within"
                  + " restores them too)")
          + ": see --list";
    }
  }

  /** Tells of a failure, once: several steps meet the same unreadable object. */
  private void fail(String subject, IOException failure) {
    String text = Radosfs.message(failure);
    if (told.add(failure instanceof LayoutException ? text : subject + ": " + text)) {
      failed++;
      output.warn(subject + ": " + text);
    }
  }

  private FsPath directory() throws IOException {
    if (to == null) {
      throw wrong("--to DIR says where to restore to; --list shows what is kept");
    }
    Location location = new Location(to);
    if (!location.authority().equals(target.authority())) {
      throw wrong("--to " + to + ": not in the file system of " + target);
    }
    return location.path();
  }

  private long latest() {
    try {
      return until == null ? Long.MAX_VALUE : Instant.parse(until).toEpochMilli();
    } catch (DateTimeParseException e) {
      throw wrong("--until " + until + ": a time such as 2026-11-24T10:15:30Z");
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void tellKept(Kept kept) {
    if (kept.unseen().isPresent()) {
      fail(kept.path().toString(), kept.unseen().get());
      return;
    }
    output.result(
        () -> fields(kept).with("result", "KEPT"),
        () ->
            String.format(
                "KEPT until %s  %10s  modified %s  %s",
                Instant.ofEpochMilli(kept.until()),
                sizes.text(kept.file().data().length()),
                Instant.ofEpochMilli(kept.modified()),
                target.location().of(kept.path())));
  }

  private void tell(Kept kept, FsPath path) {
    String result = dryRun ? "RESTORABLE" : "RESTORED";
    output.result(
        () -> fields(kept).with("result", result).with("to", target.location().of(path)),
        () ->
            String.format(
                "%s  %10s  %s",
                result, sizes.text(kept.file().data().length()), target.location().of(path)));
  }

  private Fields fields(Kept kept) {
    return new Fields()
        .with("type", "file")
        .with("uri", target.location().of(kept.path()))
        .with("path", kept.path().toString())
        .with("length", kept.file().data().length())
        .withTime("modified", kept.modified())
        .withTime("keptUntil", kept.until());
  }

  private Fields summary(LeftOut leftOut) {
    return new Fields()
        .with("type", "summary")
        .with("restored", dryRun ? 0 : restored)
        .with("restorable", dryRun ? restored : 0)
        .with("failed", failed)
        .with("leftOut", leftOut.files())
        .with("pathsLeftOut", leftOut.paths())
        .with("dryRun", dryRun);
  }

  private String sentence(LeftOut leftOut) {
    return restored
        + (dryRun ? " would be restored; nothing was changed, " : " restored, ")
        + failed
        + " failed"
        + leftOut.text()
        + (failed == 0
            ? ""
            : ". Put right what is told above and run it again: what is still kept stays so until"
                + " its time");
  }
}
