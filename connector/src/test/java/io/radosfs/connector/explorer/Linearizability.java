// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The search for an order of all instants of all calls that explains what every caller was told:
 * depth first, and no state of tree and calls is gone into twice (after Wing and Gong, and Lowe).
 */
final class Linearizability {

  /** What came of a search. */
  enum Verdict {
    EXPLAINED,
    INEXPLICABLE,
    /** Too many states. */
    UNDECIDED
  }

  private static final int MOST_STATES = 400_000;

  private record State(Tree tree, List<Object> calls) {}

  private final List<Call> calls;
  private final Set<State> seen = new HashSet<>();
  private int furthest;
  private State furthestState;

  Linearizability(List<Call> calls) {
    this.calls = calls;
  }

  Verdict search(Tree from) {
    Object[] states = new Object[calls.size()];
    Arrays.fill(states, Behaviour.START);
    boolean found = search(from, states);
    return found
        ? Verdict.EXPLAINED
        : seen.size() >= MOST_STATES ? Verdict.UNDECIDED : Verdict.INEXPLICABLE;
  }

  /** How far the search came: the tree, and the calls that no order lets follow. */
  String furthest() {
    StringBuilder text = new StringBuilder("the furthest tree: " + furthestState.tree());
    for (int i = 0; i < calls.size(); i++) {
      if (!furthestState.calls().get(i).equals(Behaviour.DONE)) {
        text.append("\nnot explained: ").append(calls.get(i));
      }
    }
    return text.toString();
  }

  private boolean search(Tree tree, Object[] states) {
    boolean moved = true;
    while (moved) {
      // What has no effect and can come now, may come now.
      moved = false;
      for (int i = 0; i < states.length; i++) {
        if (isEnabled(i, states)) {
          List<Behaviour.Next> next = next(i, tree, states);
          if (next.size() == 1 && next.get(0).idle()) {
            states[i] = Behaviour.DONE;
            moved = true;
          }
        }
      }
    }
    State here = new State(tree, new ArrayList<>(Arrays.asList(states)));
    int done = (int) Arrays.stream(states).filter(Behaviour.DONE::equals).count();
    if (done >= furthest) {
      furthest = done;
      furthestState = here;
    }
    if (isExplained(states)) {
      return true;
    }
    if (seen.size() >= MOST_STATES || !seen.add(here)) {
      return false;
    }
    for (int i = 0; i < states.length; i++) {
      if (isEnabled(i, states)) {
        for (Behaviour.Next next : next(i, tree, states)) {
          Object[] after = states.clone();
          after[i] = next.state();
          if (search(next.tree(), after)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private List<Behaviour.Next> next(int i, Tree tree, Object[] states) {
    return calls.get(i).behaviour().next(tree, states[i], calls.get(i).answer());
  }

  private boolean isExplained(Object[] states) {
    for (int i = 0; i < states.length; i++) {
      if (calls.get(i).isDefinite() && !hasEnded(states[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasEnded(Object state) {
    return state.equals(Behaviour.DONE);
  }

  private boolean isEnabled(int i, Object[] states) {
    if (states[i].equals(Behaviour.DONE)) {
      return false;
    }
    for (int j = 0; j < states.length; j++) {
      if (!hasEnded(states[j]) && calls.get(j).isBefore(calls.get(i))) {
        return false;
      }
    }
    return true;
  }
}
