// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.metrics;

import io.radosfs.connector.data.BufferPool;
import io.radosfs.connector.metrics.Metric.Type;
import io.radosfs.connector.metrics.Metric.Unit;
import io.radosfs.connector.store.OperationKind;
import io.radosfs.connector.store.OperationTimes;
import io.radosfs.connector.store.RadosStatistic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.StorageStatistics;
import org.apache.hadoop.fs.statistics.IOStatistics;

/**
 * What all file systems and committers of the process have counted together, those that are closed
 * included. It refers to none that is closed.
 *
 * <p>It is among Hadoop's {@link GlobalStorageStatistics} by the name {@value #NAME}, and a source
 * of Hadoop's metrics. Spark's plugin gives Spark's metrics the same numbers.
 *
 * <p>Thread-safe.
 */
public final class ProcessMetrics extends StorageStatistics {

  /** The name among Hadoop's statistics of storage. */
  public static final String NAME = "rados-operations";

  private final OperationTimes times = new OperationTimes();
  private final JobCounts jobs = new JobCounts();
  private final LongAdder reconnected = new LongAdder();
  private volatile long client;
  private volatile BufferPool buffers;

  private final Set<IOStatistics> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<String, Long> ended = new TreeMap<>();

  /** What counters had when they were set to zero. */
  private final Map<String, Long> before = new TreeMap<>();

  private final Map<String, SampledMetric> sources = new LinkedHashMap<>();

  ProcessMetrics(LongSupplier nanoTime) {
    super(NAME);
    for (RadosStatistic statistic : RadosStatistic.values()) {
      add(
          SampledMetric.counter(
              statistic.symbol(),
              statistic.isOfBytes() ? Unit.BYTES : Unit.COUNT,
              statistic.description(),
              () -> sum(statistic.symbol())));
    }
    add(
        SampledMetric.gauge(
            "rados_op_in_flight",
            Unit.COUNT,
            "operations that are sent and not yet answered",
            times::inFlight));
    for (OperationKind kind : OperationKind.values()) {
      addTimes(kind, new RecentTimes(times.of(kind), nanoTime));
    }
    addBuffers();
    add(
        SampledMetric.gauge(
            "rados_file_systems",
            Unit.COUNT,
            "file systems that are open; those with the same URI and settings are one",
            this::numberOpen));
    add(
        SampledMetric.counter(
            "rados_reconnected",
            "times that a file system connected again, as the cluster had blocklisted it",
            reconnected::sum));
    add(
        new SampledMetric(
            new Metric(
                "rados_client",
                Type.IDENTITY,
                Unit.COUNT,
                "the n of `client.n`, as which the OSDs know the latest connection; 0 for none"),
            () -> client));
    jobs.sources().forEach(this::add);
  }

  private void addTimes(OperationKind kind, RecentTimes recent) {
    String name = "rados_" + kind.symbol();
    String what = "operations of `" + name + "`";
    add(
        SampledMetric.counter(
            name + "_ended",
            what + " that were answered or have failed",
            () -> times.of(kind).count()));
    add(
        SampledMetric.counter(
            name + "_micros",
            Unit.MICROSECONDS,
            "the time that these took, together",
            () -> times.of(kind).totalMicros()));
    addQuantile(name + "_p50_micros", "half of the " + what + " took at most so long", recent, 0.5);
    addQuantile(name + "_p99_micros", "99 % of the " + what + " took at most so long", recent, .99);
    addQuantile(name + "_max_micros", "the longest of the " + what, recent, 1);
  }

  private void addQuantile(String name, String meaning, RecentTimes recent, double share) {
    add(
        SampledMetric.peak(
            name,
            Unit.MICROSECONDS,
            meaning + ", in the last minute",
            () -> recent.quantile(share)));
  }

  private void addBuffers() {
    add(
        SampledMetric.gauge(
            "rados_buffers_in_use",
            Unit.BYTES,
            "memory of streams, with what librados holds for them",
            () -> ofBuffers(BufferPool::inUse)));
    add(
        SampledMetric.gauge(
            "rados_buffers_kept",
            Unit.BYTES,
            "memory that is kept for the next streams",
            () -> ofBuffers(BufferPool::kept)));
    add(
        SampledMetric.peak(
            "rados_buffers_most",
            Unit.BYTES,
            "the most that was ever in use",
            () -> ofBuffers(BufferPool::mostInUse)));
    add(
        SampledMetric.gauge(
            "rados_buffers_limit",
            Unit.BYTES,
            "the budget, `fs.rados.buffer.limit`",
            () -> ofBuffers(BufferPool::budget)));
  }

  private void add(SampledMetric source) {
    sources.put(source.metric().name(), source);
  }

  /** Those of this process. */
  public static ProcessMetrics get() {
    // Another class loader's class of this name counts for itself.
    return GlobalStorageStatistics.INSTANCE.put(NAME, ProcessMetrics::published)
            instanceof ProcessMetrics own
        ? own
        : OfThisLoader.METRICS;
  }

  /** Only for a class loader whose class came second. */
  private static final class OfThisLoader {
    private static final ProcessMetrics METRICS = new ProcessMetrics(System::nanoTime);
  }

  private static ProcessMetrics published() {
    ProcessMetrics metrics = new ProcessMetrics(System::nanoTime);
    new HadoopMetrics(metrics).register();
    return metrics;
  }

  /** All metrics, in the order of their page. */
  public List<Metric> all() {
    return sources.values().stream().map(SampledMetric::metric).toList();
  }

  /** The value of a metric now. No RADOS operation. */
  public long value(Metric metric) {
    SampledMetric source = sources.get(metric.name());
    long value = source.value().getAsLong();
    return metric.type() == Type.COUNTER ? value - zero(metric.name()) : value;
  }

  /** The operations of all stores. */
  public OperationTimes times() {
    return times;
  }

  /** The jobs of all committers. */
  public JobCounts jobs() {
    return jobs;
  }

  /** From now on, these are the buffers of the process. */
  public void useBuffers(BufferPool pool) {
    buffers = pool;
  }

  /** A connection was made, as {@code client.<id>}. */
  public void connectedAs(long id) {
    client = id;
  }

  /** A file system has connected again. */
  public void reconnected() {
    reconnected.increment();
  }

  /** From now on, these count too. */
  public synchronized void add(IOStatistics statistics) {
    open.add(statistics);
  }

  /** What these have counted stays; what they count from now on does not. */
  public synchronized void end(IOStatistics statistics) {
    if (open.remove(statistics)) {
      statistics.counters().forEach((name, count) -> ended.merge(name, count, Long::sum));
    }
  }

  private synchronized long numberOpen() {
    return open.size();
  }

  private synchronized long sum(String name) {
    long sum = ended.getOrDefault(name, 0L);
    for (IOStatistics each : open) {
      sum += each.counters().getOrDefault(name, 0L);
    }
    return sum;
  }

  private synchronized long zero(String name) {
    return before.getOrDefault(name, 0L);
  }

  private long ofBuffers(ToLongFunction<BufferPool> number) {
    BufferPool pool = buffers;
    return pool == null ? 0 : number.applyAsLong(pool);
  }

  @Override
  public String getScheme() {
    return "rados";
  }

  @Override
  public Iterator<LongStatistic> getLongStatistics() {
    List<LongStatistic> all = new ArrayList<>();
    for (Metric metric : all()) {
      all.add(new LongStatistic(metric.name(), value(metric)));
    }
    return all.iterator();
  }

  @Override
  public Long getLong(String name) {
    SampledMetric source = sources.get(name);
    return source == null ? null : value(source.metric());
  }

  @Override
  public boolean isTracked(String name) {
    return sources.containsKey(name);
  }

  /** Sets the counters to zero here, and leaves those of each file system as they are. */
  @Override
  public void reset() {
    for (SampledMetric source : sources.values()) {
      if (source.metric().type() == Type.COUNTER) {
        long now = source.value().getAsLong();
        synchronized (this) {
          before.put(source.metric().name(), now);
        }
      }
    }
  }
}
