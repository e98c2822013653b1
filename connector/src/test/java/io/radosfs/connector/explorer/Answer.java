// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.store.FailedWrite;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIsNotDirectoryException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.security.AccessControlException;

/**
 * What a caller was told.
 *
 * @param value what was returned, of {@link Kind#RETURNED}
 * @param text for people
 */
public record Answer(Kind kind, Object value, String text) {

  /** What it says about the effect. */
  public enum Kind {
    /** It took effect. */
    RETURNED,
    /** The tree was such, at some instant, that it could not take effect. */
    REFUSED,
    /** It took no effect, for a reason that the tree does not tell. */
    FAILED,
    /** It may have taken effect, may yet, or never. */
    UNKNOWN
  }

  /** That of a caller that died, or was never told. */
  static final Answer NONE = new Answer(Kind.UNKNOWN, null, "no answer");

  static Answer returned(Object value) {
    return new Answer(Kind.RETURNED, value, String.valueOf(value));
  }

  static Answer failed(IOException e) {
    return new Answer(kindOf(e), null, e.toString());
  }

  /** An error is definite unless it says that it is not: that is the contract. */
  static Kind kindOf(IOException e) {
    if (e instanceof OutcomeUnknownException
        || e instanceof InterruptedIOException
        || (e instanceof StoreException || e instanceof AccessControlException)
            && new FailedWrite(e).mayHaveTakenEffect()) {
      return Kind.UNKNOWN;
    }
    if (e instanceof FileNotFoundException
        || e instanceof FileAlreadyExistsException
        || e instanceof ParentNotDirectoryException
        || e instanceof PathIsNotDirectoryException
        || e instanceof PathIsNotEmptyDirectoryException) {
      return Kind.REFUSED;
    }
    return Kind.FAILED;
  }

  public boolean is(Kind other) {
    return kind == other;
  }

  @Override
  public String toString() {
    return kind == Kind.RETURNED ? "returned " + text : kind + " " + text;
  }
}
