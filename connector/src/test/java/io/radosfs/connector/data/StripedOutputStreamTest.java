// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import static io.radosfs.connector.data.Fixture.STRIPE;
import static io.radosfs.connector.data.Fixture.content;
import static io.radosfs.connector.data.Fixture.crc32c;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.ForwardingObjectStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Fault;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.StreamCapabilities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StripedOutputStreamTest {

  private final Fixture fixture = new Fixture();
  private final RecordingPublisher publisher = new RecordingPublisher();
  private final FileData file = Fixture.file();

  private ObjectStore store() throws IOException {
    return fixture.store("writer");
  }

  private StripedOutputStream create() throws IOException {
    return fixture.create(store(), file, publisher);
  }

  private int ops() {
    return fixture.cluster.client("writer").ops();
  }

  @Test
  void anEmptyFileIsOneEmptyStripe() throws IOException {
    create().close();
    assertThat(ops()).isEqualTo(1);
    assertThat(fixture.objects()).containsExactly("a/b");
    assertThat(publisher.published).isEqualTo(file);
    assertThat(publisher.crc32c).isZero();
  }

  @Test
  void aFileThatFitsAStripeIsOneOperation() throws IOException {
    byte[] content = content(1, STRIPE);
    FileData written = fixture.write(store(), file, content);
    assertThat(ops()).isEqualTo(1);
    assertThat(fixture.cluster.objects(Fixture.POOL, "").get("a/b").data()).isEqualTo(content);
    assertThat(written).isEqualTo(file.withLength(STRIPE));
  }

  @Test
  void theContentComesBeforeTheUidSoThatItBeginsAtAPage() throws IOException {
    fixture.write(store(), file, content(1, STRIPE));
    String steps = fixture.cluster.log().entries().get(0).op().summary();
    assertThat(steps).containsSubsequence("writeFull", "setXattr");
  }

  @Test
  void theSizeOfWritesMakesNoDifferenceToTheOperations() throws IOException {
    byte[] content = content(2, 300_001);
    List<Integer> counts = new ArrayList<>();
    for (int size : new int[] {1, 7, 1000, 1024, 5000, 9000, 300_001}) {
      String client = "writer of " + size;
      FileData data = Fixture.file(new FsPath("f" + size), 64_000);
      RecordingPublisher told = new RecordingPublisher();
      try (StripedOutputStream out = fixture.create(fixture.store(client), data, told)) {
        for (int done = 0; done < content.length; done += size) {
          if (size == 1) {
            out.write(content[done]);
          } else {
            out.write(content, done, Math.min(size, content.length - done));
          }
        }
      }
      counts.add(fixture.cluster.client(client).ops());
      assertThat(told.published.length()).isEqualTo(content.length);
      assertThat(told.crc32c).isEqualTo(crc32c(content));
      assertThat(fixture.read(store(), told.published)).isEqualTo(content);
    }
    assertThat(counts).containsOnly(5);
  }

  @Test
  void smallWritesTakeLittleMemoryAndLargeOnesStayWithinTheBudget() throws IOException {
    BufferPool pool = new BufferPool(1 << 20);
    List<StripedOutputStream> streams = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      FileData data = Fixture.file(new FsPath("f" + i), 4 << 20);
      streams.add(
          new StripedOutputStream(
              store(), data, new RecordingPublisher(), pool, Fixture.window(8)));
    }
    for (StripedOutputStream out : streams) {
      out.write(new byte[10_000]);
    }
    assertThat(pool.inUse()).isEqualTo(10 * BufferPool.SMALLEST);
    for (StripedOutputStream out : streams) {
      out.close();
    }
    assertThat(pool.inUse()).isZero();
  }

  @Test
  void whatLibradosHoldsOfAStripeCountsToo() throws IOException {
    int stripe = 1 << 20;
    FileData data = Fixture.file(Fixture.PATH, stripe);
    try (StripedOutputStream out =
        new StripedOutputStream(store(), data, publisher, fixture.pool, Fixture.window(8))) {
      out.write(new byte[stripe / 2]);
      assertThat(fixture.pool.inUse()).as("a buffer that is filled").isEqualTo(stripe / 2);
      out.write(new byte[stripe / 2]);
      assertThat(fixture.pool.inUse()).as("and librados' copy of it").isEqualTo(2L * stripe);
    }
    assertThat(fixture.pool.inUse()).isZero();
  }

  @Test
  void allStripesButTheFirstAreFilledInOneBuffer() throws IOException {
    FileData data = Fixture.file(Fixture.PATH, 1 << 20);
    try (ScatteredStore scattered = new ScatteredStore(store(), 1);
        StripedOutputStream out =
            new StripedOutputStream(scattered, data, publisher, fixture.pool, Fixture.window(8))) {
      out.write(new byte[9 << 20]);
    }
    assertThat(fixture.pool.kept()).isEqualTo(2 << 20);
  }

  @Test
  void aLostRequestOfTheFirstStripeIsMadeUpFor() throws IOException {
    fixture.cluster.client("writer").faults().atWrite(1, Fault.LOSE_REQUEST);
    byte[] content = content(3, 2500);
    FileData written = fixture.write(store(), file, content);
    assertThat(fixture.read(store(), written)).isEqualTo(content);
  }

  @Test
  void aLostAnswerOfALaterStripeIsLookedUp() throws IOException {
    fixture.cluster.client("writer").faults().atWrite(2, Fault.LOSE_ANSWER);
    byte[] content = content(3, 2500);
    FileData written = fixture.write(store(), file, content);
    assertThat(ops()).isEqualTo(4);
    assertThat(fixture.read(store(), written)).isEqualTo(content);
  }

  @Test
  void aLostRequestOfALaterStripeEndsTheFile() throws IOException {
    fixture.cluster.client("writer").faults().atWrite(2, Fault.LOSE_REQUEST);
    StripedOutputStream out = create();
    out.write(content(3, 2500));
    assertThatThrownBy(out::close)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.OUTCOME_UNKNOWN));
    assertThat(fixture.objects()).isEmpty();
    assertThat(publisher.abandoned).as("it may yet appear").isNull();
    assertThat(fixture.pool.inUse()).isZero();
  }

  @Test
  void aTakenNameGivesTheNameWithTheUid() throws IOException {
    byte[] first = content(3, 2500);
    byte[] second = content(4, 1500);
    FileData one = fixture.write(store(), file, first);
    int before = ops();
    FileData two = fixture.write(store(), Fixture.file(), second);
    // Three writes, and a look whether the one that was refused had been applied before.
    assertThat(ops() - before).isEqualTo(4);
    assertThat(two.plainFirst()).isFalse();
    assertThat(fixture.objects()).contains("a/b", two.stripe(0), two.stripe(1)).hasSize(5);
    assertThat(fixture.read(store(), one)).isEqualTo(first);
    assertThat(fixture.read(store(), two)).isEqualTo(second);
  }

  @Test
  void abortLeavesNothing() throws IOException {
    StripedOutputStream out = create();
    out.write(content(5, 20_500));
    assertThat(fixture.objects()).hasSize(20);
    assertThat(out.abort().alreadyClosed()).isFalse();
    assertThat(fixture.objects()).isEmpty();
    assertThat(publisher.abandoned).isEqualTo(file);
    assertThat(fixture.pool.inUse()).isZero();

    assertThat(out.abort().alreadyClosed()).isTrue();
    out.close();
    assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class);
    assertThat(publisher.published).isNull();
  }

  @Test
  void abortBeforeTheFirstByteIsNoOperation() throws IOException {
    StripedOutputStream out = create();
    out.write(1);
    assertThat(out.abort().anyCleanupException()).isNull();
    assertThat(ops()).isZero();
    assertThat(publisher.begun).isNull();
  }

  @Test
  void nothingIsWrittenBeforeTheLedgerKnows() throws IOException {
    publisher.failBegin = new IOException("no ledger");
    StripedOutputStream out = create();
    out.write(1);
    assertThatThrownBy(out::close).hasMessage("no ledger");
    assertThat(ops()).isZero();
    assertThat(fixture.pool.inUse()).isZero();
  }

  @Test
  void theLedgerIsToldTheWindowAndTheFirstChoice() throws IOException {
    fixture.write(store(), Fixture.file(), content(6, 10));
    create().close();
    assertThat(publisher.begun).isEqualTo(file);
    assertThat(publisher.window).isEqualTo(3);
    assertThat(publisher.published.plainFirst()).isFalse();
  }

  @Test
  void afterAFailureEverythingFailsAndNothingIsLeft() throws IOException {
    fixture.cluster.client("writer").faults().atWrite(2, Fault.failWith(Kind.NO_SPACE));
    StripedOutputStream out = create();
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10; i++) {
                out.write(content(7, 5000));
              }
            })
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NO_SPACE));
    assertThatThrownBy(() -> out.write(1)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> out.write(new byte[10])).isInstanceOf(StoreException.class);
    assertThatThrownBy(out::close).isInstanceOf(StoreException.class);
    assertThatThrownBy(out::close).isInstanceOf(StoreException.class);
    assertThat(fixture.objects()).isEmpty();
    assertThat(publisher.abandoned).isNotNull();
    assertThat(fixture.pool.inUse()).isZero();
  }

  @Test
  void aFailureIsThrownThroughTryWithResources() {
    fixture.cluster.client("writer").faults().atWrite(1, Fault.failWith(Kind.NO_SPACE));
    assertThatThrownBy(
            () -> {
              try (StripedOutputStream out = create()) {
                out.write(new byte[20_000]);
              }
            })
        .isInstanceOf(StoreException.class);
  }

  @Test
  void aPublisherThatRefusesLeavesNothing() throws IOException {
    publisher.failPublish = new IOException("exists");
    StripedOutputStream out = create();
    out.write(content(8, 3500));
    assertThatThrownBy(out::close).hasMessage("exists");
    assertThat(fixture.objects()).isEmpty();
    assertThat(publisher.abandoned).isNotNull();
  }

  @Test
  void aPublisherThatDoesNotKnowKeepsAll() throws IOException {
    for (Exception unknown :
        List.of(
            new OutcomeUnknownException("perhaps", null),
            new StoreException(Kind.OUTCOME_UNKNOWN, "a/", "perhaps"),
            new InterruptedIOException("perhaps"),
            new IllegalStateException("perhaps"))) {
      Fixture own = new Fixture();
      RecordingPublisher told = new RecordingPublisher();
      told.failPublish = unknown;
      StripedOutputStream out = own.create(own.store("writer"), file, told);
      out.write(content(9, 3500));
      assertThatThrownBy(out::close)
          .isInstanceOf(unknown.getClass())
          .hasMessageEndingWith("perhaps");
      boolean saysUnknown =
          unknown instanceof OutcomeUnknownException || unknown instanceof StoreException;
      assertThatThrownBy(out::close)
          .isInstanceOf(saysUnknown ? unknown.getClass() : IOException.class)
          .hasMessageEndingWith("perhaps");
      assertThat(out.abort().anyCleanupException()).isNull();
      assertThat(own.objects()).hasSize(4);
      assertThat(told.abandoned).isNull();
    }
  }

  @Test
  void aRemovalThatFailsLeavesTheFileInTheLedger() throws IOException {
    fixture
        .cluster
        .client("writer")
        .faults()
        .always(op -> op.summary().endsWith("remove"), Fault.failWith(Kind.PERMISSION_DENIED));
    StripedOutputStream out = create();
    out.write(content(10, 20_500));
    assertThat(out.abort().anyCleanupException()).isNotNull();
    assertThat(publisher.abandoned).isNull();
    assertThat(fixture.objects()).isNotEmpty();
  }

  @Test
  void anInterruptedCloseStillCleansUp() throws IOException {
    publisher.failPublish = new IOException("no");
    StripedOutputStream out = create();
    out.write(content(11, 2500));
    Thread.currentThread().interrupt();
    assertThatThrownBy(out::close).isInstanceOf(IOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(fixture.objects()).isEmpty();
    assertThat(publisher.abandoned).isNotNull();
  }

  /** As by Spark's task reaper. The pool is the process's, so what is not given back is lost. */
  @Test
  void aCleanUpThatIsInterruptedGivesItsMemoryBackWhenTheAnswersCome() throws Exception {
    Queue<CompletableFuture<Void>> held = new ConcurrentLinkedQueue<>();
    ObjectStore silent = silent(held);
    FileData data = Fixture.file(Fixture.PATH, 64 << 10);
    StripedOutputStream out = fixture.create(silent, data, publisher);
    out.write(content(12, 200_000));
    List<CompletableFuture<Void>> underWay = List.copyOf(held);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread task = new Thread(() -> thrown.set(catchThrowable(out::close)));
    task.start();
    while (task.isAlive()) {
      if (task.getState() == Thread.State.WAITING) {
        task.interrupt();
      }
      Thread.onSpinWait();
    }
    assertThat(thrown.get()).isInstanceOf(IOException.class);
    assertThat(underWay).hasSizeGreaterThan(1);
    underWay.forEach(answer -> answer.complete(null));
    assertThat(fixture.pool.inUse()).isZero();
    assertThat(publisher.abandoned).as("it stays in the ledger").isNull();
  }

  /** Where no memory is left, an answer that took some would be lost, and waited for for ever. */
  @Test
  void anAnswerTakesNoMemory() throws Exception {
    List<CompletableFuture<Void>> underWay = new ArrayList<>();
    ObjectStore silent = silent(underWay);
    StripedOutputStream out =
        new StripedOutputStream(silent, file, publisher, fixture.pool, Fixture.window(100));
    out.write(content(13, 60 * STRIPE));
    assertThat(AllocatedBytes.ofAnswers(underWay, 20)).isZero();
    assertThat(underWay).hasSize(60);
    out.close();
    assertThat(publisher.published.length()).isEqualTo(60 * STRIPE);
  }

  /** It would wait for ever for the answer. */
  @Test
  @Timeout(20)
  void anAnswerIsNotLostWhereNoMemoryIsLeftToTellOfIt() throws IOException {
    ObjectStore full =
        new ForwardingObjectStore(store()) {
          @Override
          public CompletableFuture<Void> writeAsync(
              String object, WriteOp op, CompletableFuture<Void> turn) {
            return UntellableFailure.after(turn, 2);
          }
        };
    StripedOutputStream out = fixture.create(full, Fixture.file(), publisher);
    out.write(new byte[10]);
    assertThatThrownBy(out::close).hasMessageContaining("Java heap space");
    assertThat(publisher.published).isNull();
    assertThat(publisher.abandoned).as("it may yet appear").isNull();
    assertThat(fixture.pool.inUse()).isZero();
  }

  /** The second stripe is missing, and nobody could be told so. */
  @Test
  void aStreamWhoseFailureCannotBeToldIsNotPublished() throws IOException {
    FileData file = Fixture.file();
    ObjectStore store = store();
    StoreException untellable =
        new StoreException(Kind.NO_SPACE, file.stripe(1), "full") {
          private static final long serialVersionUID = 1L;

          @Override
          public StoreException again() {
            return this;
          }

          @Override
          public StoreException about(Object subject) {
            throw new OutOfMemoryError("Java heap space");
          }
        };
    ObjectStore failing =
        new ForwardingObjectStore(store) {
          @Override
          public CompletableFuture<Void> writeAsync(
              String object, WriteOp op, CompletableFuture<Void> turn) {
            return object.equals(file.stripe(1))
                ? turn.thenCompose(now -> CompletableFuture.failedFuture(untellable))
                : super.writeAsync(object, op, turn);
          }
        };
    StripedOutputStream out = fixture.create(failing, file, publisher);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10; i++) {
                out.write(new byte[Fixture.STRIPE]);
              }
            })
        .isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(out::close)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("an earlier write failed");
    assertThat(publisher.published).isNull();
  }

  @Test
  void aStreamWhoseAbortFailsIsNotPublishedByItsClose() throws IOException {
    ObjectStore failing =
        new ForwardingObjectStore(store()) {
          @Override
          public CompletableFuture<Void> writeAsync(String object, WriteOp op) {
            throw new OutOfMemoryError("Java heap space");
          }
        };
    StripedOutputStream out = fixture.create(failing, Fixture.file(), publisher);
    out.write(new byte[10 * Fixture.STRIPE + 1]);
    assertThatThrownBy(out::abort).isInstanceOf(OutOfMemoryError.class);
    out.close();
    assertThat(publisher.published).isNull();
    assertThat(fixture.pool.inUse()).isZero();
  }

  /** Sends nothing: who holds the answers gives them. */
  private ObjectStore silent(Collection<CompletableFuture<Void>> answers) throws IOException {
    return new ForwardingObjectStore(store()) {
      @Override
      public CompletableFuture<Void> writeAsync(
          String object, WriteOp op, CompletableFuture<Void> turn) {
        return turn.thenCompose(
            now -> {
              CompletableFuture<Void> answer = new CompletableFuture<>();
              answers.add(answer);
              return answer;
            });
      }
    };
  }

  /** A store whose writes wait to be let go; those that wait are added to the queue. */
  private static ObjectStore holding(ObjectStore store, Queue<Runnable> held) {
    return new ForwardingObjectStore(store) {
      @Override
      public CompletableFuture<Void> writeAsync(
          String object, WriteOp op, CompletableFuture<Void> turn) {
        return turn.thenCompose(
            now -> {
              CompletableFuture<Void> sent = new CompletableFuture<>();
              held.add(() -> sent.complete(null));
              return store.writeAsync(object, op, sent);
            });
      }
    };
  }

  /** Lets go what is held while a stream waits for it in its abort. */
  private static void abort(StripedOutputStream out, Queue<Runnable> held) {
    Thread task = new Thread(out::abort);
    task.start();
    while (task.isAlive()) {
      if (task.getState() == Thread.State.WAITING && !held.isEmpty()) {
        held.remove().run();
      }
      Thread.onSpinWait();
    }
  }

  /** One of stripes of 64 KiB, whose writes wait until they are run. */
  private StripedOutputStream holding(Queue<Runnable> held, int window) throws IOException {
    return new StripedOutputStream(
        holding(store(), held),
        Fixture.file(Fixture.PATH, 64 << 10),
        publisher,
        fixture.pool,
        Fixture.window(window));
  }

  /** Nothing of them can appear, so that nothing has to lead to them. */
  @Test
  void stripesThatWaitedForTheirTurnsDoNotKeepTheFileInTheLedger() throws IOException {
    Queue<Runnable> held = new ConcurrentLinkedQueue<>();
    StripedOutputStream out = holding(held, 2);
    out.write(content(12, 5 * (64 << 10)));
    assertThat(held).as("others wait for their turns").hasSize(2);
    abort(out, held);
    assertThat(fixture.objects()).isEmpty();
    assertThat(publisher.abandoned).isNotNull();
    assertThat(fixture.pool.inUse()).isZero();
  }

  /** Its first attempt was answered, and certainly had no effect; there was no second one. */
  @Test
  void aFirstStripeThatWaitsForItsNextTurnDoesNotEither() throws IOException {
    FileData other = fixture.write(fixture.store("other"), file, content(13, 10));
    Queue<Runnable> held = new ConcurrentLinkedQueue<>();
    StripedOutputStream out = holding(held, 1);
    out.write(content(12, 2 * (64 << 10)));
    held.remove().run();
    out.write(content(14, 64 << 10));
    assertThat(held).as("the second stripe").hasSize(1);
    abort(out, held);
    assertThat(fixture.objects()).containsExactly(other.stripe(0));
    assertThat(publisher.abandoned).isNotNull();
    assertThat(fixture.pool.inUse()).isZero();
  }

  @Test
  void closingTwiceIsOnceAndWritingAfterwardsFails() throws IOException {
    StripedOutputStream out = create();
    out.write(1);
    out.close();
    out.close();
    assertThat(ops()).isEqualTo(1);
    assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> out.write(new byte[1])).isInstanceOf(IOException.class);
    assertThat(out.abort().alreadyClosed()).isTrue();
    assertThat(fixture.objects()).hasSize(1);
  }

  @Test
  void bytesAndProgressAreToldOf() throws IOException {
    AtomicLong bytes = new AtomicLong();
    AtomicLong progress = new AtomicLong();
    StreamSettings settings =
        Fixture.window(2).withBytes(bytes::addAndGet).withProgress(progress::incrementAndGet);
    try (StripedOutputStream out =
        new StripedOutputStream(store(), file, publisher, fixture.pool, settings)) {
      out.write(content(12, 20_500));
      assertThat(bytes.get()).isEqualTo(20_000);
    }
    assertThat(bytes.get()).isEqualTo(20_500);
    assertThat(progress.get()).isGreaterThanOrEqualTo(21);
  }

  @Test
  void whatItCannotDoItSays() throws IOException {
    try (StripedOutputStream out = create()) {
      assertThat(out.hasCapability(StreamCapabilities.HFLUSH)).isFalse();
      assertThat(out.hasCapability(StreamCapabilities.HSYNC)).isFalse();
      assertThat(out.hasCapability(StreamCapabilities.ABORTABLE_STREAM)).isTrue();
      assertThat(out.hasCapability(StreamCapabilities.IOSTATISTICS)).isTrue();
      assertThatThrownBy(out::hflush)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("hflush of /a/b")
          .hasMessageContaining("Close it and write another one");
      assertThatThrownBy(out::hsync).isInstanceOf(UnsupportedOperationException.class);
      out.flush();
      out.write(1);
    }
    assertThat(publisher.published.length()).as("refused, but not failed").isOne();
  }

  @Test
  void syncRequestsArePassedOnWhileTheStreamIsOpenAndCostNothing() throws IOException {
    List<String> requests = new ArrayList<>();
    StreamSettings settings =
        Fixture.window(2).withSync((call, path) -> requests.add(call + " " + path));
    StripedOutputStream out =
        new StripedOutputStream(store(), file, publisher, fixture.pool, settings);
    out.write(1);
    out.hflush();
    out.hsync();
    assertThat(requests).containsExactly("hflush /a/b", "hsync /a/b");
    assertThat(ops()).isZero();
    out.close();
    assertThatThrownBy(out::hflush).isInstanceOf(IOException.class);
    assertThatThrownBy(out::hsync).isInstanceOf(IOException.class);
    assertThat(requests).hasSize(2);
  }
}
