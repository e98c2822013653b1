// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.store.Failures;
import java.io.IOException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.util.functional.CallableRaisingIOE;

/**
 * A call of Hadoop's, and its path. Where an index refuses something, RADOS and what is stored
 * there name objects; the caller is told its path and call first.
 *
 * @param call as Hadoop names it
 */
record CalledOn(FsPath path, String call) {

  <T> T telling(CallableRaisingIOE<T> operation) throws IOException {
    try {
      return operation.apply();
    } catch (IOException e) {
      throw told(e);
    }
  }

  /** A listing that goes on reading while it is gone through. */
  <T> RemoteIterator<T> tellingThroughout(RemoteIterator<T> listing) {
    return new RemoteIterator<>() {
      @Override
      public boolean hasNext() throws IOException {
        return telling(listing::hasNext);
      }

      @Override
      public T next() throws IOException {
        return telling(listing::next);
      }
    };
  }

  IOException told(IOException failure) {
    return failure instanceof LayoutException stored
        ? stored.about(this)
        : Failures.about(this, failure);
  }

  @Override
  public String toString() {
    return path + ": " + call;
  }
}
