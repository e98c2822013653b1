// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;

/**
 * The stream that {@code create} returns: Hadoop's stream around a {@link StripedOutputStream},
 * without the lock that {@link java.io.DataOutputStream} takes for every single byte (which costs
 * several times as much as the byte itself).
 *
 * <p>For one thread at a time, like the inner stream.
 */
public final class StripedDataOutputStream extends FSDataOutputStream {

  private final StripedOutputStream stripes;

  /** Bytes that bypassed Hadoop's own count. */
  private long direct;

  public StripedDataOutputStream(StripedOutputStream stripes) {
    super(stripes, null);
    this.stripes = stripes;
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  public void write(int value) throws IOException {
    stripes.write(value);
    count(1);
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  public void write(byte[] bytes, int offset, int count) throws IOException {
    stripes.write(bytes, offset, count);
    count(count);
  }

  private void count(int bytes) {
    direct += bytes;
    // What size() returns, which stays at the most that it can be.
    written = (int) Math.min(Integer.MAX_VALUE, (long) written + bytes);
  }

  @Override
  public long getPos() {
    return super.getPos() + direct;
  }
}
