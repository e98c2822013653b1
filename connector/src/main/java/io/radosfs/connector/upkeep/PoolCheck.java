// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.NoSuchPoolException;
import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.RadosCommands;
import io.radosfs.connector.superblock.DataPools;
import io.radosfs.connector.upkeep.PoolInspector.Result;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Checks the pools of a file system, which may be in use. It looks twice, if the first look finds
 * anything, and reports only what both looks have found. For objects that seem to leak even then,
 * it finds out whether there was an instant at which nothing led to them ({@link Leads}): any
 * number of looks may miss a file that is renamed all the while.
 *
 * <p>Whatever could not be read in one of the looks counts as not checked.
 */
public final class PoolCheck {

  private final ObjectStore index;
  private final String dataPool;
  private final DataPools registered;
  private final PoolOpener opener;
  private final IndexReader reader;
  private final RetainedData retainedData;

  /** Opens a pool of the file system. */
  @FunctionalInterface
  public interface PoolOpener {
    /**
     * @throws NoSuchPoolException if it does not exist
     */
    ObjectStore open(String pool) throws IOException;
  }

  /**
   * @param index the pool of the index
   * @param dataPool the default data pool, which may be the same
   * @param registered the pools of other files
   * @param reader of the index
   * @param retainedData the lists of replaced files
   */
  public PoolCheck(
      ObjectStore index,
      String dataPool,
      DataPools registered,
      PoolOpener opener,
      IndexReader reader,
      RetainedData retainedData) {
    this.index = index;
    this.dataPool = dataPool;
    this.registered = registered;
    this.opener = opener;
    this.reader = reader;
    this.retainedData = retainedData;
  }

  /**
   * Checks everything. Only reads.
   *
   * @param withData whether to check length and content of every object too: one read for each, in
   *     which an OSD reads all of it
   * @throws LayoutException if there is a superblock, and objects to which nothing leads, but
   *     nothing else that radosfs makes: they are somebody else's
   */
  public Result run(boolean withData) throws IOException {
    Look first = look(withData);
    if (first.result().findings().isEmpty()) {
      return first.result();
    }
    requireUsed(first.views().index());
    Look second = look(withData);
    Set<Finding> both = new LinkedHashSet<>(second.result().findings());
    both.retainAll(first.result().findings());
    Set<String> unchecked = new LinkedHashSet<>(first.result().unchecked());
    unchecked.addAll(second.result().unchecked());
    Map<Finding, PoolView> leaks = new LinkedHashMap<>(second.leaks());
    leaks.keySet().retainAll(both);
    if (!leaks.isEmpty()) {
      both.removeAll(leaks.keySet());
      both.addAll(ledToByNothing(leaks, second.views(), unchecked));
    }
    return new Result(
        both,
        second.result().notes(),
        unchecked,
        second.result().objects(),
        second.result().files(),
        second.result().directories(),
        second.result().kept());
  }

  /**
   * Whoever writes files makes a ledger first, and whoever makes directories the index of the root.
   */
  private void requireUsed(PoolView view) throws IOException {
    Set<String> names = view.names();
    if (!names.contains(ObjectNames.SUPERBLOCK)
        || names.stream().anyMatch(PoolCheck::isMadeByUseAlone)) {
      return;
    }
    throw new LayoutException(
        "pool '"
            + index.pool()
            + "'"
            + (index.namespace().isEmpty() ? "" : ", namespace '" + index.namespace() + "',")
            + " holds the object '"
            + ObjectNames.SUPERBLOCK
            + "' and nothing else of radosfs: the other objects ("
            + (names.size() - 1)
            + ") are somebody else's, and no leaks. If no file system is wanted here, `"
            + view.commands().line("rm", ObjectNames.SUPERBLOCK)
            + "` removes that object");
  }

  private static boolean isMadeByUseAlone(String name) {
    return name.equals(IndexObject.head(FsPath.ROOT).name())
        || (name.contains("//") && !name.equals(ObjectNames.SUPERBLOCK));
  }

  private Set<Finding> ledToByNothing(
      Map<Finding, PoolView> leaks, Views views, Set<String> unchecked) throws IOException {
    Set<Finding> proven = new LinkedHashSet<>();
    String what = "whether something leads to " + leaks.size() + " objects that are found by none";
    Failures failures = (subject, failure) -> unchecked.add(subject + ": " + failure.getMessage());
    boolean unused =
        failures.attempt(
            what,
            () -> {
              LeakedObjects suspects = new LeakedObjects(views);
              for (Map.Entry<Finding, PoolView> leak : leaks.entrySet()) {
                suspects.add(leak.getKey(), leak.getValue());
              }
              WrittenDown writtenDown = new WrittenDown(views.index());
              boolean certain = Leads.anywhere(reader, retainedData, writtenDown, suspects);
              Set<Finding> rest = suspects.rest();
              if (!certain) {
                unchecked.add(what + ": names keep being renamed; run again");
              } else if (rest.isEmpty() || suspects.unreadable().isEmpty()) {
                proven.addAll(rest);
              } else {
                unchecked.add(
                    what
                        + ": what cannot be read may lead to any of them, such as "
                        + suspects.unreadable().iterator().next()
                        + ". Once that is repaired, run again");
              }
            });
    return proven;
  }

  /**
   * One look.
   *
   * @param leaks of the findings, the objects that nothing seems to lead to, and their pools
   */
  private record Look(Result result, Map<Finding, PoolView> leaks, Views views) {}

  private Look look(boolean withData) throws IOException {
    Views views = new Views();
    Set<PoolView> data = new LinkedHashSet<>();
    data.add(views.view(dataPool));
    Inspection unread = new Inspection();
    boolean unused =
        unread.attempt(
            ObjectNames.LAYOUTS,
            () -> {
              for (String pool : registered.names()) {
                data.add(views.view(pool));
              }
            });
    PoolInspector inspector = new PoolInspector(views, withData, unread);
    Result result = inspector.inspect(data);
    return new Look(result, inspector.leaks(), views);
  }

  /** One view for each pool. */
  private final class Views implements PoolView.Pools {
    private final Map<String, PoolView> views = new HashMap<>();

    private PoolView view(String pool) throws IOException {
      PoolView view = views.get(pool);
      if (view == null) {
        view = open(pool);
        views.put(pool, view);
      }
      return view;
    }

    private PoolView open(String pool) throws IOException {
      try {
        return new StorePoolView(pool.equals(index.pool()) ? index : opener.open(pool));
      } catch (NoSuchPoolException e) {
        return new AbsentPoolView(new RadosCommands(pool, index.namespace()));
      }
    }

    @Override
    public PoolView index() throws IOException {
      return view(index.pool());
    }

    @Override
    public PoolView of(FileData file) throws IOException {
      return view(file.pool().orElse(dataPool));
    }
  }
}
