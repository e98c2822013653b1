// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.memory;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What a process measured, as a file that it writes.
 *
 * @param answered the queries, by name and in their order
 * @param failed why the others were not answered, by name
 * @param samples of the time in which they were asked
 */
public record MemoryRun(
    Map<String, QueryRun> answered, Map<String, String> failed, List<MemorySample> samples) {

  private static final String FILE = "run.json";

  public MemoryRun {
    answered = Collections.unmodifiableMap(new LinkedHashMap<>(answered));
    failed = Collections.unmodifiableMap(new LinkedHashMap<>(failed));
    samples = List.copyOf(samples);
  }

  /** Reads that of a folder; empty if the process has not come so far. */
  public static Optional<MemoryRun> read(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    return Files.exists(file)
        ? Optional.of(new ObjectMapper().readValue(file.toFile(), MemoryRun.class))
        : Optional.empty();
  }

  /** Puts it into a folder. */
  public void write(Path folder) throws IOException {
    new ObjectMapper().writeValue(folder.resolve(FILE).toFile(), this);
  }

  /** The sum over some queries, all of which were answered. */
  public double sum(Collection<String> queries, ToDoubleFunction<QueryRun> of) {
    return queries.stream().map(answered::get).mapToDouble(of).sum();
  }

  /** The largest sample, in bytes. */
  public long peak(MemoryKind kind) {
    return samples.stream().mapToLong(sample -> sample.bytes().get(kind)).max().orElse(0);
  }
}
