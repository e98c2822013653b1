// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.metrics.ProcessMetrics;
import io.radosfs.connector.retry.Pauses;
import io.radosfs.connector.store.Await;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mount that outlives its connection. A client that was blocklisted (by an administrator, or by a
 * cluster that took the process for dead) is cut off for good and has to connect again. So the next
 * use after that gets another {@link Mount}.
 *
 * <p><b>Nothing crosses over.</b> An operation of the file system, a stream or a stage of a job
 * takes the mount of the moment when it begins and keeps it to its end. Its ledger, its guards and
 * its look-ups after lost answers all use one connection. A blocklisting promises that nothing the
 * client had under way takes effect any more. That holds: the new connection sends, looks up or
 * repeats no operation of the old one. The old one sends nothing more either, even if the entry is
 * removed from the blocklist. A file that was being written is never published; it stays in the old
 * ledger, for {@code radosfs gc}. A file that was finished before is safe, like those of another
 * process: it is in the index, or closed in the record of a job that still runs, and the job's
 * commit is guarded with that.
 *
 * <p><b>Pools.</b> A pool that was deleted or renamed is of no use either, and its name may be
 * another's by now. The next use gets another mount, with the pools that have the names then, or
 * fails as there is none. What is in a pool that was renamed is found by its new name alone.
 *
 * <p><b>First use.</b> A mount that was made before the file system had a superblock assumes one.
 * If another client then formats it with other values, the next use gets another mount too. The old
 * one has written nothing.
 *
 * <p>Reading goes on with the new connection ({@link FollowingReads}), as data never changes.
 *
 * <p><b>Pace.</b> Threads that find the mount cut off wait for the one that connects. The first
 * time it connects at once. If that is soon needed again, as for a machine whose whole address
 * range is blocklisted, it first pauses, longer each time, up to {@value #LONGEST_PAUSE_SECONDS} s.
 * If it fails, that is the failure of all that have waited for it: each of them would pause, and
 * wait for the cluster, one after another, and {@link #close} behind them. An interrupt ends the
 * wait.
 *
 * <p>Thread-safe.
 */
final class LastingMount implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(LastingMount.class);

  private static final int LONGEST_PAUSE_SECONDS = 30;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(LONGEST_PAUSE_SECONDS);

  /** A connection that lasted so long is replaced at once. */
  private static final Duration OF_USE = Duration.ofMinutes(5);

  private final Pauses pauses;

  /** Not the group of the calling thread, which may be librados', whose threads must not wait. */
  private final ThreadGroup group = Thread.currentThread().getThreadGroup();

  /** A try to connect anew that failed: its number, from 1, and its failure. */
  private record Failed(long number, IOException failure) {}

  private final ReentrantLock renewing = new ReentrantLock();
  private volatile Mount mount;
  private volatile Failed lastFailed = new Failed(0, null);
  private Duration nextPause = Duration.ZERO;
  private long lastTry;
  private boolean closed;
  private CompletableFuture<Mount> renewal = CompletableFuture.completedFuture(null);

  /**
   * @param first owned by this from now on
   */
  LastingMount(Mount first, Pauses pauses) {
    this.pauses = pauses;
    ProcessMetrics.get().add(first.statistics());
    use(first);
  }

  /**
   * Returns the mount with which to begin something; a new one if the last one is cut off.
   *
   * @throws IOException if connecting again fails, which says what to do
   * @throws InterruptedIOException if the thread is interrupted; it stays interrupted
   */
  Mount current() throws IOException {
    Mount now = mount;
    return now.isCutOff() || now.isSuperseded() ? renewed() : now;
  }

  /**
   * The same as {@link #current}, but in a thread of its own, for callers that must not wait, such
   * as a callback with an operation's answer.
   */
  synchronized CompletableFuture<Mount> currentAsync() {
    if (renewal.isDone()) {
      renewal = CompletableFuture.supplyAsync(this::currentUnchecked, this::inAThread);
    }
    return renewal;
  }

  /** The last mount, even if it is cut off. */
  Mount latest() {
    return mount;
  }

  private Mount currentUnchecked() {
    try {
      return current();
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private void inAThread(Runnable task) {
    Thread thread = new Thread(group, task, "radosfs-reconnect");
    thread.setDaemon(true);
    thread.start();
  }

  private Mount renewed() throws IOException {
    long failedBefore = lastFailed.number();
    Await.lock(renewing, "another thread connects anew to Ceph");
    try {
      Mount before = mount;
      if (!before.isCutOff() && !before.isSuperseded()) {
        return before;
      }
      if (closed) {
        throw new IOException(before.authority() + ": Filesystem closed");
      }
      if (lastFailed.number() != failedBefore) {
        throw Await.rethrowable(lastFailed.failure());
      }
      replace(before);
      return mount;
    } finally {
      renewing.unlock();
    }
  }

  private void replace(Mount before) throws IOException {
    boolean wasBlocklisted = before.isBlocklisted();
    try {
      if (wasBlocklisted) {
        backOff();
        LOG.warn(
            "{}: the cluster has blocklisted this client ({}; see `ceph osd blocklist ls`);"
                + " connecting anew. What was being written fails and is left to `radosfs gc`",
            before.authority(),
            before.address());
      } else if (before.isCutOff()) {
        LOG.warn(
            "{}: a pool was deleted or renamed since it was opened; opening what has its name now."
                + " What was being written fails",
            before.authority());
      } else {
        LOG.info("{}: was formatted since it was first looked at", before.authority());
      }
      use(before.openAnew());
    } catch (InterruptedIOException e) {
      throw e; // of this thread alone
    } catch (IOException e) {
      lastFailed = new Failed(lastFailed.number() + 1, e);
      throw e;
    }
    if (wasBlocklisted) {
      ProcessMetrics.get().reconnected();
    }
    before.close();
  }

  private void use(Mount next) {
    next.whenCutOff(
        () -> {
          var unused = currentAsync();
        });
    mount = next;
  }

  /** Waits longer each time, as long as the last connection was of no use. */
  private void backOff() throws InterruptedIOException {
    if (pauses.nanoTime() - lastTry >= OF_USE.toNanos()) {
      nextPause = Duration.ZERO;
    }
    if (!nextPause.isZero()) {
      pauses.pause(nextPause);
    }
    Duration longer = nextPause.isZero() ? FIRST_PAUSE : nextPause.multipliedBy(2);
    nextPause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
    lastTry = pauses.nanoTime();
  }

  @Override
  public void close() throws IOException {
    renewing.lock();
    try {
      closed = true;
      mount.close();
    } finally {
      ProcessMetrics.get().end(mount.statistics());
      renewing.unlock();
    }
  }
}
