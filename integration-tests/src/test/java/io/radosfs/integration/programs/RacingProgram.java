// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Run by a test in JVMs of their own: several clients that race for one name. Arguments: the URI,
 * ceph.conf, the number of the first client and how many there are. A line of input is a round, a
 * kind and a number; a line of output is what came of it for one client.
 */
public final class RacingProgram {

  /** Begins the lines that are for the test. */
  public static final String RESULT = "RESULT ";

  /** What a client that had the name said; losers name the exception, or {@code false}. */
  public static final String WON = "won";

  /** The ways to take a name that nobody has. */
  public enum Kind {
    CREATE,
    RENAME_WITHIN,
    RENAME_ACROSS,
    CONTEXT_WITHIN,
    CONTEXT_ACROSS;

    /** The name that a round is about. */
    public Path prize(int round) {
      return new Path("/race/" + name().toLowerCase(Locale.ROOT) + "-" + round);
    }

    /** What a client renames. */
    public Path source(int client) {
      String own = name() + "-of-" + client;
      switch (this) {
        case RENAME_WITHIN:
        case CONTEXT_WITHIN:
          return new Path("/race/" + own);
        default:
          return new Path("/clients/" + client + "/" + own);
      }
    }
  }

  private final int number;
  private final FileSystem fs;
  private final FileContext context;

  /** Its own mount, as no other client has this configuration. */
  private RacingProgram(URI uri, String cephConf, int number) throws IOException {
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", cephConf);
    conf.set("fs.rados.group", "client-" + number);
    conf.set("fs.AbstractFileSystem.rados.impl", "io.radosfs.connector.RadosFs");
    this.number = number;
    this.fs = FileSystem.newInstance(uri, conf);
    this.context = FileContext.getFileContext(uri, conf);
  }

  public static void main(String[] arguments) throws Exception {
    URI uri = URI.create(arguments[0]);
    int first = Integer.parseInt(arguments[2]);
    int count = Integer.parseInt(arguments[3]);
    List<RacingProgram> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(new RacingProgram(uri, arguments[1], first + i));
    }
    ExecutorService threads = Executors.newFixedThreadPool(count);
    CyclicBarrier start = new CyclicBarrier(count);
    BufferedReader rounds = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = rounds.readLine(); line != null; line = rounds.readLine()) {
      String[] round = line.split(" ");
      Kind kind = Kind.valueOf(round[0]);
      int number = Integer.parseInt(round[1]);
      List<Future<String>> outcomes = new ArrayList<>();
      for (RacingProgram client : clients) {
        outcomes.add(threads.submit(() -> client.race(kind, number, start)));
      }
      for (int i = 0; i < count; i++) {
        say((first + i) + " " + outcomes.get(i).get());
      }
    }
    threads.shutdown();
    for (RacingProgram client : clients) {
      client.fs.close();
    }
  }

  @SuppressWarnings("SystemOut") // the test reads it
  private static void say(String result) {
    System.out.println(RESULT + result);
  }

  private String race(Kind kind, int round, CyclicBarrier start) throws Exception {
    Path source = kind.source(number);
    Path prize = kind.prize(round);
    if (kind != Kind.CREATE && !fs.exists(source)) {
      write(source);
    }
    start.await(1, TimeUnit.MINUTES);
    try {
      switch (kind) {
        case CREATE -> write(prize);
        case RENAME_WITHIN, RENAME_ACROSS -> {
          if (!fs.rename(source, prize)) {
            return "false";
          }
        }
        case CONTEXT_WITHIN, CONTEXT_ACROSS -> context.rename(source, prize);
      }
      return WON;
    } catch (IOException e) {
      return e.getClass().getName() + " " + String.valueOf(e.getMessage()).replace('\n', ' ');
    }
  }

  private void write(Path path) throws IOException {
    try (FSDataOutputStream out = fs.create(path, false)) {
      out.write(Integer.toString(number).getBytes(UTF_8));
    }
  }
}
