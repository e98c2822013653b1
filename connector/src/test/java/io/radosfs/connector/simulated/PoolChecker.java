package io.radosfs.connector.simulated;

import io.radosfs.connector.layout.Claim;
import io.radosfs.connector.layout.Decision;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Reclaim;
import io.radosfs.connector.ledger.LedgerEntry;
import io.radosfs.connector.store.simulation.ObjectView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Checks a whole simulated namespace, object by object, against I1 and I4: every object is
 * reachable from an index, a ledger, a job record or a list of what is to be deleted; every file
 * has all its objects; no data belongs to two files; and no data object was written twice.
 */
public final class PoolChecker {

  private final SortedMap<String, ObjectView> objects;
  private final Set<String> reached = new HashSet<>();
  private final Map<String, String> owners = new HashMap<>();
  private final List<String> faults = new ArrayList<>();
  private final List<Predicate<String>> prefixes = new ArrayList<>();

  private PoolChecker(SortedMap<String, ObjectView> objects) {
    this.objects = objects;
  }

  /**
   * Checks the objects of a namespace.
   *
   * @throws AssertionError that lists what is wrong
   */
  public static void check(SortedMap<String, ObjectView> objects) throws IOException {
    check(objects, Set.of());
  }

  /** The same, with objects that something else is known to lead to. */
  public static void check(SortedMap<String, ObjectView> objects, Set<String> known)
      throws IOException {
    PoolChecker checker = new PoolChecker(objects);
    checker.prefixes.add(known::contains);
    checker.index(FsPath.ROOT);
    checker.reached.add(ObjectNames.SUPERBLOCK);
    checker.ledgers();
    for (String name : new TreeSet<>(objects.keySet())) {
      if (!checker.reached.contains(name)
          && checker.prefixes.stream().noneMatch(prefix -> prefix.test(name))) {
        checker.faults.add("I4: nothing leads to object '" + name + "'");
      }
      if (objects.get(name).dataWrites() > 1) {
        checker.faults.add("I1: data was written more than once to '" + name + "'");
      }
    }
    if (!checker.faults.isEmpty()) {
      throw new AssertionError(String.join("\n", checker.faults) + "\nin " + describe(objects));
    }
  }

  /** All objects with their omap keys, for a message. */
  public static String describe(SortedMap<String, ObjectView> objects) {
    StringBuilder text = new StringBuilder();
    objects.forEach(
        (name, view) -> {
          text.append("'").append(name).append("' ").append(view.data().length).append(" B\n");
          view.omap()
              .forEach(
                  (key, value) ->
                      text.append("    ")
                          .append(key)
                          .append(" = ")
                          .append(new String(value, StandardCharsets.UTF_8))
                          .append("\n"));
        });
    return text.toString();
  }

  private void index(FsPath directory) throws IOException {
    String name = ObjectNames.index(directory);
    ObjectView index = objects.get(name);
    if (index == null || !reached.add(name)) {
      return;
    }
    byte[] head = index.omap().get(IndexKeys.HEAD);
    boolean closing = IndexHead.decode(name, head).is(IndexHead.State.CLOSING);
    for (Map.Entry<String, byte[]> pair : index.omap().entrySet()) {
      String key = pair.getKey();
      byte[] value = pair.getValue();
      if (key.startsWith(IndexKeys.ENTRY_PREFIX)) {
        FsPath path = directory.child(IndexKeys.nameOf(key));
        if (closing) {
          claimed(path, EntryCodec.decode(path, value));
        } else {
          entry(path, EntryCodec.decode(path, value));
        }
      } else if (key.startsWith(IndexKeys.CLAIM_PREFIX)) {
        FsPath path = directory.child(IndexKeys.nameOf(key));
        Claim claim = Claim.decode(path, value);
        if (claim.entry().isPresent()) {
          claimed(path, claim.entry().get());
        }
      } else if (key.startsWith(IndexKeys.RECLAIM_PREFIX)) {
        Reclaim reclaim = Reclaim.decode(name, key, value);
        if (reclaim instanceof Reclaim.OfFile file) {
          reach(file.file().data());
        } else {
          index(((Reclaim.OfDirectory) reclaim).directory());
        }
      } else if (key.startsWith(IndexKeys.DECISION_PREFIX)) {
        decision(Decision.decode(name, key, value));
      }
    }
  }

  private void entry(FsPath path, Entry entry) throws IOException {
    if (entry instanceof Entry.OfDirectory) {
      index(path);
      return;
    }
    FileData data = ((Entry.OfFile) entry).data();
    String other = owners.put(data.uid().value(), path.toString());
    if (other != null && !isBeingMoved(path) && !isBeingMoved(new FsPath(other.substring(1)))) {
      faults.add("data " + data.uid() + " belongs to " + other + " and to " + path);
    }
    reach(data);
    for (int k = 0; k < data.stripes(); k++) {
      ObjectView stripe = objects.get(data.stripe(k));
      long length = Math.min(data.objectSize(), data.length() - (long) k * data.objectSize());
      if (stripe == null) {
        faults.add("lost: " + path + " has no object '" + data.stripe(k) + "'");
      } else if (stripe.data().length != length) {
        faults.add("lost: '" + data.stripe(k) + "' of " + path + " is not " + length + " B long");
      } else if (k == 0
          && !data.uid()
              .value()
              .equals(
                  new String(stripe.xattrs().get(FileData.UID_XATTR), StandardCharsets.UTF_8))) {
        faults.add("lost: '" + data.stripe(0) + "' is not of " + path + ", but of another file");
      }
    }
  }

  /** In a frozen tree the entries stay until the move is settled. */
  private boolean isBeingMoved(FsPath path) {
    for (FsPath at = path; !at.isRoot(); at = at.parent()) {
      ObjectView index = objects.get(ObjectNames.index(at.parent()));
      if (index != null
          && (new String(index.omap().get(IndexKeys.HEAD), StandardCharsets.UTF_8)
                  .contains("frozen")
              || index.omap().containsKey(IndexKeys.claim(at.name())))) {
        return true;
      }
    }
    return false;
  }

  private void claimed(FsPath path, Entry entry) throws IOException {
    if (entry instanceof Entry.OfDirectory) {
      index(path);
    } else {
      reach(((Entry.OfFile) entry).data());
    }
  }

  private void reach(FileData data) {
    for (int k = 0; k < data.stripes(); k++) {
      reached.add(data.stripe(k));
    }
  }

  private void reachUnfinished(FileData data) {
    String stripes = data.origin().key() + "//" + data.uid() + "/";
    prefixes.add(name -> name.startsWith(stripes));
    prefixes.add(ObjectNames.firstStripe(data.origin(), data.uid())::equals);
    ObjectView first = objects.get(ObjectNames.firstStripe(data.origin()));
    if (first != null
        && data.uid()
            .value()
            .equals(
                new String(
                    first.xattrs().getOrDefault(FileData.UID_XATTR, new byte[0]),
                    StandardCharsets.UTF_8))) {
      reached.add(first.name());
    }
  }

  private void decision(Decision decision) throws IOException {
    String owner = decision.owner();
    if (owner.startsWith("rename ")) {
      String[] paths = owner.substring("rename ".length()).split("//", 2);
      index(new FsPath(paths[0]));
      index(new FsPath(paths[1]));
      return;
    }
    JobObjects.of(objects, owner)
        .ifPresent(
            job -> {
              reached.add(owner);
              job.finished().forEach(this::reach);
              job.unfinished().forEach(this::reachUnfinished);
              prefixes.add(job.directories()::contains);
            });
  }

  private void ledgers() throws IOException {
    ObjectView registry = objects.get(ObjectNames.LEDGERS);
    if (registry == null) {
      return;
    }
    reached.add(ObjectNames.LEDGERS);
    for (byte[] value : registry.omap().values()) {
      String name = new String(value, StandardCharsets.UTF_8);
      ObjectView ledger = objects.get(name);
      if (ledger == null) {
        continue;
      }
      reached.add(name);
      for (Map.Entry<String, byte[]> pair : ledger.omap().entrySet()) {
        LedgerEntry entry = LedgerEntry.decode(name, pair.getKey(), pair.getValue());
        if (entry instanceof LedgerEntry.UnfinishedFile file) {
          reachUnfinished(file.data());
        } else {
          index(((LedgerEntry.NewIndex) entry).directory());
        }
      }
    }
  }
}
