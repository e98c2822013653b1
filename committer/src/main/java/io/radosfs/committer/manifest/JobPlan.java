// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.manifest;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.type.TypeReference;
import io.radosfs.connector.job.JobPaths;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.BatchLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a job's commit will do. It is in the job's record before anything is prepared. So a client
 * that repeats the commit, finishes it or rolls it back does so for the same attempts, and knows
 * the directories concerned.
 *
 * @param overwrite what it replaces
 * @param success the report to be written, which is also the ledger of its object
 * @param attempts the attempts whose files become visible
 * @param directories all in which something may be prepared; with some that are not below the
 *     destination, their parents may be included
 * @param preparers instances of {@link io.radosfs.connector.job.FileObjects} that prepare by this
 *     plan; each is added before it prepares
 */
public record JobPlan(
    Overwrite overwrite,
    Optional<Success> success,
    Set<TaskAttempt> attempts,
    Set<FsPath> directories,
    Set<String> preparers) {

  private static final int VERSION = 1;
  private static final BatchLimit PART = new BatchLimit(5_000, 1 << 20);
  private static final String HEAD = "plan";
  private static final String ATTEMPTS = "attempts/";
  private static final String DIRECTORIES = "directories/";
  private static final String PREPARERS = "stagers/";

  /** The part that a stored plan has once another instance than the planner's prepares by it. */
  public static final String JOINED = "joined";

  /**
   * The file {@code _SUCCESS}.
   *
   * @param data of length 0, with the name to be tried first
   * @param content what it will hold
   * @param writer the instance of {@link io.radosfs.connector.job.FileObjects} that writes it
   */
  public record Success(FileData data, String content, String writer) {}

  @JsonIgnoreProperties(ignoreUnknown = true)
  private record StoredSuccess(
      String uid, boolean plain, int stripe, String pool, String content, String writer) {}

  @JsonIgnoreProperties(ignoreUnknown = true)
  private record StoredHead(
      int version, List<String> replaced, boolean partitions, StoredSuccess success) {}

  public JobPlan {
    attempts = Set.copyOf(attempts);
    directories = Set.copyOf(directories);
    preparers = Set.copyOf(preparers);
  }

  /** Returns this plan with more directories. */
  public JobPlan and(Collection<FsPath> more) {
    Set<FsPath> all = new TreeSet<>(directories);
    all.addAll(more);
    return new JobPlan(overwrite, success, attempts, all, preparers);
  }

  /**
   * Returns whether instances other than this one may prepare by the plan. A plan of an earlier
   * version names no instance, so they may.
   */
  public boolean mayBePreparedByOthers(String instance) {
    return !preparers.equals(Set.of(instance));
  }

  /** The name of the report's file, in the destination. */
  public static final String SUCCESS_NAME = "_SUCCESS";

  /** The stored form, in parts. */
  public SortedMap<String, byte[]> encode(FsPath destination) {
    SortedMap<String, byte[]> parts = new TreeMap<>();
    parts.put(
        HEAD,
        Json.bytes(
            new StoredHead(
                VERSION,
                overwrite.replaced().stream().map(FsPath::toString).sorted().toList(),
                overwrite.writtenPartitions(),
                success
                    .map(
                        file ->
                            new StoredSuccess(
                                file.data().uid().value(),
                                file.data().plainFirst(),
                                file.data().objectSize(),
                                file.data().pool().orElse(null),
                                file.content(),
                                file.writer()))
                    .orElse(null))));
    split(
        parts, ATTEMPTS, "", new TreeSet<>(attempts).stream().map(TaskAttempt::toString).toList());
    parts.putAll(encodeDirectories(destination, directories, ""));
    preparers.forEach(preparer -> parts.put(PREPARERS + preparer, Json.bytes(List.of(preparer))));
    return parts;
  }

  /**
   * Parts that add directories to a stored plan.
   *
   * @param tag makes the names of these parts differ from those of others
   */
  public static SortedMap<String, byte[]> encodeDirectories(
      FsPath destination, Collection<FsPath> directories, String tag) {
    SortedMap<String, byte[]> parts = new TreeMap<>();
    split(
        parts,
        DIRECTORIES,
        tag,
        new TreeSet<>(directories)
            .stream().map(path -> JobPaths.relative(destination, path)).toList());
    return parts;
  }

  /** The parts that add a preparer to a stored plan. */
  public static SortedMap<String, byte[]> encodeJoining(String instance) {
    byte[] value = Json.bytes(List.of(instance));
    return new TreeMap<>(Map.of(PREPARERS + instance, value, JOINED, value));
  }

  private static void split(
      SortedMap<String, byte[]> parts, String prefix, String tag, List<String> values) {
    List<List<String>> batches = PART.cut(values, String::length);
    for (int i = 0; i < batches.size(); i++) {
      parts.put(prefix + tag + String.format(Locale.ROOT, "%06d", i), Json.bytes(batches.get(i)));
    }
  }

  /**
   * Groups the parts of a plan by operation. The first group has all parts except directories, and
   * as many directories as fit. There may be any number of directories; they are added before
   * anything is prepared in them.
   */
  public static List<SortedMap<String, byte[]>> inOperations(
      SortedMap<String, byte[]> parts, BatchLimit limit) {
    SortedMap<String, byte[]> some = new TreeMap<>(parts);
    some.keySet().removeIf(name -> name.startsWith(DIRECTORIES));
    long bytes = some.values().stream().mapToLong(part -> part.length).sum();
    List<SortedMap<String, byte[]>> operations = new ArrayList<>();
    for (Map.Entry<String, byte[]> part : parts.entrySet()) {
      if (!part.getKey().startsWith(DIRECTORIES)) {
        continue;
      }
      if (!limit.allows(some.size() + 1L, bytes + part.getValue().length)) {
        operations.add(some);
        some = new TreeMap<>();
        bytes = 0;
      }
      some.put(part.getKey(), part.getValue());
      bytes += part.getValue().length;
    }
    operations.add(some);
    return operations;
  }

  /** Decodes the parts; empty if there is no plan. */
  public static Optional<JobPlan> decode(
      String where, FsPath destination, Map<String, byte[]> parts) throws ManifestException {
    if (!parts.containsKey(HEAD)) {
      return Optional.empty();
    }
    try {
      StoredHead head = Json.MAPPER.readValue(parts.get(HEAD), StoredHead.class);
      if (head.version() != VERSION) {
        throw new IOException("it has version " + head.version() + ", not " + VERSION);
      }
      Set<FsPath> replaced = new TreeSet<>();
      for (String path : head.replaced()) {
        replaced.add(FsPath.parse(path));
      }
      Set<TaskAttempt> attempts = new TreeSet<>();
      for (String attempt : strings(parts, ATTEMPTS)) {
        int slash = attempt.indexOf('/');
        attempts.add(new TaskAttempt(attempt.substring(0, slash), attempt.substring(slash + 1)));
      }
      Set<FsPath> directories = new TreeSet<>();
      for (String directory : strings(parts, DIRECTORIES)) {
        directories.add(JobPaths.resolve(destination, directory));
      }
      Optional<Success> success = Optional.empty();
      if (head.success() != null) {
        StoredSuccess stored = head.success();
        FileData data =
            new FileData(
                destination.child(SUCCESS_NAME),
                new Uid(stored.uid()),
                stored.plain(),
                0,
                stored.stripe(),
                Optional.ofNullable(stored.pool()));
        success = Optional.of(new Success(data, stored.content(), stored.writer()));
      }
      return Optional.of(
          new JobPlan(
              new Overwrite(replaced, head.partitions()),
              success,
              attempts,
              directories,
              Set.copyOf(strings(parts, PREPARERS))));
    } catch (IOException | RuntimeException e) {
      throw new ManifestException(
          "cannot read the plan (omap keys 'p/…') of the job record '"
              + where
              + "' ("
              + e.getMessage()
              + "). It was written by another version of radosfs, or damaged. Nothing was changed",
          e);
    }
  }

  private static List<String> strings(Map<String, byte[]> parts, String prefix) throws IOException {
    List<String> all = new ArrayList<>();
    for (Map.Entry<String, byte[]> part : parts.entrySet()) {
      if (part.getKey().startsWith(prefix)) {
        all.addAll(Json.MAPPER.readValue(part.getValue(), new TypeReference<List<String>>() {}));
      }
    }
    return all;
  }
}
