// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The calls of all clients, and what was written to files. Thread-safe. */
final class History {

  private final List<Call> calls = new ArrayList<>();
  private final Map<String, String> contents = new HashMap<>();
  private final List<String> violations = new ArrayList<>();
  private final AdoptableObjects foreign = new AdoptableObjects();
  private int instant;

  synchronized Call invoked(String client, String what, Behaviour behaviour) {
    Call call = new Call(client, what, behaviour, instant++);
    calls.add(call);
    return call;
  }

  synchronized void returned(Call call, Object value) {
    call.answered(instant++, Answer.returned(value));
  }

  synchronized void failed(Call call, IOException e) {
    call.answered(instant++, Answer.failed(e));
  }

  /** Takes back a call that nobody will end, and that certainly has no effect. */
  synchronized void abandoned(Call call) {
    call.answered(instant++, new Answer(Answer.Kind.FAILED, null, "abandoned"));
  }

  synchronized void content(String file, String content) {
    contents.put(file, content);
  }

  synchronized Optional<String> content(String file) {
    return Optional.ofNullable(contents.get(file));
  }

  /** The files with this content. */
  synchronized Set<String> filesOf(String content) {
    return contents.entrySet().stream()
        .filter(file -> file.getValue().equals(content))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** What other programs have put into the pool. */
  AdoptableObjects foreign() {
    return foreign;
  }

  /** Notes what is wrong whatever the order of calls. */
  synchronized void violation(String what) {
    violations.add(what);
  }

  synchronized List<String> violations() {
    return List.copyOf(violations);
  }

  synchronized List<Call> calls() {
    return List.copyOf(calls);
  }

  @Override
  public synchronized String toString() {
    return calls.stream().map(Call::toString).collect(Collectors.joining("\n"));
  }
}
