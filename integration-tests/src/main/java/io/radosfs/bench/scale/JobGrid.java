// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The sizes of jobs that are measured: those that differ from one in a single number, for plots;
 * and some that differ in several, which show whether the numbers add up.
 *
 * @param others for each term, its numbers beside that of the base
 */
public record JobGrid(JobSize base, Map<Term, List<Integer>> others, List<JobSize> combined) {

  public JobGrid {
    others = Map.copyOf(others);
    combined = List.copyOf(combined);
  }

  /** Some 20,000 files a round. */
  public static JobGrid whole() {
    return new JobGrid(
        new JobSize(800, 0, 40, 2, 0),
        Map.of(
            Term.FILES, List.of(200, 400, 1_600, 3_200),
            Term.PARTITIONS, List.of(20, 100, 400),
            Term.TASKS, List.of(8, 160, 400),
            Term.EXECUTORS, List.of(1, 3, 4),
            Term.SHARDS, List.of(16, 64)),
        List.of(
            new JobSize(400, 50, 100, 1, 0),
            new JobSize(1_600, 100, 160, 4, 0),
            new JobSize(3_200, 400, 80, 3, 0)));
  }

  /** Some 9,000 files a round. */
  public static JobGrid inShort() {
    return new JobGrid(
        new JobSize(800, 0, 40, 2, 0),
        Map.of(
            Term.FILES, List.of(200, 1_600),
            Term.PARTITIONS, List.of(20, 200),
            Term.TASKS, List.of(8, 160),
            Term.EXECUTORS, List.of(1, 4),
            Term.SHARDS, List.of(16)),
        List.of(new JobSize(800, 100, 80, 3, 0)));
  }

  /** All sizes, each once. */
  public Set<JobSize> sizes() {
    Set<JobSize> sizes = new LinkedHashSet<>(List.of(base));
    for (List<JobSize> line : lines().values()) {
      sizes.addAll(line);
    }
    sizes.addAll(combined);
    return sizes;
  }

  /** For each term the sizes that differ in it alone, with the base, in their order. */
  public Map<Term, List<JobSize>> lines() {
    Map<Term, List<JobSize>> lines = new EnumMap<>(Term.class);
    others.forEach(
        (term, numbers) ->
            lines.put(
                term,
                IntStream.concat(
                        IntStream.of(base.of(term)), numbers.stream().mapToInt(number -> number))
                    .sorted()
                    .distinct()
                    .mapToObj(number -> base.with(term, number))
                    .toList()));
    return lines;
  }

  /** How many processes it needs. */
  public int executors() {
    return sizes().stream().mapToInt(JobSize::executors).max().orElseThrow();
  }

  /** Files of one round. */
  public long files() {
    return sizes().stream().mapToLong(JobSize::files).sum();
  }
}
