// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.layout.FsPath;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.PathIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices jobs whose committer renames each file at its end: they work, but are slow, and a job
 * that fails at its commit leaves a part of its files visible. So radosfs's committer was most
 * likely forgotten. Such a committer begins with the directory {@code _temporary/0} in the
 * destination, Hadoop's manifest committer with {@code _temporary/manifest_<job>/0}. Thread-safe.
 */
final class RenamingCommitters {

  private static final Logger LOG = LoggerFactory.getLogger(RenamingCommitters.class);

  private static final Pattern BEGUN = Pattern.compile("/_temporary/(manifest_[^/]+/)?[0-9]+$");

  private final Reaction reaction;
  private final AtomicBoolean told = new AtomicBoolean();

  /** What to do about it. */
  enum Reaction {
    WARN,
    REJECT,
    OFF
  }

  RenamingCommitters(Reaction reaction) {
    this.reaction = reaction;
  }

  /**
   * Looks at a directory before it is made.
   *
   * @throws PathIOException if such jobs are to fail
   */
  void look(FsPath directory) throws PathIOException {
    if (reaction == Reaction.OFF || !BEGUN.matcher(directory.toString()).find()) {
      return;
    }
    if (reaction == Reaction.REJECT) {
      throw new PathIOException(
          directory.toString(),
          "a job writes here with a committer that renames each file, and fs.rados.committer.require"
              + " is 'reject'. "
              + WHAT_TO_SET);
    }
    if (told.compareAndSet(false, true)) {
      LOG.warn(
          "{}: a job writes with a committer that renames each file at its end: that is slow, and"
              + " not atomic. {} `fs.rados.committer.require` = off silences this, reject fails such"
              + " jobs",
          directory,
          WHAT_TO_SET);
    }
  }

  private static final String WHAT_TO_SET =
      "Use radosfs's own: in Spark spark.plugins = io.radosfs.RadosPlugin (or"
          + " spark.sql.sources.commitProtocolClass ="
          + " io.radosfs.committer.spark.RadosCommitProtocol), in MapReduce"
          + " mapreduce.outputcommitter.factory.scheme.rados ="
          + " io.radosfs.committer.RadosCommitterFactory.";
}
