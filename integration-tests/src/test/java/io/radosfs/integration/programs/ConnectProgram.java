// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Run by a test in a JVM of its own, as librados writes what it has to say to its standard error:
 * uses a file system once, and prints {@link #CONNECTED}, or the error. Arguments: the URI, then
 * settings as {@code key=value}.
 */
public final class ConnectProgram {

  public static final String CONNECTED = "connected, and looked";

  private ConnectProgram() {}

  @SuppressWarnings("SystemOut") // what it prints is what the test looks at
  public static void main(String[] arguments) {
    Configuration conf = new Configuration();
    for (int i = 1; i < arguments.length; i++) {
      String[] setting = arguments[i].split("=", 2);
      conf.set(setting[0], setting[1]);
    }
    try (FileSystem fs = FileSystem.newInstance(URI.create(arguments[0]), conf)) {
      fs.exists(new Path("/none"));
      System.out.println(CONNECTED);
    } catch (IOException | RuntimeException e) {
      e.printStackTrace(System.out);
    }
  }
}
