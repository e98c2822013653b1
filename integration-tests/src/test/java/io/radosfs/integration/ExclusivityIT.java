// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.programs.RacingProgram;
import io.radosfs.integration.programs.RacingProgram.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/**
 * I3 among processes: of many clients that take one name at the same time, exactly one gets it, and
 * each of the others is told in the way that its caller understands. {@code -Pdeep} for 1,000
 * rounds.
 */
class ExclusivityIT {

  private static final int PROCESSES = 4;
  private static final int CLIENTS_OF_EACH = 8;
  private static final int CLIENTS = PROCESSES * CLIENTS_OF_EACH;
  private static final int ROUNDS = Boolean.getBoolean("radosfs.deep") ? 1000 : 20;

  private final CephCluster ceph = CephCluster.shared();

  /** One JVM with some of the clients. */
  private record Racers(Process process, Writer rounds, BufferedReader results) {

    static Racers start(URI uri, CephCluster ceph, int first) throws IOException {
      Process process =
          ChildJvm.of(
                  RacingProgram.class,
                  uri.toString(),
                  ceph.conf().toString(),
                  Integer.toString(first),
                  Integer.toString(CLIENTS_OF_EACH))
              .start();
      return new Racers(process, process.outputWriter(UTF_8), process.inputReader(UTF_8));
    }

    void begin(Kind kind, int round) throws IOException {
      rounds.write(kind + " " + round + "\n");
      rounds.flush();
    }

    /** What came of the round, by client. */
    void collect(SortedMap<Integer, String> outcomes) throws IOException {
      StringBuilder others = new StringBuilder();
      for (int i = 0; i < CLIENTS_OF_EACH; ) {
        String line = results.readLine();
        if (line == null) {
          throw new AssertionError("a process of racers ended: " + others);
        }
        if (line.startsWith(RacingProgram.RESULT)) {
          String[] result = line.substring(RacingProgram.RESULT.length()).split(" ", 2);
          outcomes.put(Integer.valueOf(result[0]), result[1]);
          i++;
        } else {
          others.append(line).append('\n');
        }
      }
    }
  }

  @Test
  void ofManyClientsThatTakeOneNameOneGetsIt() throws Exception {
    String pool = ceph.createPool();
    URI uri = URI.create("rados://" + pool + "/");
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    List<Racers> racers = new ArrayList<>();
    try (FileSystem fs = FileSystem.newInstance(uri, conf)) {
      assertThat(fs.mkdirs(new Path("/race"))).isTrue();
      for (int i = 0; i < PROCESSES; i++) {
        racers.add(Racers.start(uri, ceph, i * CLIENTS_OF_EACH));
      }
      for (int round = 0; round < ROUNDS; round++) {
        Kind kind = Kind.values()[round % Kind.values().length];
        check(fs, kind, round, race(racers, kind, round));
      }
      allPrizesAreThereAndNoSourceIsLost(fs);
      for (Racers each : racers) {
        each.rounds().close();
        assertThat(each.process().waitFor()).isZero();
      }
    } finally {
      racers.forEach(each -> each.process().destroyForcibly());
      ceph.deletePool(pool);
    }
  }

  private static SortedMap<Integer, String> race(List<Racers> racers, Kind kind, int round)
      throws IOException {
    for (Racers each : racers) {
      each.begin(kind, round);
    }
    SortedMap<Integer, String> outcomes = new TreeMap<>();
    for (Racers each : racers) {
      each.collect(outcomes);
    }
    return outcomes;
  }

  private static void check(
      FileSystem fs, Kind kind, int round, SortedMap<Integer, String> outcomes) throws IOException {
    assertThat(outcomes).hasSize(CLIENTS);
    List<Integer> winners =
        outcomes.keySet().stream()
            .filter(client -> outcomes.get(client).equals(RacingProgram.WON))
            .toList();
    assertThat(winners).as("winners of round %d, %s: %s", round, kind, outcomes).hasSize(1);
    String told =
        switch (kind) {
          case RENAME_WITHIN, RENAME_ACROSS -> "false";
          default -> FileAlreadyExistsException.class.getName() + " ";
        };
    assertThat(outcomes.values().stream().filter(outcome -> outcome.startsWith(told)))
        .as("losers of round %d, %s: %s", round, kind, outcomes)
        .hasSize(CLIENTS - 1);
    assertThat(read(fs, kind.prize(round))).isEqualTo(winners.get(0).toString());
  }

  private static String read(FileSystem fs, Path file) throws IOException {
    try (var in = fs.open(file)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private static void allPrizesAreThereAndNoSourceIsLost(FileSystem fs) throws IOException {
    List<String> names = new ArrayList<>();
    for (FileStatus status : fs.listStatus(new Path("/race"))) {
      names.add(status.getPath().getName());
    }
    for (int round = 0; round < ROUNDS; round++) {
      assertThat(names)
          .contains(Kind.values()[round % Kind.values().length].prize(round).getName());
    }
    for (Kind kind : Kind.values()) {
      if (kind == Kind.CREATE) {
        continue;
      }
      List<Integer> without = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        Path source = kind.source(client);
        if (!fs.exists(source)) {
          without.add(client);
        } else {
          assertThat(read(fs, source)).isEqualTo(Integer.toString(client));
        }
      }
      assertThat(without).as("only the last winner has no source, of %s", kind).hasSize(1);
    }
    assertThat(names.stream().collect(Collectors.toSet())).hasSameSizeAs(names);
  }
}
