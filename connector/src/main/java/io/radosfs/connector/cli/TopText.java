// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.job.JobDescription;
import io.radosfs.connector.store.PoolTraffic;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code radosfs top} shows at one time.
 *
 * @param time milliseconds since the epoch
 * @param uri the user's
 */
record TopText(long time, String uri, List<OfPool> pools, List<OfJob> jobs) {

  private static final String UNKNOWN = "-";

  /**
   * A pool.
   *
   * @param role {@code index} or {@code data}
   * @param rates what each number of a {@link PoolTraffic} grows by in a second, in its order
   */
  record OfPool(String pool, String role, Optional<double[]> rates) {

    /** The counters, in the order of the rates. */
    static long[] counters(PoolTraffic traffic) {
      return new long[] {
        traffic.reads(), traffic.bytesRead(), traffic.writes(), traffic.bytesWritten()
      };
    }

    private Optional<Double> rate(int number) {
      return rates.map(all -> all[number]);
    }
  }

  /**
   * A job.
   *
   * @param bytesPerSecond in the time since the last refresh
   */
  record OfJob(JobDescription job, Optional<Double> bytesPerSecond) {}

  /** As objects, for scripts. */
  List<Fields> fields() {
    List<Fields> all = new ArrayList<>();
    String now = Instant.ofEpochMilli(time).toString();
    for (OfPool pool : pools) {
      all.add(
          new Fields()
              .with("type", "pool")
              .with("time", now)
              .with("pool", pool.pool())
              .with("role", pool.role())
              .withIf("readsPerSecond", pool.rate(0))
              .withIf("bytesReadPerSecond", pool.rate(1))
              .withIf("writesPerSecond", pool.rate(2))
              .withIf("bytesWrittenPerSecond", pool.rate(3)));
    }
    for (OfJob job : jobs) {
      all.add(
          JobText.brief(job.job(), new Fields().with("type", "job").with("time", now))
              .withIf("bytesPerSecond", job.bytesPerSecond()));
    }
    all.add(
        new Fields()
            .with("type", "summary")
            .with("time", now)
            .with("jobs", jobs.size())
            .withIf("bytesPerSecond", sum()));
    return all;
  }

  /** For people. */
  void print(PrintWriter out, Sizes sizes) {
    out.printf(
        "%s  %s  %d %s, %s/s%n",
        Instant.ofEpochMilli(time).truncatedTo(ChronoUnit.SECONDS),
        uri,
        jobs.size(),
        jobs.size() == 1 ? "job" : "jobs",
        bytes(sum(), sizes));
    out.println();
    Columns table = new Columns("POOL", "FOR", "READ/S", "READS/S", "WRITTEN/S", "WRITES/S");
    for (OfPool pool : pools) {
      table.row(
          pool.pool(),
          pool.role(),
          bytes(pool.rate(1), sizes),
          number(pool.rate(0)),
          bytes(pool.rate(3), sizes),
          number(pool.rate(2)));
    }
    table.print(out);
    if (!jobs.isEmpty()) {
      out.println();
      printJobs(out, sizes);
    }
  }

  private void printJobs(PrintWriter out, Sizes sizes) {
    Map<JobDescription, String> rates = new LinkedHashMap<>();
    jobs.forEach(each -> rates.put(each.job(), bytes(each.bytesPerSecond(), sizes)));
    new JobColumns(time, sizes).table(List.copyOf(rates.keySet()), rates::get).print(out);
  }

  /** Of all jobs whose rate is known. */
  private Optional<Double> sum() {
    return jobs.stream().flatMap(job -> job.bytesPerSecond().stream()).reduce(Double::sum);
  }

  private static String bytes(Optional<Double> rate, Sizes sizes) {
    return rate.map(value -> sizes.text(Math.round(value))).orElse(UNKNOWN);
  }

  private static String number(Optional<Double> rate) {
    return rate.map(value -> String.format(Locale.ROOT, "%.1f", value)).orElse(UNKNOWN);
  }
}
