// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Lead;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.transaction.read.Unmarked;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks that each transaction that holds something in one index object has its mark there. It gets
 * all keys of the object in their order: intents come before marks, and may be resolved in between.
 * So an intent that seems to have no mark is read again together with the mark, at one instant. No
 * read if all is well.
 */
final class MarkInspector {

  /** Names that are read again by one operation. */
  private static final int AT_ONCE = 500;

  private final IndexObject index;

  /** The names that a transaction has intents on; empty if it has locked the directory. */
  private final Map<String, Set<String>> held = new HashMap<>();

  MarkInspector(IndexObject index) {
    this.index = index;
  }

  /** Takes the next key of the object. */
  void key(String key, byte[] value) throws LayoutException {
    if (key.equals(IndexKeys.HEAD)) {
      IndexHead head = IndexHead.decode(index.name(), value);
      if (head.is(IndexHead.State.FROZEN)) {
        Set<String> unused = of(head.tag());
      }
    } else if (key.startsWith(IndexKeys.INTENT_PREFIX)) {
      for (String id : WriteIntent.decode(Lead.path(index, key), value).transactions()) {
        boolean unused = of(id).add(IndexKeys.nameOf(key));
      }
    } else if (key.startsWith(IndexKeys.TRANSACTION_PREFIX)) {
      Set<String> unused = held.remove(IndexKeys.transactionOf(key));
    }
  }

  private Set<String> of(String transaction) {
    return held.computeIfAbsent(transaction, id -> new TreeSet<>());
  }

  /** Reports names without a mark. One read for each {@value #AT_ONCE} that seemed so. */
  void tell(PoolView view, Inspection found) throws IOException {
    for (Map.Entry<String, Set<String>> transaction : held.entrySet()) {
      List<String> names = new ArrayList<>(transaction.getValue());
      for (int from = 0; from == 0 || from < names.size(); from += AT_ONCE) {
        List<String> some = names.subList(from, Math.min(names.size(), from + AT_ONCE));
        for (Unmarked unmarked : unmarked(view, transaction.getKey(), some)) {
          found.find(Finding.Kind.UNMARKED, unmarked.path().toString(), unmarked.detail());
        }
      }
    }
  }

  private List<Unmarked> unmarked(PoolView view, String transaction, List<String> names)
      throws IOException {
    Set<String> keys = new HashSet<>();
    keys.add(IndexKeys.HEAD);
    keys.add(IndexKeys.transaction(transaction));
    names.forEach(name -> keys.add(IndexKeys.intent(name)));
    Map<String, byte[]> values = view.values(index.name(), keys);
    return values.isEmpty()
        ? List.of()
        : Unmarked.of(
            new DirectoryView(index, /* exists= */ true, values),
            view.commands(),
            List.of(transaction),
            names);
  }
}
