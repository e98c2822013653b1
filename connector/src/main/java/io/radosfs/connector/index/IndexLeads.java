// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Lead;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that one index object leads to, at one instant. Read it before a removal of the object. If
 * the removal is guarded with {@link IndexChange#expectUnchanged}, it removes only an object that
 * leads nowhere.
 *
 * <p>A client that <em>locks</em> a directory asks something else: whether a transaction or job is
 * at work there. If none is, all that is left there goes or moves with the directory.
 *
 * @param keys the keys with a prefix of {@link Lead#PREFIXES}
 * @param more whether there are more of them
 */
public record IndexLeads(DirectoryView view, Set<String> keys, boolean more) {

  /** One read. */
  public static IndexLeads read(IndexReader reader, IndexObject index) throws IOException {
    Map<String, String> all = new HashMap<>();
    Lead.PREFIXES.forEach(prefix -> all.put(prefix, ""));
    Map<String, DirectoryPage> pages = reader.pages(index, List.of(), all);
    DirectoryView view = pages.values().iterator().next().view();
    Set<String> keys = new HashSet<>();
    boolean more = false;
    for (DirectoryPage page : pages.values()) {
      keys.addAll(page.entries().keySet());
      more |= page.more();
    }
    return new IndexLeads(view, keys, more);
  }

  /** Whether no keys but these lead to anything, and there are no shards. */
  public boolean isNothingBut(Collection<String> own) throws IOException {
    return !more && own.containsAll(keys) && !view.isSharded();
  }
}
