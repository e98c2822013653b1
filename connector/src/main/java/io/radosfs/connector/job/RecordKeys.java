// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.SeenStripe;
import io.radosfs.connector.layout.Uid;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The omap keys of a job's record. */
final class RecordKeys {

  /** The {@link JobState}. */
  static final String STATE = "s";

  /** The {@link JobInfo}. */
  static final String INFO = "i";

  /** When the job's last heartbeat was, in milliseconds since the epoch; may be missing. */
  static final String HEARTBEAT = "r";

  /**
   * That a clean-up has found something of a file that was not closed: a random value, another one
   * for each; may be missing.
   */
  static final String FOUND = "f";

  /** What the job is going to do, in parts whose format is the committer's. */
  static final String PLAN_PREFIX = "p/";

  /** Comes after the whole plan. */
  static final String AFTER_PLAN = "p0";

  /** The part of the plan that is there if and only if there is a plan. */
  static final String PLAN = "p/plan";

  /** Manifests of committed attempts. */
  static final String MANIFEST_PREFIX = "m/";

  /** Comes after all manifests and before the files. */
  static final String AFTER_MANIFESTS = "m0";

  /** That a manifest may have so many bytes, which is large ({@link ManifestSizes}). */
  static final String LARGE_PREFIX = "b/";

  /** Files of attempts that are not committed ({@link WorkFile}): the ledger. */
  static final String WORK_PREFIX = "w/";

  /** How far such a file was seen to reach ({@link SeenStripe}). */
  static final String SEEN_PREFIX = SeenStripe.PREFIX;

  /** Attempts that were aborted and can neither write nor commit. */
  static final String ABORTED_PREFIX = "a/";

  /** The last closing or deletion of files by an attempt: a random value, another for each. */
  static final String LAST_CHANGE_PREFIX = "d/";

  /** The value of keys that say all. */
  static final byte[] MARK = "1".getBytes(StandardCharsets.UTF_8);

  private RecordKeys() {}

  /** The keys of {@link JobRecord.Head}. */
  static Set<String> ofHead() {
    return Set.of(STATE, INFO, HEARTBEAT, FOUND);
  }

  static byte[] time(long millis) {
    return Long.toString(millis).getBytes(StandardCharsets.UTF_8);
  }

  static String planPart(String name) {
    return PLAN_PREFIX + name;
  }

  static SortedMap<String, byte[]> planParts(SortedMap<String, byte[]> parts) {
    SortedMap<String, byte[]> keys = new TreeMap<>();
    parts.forEach((name, value) -> keys.put(planPart(name), value));
    return keys;
  }

  static String manifest(TaskAttempt attempt) {
    return MANIFEST_PREFIX + attempt;
  }

  static String aborted(TaskAttempt attempt) {
    return ABORTED_PREFIX + attempt;
  }

  static String lastChange(TaskAttempt attempt) {
    return LAST_CHANGE_PREFIX + attempt;
  }

  static String workFiles(TaskAttempt attempt) {
    return WORK_PREFIX + attempt + "/";
  }

  static String workFile(TaskAttempt attempt, String relative, Uid uid) {
    return workFiles(attempt) + relative + "//" + uid;
  }
}
