// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.FailedWrite;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Makes a written file known: to a directory index (a plain create) or to a job (a task's work
 * file). One publisher serves one file. The writer calls its methods from one thread, in this
 * order: perhaps {@link #expectMore}, {@link #begin} once, then {@link #publish}, or {@link
 * #abandon} instead of it or after its failure. It calls neither if an earlier method failed. It
 * does not call {@code abandon} if objects may be left or may yet appear: the ledger then keeps the
 * file. {@link #gaveUp} comes last unless the file was published.
 */
public interface FilePublisher {

  /**
   * Called when the file has a whole stripe before it is closed, and so may become long. Nothing
   * has been written yet: this is the best time to throw if the file cannot be published.
   */
  default void expectMore() throws IOException {}

  /**
   * Records in a ledger that objects of this file may exist from now on (I4). Called before the
   * first byte goes to RADOS. The length is 0, and {@code plainFirst} is the writer's first choice;
   * objects may exist under either name of the first stripe.
   *
   * @param window the number of stripes that may be under way at a time. It tells a clean-up after
   *     a crash how large a gap in the stripes can be
   */
  void begin(FileData unfinished, int window) throws IOException;

  /**
   * Called instead of {@link #begin} for a file of bytes that were there before, which is in no
   * ledger: no collector ever gives it up. No RADOS operation.
   */
  default void beginUnrecorded() {}

  /**
   * Makes the whole file visible at once (I2); every stripe is in RADOS.
   *
   * @param crc32c CRC-32C of the content
   * @throws IOException if the file could not be published. The writer then removes the objects and
   *     calls {@link #abandon}, unless it {@link #mayBePublished}
   */
  void publish(FileData finished, int crc32c) throws IOException;

  /**
   * Whether the file may be visible, or become so, after this failure of {@link #publish}: unless
   * the publisher knows more, if the failure leaves the outcome open ({@link
   * OutcomeUnknownException}, {@link InterruptedIOException}, that of a write that may have taken
   * effect, {@link FailedWrite}).
   */
  default boolean mayBePublished(IOException failure) {
    boolean ofTheStore =
        failure instanceof StoreException || failure instanceof AccessControlException;
    return failure instanceof OutcomeUnknownException
        || failure instanceof InterruptedIOException
        || ofTheStore && new FailedWrite(failure).mayHaveTakenEffect();
  }

  /** The file is given up and the writer has removed its objects: the ledger may forget it. */
  void abandon(FileData removed) throws IOException;

  /**
   * The writer has failed or was aborted, and does nothing more with the file. Called last,
   * whatever was called before. No RADOS operation.
   */
  default void gaveUp() {}
}
