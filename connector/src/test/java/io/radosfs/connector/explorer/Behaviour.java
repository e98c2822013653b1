// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import java.io.IOException;
import java.util.Collection;
import java.util.List;

/**
 * What an operation may do to a tree, one instant after another: a nondeterministic machine. Most
 * have one instant.
 */
public interface Behaviour {

  /** The state of a machine that has come to its end. */
  Object DONE = "done";

  /** The state of one that has not begun. */
  Object START = "start";

  /**
   * One instant's effect.
   *
   * @param state the machine's, with value semantics
   * @param idle whether it is the end of one that never has an effect, whenever it comes
   */
  record Next(Tree tree, Object state, boolean idle) {

    public Next(Tree tree, Object state) {
      this(tree, state, false);
    }

    public static Next done(Tree tree) {
      return new Next(tree, DONE);
    }

    public static Next idle(Tree tree) {
      return new Next(tree, DONE, true);
    }
  }

  /** All that may happen next in a tree, given what the caller was told in the end. */
  List<Next> next(Tree tree, Object state, Answer answer);

  /**
   * Whether a failure that says nothing of the tree may be told of it though nothing goes wrong.
   */
  default boolean mayFail(IOException failure) {
    return false;
  }

  /** The same, which may fail in these ways, too. */
  default Behaviour failing(Collection<DocumentedFailure> documented) {
    Behaviour behaviour = this;
    return new Behaviour() {
      @Override
      public List<Next> next(Tree tree, Object state, Answer answer) {
        return behaviour.next(tree, state, answer);
      }

      @Override
      public boolean mayFail(IOException failure) {
        return behaviour.mayFail(failure) || documented.stream().anyMatch(one -> one.is(failure));
      }
    };
  }
}
