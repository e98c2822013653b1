// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli.ending;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;

/**
 * An input that has no end once the process is being ended: Ctrl-C reaches the program that writes
 * it too, and what is there by then is a part. For one thread.
 */
public final class WholeInput extends FilterInputStream {

  /** The same Ctrl-C may be told to this process a little later than the other one's end. */
  private static final long LATER_MILLIS = 300;

  private final ProcessEnd processEnd;
  private final String target;

  /**
   * @param target what is made of it, for the error
   */
  public WholeInput(InputStream in, ProcessEnd processEnd, String target) {
    super(in);
    this.processEnd = processEnd;
    this.target = target;
  }

  /**
   * {@inheritDoc}
   *
   * @throws InterruptedIOException if the process is being ended
   */
  @Override
  public int read() throws IOException {
    return checked(super.read());
  }

  /**
   * {@inheritDoc}
   *
   * @throws InterruptedIOException if the process is being ended
   */
  @Override
  public int read(byte[] bytes, int from, int count) throws IOException {
    return checked(super.read(bytes, from, count));
  }

  private int checked(int read) throws InterruptedIOException {
    boolean ended;
    try {
      ended = read < 0 ? processEnd.beginsWithin(LATER_MILLIS) : processEnd.hasBegun();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      ended = true;
    }
    if (ended) {
      throw new InterruptedIOException(
          "put "
              + target
              + ": ended before the standard input was known to be whole; nothing was published."
              + " Run it again");
    }
    return read;
  }
}
