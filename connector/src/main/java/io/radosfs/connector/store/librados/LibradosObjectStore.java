// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.ceph.rados.IoCTX;
import com.sun.jna.Pointer;
import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.PoolPlacement;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One namespace of one pool, by librados.
 *
 * <p><b>Threads.</b> A future is completed in librados' own callback thread, as that is the
 * shortest way. While a dependent stage runs there, no other answer of this cluster gets through.
 * So a dependent must not block or wait for RADOS; it may start another operation. The blocking
 * methods refuse to be called there.
 *
 * <p><b>Back-pressure.</b> Starting an operation does not wait, however many are under way, unless
 * {@code fs.rados.ceph.objecter_inflight_op_bytes} or {@code …_ops} sets a limit of librados' own:
 * Ceph's configuration does not. Who starts many bounds what is under way.
 *
 * <p><b>Buffers.</b> When a write method returns, blocking or not, librados has its own copy of the
 * buffers ({@code rados_write_op_write_full}), and the caller may reuse them. An asynchronous read
 * goes straight into a direct buffer, at any time until its future is done; only librados' callback
 * completes that future, however long it takes. A blocking read goes into memory of its own, which
 * lives until the callback. It is copied into the caller's buffers only while the caller waits:
 * when the method returns or throws, the caller may reuse them.
 */
public final class LibradosObjectStore implements ObjectStore {

  /** How long librados may take to drop a cancelled operation. */
  private static final Duration CANCEL_BOUND = Duration.ofSeconds(5);

  /**
   * The share of the bound that a read with {@link ReadOp#afterWrites} waits. It looks up the
   * outcome of a write without an answer, which has waited before.
   */
  private static final int LOOK_UP_SHARE = 4;

  private final LibradosCluster cluster;
  private final IoCTX handle;
  private final long io;
  private final OpenedPool opened;
  private final StoreExceptions exceptions;
  private final Duration bound;
  private final InFlight inFlight = new InFlight();
  private final PendingOp.Owner owner =
      new PendingOp.Owner() {
        @Override
        public void blocklisted() {
          cutOff();
        }

        @Override
        public boolean isCutOff() {
          return cluster.isBlocklisted();
        }

        @Override
        public boolean isPoolGone() {
          return opened.isGone();
        }

        @Override
        public void done(PendingOp<?> operation) {
          inFlight.leave(operation);
        }
      };

  /**
   * @param handle owned by this store
   * @param map of the connection
   * @param bound how long the blocking methods wait for an answer
   */
  LibradosObjectStore(
      LibradosCluster cluster, IoCTX handle, ClientMap map, StoreExceptions names, Duration bound) {
    this.cluster = cluster;
    this.handle = handle;
    this.io = Pointer.nativeValue(handle.getPointer());
    this.opened = new OpenedPool(map, names.pool(), handle.getId());
    this.exceptions = names;
    this.bound = bound;
  }

  @Override
  public String pool() {
    return exceptions.pool();
  }

  @Override
  public String namespace() {
    return exceptions.namespace();
  }

  @Override
  public void write(String object, WriteOp op) throws IOException {
    runAndWait(newWrite(object, op), bound);
  }

  @Override
  public CompletableFuture<Void> writeAsync(String object, WriteOp op) {
    return start(newWrite(object, op));
  }

  @Override
  public CompletableFuture<Void> writeAsync(
      String object, WriteOp op, CompletableFuture<Void> turn) {
    PendingWrite write = newWrite(object, op);
    write.prepare();
    turn.whenComplete(
        (now, withdrawn) -> {
          if (withdrawn == null) {
            start(write);
          } else {
            write.withdraw(withdrawn);
          }
        });
    return write.future();
  }

  @Override
  public ReadResult read(String object, ReadOp op) throws IOException {
    PendingRead read = newRead(object, op, /* inPlace= */ false);
    try {
      return runAndWait(read, op.afterWrites() ? bound.dividedBy(LOOK_UP_SHARE) : bound);
    } finally {
      if (!read.future().isDone()) {
        giveUp(read);
      }
    }
  }

  @Override
  public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
    return start(newRead(object, op, /* inPlace= */ true));
  }

  @Override
  public PoolUsage usage() throws IOException {
    Object user = enter("usage");
    try {
      requirePool("usage");
      return new PoolStats(new MonitorCommands(this)).of(pool(), opened.id());
    } finally {
      inFlight.leave(user);
    }
  }

  @Override
  public Set<String> applications() throws IOException {
    Object user = enter(PoolApplications.OPERATION);
    try {
      requirePool(PoolApplications.OPERATION);
      return PoolApplications.of(io, exceptions);
    } finally {
      inFlight.leave(user);
    }
  }

  @Override
  public PoolPlacement placement() {
    return new LibradosPlacement(this);
  }

  /**
   * Runs a command of the monitors and returns its output.
   *
   * @param operation for the error
   */
  byte[] command(String json, String operation) throws IOException {
    Object user = enter(operation);
    try {
      MonCommand command = cluster.command(json);
      if (command.returnValue() < 0) {
        throw exceptions.read(command.returnValue(), "", operation);
      }
      return command.output();
    } finally {
      inFlight.leave(user);
    }
  }

  /**
   * {@code rados_nobjects_list_next}, which waits for the OSDs as long as Ceph's own option {@code
   * rados_osd_op_timeout} says, for about a thousand names of the pool at a time. It ends where the
   * store is being closed, which waits for it, at the next name of the namespace.
   */
  @Override
  public void list(NameReader names) throws IOException {
    refuseInCallback();
    Object user = enter("list");
    try {
      ObjectListing.run(
          io,
          exceptions,
          name -> {
            if (inFlight.isClosed()) {
              throw refusal("", "list");
            }
            Await.checkInterrupt("listing the objects of pool " + pool());
            names.read(name);
          });
      requirePool("list"); // of one that is gone, the listing has just ended
    } catch (StoreException e) {
      if (e.is(Kind.BLOCKLISTED)) {
        cutOff();
      }
      throw e;
    } finally {
      inFlight.leave(user);
    }
  }

  /**
   * Waits for operations under way within the bound (not at all if the connection is cut off),
   * cancels those that remain, and destroys the pool handle ({@code rados_ioctx_destroy}).
   */
  @Override
  public void close() throws IOException {
    refuseInCallback();
    if (!inFlight.close()) {
      return;
    }
    if (!awaitNone(cluster.isBlocklisted() ? Duration.ZERO : bound)) {
      inFlight.operations().forEach(operation -> operation.cancel(io));
      if (!awaitCancelled()) {
        // A thread may be inside librados with the handle: a leak is better than a crash.
        return;
      }
    }
    handle.close();
    cluster.forget(this);
  }

  private void cutOff() {
    cluster.setBlocklisted();
  }

  /**
   * Lets a call in that is no {@link PendingOp}.
   *
   * @return what is to leave afterwards
   */
  private Object enter(String operation) throws StoreException {
    Object user = new Object();
    if (!inFlight.enter(user)) {
      throw refusal("", operation);
    }
    return user;
  }

  /** Only for whoever has entered, as the connection may be shut down otherwise. */
  private void requirePool(String operation) throws StoreException {
    if (opened.isGone()) {
      throw exceptions.poolGone("", operation, false);
    }
  }

  /** The error of an operation on a closed store. */
  private StoreException refusal(String object, String operation) {
    return cluster.isBlocklisted()
        ? exceptions.cutOff(object, operation)
        : exceptions.closed(object, operation);
  }

  private PendingWrite newWrite(String object, WriteOp op) {
    return new PendingWrite(object, op, exceptions, owner);
  }

  private PendingRead newRead(String object, ReadOp op, boolean inPlace) {
    return new PendingRead(object, op, inPlace, exceptions, owner);
  }

  private <T> CompletableFuture<T> start(PendingOp<T> operation) {
    try {
      if (!inFlight.enter(operation)) {
        operation.withdraw(refusal(operation.object(), operation.text()));
      } else if (cluster.isBlocklisted()) {
        operation.withdraw(exceptions.cutOff(operation.object(), operation.text()));
      } else if (opened.isKnownGone()) {
        operation.withdraw(exceptions.poolGone(operation.object(), operation.text(), false));
      } else {
        operation.start(io);
      }
    } catch (RuntimeException | Error e) {
      // As where no memory is left. librados does not have it then, and nobody else would answer.
      operation.withdraw(e);
    }
    return operation.future();
  }

  private <T> T runAndWait(PendingOp<T> operation, Duration time) throws IOException {
    refuseInCallback();
    if (Thread.currentThread().isInterrupted()) {
      operation.future().cancel(false);
      throw interrupted(operation, "not started");
    }
    try {
      return start(operation).get(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw operation.givenUp(StoreExceptions.noAnswer(time));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(operation, "under way");
    } catch (ExecutionException e) {
      throw inThisThread(e.getCause());
    }
  }

  /**
   * Takes the caller's buffers back from the read at once, and cancels it. Then waits until
   * librados has dropped the operation; it does no harm if that takes longer than the wait, which
   * another interrupt ends.
   */
  private void giveUp(PendingRead read) throws IOException {
    read.abandon();
    read.cancel(io);
    FollowUp.evenIfInterrupted(
        () -> {
          try {
            read.future().get(CANCEL_BOUND.toNanos(), TimeUnit.NANOSECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (ExecutionException | TimeoutException e) {
            // The caller gets the failure that was decided before.
          }
        });
  }

  /** Also if the thread is interrupted: it is not long, and the handle would leak. */
  private boolean awaitCancelled() {
    return FollowUp.evenIfInterrupted(CANCEL_BOUND, inFlight::awaitNone);
  }

  private boolean awaitNone(Duration time) {
    boolean interrupted = Thread.interrupted();
    try {
      return inFlight.awaitNone(interrupted ? Duration.ZERO : time);
    } catch (InterruptedException e) {
      interrupted = true;
      return false;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The callback's exception with the stack of the thread that waited. */
  private static IOException inThisThread(Throwable failure) {
    if (failure instanceof StoreException e) {
      return e.again();
    }
    return new IOException("inside the RADOS client: " + failure, failure);
  }

  private static InterruptedIOException interrupted(PendingOp<?> operation, String state) {
    return new InterruptedIOException(
        "interrupted with "
            + operation.text()
            + " on object '"
            + operation.object()
            + "' "
            + state);
  }

  private static void refuseInCallback() {
    if (Completions.inCallback()) {
      throw new IllegalStateException(
          "a blocking call in librados' callback thread would wait for itself: run dependents of"
              + " a RADOS future that block in an executor (thenApplyAsync)");
    }
  }
}
