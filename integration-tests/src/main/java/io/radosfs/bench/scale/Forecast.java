// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a job would take that nobody has run: counts by the models, and how long each of its limits
 * would hold it up by itself.
 *
 * @param osds each with a core of its own
 * @param cores of each executor
 */
public record Forecast(
    JobSize size, int osds, int cores, Map<Quantity, ScaleModel> models, Rates rates) {

  private static final double GIB = 1 << 30;

  /** What a job waits for. */
  public enum Limit {
    RECORD("the job's record, one placement group"),
    OSDS("the OSDs' processors"),
    EXECUTORS("the executors' processors"),
    COMMIT("commitJob, by the driver alone, when the tasks have ended");

    private final String text;

    Limit(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** What the job takes of something. */
  public double at(Quantity quantity) {
    return models.get(quantity).at(size);
  }

  /** How long each limit alone would take. */
  public Map<Limit, Double> seconds() {
    Map<Limit, Double> seconds = new EnumMap<>(Limit.class);
    seconds.put(Limit.RECORD, at(Quantity.OF_TASKS) / rates.ofOneObject());
    seconds.put(Limit.OSDS, at(Quantity.OPERATIONS) * rates.osdCpu() / osds);
    seconds.put(
        Limit.EXECUTORS,
        at(Quantity.OPERATIONS) * rates.clientCpu() / (size.executors() * (double) cores));
    seconds.put(Limit.COMMIT, Math.max(0, at(Quantity.COMMIT_SECONDS)));
    return seconds;
  }

  /** What holds the job up for the longest time. */
  public Limit first() {
    return seconds().entrySet().stream()
        .max(Comparator.comparingDouble(Map.Entry::getValue))
        .orElseThrow()
        .getKey();
  }

  /** The tasks, as long as their slowest limit takes, and the commit after them. */
  public double total() {
    Map<Limit, Double> seconds = seconds();
    double commit = seconds.remove(Limit.COMMIT);
    return seconds.values().stream().mapToDouble(each -> each).max().orElseThrow() + commit;
  }

  /** Files a second of one job that its record can take. */
  public double filesOfTheRecord() {
    return rates.ofOneObject() * size.files() / at(Quantity.OF_TASKS);
  }

  /** Files a second that so many cores of OSDs can take. */
  public double filesOfOsds(int osdCores) {
    return osdCores * size.files() / (rates.osdCpu() * at(Quantity.OPERATIONS));
  }

  /** The cores of OSDs that are as fast as one record: with more of them, it is the limit. */
  public double osdCoresOfTheRecord() {
    return filesOfTheRecord() / filesOfOsds(1);
  }

  /** How many objects the record would have to be, so that the OSDs are the limit; 1 as it is. */
  public long recordsWanted() {
    return Math.max(1, Math.round(Math.ceil(osds / osdCoresOfTheRecord())));
  }

  /** What it is asked for. */
  public String question() {
    return String.format(
        Locale.ROOT,
        "A job of %s, on %d OSDs, with %d cores for each executor",
        size.text(),
        osds,
        cores);
  }

  /** What it takes. */
  public String answer() {
    return String.format(
        Locale.ROOT,
        "%,.0f operations, %,.0f index objects, %.2f GiB of omap keys and values; %s, most of it"
            + " for %s",
        at(Quantity.OPERATIONS),
        at(Quantity.INDEX_OBJECTS),
        at(Quantity.OMAP_BYTES) / GIB,
        time(total()),
        first().text());
  }

  /** What that is made of. */
  public String parts() {
    return seconds().entrySet().stream()
        .map(limit -> limit.getKey().text() + ": " + time(limit.getValue()))
        .collect(Collectors.joining("; "));
  }

  private static String time(double seconds) {
    return String.format(Locale.ROOT, seconds < 10 ? "%.2f s" : "%,.0f s", seconds);
  }
}
