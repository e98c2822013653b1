// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Every operation that reached the cluster, or died on its way, in order of effect. */
public final class OpLog {

  /** An operation and what came of it. */
  public record LoggedOp(OpInfo op, String outcome) {
    @Override
    public String toString() {
      return op + " -> " + outcome;
    }
  }

  private final List<LoggedOp> entries = new ArrayList<>();

  OpLog() {}

  synchronized void add(OpInfo op, String outcome) {
    entries.add(new LoggedOp(op, outcome));
  }

  public synchronized List<LoggedOp> entries() {
    return List.copyOf(entries);
  }

  /** The operations of one client. */
  public synchronized List<LoggedOp> of(String client) {
    return entries.stream().filter(entry -> entry.op().client().equals(client)).toList();
  }

  public synchronized int size() {
    return entries.size();
  }

  /** The last operations, at most so many, one a line. */
  public synchronized String tail(int most) {
    return before(entries.size(), most);
  }

  /** The last of the first so many operations, at most so many, one a line. */
  public synchronized String before(int end, int most) {
    int from = Math.max(0, end - most);
    String text =
        entries.subList(from, end).stream()
            .map(LoggedOp::toString)
            .collect(Collectors.joining("\n"));
    return from == 0 ? text : "(" + from + " earlier operations)\n" + text;
  }

  @Override
  public String toString() {
    return tail(Integer.MAX_VALUE);
  }
}
