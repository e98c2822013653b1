// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Librados and a monitor that says nothing: a port of this process that takes connections. */
class SilentMonitorIT {

  private static final String REMEMBERED = "This was so a moment ago, and is not tried again for";

  private final List<Socket> connections = new CopyOnWriteArrayList<>();
  private final Configuration conf = new Configuration();
  private ServerSocket monitor;
  private Thread takes;

  @TempDir Path folder;

  @BeforeEach
  void listen() throws IOException {
    monitor = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    takes = new Thread(this::take, "silent monitor");
    takes.start();
    String address = "mon_host = [v2:127.0.0.1:" + monitor.getLocalPort() + "]";
    Path file = Files.write(folder.resolve("ceph.conf"), List.of("[global]", address));
    conf.set(Options.CEPH_CONF.key(), file.toString());
    conf.set(Options.CEPH_SECRET.key(), "AQCbCj9n6DYqJRAA4bL2LwYkC8m9vX1y3z5ABw==");
    // Not 3 s, after which the client library tries again by itself.
    conf.set(Options.CONNECT_TIMEOUT.key(), "2s");
  }

  private void take() {
    try {
      while (true) {
        connections.add(monitor.accept());
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  @AfterEach
  void close() throws Exception {
    monitor.close();
    takes.join();
    for (Socket connection : connections) {
      connection.close();
    }
  }

  private StoreException failure() {
    return catchThrowableOfType(
        () -> FileSystem.newInstance(URI.create("rados://pool/"), conf), StoreException.class);
  }

  @Test
  void theSecondTryRemembersThatNoMonitorAnswered() {
    StoreException first = failure();
    assertThat(first.kind()).isEqualTo(Kind.TIMED_OUT);
    assertThat(first).hasMessageNotContaining(REMEMBERED);
    int tried = connections.size();
    assertThat(tried).as("connections of the first try").isPositive();

    StoreException second = failure();
    assertThat(second.kind()).isEqualTo(Kind.TIMED_OUT);
    assertThat(second).hasMessageContaining(REMEMBERED);
    assertThat(second.getMessage()).startsWith(first.getMessage());
    assertThat(connections).as("no further connection").hasSize(tried);

    conf.set(Options.CONNECT_TIMEOUT.key(), "4s");
    assertThat(failure()).as("of other settings").hasMessageNotContaining(REMEMBERED);
    assertThat(connections).as("which are tried").hasSizeGreaterThan(tried);
  }
}
