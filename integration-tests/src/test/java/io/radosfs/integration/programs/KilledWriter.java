// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Run by a test in a JVM of its own, to be killed: leaves a file half-written, and one that was
 * closed, and renamed, just before.
 */
public final class KilledWriter {

  public static final String READY = "ready to be killed";

  private KilledWriter() {}

  /** Given a URI and settings, each as key=value. Never ends by itself. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Configuration conf = new Configuration();
    for (int i = 1; i < arguments.length; i++) {
      String[] setting = arguments[i].split("=", 2);
      conf.set(setting[0], setting[1]);
    }
    FileSystem fs = FileSystem.newInstance(URI.create(arguments[0]), conf);
    fs.mkdirs(new Path("/done"));
    FSDataOutputStream half = fs.create(new Path("/work/half"));
    half.write(new byte[30 << 20]);
    try (FSDataOutputStream whole = fs.create(new Path("/work/whole"))) {
      whole.write(new byte[9 << 20]);
    }
    if (!fs.rename(new Path("/work/whole"), new Path("/done/whole"))) {
      throw new IOException("not renamed");
    }
    System.out.println(READY);
    Thread.sleep(Long.MAX_VALUE);
  }
}
