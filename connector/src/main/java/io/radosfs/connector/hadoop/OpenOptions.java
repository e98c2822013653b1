// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.data.ReadPlan;
import io.radosfs.connector.data.ReadPlan.Policy;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/**
 * The known options of {@code openFile()}, which may be mandatory. Only the read policy and the end
 * of the split have an effect. A length alone does not save the look-up: the names of a file's
 * objects come from a look-up, or from a status of this file system.
 */
public final class OpenOptions {

  private static final String PREFIX = "fs.option.openfile.";

  /** How the file will be read. Hadoop's own constants are missing in its older releases. */
  public static final String POLICY = PREFIX + "read.policy";

  /** The policy for a file that is read from its beginning to its end. */
  public static final String WHOLE_FILE = "whole-file";

  private static final String SPLIT_END = PREFIX + "split.end";

  public static final Set<String> KNOWN =
      Set.of(
          PREFIX + "buffer.size",
          PREFIX + "footer.cache",
          PREFIX + "length",
          POLICY,
          PREFIX + "split.start",
          SPLIT_END);

  private OpenOptions() {}

  /** Returns how the file will be read, from the options. */
  public static ReadPlan readPlan(Configuration options) {
    Policy policy = Policy.ADAPTIVE;
    for (String name : options.getTrimmedStrings(POLICY)) {
      Optional<Policy> known = policy(name.toLowerCase(Locale.ROOT));
      if (known.isPresent()) {
        policy = known.get(); // Policies are in the order of preference.
        break;
      }
    }
    long end = options.getLong(SPLIT_END, -1);
    return new ReadPlan(policy, end < 0 ? Long.MAX_VALUE : end);
  }

  private static Optional<Policy> policy(String name) {
    switch (name) {
      case "adaptive":
      case "default":
        return Optional.of(Policy.ADAPTIVE);
      case "sequential":
      case WHOLE_FILE:
      case "avro":
      case "csv":
      case "json":
        return Optional.of(Policy.SEQUENTIAL);
      case "random":
      case "vector":
      case "columnar":
      case "orc":
      case "parquet":
      case "hbase":
        return Optional.of(Policy.RANDOM);
      default:
        return Optional.empty();
    }
  }
}
