// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import io.radosfs.connector.store.simulation.SimulatedClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** The classes of main code on the stack at each RADOS operation of a client. */
final class RecordedWalk {

  /**
   * One class calls another.
   *
   * @param from null for a class that a program calls
   * @param again whether the called class is among the callers already: it handed work down
   */
  record Step(Class<?> from, Class<?> to, boolean again) {

    String callee() {
      return to.getSimpleName();
    }

    @Override
    public String toString() {
      return (from == null ? "the program" : from.getSimpleName()) + " -> " + callee();
    }
  }

  private static final String ROOT = "io.radosfs.";

  private final List<Step> steps = new ArrayList<>();
  private boolean recording;

  RecordedWalk(SimulatedClient client) {
    client
        .faults()
        .before(
            op -> {
              note();
            });
  }

  synchronized void begin() {
    steps.clear();
    recording = true;
  }

  synchronized List<Step> end() {
    recording = false;
    return List.copyOf(steps);
  }

  private synchronized void note() {
    if (!recording) {
      return;
    }
    List<Class<?>> stack =
        StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
            .walk(
                frames ->
                    frames
                        .map(frame -> outermost(frame.getDeclaringClass()))
                        .filter(RecordedWalk::isMain)
                        .collect(Collectors.toCollection(ArrayList::new)));
    Collections.reverse(stack);
    for (int i = 0; i < stack.size(); i++) {
      Class<?> from = i == 0 ? null : stack.get(i - 1);
      Class<?> to = stack.get(i);
      if (from != to) {
        steps.add(new Step(from, to, stack.subList(0, i).contains(to)));
      }
    }
  }

  private static boolean isMain(Class<?> type) {
    return type.getName().startsWith(ROOT)
        && !type.getName().contains(".simulation.")
        && !type.getSimpleName().endsWith("Test")
        && type != RecordedWalk.class;
  }

  private static Class<?> outermost(Class<?> type) {
    Class<?> outer = type;
    while (outer.getEnclosingClass() != null) {
      outer = outer.getEnclosingClass();
    }
    return outer;
  }
}
