package io.radosfs.connector.index;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.lang.reflect.Proxy;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class IndexWriterTest {

  /** Else a writer would take the change for refused, and remove data that it made visible. */
  @Test
  void aChangeWhoseAnswerWasLostIsUnknownWhateverKeepsItFromBeingLookedUp() {
    ObjectStore store = losingWritesAndDenyingReads();
    IndexWriter writer = new IndexWriter(store, new IndexReader(store));
    IndexChange change =
        IndexChange.of(FsPath.ROOT, IndexHead.OPEN).set(IndexKeys.entry("f"), new byte[] {1});
    assertThatThrownBy(() -> writer.apply(change))
        .isInstanceOf(OutcomeUnknownException.class)
        .satisfies(
            e -> {
              if (!(e.getSuppressed()[0] instanceof AccessControlException)) {
                throw new AssertionError(e.getSuppressed()[0]);
              }
            });
  }

  private static ObjectStore losingWritesAndDenyingReads() {
    return (ObjectStore)
        Proxy.newProxyInstance(
            IndexWriterTest.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "write":
                  throw new StoreException(Kind.OUTCOME_UNKNOWN, "/", "no answer");
                case "read":
                  throw new AccessControlException("denied meanwhile");
                default:
                  throw new UnsupportedOperationException(method.getName());
              }
            });
  }
}
