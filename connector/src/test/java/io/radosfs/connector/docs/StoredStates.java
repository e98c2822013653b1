// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.SimulatedClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.regex.Pattern;

/**
 * What a pool holds, before each operation of a client and after the last one, as text: every
 * object with its data, xattrs and omap. Uids, which are random, are numbered in the order in which
 * they come in the text, and times of the machine's clock are left out; so the text is the same
 * whenever the same is stored.
 */
public final class StoredStates {

  private static final Pattern UID = Pattern.compile("(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])");
  private static final Pattern NOW = Pattern.compile("mtime=\\d{13}");
  private static final Pattern LIST_OF_REPLACED = Pattern.compile("^//replaced/[0-9a-f]$");

  private final SimulatedClient client;
  private final String pool;
  private final List<SortedMap<String, ObjectView>> states = new ArrayList<>();

  /** Watches what the client does from now on. */
  public StoredStates(SimulatedClient client, String pool) {
    this.client = client;
    this.pool = pool;
    client.faults().always(op -> isOver(), Fault.CRASH_BEFORE);
  }

  private boolean isOver() {
    look();
    return false;
  }

  private void look() {
    states.add(client.cluster().objects(pool, ""));
  }

  /** What the pool holds now. */
  public String last() {
    look();
    return text(states.get(states.size() - 1));
  }

  /** The first state that this text, of a line or of a part of one, is in. */
  public String first(String part) {
    look();
    return states.stream()
        .map(StoredStates::text)
        .filter(state -> state.contains(part))
        .findFirst()
        .orElseThrow(
            () -> new AssertionError("no state has '" + part + "' in it; the last:\n" + last()));
  }

  private static String text(SortedMap<String, ObjectView> objects) {
    StringBuilder text = new StringBuilder();
    objects.values().stream()
        .sorted(Comparator.comparing(view -> withoutUids(view.name())))
        .forEach(view -> show(view, text));
    Map<String, String> numbers = new LinkedHashMap<>();
    return UID.matcher(text)
        .replaceAll(
            uid -> numbers.computeIfAbsent(uid.group(), any -> "<" + (numbers.size() + 1) + ">"));
  }

  private static void show(ObjectView view, StringBuilder text) {
    boolean listOfReplaced = LIST_OF_REPLACED.matcher(view.name()).matches();
    text.append(listOfReplaced ? "//replaced/<k>" : view.name()).append('\n');
    view.xattrs().forEach((name, value) -> text.append(line("xattr " + name, value)));
    if (view.omap().isEmpty()) {
      text.append(line("data", shown(view.data())));
    }
    view.omap().entrySet().stream()
        .sorted(
            Comparator.comparing((Map.Entry<String, byte[]> one) -> withoutUids(one.getKey()))
                .thenComparing(one -> withoutUids(text(one.getValue()))))
        .forEach(one -> text.append(line("omap " + one.getKey(), one.getValue())));
  }

  /** Text as it is, and of all else how much it is. */
  private static byte[] shown(byte[] data) {
    for (byte b : data) {
      if (b < ' ') {
        return (data.length + " bytes").getBytes(StandardCharsets.UTF_8);
      }
    }
    return data;
  }

  private static String withoutUids(String text) {
    return UID.matcher(text).replaceAll("<>");
  }

  private static String text(byte[] value) {
    return new String(value, StandardCharsets.UTF_8);
  }

  private static String line(String what, byte[] value) {
    String text = NOW.matcher(text(value)).replaceAll("mtime=<time>");
    return ("    " + what + " = " + text).stripTrailing() + "\n";
  }
}
