package io.radosfs.connector.ledger;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * The ledger of one process (one mounted file system): object {@code //ledger/<processId>}, one
 * omap key for each file being written, registered in {@code //ledgers} so that it is found after a
 * crash.
 *
 * <p>An entry is crossed out together with the next one that is written, so a file costs one write;
 * what a crash leaves crossed out in memory alone is recognised by the index, which refers to it.
 *
 * <p>Thread-safe.
 */
public final class ProcessLedger implements AutoCloseable {

  private final ObjectStore store;
  private final Uid process = Uid.random();
  private final Set<String> open = new HashSet<>();
  private final Set<String> settled = new HashSet<>();
  private boolean registered;

  public ProcessLedger(ObjectStore store) {
    this.store = store;
  }

  /** The name of the ledger's object. */
  public String object() {
    return ObjectNames.ledger(process.value());
  }

  /**
   * Writes down a file before its first byte goes to RADOS. One write; one more for the first file
   * of the process.
   */
  public void begin(FileData unfinished, int window) throws IOException {
    add(unfinished.uid().value(), new LedgerEntry.UnfinishedFile(unfinished, window));
  }

  /** Writes down an index object before it is made; answers the key to settle. One write. */
  public String beginIndex(FsPath directory) throws IOException {
    String key = Uid.random().value();
    add(key, new LedgerEntry.NewIndex(directory));
    return key;
  }

  /** Crosses out an entry: an index refers to its object, or there is none any more. No write. */
  public synchronized void settle(String key) {
    if (open.remove(key)) {
      settled.add(key);
    }
  }

  public void settle(Uid file) {
    settle(file.value());
  }

  private void add(String key, LedgerEntry entry) throws IOException {
    ensureRegistered();
    Set<String> crossedOut = takeSettled(key);
    try {
      RepeatableOps.repeat(
          () ->
              store.write(
                  object(),
                  WriteOp.builder()
                      .createIfMissing()
                      .removeOmap(crossedOut)
                      .setOmap(key, entry.encode())
                      .build()));
    } catch (IOException e) {
      giveBack(crossedOut);
      throw e;
    }
  }

  private synchronized void giveBack(Set<String> crossedOut) {
    settled.addAll(crossedOut);
  }

  private synchronized Set<String> takeSettled(String newKey) {
    open.add(newKey);
    Set<String> taken = new HashSet<>(settled);
    settled.clear();
    return taken;
  }

  /** The registration comes before the ledger, so that no ledger is ever unknown. */
  private synchronized void ensureRegistered() throws IOException {
    if (!registered) {
      byte[] value = object().getBytes(StandardCharsets.UTF_8);
      RepeatableOps.repeat(
          () ->
              store.write(
                  ObjectNames.LEDGERS,
                  WriteOp.builder().createIfMissing().setOmap(process.value(), value).build()));
      registered = true;
    }
  }

  /**
   * Removes the ledger when all is crossed out; else leaves what is not. Two writes, none when
   * nothing was ever written down.
   */
  @Override
  public void close() throws IOException {
    boolean everything;
    Set<String> crossedOut;
    synchronized (this) {
      if (!registered) {
        return;
      }
      everything = open.isEmpty();
      crossedOut = new HashSet<>(settled);
      settled.clear();
    }
    if (!everything) {
      if (!crossedOut.isEmpty()) {
        RepeatableOps.repeat(
            () ->
                store.write(
                    object(), WriteOp.builder().createIfMissing().removeOmap(crossedOut).build()));
      }
      return;
    }
    RepeatableOps.repeat(
        () -> {
          try {
            store.write(object(), WriteOp.builder().remove().build());
          } catch (StoreException e) {
            if (!e.is(StoreException.Kind.NOT_FOUND)) {
              throw e;
            }
          }
        });
    RepeatableOps.repeat(
        () ->
            store.write(
                ObjectNames.LEDGERS,
                WriteOp.builder().createIfMissing().removeOmap(process.value()).build()));
  }
}
