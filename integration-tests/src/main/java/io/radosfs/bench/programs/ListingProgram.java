// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.programs;

import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Lists one directory again and again, in a process of its own: prints for each time how many
 * entries it saw, and the nanoseconds that it took to look at the length and the name of each.
 * Arguments: directory, ceph.conf, times.
 */
public final class ListingProgram {

  private ListingProgram() {}

  /** Prints a line a listing, nothing else. */
  public static void main(String[] arguments) throws IOException {
    SparkSessions.logQuietly();
    Configuration configuration = new Configuration();
    configuration.set("fs.rados.ceph.conf", arguments[1]);
    Path directory = new Path(arguments[0]);
    int times = Integer.parseInt(arguments[2]);
    try (FileSystem fileSystem = FileSystem.newInstance(URI.create(arguments[0]), configuration)) {
      for (int i = 0; i < times; i++) {
        long started = System.nanoTime();
        long entries = 0;
        long bytes = 0;
        long letters = 0;
        RemoteIterator<FileStatus> iterator = fileSystem.listStatusIterator(directory);
        while (iterator.hasNext()) {
          FileStatus status = iterator.next();
          bytes += status.getLen();
          letters += status.getPath().getName().length();
          entries++;
        }
        long nanos = System.nanoTime() - started;
        System.out.println(entries + " " + nanos + " " + bytes + " " + letters);
      }
    }
  }
}
