// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

/** A call of an operation: when it began, when it returned, and what the caller was told. */
final class Call {

  private static final int NEVER = Integer.MAX_VALUE;

  private final String client;
  private final String what;
  private final Behaviour behaviour;
  private final int invoked;
  private int returned = NEVER;
  private Answer answer = Answer.NONE;

  Call(String client, String what, Behaviour behaviour, int invoked) {
    this.client = client;
    this.what = what;
    this.behaviour = behaviour;
    this.invoked = invoked;
  }

  void answered(int when, Answer told) {
    returned = when;
    answer = told;
  }

  String what() {
    return what;
  }

  Behaviour behaviour() {
    return behaviour;
  }

  Answer answer() {
    return answer;
  }

  /** Whether it must come to its end: otherwise it may have no effect, or have it later. */
  boolean isDefinite() {
    return !answer.is(Answer.Kind.UNKNOWN);
  }

  boolean isBefore(Call other) {
    return isDefinite() && returned < other.invoked;
  }

  @Override
  public String toString() {
    return String.format(
        "%3d-%s %s: %s -> %s",
        invoked, returned == NEVER ? "   " : String.format("%-3d", returned), client, what, answer);
  }
}
