// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.jna.Function;
import com.sun.jna.Structure;
import io.radosfs.integration.spark.ProtocolJob;
import java.io.File;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Runs many jobs, and tells what the process has of threads and memory after some and after all.
 */
public final class ManyJobsApp {

  private static final byte[] CONTENT = "content".repeat(10_000).getBytes(UTF_8);

  private ManyJobsApp() {}

  /** What glibc's mallinfo2 answers. */
  @Structure.FieldOrder({
    "arena",
    "ordblks",
    "smblks",
    "hblks",
    "hblkhd",
    "usmblks",
    "fsmblks",
    "uordblks",
    "fordblks",
    "keepcost"
  })
  public static final class MallInfo extends Structure implements Structure.ByValue {
    public long arena;
    public long ordblks;
    public long smblks;
    public long hblks;
    public long hblkhd;
    public long usmblks;
    public long fsmblks;
    public long uordblks;
    public long fordblks;
    public long keepcost;
  }

  /**
   * Each answer: files, bytes of direct buffers, bytes of malloc, and the names of the threads, by
   * commas.
   *
   * @param arguments the cluster's ceph.conf, the pool, and the numbers of jobs, ascending, after
   *     which to answer
   */
  @SuppressWarnings("SystemOut") // the test reads it
  public static void main(String[] arguments) throws Exception {
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", arguments[0]);
    conf.set("fs.rados.replaced.retention", "0");
    int done = 0;
    for (int i = 2; i < arguments.length; i++) {
      for (; done < Integer.parseInt(arguments[i]); done++) {
        job(conf, arguments[1], done);
      }
      System.out.println(Program.ANSWER + usage());
    }
  }

  private static void job(Configuration conf, String pool, int number) throws IOException {
    String to = "rados://" + pool + "/table" + number % 5;
    ProtocolJob job = new ProtocolJob(conf, to, UUID.randomUUID().toString()).overwriting().setup();
    job.attempt(1, 0).file("p=2", "-a", CONTENT).abort();
    var message = job.attempt(0, 0).file("p=1", "-a", CONTENT).file("p=2", "-a", CONTENT).commit();
    if (number % 4 == 3) {
      job.abort();
    } else {
      job.commit(List.of(message));
    }
    try (FileSystem fs = FileSystem.newInstance(URI.create(to), conf)) {
      // An aborted job may have taken its table away again.
      var unused = fs.getContentSummary(new Path("/"));
    }
  }

  private static String usage() throws IOException, InterruptedException {
    awaitIdle();
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(300);
    }
    long direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    int files = new File("/proc/self/fd").list().length;
    return files + " " + direct + " " + malloc() + " " + threads();
  }

  /**
   * Waits for the threads that a file system makes for its directories: they end 10 s after their
   * last work, and how many the last job had need of is chance.
   */
  private static void awaitIdle() throws InterruptedException {
    for (int i = 0; i < 300; i++) {
      if (Thread.getAllStackTraces().keySet().stream()
          .noneMatch(thread -> thread.getName().startsWith("radosfs rados://"))) {
        return;
      }
      Thread.sleep(100);
    }
  }

  /**
   * The sorted names of the threads, those of C libraries too, as the kernel has them (15 bytes).
   * Without the JVM's compilers, which come and go with the work that they find, and without what
   * waits for the end of a process, which is there for a minute after it.
   */
  private static String threads() throws IOException {
    List<String> names = new ArrayList<>();
    for (File task : new File("/proc/self/task").listFiles()) {
      try {
        names.add(Files.readString(task.toPath().resolve("comm"), UTF_8).strip());
      } catch (NoSuchFileException e) {
        // It has ended since.
        continue;
      }
    }
    names.removeIf(name -> name.matches("C[12] Compiler.*|process reaper"));
    names.sort(null);
    return String.join(",", names);
  }

  private static long malloc() {
    MallInfo info =
        (MallInfo) Function.getFunction("c", "mallinfo2").invoke(MallInfo.class, new Object[0]);
    return info.uordblks + info.hblkhd;
  }
}
