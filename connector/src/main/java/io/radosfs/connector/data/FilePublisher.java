// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import java.io.IOException;

/**
 * What makes a written file known: to a directory index (a plain create) or to a job (a task's work
 * file). One publisher serves one file; the writer calls its methods from one thread, in this
 * order: {@link #expectMore} or not, {@link #begin} once, then {@link #publish} or {@link #abandon}
 * once. Where {@code begin} or what is before it fails, neither is called; where objects may be
 * left, or may yet appear, neither is, and the ledger keeps the file. {@link #gaveUp} ends all but
 * success.
 */
public interface FilePublisher {

  /**
   * The file has a whole stripe before it is closed, so that it may become long: what keeps it from
   * being published is better thrown now, and nothing has been written yet.
   */
  default void expectMore() throws IOException {}

  /**
   * Records in a ledger that objects of this file may exist from now on (I4). Called before the
   * first byte goes to RADOS. The length is 0 and {@code plainFirst} is the writer's first choice;
   * objects may exist under either name of the first stripe.
   *
   * @param window the number of stripes that may be under way at a time, so that whoever cleans up
   *     after a crash knows how large a gap in the stripes can be
   */
  void begin(FileData unfinished, int window) throws IOException;

  /**
   * Makes the file visible, whole, at once (I2): every stripe is in RADOS.
   *
   * @param crc32c CRC-32C of the content
   * @throws IOException when it could not be; the writer then removes the objects and calls {@link
   *     #abandon}, unless the error leaves the outcome open: {@link
   *     io.radosfs.connector.store.OutcomeUnknownException}, {@link
   *     java.io.InterruptedIOException}, a failure of a write that may have taken effect ({@link
   *     io.radosfs.connector.store.FailedWrite})
   */
  void publish(FileData finished, int crc32c) throws IOException;

  /**
   * The file is given up: its objects have been removed by the writer, the ledger may forget it.
   */
  void abandon(FileData removed) throws IOException;

  /**
   * The writer has failed or was aborted, and does nothing more with the file. Comes last, whatever
   * was called before, {@link #begin} or nothing at all. No RADOS operation.
   */
  default void gaveUp() {}
}
