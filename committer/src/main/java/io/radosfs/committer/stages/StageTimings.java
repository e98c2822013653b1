package io.radosfs.committer.stages;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** How long the stages of one commit took. Not thread-safe. */
final class StageTimings {

  /** What is timed. */
  interface Timed<T> {
    T run() throws IOException;
  }

  private final Map<String, Long> nanos = new LinkedHashMap<>();

  <T> T time(String stage, Timed<T> timed) throws IOException {
    long start = System.nanoTime();
    try {
      return timed.run();
    } finally {
      nanos.merge(stage, System.nanoTime() - start, Long::sum);
    }
  }

  /** Milliseconds by stage, in the order in which they first ran. */
  Map<String, Long> millis() {
    Map<String, Long> millis = new LinkedHashMap<>();
    nanos.forEach((stage, time) -> millis.put(stage, time / 1_000_000));
    return millis;
  }

  @Override
  public String toString() {
    return millis().entrySet().stream()
        .map(stage -> stage.getKey() + " " + stage.getValue() + " ms")
        .collect(Collectors.joining(", "));
  }
}
