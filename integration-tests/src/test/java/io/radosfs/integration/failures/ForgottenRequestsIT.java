// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.config.Options;
import io.radosfs.integration.ceph.OwnCephCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/**
 * An OSD that loses connections, so that librados sends again what it has applied, and that forgets
 * a request with the next one. By default it knows the last 3,000 of a placement group. What was
 * applied is refused for its own effect then, and not taken for refused.
 */
class ForgottenRequestsIT {

  private static final String POOL = "forgetful";
  private static final int THREADS = 8;
  private static final int FILES = 100;

  /** Of as many messages one breaks the connection. */
  private static final String MESSAGES = "200";

  /** Fewer than there are in each run. */
  private static final int BROKEN = 10;

  @Test
  void whatWasAppliedIsNotTakenForRefused() throws Exception {
    try (OwnCephCluster own = OwnCephCluster.start(1)) {
      own.ceph().ceph("osd", "pool", "create", POOL, "1", "1", "--autoscale-mode=off");
      set(own, "osd_pg_log_dups_tracked", "1");
      set(own, "osd_min_pg_log_entries", "1");
      set(own, "osd_max_pg_log_entries", "1");
      set(own, "osd_pg_log_trim_min", "1");
      set(own, "ms_inject_socket_failures", MESSAGES);
      long before = connections(own);
      Configuration conf = new Configuration();
      conf.set(Options.CEPH_CONF.key(), own.ceph().conf().toString());
      conf.set(Options.CEPH_USER.key(), own.ceph().admin().entity());
      conf.set(Options.CEPH_KEYRING.key(), own.ceph().admin().keyring().toString());
      try (RadosFileSystem fs =
          (RadosFileSystem) FileSystem.newInstance(URI.create("rados://" + POOL + "/"), conf)) {
        work(fs);
        assertThat(connections(own) - before).as("connections made").isGreaterThan(BROKEN);
        set(own, "ms_inject_socket_failures", "0");
        assertThat(fs.mount().check().run(false).findings()).isEmpty();
      }
    }
  }

  private static void set(OwnCephCluster own, String setting, String value) {
    String unused = own.ceph().ceph("config", "set", "osd", setting, value);
  }

  /** How many connections the OSD has made or accepted since it runs. */
  private static long connections(OwnCephCluster own) {
    Matcher made =
        Pattern.compile("\"msgr_created_connections\": (\\d+)")
            .matcher(own.ceph().ceph("tell", "osd.0", "perf", "dump"));
    long all = 0;
    while (made.find()) {
      all += Long.parseLong(made.group(1));
    }
    return all;
  }

  private static void work(FileSystem fs) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> works = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        Path directory = new Path("/d" + t);
        works.add(
            threads.submit(
                () -> {
                  work(fs, directory);
                  return null;
                }));
      }
      for (Future<?> each : works) {
        Object unused = each.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void work(FileSystem fs, Path directory) throws IOException {
    for (int i = 0; i < FILES; i++) {
      Path file = new Path(directory, "f" + i);
      Path renamed = new Path(directory, "r" + i);
      write(fs, file, "first");
      write(fs, file, "second");
      assertThat(fs.rename(file, renamed)).as("rename of %s", file).isTrue();
      assertThat(read(fs, renamed)).isEqualTo("second");
      if (i % 2 == 0) {
        assertThat(fs.delete(renamed, false)).as("deletion of %s", renamed).isTrue();
      }
    }
    for (int i = 1; i < FILES; i += 2) {
      assertThat(read(fs, new Path(directory, "r" + i))).isEqualTo("second");
    }
  }

  private static void write(FileSystem fs, Path file, String content) throws IOException {
    try (FSDataOutputStream out = fs.create(file, true)) {
      out.write(content.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private static String read(FileSystem fs, Path file) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }
}
