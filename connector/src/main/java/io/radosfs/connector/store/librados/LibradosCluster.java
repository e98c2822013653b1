// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.ceph.rados.IoCTX;
import com.ceph.rados.exceptions.RadosException;
import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.ClusterStatus;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A cluster by librados: one {@code rados_t}, with its own messenger and callback threads. It
 * should be shared, as connecting costs some ten milliseconds and several threads.
 */
public final class LibradosCluster implements Cluster {

  private final ClusterSettings settings;
  private final ClusterHandle handle;
  private final NewestMap newestMap;
  private final Set<LibradosObjectStore> stores = ConcurrentHashMap.newKeySet();
  private volatile boolean blocklisted;
  private boolean closed;

  private LibradosCluster(ClusterSettings settings, ClusterHandle handle) {
    this.settings = settings;
    this.handle = handle;
    this.newestMap = new NewestMap(handle, settings.operationTimeout());
  }

  /**
   * Connects ({@code rados_create2}, {@code rados_conf_read_file}, {@code rados_conf_set}, {@code
   * rados_connect}).
   *
   * @throws IOException which says what to do: no ceph.conf, no key or a wrong one, no monitor
   *     within the connect timeout
   */
  public static LibradosCluster connect(ClusterSettings settings) throws IOException {
    return new LibradosCluster(settings, ConnectThread.connect(new Connector(settings)));
  }

  @Override
  public ObjectStore open(String pool, String namespace) throws IOException {
    // Not under the lock, which others would wait for as long.
    newestMap.await(mapWith(pool), pool);
    // Once more if it is not there: another thread may have asked first, before the pool was made.
    newestMap.await(mapWith(pool), pool);
    return openKnown(pool, namespace);
  }

  private synchronized CompletableFuture<Integer> mapWith(String pool) throws IOException {
    refuseIfClosed();
    try {
      return newestMap.wanted(pool);
    } catch (RadosException e) {
      throw cannotOpen(pool, e);
    }
  }

  private synchronized ObjectStore openKnown(String pool, String namespace) throws IOException {
    refuseIfClosed();
    try {
      if (!handle.map().pools().contains(pool)) {
        throw noPool(pool, null); // which librados would wait for by itself, and without bound
      }
      IoCTX io = handle.ioCtxCreate(pool);
      io.setNamespace(namespace);
      LibradosObjectStore store =
          new LibradosObjectStore(
              this,
              io,
              handle.map(),
              new StoreExceptions(pool, namespace),
              settings.operationTimeout());
      stores.add(store);
      return store;
    } catch (RadosException e) {
      throw cannotOpen(pool, e);
    }
  }

  private static StoreException cannotOpen(String pool, RadosException e) {
    return Errno.ENOENT.is(e.getReturnValue())
        ? noPool(pool, e)
        : new StoreExceptions(pool, "").read(e.getReturnValue(), "", "opening");
  }

  private static StoreException noPool(String pool, RadosException cause) {
    return new StoreException(
        Kind.NOT_FOUND,
        "",
        "there is no pool " + pool + ": `ceph osd pool create " + pool + "`, or correct the URI",
        cause);
  }

  @Override
  public boolean isBlocklisted() {
    return blocklisted;
  }

  /** An operation was answered BLOCKLISTED. */
  void setBlocklisted() {
    blocklisted = true;
  }

  @Override
  public synchronized String address() throws IOException {
    refuseIfClosed();
    return handle.addresses();
  }

  @Override
  public synchronized OptionalLong clientId() throws IOException {
    refuseIfClosed();
    return OptionalLong.of(handle.getInstanceId());
  }

  @Override
  public synchronized String fsid() throws IOException {
    refuseIfClosed();
    return handle.clusterFsid();
  }

  @Override
  public synchronized ClusterStatus status() throws IOException {
    refuseIfClosed();
    MonCommand command = MonCommand.run(handle.pointer(), StatusCommand.COMMAND);
    if (command.returnValue() < 0) {
      throw new StoreExceptions("", "")
          .read(command.returnValue(), "", "status, for which a user needs mon 'allow r'");
    }
    return StatusCommand.parse(command.output());
  }

  /**
   * What this machine has that connecting needs, for people; no message to the cluster.
   *
   * @throws IOException which says what is missing, and what to do
   */
  public static String find(LocalNeed need, ClusterSettings settings) throws IOException {
    return ConnectThread.find(need, new Connector(settings));
  }

  @Override
  public synchronized Optional<String> userKey() throws IOException {
    refuseIfClosed();
    return new Connector(settings).key(handle);
  }

  /** Runs a command for an open store; that store keeps this cluster from being closed. */
  MonCommand command(String json) {
    return MonCommand.run(handle.pointer(), json);
  }

  /** The store is closed: nothing of it remains. */
  void forget(LibradosObjectStore store) {
    stores.remove(store);
  }

  /**
   * Closes the stores, then the handle ({@code rados_shutdown}). If librados still works on
   * something, the handle stays open, as shutting it down would crash the process.
   */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    for (LibradosObjectStore store : List.copyOf(stores)) {
      store.close();
    }
    if (stores.isEmpty() && newestMap.isIdle()) {
      handle.shutDown();
    } else {
      handle.abandon();
    }
  }

  private void refuseIfClosed() throws IOException {
    if (closed) {
      throw new StoreException(Kind.OTHER, "", "the connection to Ceph is closed: " + this);
    }
  }

  @Override
  public String toString() {
    return "LibradosCluster[" + settings + "]";
  }
}
