// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A pool stops answering, as it wants more copies than there are OSDs: how long calls take. */
class BoundedCallsIT {

  private static final Duration TIMEOUT = Duration.ofSeconds(6);

  private static final Set<Kind> UNANSWERED = Set.of(Kind.TIMED_OUT, Kind.OUTCOME_UNKNOWN);

  private static CephCluster ceph;
  private static String pool;
  private static FileSystem fs;

  @BeforeAll
  static void makeAFileSystemThatFallsSilent() throws Exception {
    ceph = CephCluster.shared();
    pool = ceph.createPool();
    fs = FileSystem.newInstance(URI.create("rados://" + pool + "/"), configuration(TIMEOUT));
    write("/d/file", 10);
    try (FileSystem probe =
        FileSystem.newInstance(
            URI.create("rados://" + pool + "/"), configuration(Duration.ofSeconds(4)))) {
      String tooMany = Long.toString(ceph.ceph("osd", "ls").lines().count() + 1);
      ceph.ceph("osd", "pool", "set", pool, "size", tooMany);
      ceph.ceph("osd", "pool", "set", pool, "min_size", tooMany);
      while (catchThrowable(() -> probe.listStatus(new Path("/d"))) == null) {
        Thread.sleep(200);
      }
    }
  }

  private static Configuration configuration(Duration timeout) {
    Configuration conf = new Configuration();
    conf.set(Options.CEPH_CONF.key(), ceph.conf().toString());
    conf.set(Options.OPERATION_TIMEOUT.key(), timeout.toMillis() + "ms");
    return conf;
  }

  private static void write(String path, int length) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path), true)) {
      out.write(new byte[length]);
    }
  }

  @AfterAll
  static void removePool() {
    ceph.deletePool(pool);
  }

  @Test
  void eachEndsWithinTwiceTheTimeout() {
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("create", () -> write("/d/new", 10 << 20));
    calls.put("overwrite", () -> write("/d/file", 10 << 20));
    calls.put("rename", () -> fs.rename(new Path("/d/file"), new Path("/d/renamed")));
    calls.put("delete", () -> fs.delete(new Path("/d/file"), false));
    calls.put("list", () -> fs.listStatus(new Path("/d")));
    calls.put("mkdirs", () -> fs.mkdirs(new Path("/x/y")));
    calls.forEach(
        (name, call) -> {
          long started = System.nanoTime();
          Throwable thrown = catchThrowable(call);
          Duration took = Duration.ofNanos(System.nanoTime() - started);
          System.getLogger(BoundedCallsIT.class.getName())
              .log(System.Logger.Level.WARNING, "{0} took {1}: {2}", name, took, "" + thrown);
          assertThat(thrown)
              .as(name)
              .isInstanceOf(StoreException.class)
              .matches(
                  e -> UNANSWERED.contains(((StoreException) e).kind()), "not answered in time");
          assertThat(took).as(name).isLessThan(TIMEOUT.multipliedBy(2).plusSeconds(1));
        });
  }
}
