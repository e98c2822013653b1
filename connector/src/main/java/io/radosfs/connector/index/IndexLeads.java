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
 * All that one index object leads to, of one instant: for whoever would remove the object. A
 * removal that is guarded with nothing having changed since ({@link IndexChange#expectUnchanged})
 * takes away what leads nowhere, and nothing else.
 *
 * <p>Who <em>locks</em> a directory asks another question: whether somebody is at work there.
 * Entries and intents of nobody at work stay as they are in it, and go or move with it.
 *
 * @param keys those with a prefix of {@link Lead#PREFIXES}
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

  /** Whether it leads to nothing but by these keys, and has no shards. */
  public boolean isNothingBut(Collection<String> own) throws IOException {
    return !more && own.containsAll(keys) && !view.isSharded();
  }
}
