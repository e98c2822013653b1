package io.radosfs.connector.hadoop;

import java.util.Set;

/** The options of {@code openFile()} that are known, and so may be mandatory. */
public final class OpenOptions {

  private static final String PREFIX = "fs.option.openfile.";

  public static final Set<String> KNOWN =
      Set.of(
          PREFIX + "buffer.size",
          PREFIX + "length",
          PREFIX + "read.policy",
          PREFIX + "split.start",
          PREFIX + "split.end");

  private OpenOptions() {}
}
