// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import java.io.IOException;
import java.net.URI;
import java.util.BitSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** Lists a directory of {@code part-<number>} files, one after another. */
public final class DirectoryListingProgram {

  private DirectoryListingProgram() {}

  /** Given a URI, a configuration file of Ceph and a directory. Prints how many different names. */
  public static void main(String[] arguments) throws IOException {
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", arguments[1]);
    FileSystem fs = FileSystem.newInstance(URI.create(arguments[0]), conf);
    BitSet found = new BitSet();
    long started = System.nanoTime();
    RemoteIterator<FileStatus> files = fs.listStatusIterator(new Path(arguments[2]));
    int count = 0;
    while (files.hasNext()) {
      found.set(Integer.parseInt(files.next().getPath().getName().substring("part-".length())));
      count++;
    }
    long millis = (System.nanoTime() - started) / 1_000_000;
    fs.close();
    System.out.println("listed " + count + " different " + found.cardinality());
    System.out.println("in " + millis + " ms");
  }
}
