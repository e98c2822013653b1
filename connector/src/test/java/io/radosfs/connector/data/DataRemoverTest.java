// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import static io.radosfs.connector.data.Fixture.content;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.ForwardingObjectStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class DataRemoverTest {

  private final Fixture fixture = new Fixture();

  private ObjectStore store() throws IOException {
    return fixture.store("remover");
  }

  private DataRemover remover() throws IOException {
    ObjectStore store = store();
    return new DataRemover(file -> store, 5);
  }

  private int writes() {
    return fixture.cluster.client("remover").writes();
  }

  @Test
  void aFileIsOneOperationAStripeAndTheFirstGoesLast() throws IOException {
    FileData file = fixture.write(fixture.store("w"), Fixture.file(), content(1, 4500));
    remover().remove(file);
    assertThat(writes()).isEqualTo(5);
    assertThat(fixture.objects()).isEmpty();
    assertThat(fixture.cluster.log().of("remover"))
        .extracting(entry -> entry.op().object())
        .containsExactly(
            file.stripe(4), file.stripe(3), file.stripe(2), file.stripe(1), file.stripe(0));
    remover().remove(file);
  }

  /** As somebody may have written under {@code x/}. */
  @Test
  void aLengthThatIsMadeUpCostsNoMoreThanWhatIsThere() throws IOException {
    FileData file = fixture.write(fixture.store("w"), Fixture.file(), content(1, 4500));
    FileData madeUp = file.withLength((long) FileData.MAX_STRIPES * file.objectSize());
    remover().remove(madeUp);
    assertThat(writes()).isLessThan(10);
    assertThat(fixture.cluster.client("remover").reads()).isLessThan(3 * DataRemover.GAP);
    assertThat(fixture.objects()).isEmpty();
  }

  /**
   * The file was replaced, and another made of its data: a ledger that still has it would never be
   * forgotten. (Jobs' explorer, seed 1483001526.)
   */
  @Test
  void whatBelongsToAnotherFileSinceIsNotFound() throws IOException {
    FileData file = fixture.write(fixture.store("w"), Fixture.file(), content(1, 4500));
    byte[] owner = Uid.random().value().getBytes(StandardCharsets.UTF_8);
    for (int stripe = 0; stripe < file.stripes(); stripe++) {
      store()
          .write(
              file.stripe(stripe),
              WriteOp.builder().assertExists().setXattr(FileData.OWNER_XATTR, owner).build());
    }
    Set<String> before = Set.copyOf(fixture.objects());
    AtomicInteger finds = new AtomicInteger();
    boolean removed =
        remover().removeUnfinished(file.withLength(0), 5, stripe -> {}, finds::incrementAndGet);
    assertThat(removed).isFalse();
    assertThat(finds).hasValue(0);
    assertThat(Set.copyOf(fixture.objects())).isEqualTo(before);
  }

  /** No file has failed, and no other one is begun. */
  @Test
  void anInterruptWhileAPoolIsOpenedEndsTheRemoval() {
    List<FileData> files = List.of(Fixture.file().withLength(10), Fixture.file().withLength(10));
    AtomicInteger opened = new AtomicInteger();
    DataStores interrupted =
        any -> {
          opened.incrementAndGet();
          throw new InterruptedIOException("interrupted while a pool is opened");
        };
    assertThatThrownBy(() -> new DataRemover(interrupted, 4).removeAll(files))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(opened).as("looked whether the pool is there, and opened").hasValue(2);
  }

  /** It is looked where large files end, before anything of them is removed. */
  @Test
  void theLookForAFilesEndWaitsOnceForAnAnswer() throws IOException {
    StoreException unanswered =
        new StoreException(Kind.TIMED_OUT, "o", "no answer").afterWaitingInFull();
    Set<String> asked = new HashSet<>();
    ObjectStore silent =
        new ForwardingObjectStore(store()) {
          @Override
          public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
            asked.add(object.substring(0, object.indexOf("//")));
            return CompletableFuture.failedFuture(unanswered);
          }
        };
    List<FileData> large = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      large.add(
          new FileData(new FsPath("d/f" + i), Uid.random(), true, 0, 1000, Optional.empty())
              .withLength(3L * DataRemover.GAP * 1000));
    }
    assertThatThrownBy(() -> new DataRemover(file -> silent, 5).removeAll(large))
        .hasMessageContaining("no answer");
    assertThat(asked).hasSize(1);
    assertThat(writes()).isZero();
  }

  /** Where no memory is left, an answer that took some would be lost, and waited for for ever. */
  @Test
  @Timeout(20)
  void anAnswerTakesNoMemory() throws Exception {
    List<CompletableFuture<Void>> underWay = new ArrayList<>();
    ObjectStore silent =
        new ForwardingObjectStore(store()) {
          @Override
          public CompletableFuture<Void> writeAsync(String object, WriteOp op) {
            CompletableFuture<Void> answer = new CompletableFuture<>();
            underWay.add(answer);
            return answer;
          }
        };
    List<FileData> files = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      files.add(Fixture.file(new FsPath("d/f" + i), Fixture.STRIPE));
    }
    Thread removal =
        new Thread(
            () -> {
              try {
                new DataRemover(file -> silent, 60).removeAll(files);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    removal.start();
    while (removal.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    long taken = AllocatedBytes.ofAnswers(underWay, 20);
    removal.join();
    assertThat(taken).isZero();
    assertThat(underWay).hasSize(60);
  }

  /** It would wait for ever for the answer. */
  @Test
  @Timeout(20)
  void anAnswerIsNotLostWhereNoMemoryIsLeftToTellOfIt() throws IOException {
    ObjectStore full =
        new ForwardingObjectStore(store()) {
          @Override
          public CompletableFuture<Void> writeAsync(String object, WriteOp op) {
            return UntellableFailure.after(CompletableFuture.completedFuture(null), 1);
          }
        };
    assertThatThrownBy(() -> new DataRemover(file -> full, 5).remove(Fixture.file()))
        .isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void aLargeFileIsRemovedWholeAlsoWhereTheHighestAreGone() throws IOException {
    FileData file =
        fixture.write(
            fixture.store("w"), Fixture.file(), content(1, 5 * DataRemover.GAP * 1000 / 2));
    int last = file.stripes() - 1;
    assertThat(last).isGreaterThan(2 * DataRemover.GAP);
    for (int k = last; k > last - DataRemover.GAP / 2 - 100; k--) {
      if (k != last - 40) {
        store().write(file.stripe(k), WriteOp.builder().remove().build());
      }
    }
    remover().remove(file);
    assertThat(fixture.objects()).isEmpty();
  }

  @Test
  void aNewerFileOfTheSameNameIsNotTouched() throws IOException {
    FileData old = fixture.write(fixture.store("w"), Fixture.file(), content(2, 1500));
    remover().remove(old);
    byte[] newer = content(3, 1500);
    FileData file = fixture.write(fixture.store("w"), Fixture.file(), newer);
    remover().remove(old);
    int[] told = {0};
    remover().removeUnfinished(old, 3, any -> {}, () -> told[0]++);
    assertThat(told[0]).isZero();
    assertThat(fixture.read(store(), file)).isEqualTo(newer);
  }

  /**
   * A file of one stripe by either of its names, as the second finds the first, and a longer one.
   */
  @Test
  void whatIsThereIsToldBeforeAnyOfItIsRemoved() throws IOException {
    List<FileData> files = new ArrayList<>();
    for (int length : List.of(500, 500, 4500)) {
      files.add(fixture.write(fixture.store("w"), Fixture.file(), content(1, length)));
    }
    assertThat(files).extracting(FileData::plainFirst).containsExactly(true, false, false);
    for (FileData file : files) {
      int[] told = {0};
      for (int removal = 0; removal < 2; removal++) {
        int before = writes();
        remover()
            .removeUnfinished(
                file.withLength(0).withPlainFirst(true),
                3,
                any -> {},
                () -> {
                  told[0]++;
                  assertThat(writes()).isEqualTo(before);
                });
      }
      assertThat(told[0]).isEqualTo(1);
    }
    assertThat(fixture.objects()).isEmpty();
  }

  @Test
  void aRemovalCanStopAnywhereAndBeRepeated() {
    FileData file = Fixture.file();
    Experiment.named("removal of a file of five stripes")
        .cluster(() -> SimulatedCluster.withPools(Fixture.POOL))
        .faults(Fault.ALL)
        .setUp(client -> fixture.write(Fixture.store(client), file, content(4, 4500)))
        .program(
            "remover",
            client -> {
              ObjectStore store = Fixture.store(client);
              new DataRemover(any -> store, 4).remove(file.withLength(4500));
            })
        .recover(
            client -> {
              ObjectStore store = Fixture.store(client);
              new DataRemover(any -> store, 4).removeUnfinished(file, 4, any -> {}, () -> {});
            })
        .checkBeforeRecovery(
            trial -> {
              if (trial.outcome("remover").succeeded()) {
                assertThat(trial.cluster().objects(Fixture.POOL, "")).isEmpty();
              }
            })
        .check(trial -> assertThat(trial.cluster().objects(Fixture.POOL, "")).isEmpty())
        .everyStoppingPoint();
  }

  @Test
  void manyFilesAndAFailureDoesNotKeepTheOthersFromGoing() throws IOException {
    List<FileData> files = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      FileData file = Fixture.file(new FsPath("f" + i), Fixture.STRIPE);
      files.add(fixture.write(fixture.store("w"), file, content(i, i * 100)));
    }
    fixture
        .cluster
        .client("remover")
        .faults()
        .always(op -> op.object().equals("f7"), Fault.failWith(Kind.PERMISSION_DENIED))
        .always(op -> op.object().equals("f9"), Fault.failWith(Kind.OTHER));
    List<FileData> removed = new ArrayList<>();
    assertThatThrownBy(() -> remover().removeAll(files.iterator(), removed::add))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(Kind.PERMISSION_DENIED);
              assertThat(e.getSuppressed()).hasSize(1);
            });
    assertThat(fixture.objects()).containsExactlyInAnyOrder("f7", "f9");
    assertThat(removed).hasSize(48).doesNotContain(files.get(7), files.get(9));
  }

  @Test
  void operationsUnderWayAreBounded() throws IOException {
    List<FileData> files = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      FileData file = Fixture.file(new FsPath("f" + i), Fixture.STRIPE);
      files.add(fixture.write(fixture.store("w"), file, content(i, i % 7 * 1000)));
    }
    try (ScatteredStore scattered = new ScatteredStore(store(), 1)) {
      new DataRemover(any -> scattered, 5).removeAll(files);
      assertThat(scattered.mostUnderWay()).isBetween(2, 5);
    }
    assertThat(fixture.objects()).isEmpty();
  }

  /**
   * Whatever a window of stripes under way leaves at a crash, and whatever a removal that stopped
   * at any operation makes of it, is found.
   */
  @Test
  @Tag("exploration")
  void anUnfinishedFileIsFoundAcrossItsGaps() throws IOException {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 150; round++) {
      Fixture own = new Fixture();
      int window = 1 + random.nextInt(6);
      FileData file = Fixture.file();
      leaveUnfinished(own.store("w"), file, window, random);
      for (int attempt = 0; attempt < 4; attempt++) {
        String client = "remover " + attempt;
        own.cluster
            .client(client)
            .faults()
            .atOp(1 + random.nextInt(80), attempt < 3 ? Fault.CRASH_BEFORE : Fault.LOSE_ANSWER);
        try (ScatteredStore scattered = new ScatteredStore(own.store(client), round)) {
          new DataRemover(any -> scattered, 1 + random.nextInt(8))
              .removeUnfinished(file, window, any -> {}, () -> {});
        } catch (IOException | Error crashed) {
          assertThat(attempt).as("seed %d: %s", seed, crashed).isLessThan(3);
        }
      }
      assertThat(own.objects()).as("seed %d, round %d", seed, round).isEmpty();
    }
  }

  /**
   * The writer is alive, and goes on between removals, which stop at any operation. What it had
   * under way arrives, or does not.
   */
  @Test
  @Tag("exploration")
  void anUnfinishedFileIsFoundHoweverFarItReaches() throws IOException {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 150; round++) {
      Fixture own = new Fixture();
      ObjectStore writer = own.store("w");
      int window = 1 + random.nextInt(4);
      FileData file = Fixture.file();
      List<Integer> underWay = new ArrayList<>();
      int sent = 0;
      AtomicInteger seen = new AtomicInteger();
      for (int attempt = 0; attempt < 6; attempt++) {
        for (int more = random.nextInt(25); attempt < 5 && more > 0; more--) {
          if (underWay.size() == window) {
            put(writer, file, underWay.remove(random.nextInt(window)));
          }
          underWay.add(sent++);
        }
        if (attempt == 5) {
          for (int late : underWay) {
            if (random.nextBoolean()) {
              put(writer, file, late);
            }
          }
        }
        String client = "remover " + attempt;
        if (attempt < 5 && random.nextBoolean()) {
          own.cluster.client(client).faults().atOp(1 + random.nextInt(80), Fault.CRASH_BEFORE);
        }
        try (ScatteredStore scattered = new ScatteredStore(own.store(client), round)) {
          new DataRemover(any -> scattered, 1 + random.nextInt(8))
              .removeUnfinished(
                  file.reaching(seen.get()),
                  window,
                  stripe -> seen.accumulateAndGet(stripe, Math::max),
                  () -> {});
        } catch (IOException | Error crashed) {
          assertThat(attempt).as("seed %d: %s", seed, crashed).isLessThan(5);
        }
      }
      assertThat(own.objects()).as("seed %d, round %d", seed, round).isEmpty();
    }
  }

  /** Stripes sent in order; of those that are under way at the crash, any may be there. */
  private static void leaveUnfinished(ObjectStore store, FileData file, int window, Random random)
      throws IOException {
    List<Integer> underWay = new ArrayList<>();
    int stripes = random.nextInt(30);
    for (int k = 0; k < stripes; k++) {
      if (underWay.size() == window) {
        put(store, file, underWay.remove(random.nextInt(window)));
      }
      underWay.add(k);
    }
    for (int k : underWay) {
      if (random.nextBoolean()) {
        put(store, file, k);
      }
    }
  }

  private static void put(ObjectStore store, FileData file, int stripe) throws IOException {
    WriteOp.Builder op = WriteOp.builder().createExclusive();
    if (stripe == 0) {
      op.setXattr(FileData.UID_XATTR, UidXattr.value(file));
    }
    store.write(file.stripe(stripe), op.writeFull(ByteBuffer.allocate(3)).build());
  }
}
