// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FsPath;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens on {@code hflush} and {@code hsync}, which cannot be honoured: before a file is
 * closed, nothing of it is visible, or certain to survive its writer (I2). No RADOS operation.
 * Thread-safe.
 */
@FunctionalInterface
public interface SyncRequests {

  /**
   * Called for each request.
   *
   * @param call {@code hflush} or {@code hsync}
   * @throws UnsupportedOperationException if the request is not to be ignored
   */
  void received(String call, FsPath file);

  /** Every request is an error, for programs that depend on it. */
  static SyncRequests refused() {
    return (call, file) -> {
      throw new UnsupportedOperationException(
          call
              + " of "
              + file
              + ": a rados:// file becomes visible and durable when it is closed, not before. Close"
              + " it and write another one, or set fs.rados.downgrade.syncable.exceptions to true"
              + " to have this ignored");
    };
  }

  /** Requests have no effect; the first of all logs a warning. */
  static SyncRequests passedOver() {
    Logger log = LoggerFactory.getLogger(SyncRequests.class);
    AtomicBoolean warned = new AtomicBoolean();
    return (call, file) -> {
      if (warned.compareAndSet(false, true)) {
        log.warn(
            "{} of {} does nothing: a rados:// file becomes visible and durable when it is closed,"
                + " not before. Later calls are ignored without a message; set"
                + " fs.rados.downgrade.syncable.exceptions to false to have them fail",
            call,
            file);
      }
    };
  }
}
