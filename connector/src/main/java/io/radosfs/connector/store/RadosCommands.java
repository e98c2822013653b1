// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Commands of Ceph's tool {@code rados} for one namespace of one pool, that messages advise. They
 * always name both: the same object in another namespace is another file system's.
 *
 * @param namespace in the pool; empty for the default one
 */
public record RadosCommands(String pool, String namespace) {

  public static RadosCommands on(ObjectStore store) {
    return new RadosCommands(store.pool(), store.namespace());
  }

  /** A line for a shell, as {@link ShellLine} quotes it. */
  public String line(String command, String... operands) {
    List<String> words = new ArrayList<>(List.of("rados", "-p", pool));
    if (!namespace.isEmpty()) {
      words.addAll(List.of("-N", namespace));
    }
    List<String> own = List.of(operands);
    if (own.stream().anyMatch(operand -> operand.startsWith("-"))) {
      // Otherwise the tool takes such a name for an option, quoted or not.
      words.add("--");
    }
    words.add(command);
    words.addAll(own);
    return ShellLine.of(words);
  }
}
