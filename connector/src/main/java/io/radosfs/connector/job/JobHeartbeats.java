// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.store.ObjectStore;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs that this process drives on one file system. Their records say every few minutes that
 * they are alive, so that nobody who looks for dead jobs looks at them. Nothing depends on its
 * being in time: whoever is wrongly taken for dead is fenced, and told so ({@link
 * JobEndedException}).
 *
 * <p>Thread-safe.
 */
public final class JobHeartbeats {

  private static final Logger LOG = LoggerFactory.getLogger(JobHeartbeats.class);

  private final LongSupplier clock;
  private final Map<String, JobRecord> driven = new ConcurrentHashMap<>();

  /**
   * @param clock milliseconds since the epoch
   */
  public JobHeartbeats(LongSupplier clock) {
    this.clock = clock;
  }

  /** From now on this job is driven from here. */
  public void begin(JobRecord record) {
    driven.put(record.name(), record);
  }

  /** From now on it is not: it has ended, or its end has failed and is another's business. */
  public void end(JobRecord record) {
    driven.remove(record.name());
  }

  /** From now on the records are reached by another connection. */
  public void moveTo(ObjectStore index) {
    driven.replaceAll((name, record) -> record.in(index));
  }

  /** Has each record say that its job is alive. One write each; a failure is logged. */
  public void beat() {
    for (JobRecord record : driven.values()) {
      try {
        if (!record.renew(clock.getAsLong())) {
          driven.remove(record.name(), record);
        }
      } catch (IOException | RuntimeException e) {
        LOG.warn("The job record {} could not be renewed; it is tried again", record, e);
      }
    }
  }
}
