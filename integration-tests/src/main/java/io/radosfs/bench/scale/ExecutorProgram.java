// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.connector.config.Options;
import io.radosfs.workbench.SparkSessions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor in a process of its own: obeys one line after another, each an {@link Order} as JSON,
 * and prints the {@link WorkerAnswer} to each. It connects anew for each, as it would for a job.
 */
public final class ExecutorProgram {

  /** Begins a line that is an answer; what libraries print is none. */
  static final String ANSWER = "answer: ";

  private static final Logger LOG = LoggerFactory.getLogger(ExecutorProgram.class);

  private ExecutorProgram() {}

  /**
   * Ends when there is no further line, or with whoever has started it.
   *
   * @param arguments ceph.conf
   */
  public static void main(String[] arguments) {
    SparkSessions.logQuietly();
    ProcessHandle.current()
        .parent()
        .ifPresent(
            parent -> {
              var unused = parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1));
            });
    int status = 1;
    try {
      obeyAll(arguments[0]);
      status = 0;
    } catch (IOException | RuntimeException | Error e) {
      LOG.error("An order was not obeyed", e);
    } finally {
      System.exit(status);
    }
  }

  private static void obeyAll(String cephConf) throws IOException {
    Configuration configuration = new Configuration();
    configuration.set(Options.CEPH_CONF.key(), cephConf);
    // As its driver's: otherwise each file system warns that none is set.
    configuration.set(Options.CEPH_USER.key(), Options.CEPH_USER.defaultText());
    ObjectMapper json = new ObjectMapper();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      WorkerAnswer answer = json.readValue(line, Order.class).run(configuration);
      FileSystem.closeAll();
      System.out.println(ANSWER + json.writeValueAsString(answer));
    }
  }
}
