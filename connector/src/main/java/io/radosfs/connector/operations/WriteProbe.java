// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.data.DataRemover;
import io.radosfs.connector.data.DataStores;
import io.radosfs.connector.data.PoolConsent;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.security.AccessControlException;

/**
 * A write probe: gets a pool's consent to hold the file system's data ({@link PoolConsent}), and
 * tries whether data can be written to it and removed. It writes an object of one byte. Meanwhile
 * the object is in the ledger of the process, like any unpublished file, so that it is found after
 * a crash. Four operations; one more if it fails.
 */
public final class WriteProbe {

  private static final String NAME = "radosfs-layout-trial";

  private final DataStores stores;
  private final DataRemover remover;
  private final ProcessLedger ledger;
  private final PoolConsent consent;

  /**
   * @param consent gets the consent of pools before they are probed
   */
  public WriteProbe(
      DataStores stores, DataRemover remover, ProcessLedger ledger, PoolConsent consent) {
    this.consent = consent;
    this.stores = stores;
    this.remover = remover;
    this.ledger = ledger;
  }

  /**
   * @throws IOException naming the pool, if it is missing, is full, or may not be written to
   */
  void run(String pool) throws IOException {
    FileData file =
        new FileData(FsPath.ROOT.child(NAME), Uid.random(), false, 1, 1, Optional.of(pool));
    ObjectStore store = stores.of(file);
    askForConsent(store);
    ledger.begin(file, 1);
    try {
      write(store, file);
      remover.remove(file);
      ledger.crossOut(file.uid());
    } catch (AccessControlException e) {
      removeAfter(store, file, e);
      throw e;
    } catch (IOException e) {
      removeAfter(store, file, e);
      throw cannotTake(pool, e);
    } finally {
      ledger.leave(file.uid());
    }
  }

  private void askForConsent(ObjectStore store) throws IOException {
    try {
      consent.askFor(store);
    } catch (AccessControlException e) {
      throw e;
    } catch (IOException e) {
      throw cannotTake(store.pool(), e);
    }
  }

  private static IOException cannotTake(String pool, IOException e) {
    return new IOException(
        "pool '" + pool + "' cannot take the data of new files: " + e.getMessage(), e);
  }

  private static void write(ObjectStore store, FileData file) throws IOException {
    byte[] uid = file.uid().value().getBytes(StandardCharsets.UTF_8);
    WriteOp op =
        WriteOp.builder()
            .createExclusive()
            .writeFull(ByteBuffer.wrap(new byte[1]))
            .setXattr(FileData.UID_XATTR, uid)
            .build();
    // Nobody else has this name: if the object exists, an earlier try has made it.
    RepeatableOps.Answer unused =
        RepeatableOps.accepted(() -> store.write(file.stripe(0), op), StoreException.Kind.EXISTS);
  }

  /** Removes the object if it is there. If that cannot be read or done, it stays in the ledger. */
  private void removeAfter(ObjectStore store, FileData file, IOException failure) {
    try {
      FollowUp.evenIfInterrupted(
          () -> {
            if (isThere(store, file)) {
              remover.remove(file);
            }
          });
      ledger.crossOut(file.uid());
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static boolean isThere(ObjectStore store, FileData file) throws IOException {
    ReadOp op = ReadOp.builder().afterWrites().size().build();
    return Reads.find(store, file.stripe(0), op).isPresent();
  }
}
