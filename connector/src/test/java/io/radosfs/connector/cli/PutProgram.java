// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Puts its standard input over a file, and prints what the file holds when a signal ends it. */
final class PutProgram {

  private static final Path FILE = new Path("/f");

  private PutProgram() {}

  public static void main(String[] args) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools("meta");
    Configuration conf = SimulatedConnections.configuration(cluster);
    conf.setBoolean("fs.automatic.close", false);
    FileSystem fs = FileSystem.newInstance(URI.create("rados://meta"), conf);
    try (FSDataOutputStream old = fs.create(FILE)) {
      old.write("old".getBytes(UTF_8));
    }
    CountDownLatch done = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> tell(fs, done)));
    System.setIn(
        new FilterInputStream(System.in) {
          private boolean told;

          @Override
          public int read(byte[] bytes, int from, int count) throws IOException {
            int read = super.read(bytes, from, count);
            if (!told) {
              told = true;
              System.out.println("reads");
            }
            return read;
          }
        });
    Ran unused = Ran.of(conf, "put", "-f", "-", "rados://meta/f");
    done.countDown();
  }

  private static void tell(FileSystem fs, CountDownLatch done) {
    System.out.println("ends");
    try {
      done.await();
      try (InputStream in = fs.open(FILE)) {
        System.out.println(new String(in.readAllBytes(), UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
