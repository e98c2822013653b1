// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import static io.radosfs.connector.data.Fixture.STRIPE;
import static io.radosfs.connector.data.Fixture.content;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.data.ReadPlan.Policy;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.ForwardingObjectStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadFrom;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.OpLog;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.StreamCapabilities;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class StripedInputStreamTest {

  private static final byte[] CONTENT = content(1, 10 * STRIPE - 300);

  private final Fixture fixture = new Fixture();
  private ObjectStore store;
  private FileData file;

  @BeforeEach
  void writeFile() throws IOException {
    store = fixture.store("reader");
    file = fixture.write(fixture.store("writer"), Fixture.file(), CONTENT);
  }

  private StripedInputStream open() {
    return fixture.open(store, file);
  }

  private int reads() {
    return fixture.cluster.client("reader").reads();
  }

  @Test
  void theEndOfTheFile() throws IOException {
    try (StripedInputStream in = open()) {
      in.seek(CONTENT.length);
      assertThat(in.read()).isEqualTo(-1);
      assertThat(in.read(new byte[10])).isEqualTo(-1);
      assertThat(in.read(new byte[0])).isZero();
      assertThat(in.read(ByteBuffer.allocate(1))).isEqualTo(-1);
      assertThat(in.available()).isZero();
      assertThat(in.skip(1)).isZero();
      assertThat(in.read(CONTENT.length, new byte[1], 0, 1)).isEqualTo(-1);
      assertThat(in.read(CONTENT.length + 5L, new byte[1], 0, 1)).isEqualTo(-1);
      assertThat(in.read(CONTENT.length - 2L, new byte[9], 0, 9)).isEqualTo(2);
      assertThatThrownBy(() -> in.readFully(CONTENT.length - 2L, new byte[3]))
          .isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> in.seek(CONTENT.length + 1L)).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> in.seek(-1)).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> in.read(-1, new byte[1], 0, 1)).isInstanceOf(EOFException.class);
      assertThat(in.getPos()).isEqualTo(CONTENT.length);
    }
    assertThat(reads()).isEqualTo(1);
  }

  /** With stripes of 128 KiB, what is asked for at the first byte, and for the whole file. */
  @Test
  void thePlanDecidesWhatIsAskedForAhead() throws IOException {
    byte[] content = content(7, 1 << 20);
    FileData large = fixture.write(store, Fixture.file(new FsPath("l"), 128 << 10), content);
    assertThat(readsAtFirstByteAndInAll(large, Policy.ADAPTIVE, Long.MAX_VALUE))
        .containsExactly(1, 8);
    assertThat(readsAtFirstByteAndInAll(large, Policy.SEQUENTIAL, Long.MAX_VALUE))
        .containsExactly(4, 8);
    assertThat(readsAtFirstByteAndInAll(large, Policy.RANDOM, Long.MAX_VALUE))
        .containsExactly(1, 8);
    assertThat(readsAtFirstByteAndInAll(large, Policy.SEQUENTIAL, 200_000))
        .as("not beyond the end of the split, unless it is read")
        .containsExactly(2, 8);
  }

  /** An adopted file is one object, of whatever size; 8 readers would want as much memory each. */
  @Test
  void anObjectOfAnySizeIsReadInPieces() throws IOException {
    int most = 16 << 20;
    byte[] content = content(7, 40 << 20);
    FileData adopted = fixture.write(store, Fixture.file(new FsPath("l"), 40 << 20), content);
    for (Policy policy : Policy.values()) {
      BufferPool small = new BufferPool(1 << 20);
      int before = reads();
      StreamSettings settings = Fixture.window(3).withPlan(new ReadPlan(policy, Long.MAX_VALUE));
      try (StripedInputStream in =
          new StripedInputStream(store, adopted.origin(), adopted, small, settings)) {
        byte[] read = new byte[content.length];
        assertThat(in.readNBytes(read, 0, read.length)).isEqualTo(read.length);
        assertThat(read).isEqualTo(content);
      }
      assertThat(small.mostInUse()).as("%s", policy).isEqualTo(most);
      assertThat(reads() - before).as("%s", policy).isEqualTo(3);
    }
    BufferPool small = new BufferPool(1 << 20);
    try (StripedInputStream in =
        new StripedInputStream(
            store, adopted.origin(), adopted, small, StreamSettings.defaults())) {
      byte[] read = new byte[content.length];
      in.readFully(0, read);
      assertThat(read).isEqualTo(content);
      assertThat(small.mostInUse()).as("a positioned read").isEqualTo(most);
      List<FileRange> ranges =
          IntStream.range(0, 3)
              .mapToObj(i -> FileRange.createFileRange(i * (11L << 20), 10 << 20))
              .toList();
      in.readVectored(ranges, ByteBuffer::allocate);
      assertRead(ranges, content);
      assertThat(small.mostInUse()).as("a vectored read").isEqualTo(most);
    }
  }

  /** Else RADOS would have nothing to do while the caller waits for the last of them. */
  @Test
  void moreIsAskedForWithEachChunkThatWasRead() throws IOException {
    byte[] content = content(7, 1 << 20);
    FileData large = fixture.write(store, Fixture.file(new FsPath("l"), 128 << 10), content);
    int before = reads();
    try (StripedInputStream in = open(large, new ReadPlan(Policy.SEQUENTIAL, Long.MAX_VALUE))) {
      for (int chunk = 0; chunk < 8; chunk++) {
        assertThat(in.readNBytes(1)).isNotEmpty();
        assertThat(reads() - before).as("in chunk %d", chunk).isEqualTo(Math.min(8, chunk + 4));
        assertThat(in.readNBytes((128 << 10) - 1)).isNotEmpty();
      }
    }
  }

  /** Enough that the reader need not wait for all of it, and not many times what it has read. */
  @Test
  void whatIsAskedForAheadGrowsWithWhatWasRead() throws IOException {
    int call = 64 << 10;
    byte[] content = content(12, 24 << 20);
    FileData large = fixture.write(store, Fixture.file(new FsPath("l"), 1 << 20), content);
    StreamSettings settings = Fixture.window(24);
    try (StripedInputStream in =
        new StripedInputStream(store, large.origin(), large, fixture.pool, settings)) {
      for (int read = call; read < content.length; read += call) {
        assertThat(in.readNBytes(call)).hasSize(call);
        long asked = in.getIOStatistics().counters().get("stream_read_total_bytes");
        assertThat(asked).as("after %d", read).isLessThanOrEqualTo(4L * read + (256 << 10));
        if (read > 256 << 10) {
          assertThat(asked - read)
              .as("ahead after %d", read)
              .isGreaterThanOrEqualTo(Math.min(256 << 10, content.length - read));
        }
      }
    }
  }

  /** Not even in sequence: the next chunk is asked for when it is wanted. */
  @Test
  void aReaderHereAndThereAsksForNothingAhead() throws IOException {
    byte[] content = content(8, 1 << 20);
    FileData large = fixture.write(store, Fixture.file(new FsPath("l"), 128 << 10), content);
    int before = reads();
    try (StripedInputStream in = open(large, new ReadPlan(Policy.RANDOM, Long.MAX_VALUE))) {
      assertThat(in.readNBytes(300 << 10)).isEqualTo(Arrays.copyOf(content, 300 << 10));
      assertThat(reads() - before).isEqualTo(3);
    }
  }

  /** As Parquet reads its footer: first its length, at the end, then the footer itself. */
  @Test
  void theEndAndWhatIsBeforeItAreOneOperation() throws IOException {
    byte[] content = content(9, 1 << 20);
    FileData large = fixture.write(store, Fixture.file(new FsPath("l"), 128 << 10), content);
    assertThat(readsOfFooter(large, content, ReadPlan.unknown())).isEqualTo(1);
    assertThat(readsOfFooter(large, content, new ReadPlan(Policy.RANDOM, Long.MAX_VALUE)))
        .isEqualTo(1);
    assertThat(readsOfFooter(large, content, new ReadPlan(Policy.SEQUENTIAL, Long.MAX_VALUE)))
        .isEqualTo(2);
    assertThat(readsOfFooter(large, content, new ReadPlan(Policy.ADAPTIVE, 200_000)))
        .as("beyond the end of the split")
        .isEqualTo(2);
  }

  private int readsOfFooter(FileData data, byte[] content, ReadPlan plan) throws IOException {
    int before = reads();
    try (StripedInputStream in = open(data, plan)) {
      assertRead(in, content, content.length - 8, 8);
      assertRead(in, content, content.length - (60 << 10), (60 << 10) - 8);
    }
    return reads() - before;
  }

  private static void assertRead(StripedInputStream in, byte[] content, int from, int count)
      throws IOException {
    in.seek(from);
    assertThat(in.readNBytes(count)).isEqualTo(Arrays.copyOfRange(content, from, from + count));
  }

  /** 64 KiB at most, and within the last stripe; what is before them is read as ever. */
  @Test
  void theTailIsBoundedAndKeptUntilTheReaderLeavesIt() throws IOException {
    byte[] content = content(10, 1 << 20);
    FileData large = fixture.write(store, Fixture.file(new FsPath("l"), 128 << 10), content);
    int before = reads();
    try (StripedInputStream in = open(large, ReadPlan.unknown())) {
      assertRead(in, content, content.length - 8, 8);
      assertThat(in.getIOStatistics().counters().get("stream_read_total_bytes"))
          .isEqualTo(64L << 10);
      assertRead(in, content, content.length - (64 << 10), 64 << 10);
      assertThat(reads() - before).isEqualTo(1);
      assertRead(in, content, content.length - (64 << 10) - 1, 2);
      assertThat(reads() - before).isEqualTo(2);
      assertRead(in, content, content.length - 8, 8);
      in.unbuffer();
      assertThat(fixture.pool.inUse()).isZero();
      assertRead(in, content, content.length - 8, 8);
      assertThat(reads() - before).isEqualTo(3);
    }
    assertThat(fixture.pool.inUse()).isZero();
  }

  @Test
  void aSmallFilesFooterIsReadWithAllOfIt() throws IOException {
    byte[] content = content(11, 3_000);
    FileData small = fixture.write(store, Fixture.file(new FsPath("s"), 128 << 10), content);
    int before = reads();
    try (StripedInputStream in = open(small, ReadPlan.unknown())) {
      assertRead(in, content, content.length - 8, 8);
      assertRead(in, content, 1_000, 1_992);
      assertRead(in, content, 0, content.length);
    }
    assertThat(reads() - before).isEqualTo(1);
  }

  private StripedInputStream open(FileData data, ReadPlan plan) {
    return new StripedInputStream(
        store, data.origin(), data, fixture.pool, Fixture.window(3).withPlan(plan));
  }

  private List<Integer> readsAtFirstByteAndInAll(FileData data, Policy policy, long aheadEnd)
      throws IOException {
    int before = reads();
    try (StripedInputStream in = open(data, new ReadPlan(policy, aheadEnd))) {
      assertThat(in.read()).isNotNegative();
      int first = reads() - before;
      assertThat(in.readAllBytes()).hasSize((int) data.length() - 1);
      return List.of(first, reads() - before);
    }
  }

  @Test
  void anEmptyFile() throws IOException {
    FileData empty = fixture.write(store, Fixture.file(new FsPath("e"), STRIPE), new byte[0]);
    try (StripedInputStream in = fixture.open(store, empty)) {
      assertThat(in.read()).isEqualTo(-1);
      in.seek(0);
      in.readVectored(List.of(), ByteBuffer::allocate);
    }
    assertThat(reads()).isZero();
  }

  @Test
  void aClosedStreamSaysSo() throws IOException {
    StripedInputStream in = open();
    in.close();
    in.close();
    assertThatThrownBy(in::read).hasMessageContaining(FSExceptionMessages.STREAM_IS_CLOSED);
    assertThatThrownBy(() -> in.read(new byte[1])).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> in.seek(0)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> in.read(0, new byte[1], 0, 1)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> in.readVectored(List.of(), ByteBuffer::allocate))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aSmallFileIsOneOperationAndPositionedReadsAskForWhatTheyNeed() throws IOException {
    FileData small = fixture.write(store, Fixture.file(new FsPath("s"), 1 << 20), CONTENT);
    try (StripedInputStream in = open(small, ReadPlan.unknown())) {
      for (byte expected : CONTENT) {
        assertThat((byte) in.read()).isEqualTo(expected);
      }
    }
    assertThat(reads()).isEqualTo(1);
    try (StripedInputStream in = open()) {
      in.seek(5);
      byte[] some = new byte[2 * STRIPE];
      in.readFully(STRIPE / 2, some);
      assertThat(reads()).isEqualTo(4);
      assertThat(some).isEqualTo(Arrays.copyOfRange(CONTENT, STRIPE / 2, 5 * STRIPE / 2));
      assertThat(in.getPos()).isEqualTo(5);
      assertThat(fixture.pool.inUse()).isZero();
    }
  }

  @Test
  void aReplacedFileIsNotReadAsItself() throws IOException {
    StripedInputStream before = open();
    new DataRemover(any -> store, 4).remove(file);
    StripedInputStream gone = open();
    FileData newer = fixture.write(store, Fixture.file(), content(2, CONTENT.length));
    assertThat(newer.plainFirst()).isTrue();
    for (StripedInputStream in : List.of(before, gone)) {
      assertThatThrownBy(in::read)
          .isInstanceOf(FileNotFoundException.class)
          .hasMessageContaining("replaced or removed");
      assertThatThrownBy(() -> in.read(0, new byte[9], 0, 9))
          .isInstanceOf(FileNotFoundException.class);
      assertThatThrownBy(() -> in.read(3 * STRIPE, new byte[9], 0, 9))
          .isInstanceOf(FileNotFoundException.class);
      List<FileRange> ranges = List.of(FileRange.createFileRange(0, 10));
      in.readVectored(ranges, ByteBuffer::allocate);
      assertThatThrownBy(() -> ranges.get(0).getData().get())
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(FileNotFoundException.class);
    }
    assertThat(fixture.pool.inUse()).isZero();
  }

  @Test
  void aDamagedFileIsNeverShort() throws IOException {
    store.write(
        file.stripe(4), WriteOp.builder().writeFull(ByteBuffer.allocate(STRIPE - 1)).build());
    assertThatThrownBy(() -> fixture.read(store, file))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("damaged")
        .hasMessageContaining(file.stripe(4));
    try (StripedInputStream in = open()) {
      assertThatThrownBy(() -> in.readFully(0, new byte[CONTENT.length]))
          .hasMessageContaining("damaged");
      in.readFully(0, new byte[4 * STRIPE]);
    }
    assertThat(fixture.pool.inUse()).isZero();
  }

  private byte[] readFrom(ReadFrom copies, FileData data) throws IOException {
    StreamSettings settings = Fixture.window(3).withFrom(copies);
    try (StripedInputStream in =
        new StripedInputStream(store, data.origin(), data, fixture.pool, settings)) {
      return in.readAllBytes();
    }
  }

  /** That has not one of its objects, but believes so: nothing is gone, and nothing is a hole. */
  @Test
  void whatACopyHasNotYetIsReadFromThePrimary() throws IOException {
    SimulatedCluster unused = fixture.cluster.setCopiesBehind(Fixture.POOL, 1);
    int objects = file.stripes();
    assertThat(readFrom(ReadFrom.PRIMARY, file)).isEqualTo(CONTENT);
    assertThat(reads()).isEqualTo(objects);
    for (ReadFrom copies : List.of(ReadFrom.BALANCED, ReadFrom.NEAREST)) {
      int before = reads();
      assertThat(readFrom(copies, file)).isEqualTo(CONTENT);
      assertThat(reads() - before).isEqualTo(2 * objects);
    }
  }

  /** A copy that is up to date answers alone. */
  @Test
  void aReadOfAnyCopyIsOneOperation() throws IOException {
    assertThat(readFrom(ReadFrom.BALANCED, file)).isEqualTo(CONTENT);
    assertThat(reads()).isEqualTo(file.stripes());
    assertThat(fixture.cluster.log().of("reader"))
        .allMatch(entry -> entry.op().isOfAnyCopy(), "by any copy");
  }

  /** The name of the first object was another file's before. */
  @Test
  void aCopyWithAnEarlierFileOfThatNameIsNotBelieved() throws IOException {
    new DataRemover(any -> store, 4).remove(file);
    byte[] content = content(2, CONTENT.length);
    FileData newer = fixture.write(store, Fixture.file(), content);
    assertThat(newer.plainFirst()).isTrue();
    fixture.cluster.setCopiesBehind(Fixture.POOL, 1);
    assertThat(readFrom(ReadFrom.BALANCED, newer)).isEqualTo(content);
    assertThatThrownBy(() -> readFrom(ReadFrom.BALANCED, file))
        .as("the older one, which neither a copy nor the primary has")
        .isInstanceOf(FileNotFoundException.class);
  }

  /** As who began before the removal: its own bytes, and never others. */
  @Test
  void aCopyThatHasNotHeardOfTheRemovalGivesTheFilesOwnBytes() throws IOException {
    new DataRemover(any -> store, 4).remove(file);
    fixture.cluster.setCopiesBehind(Fixture.POOL, 1);
    assertThat(readFrom(ReadFrom.BALANCED, file)).isEqualTo(CONTENT);
    assertThatThrownBy(() -> readFrom(ReadFrom.PRIMARY, file))
        .isInstanceOf(FileNotFoundException.class);
  }

  /** Its disk may be broken (EIO); the primary's need not be. */
  @Test
  void whatACopyCannotReadIsReadFromThePrimary() throws IOException {
    fixture
        .cluster
        .client("reader")
        .faults()
        .always(OpInfo::isOfAnyCopy, Fault.failWith(Kind.OTHER));
    assertThat(readFrom(ReadFrom.NEAREST, file)).isEqualTo(CONTENT);
    assertThat(reads()).isEqualTo(2 * file.stripes());
  }

  @Test
  void whatNoCopyHasIsAskedOfThePrimaryOnceAndThenBelieved() throws IOException {
    store.write(
        file.stripe(4), WriteOp.builder().writeFull(ByteBuffer.allocate(STRIPE - 1)).build());
    assertThatThrownBy(() -> readFrom(ReadFrom.BALANCED, file)).hasMessageContaining("damaged");
    assertThat(fixture.cluster.log().of("reader"))
        .extracting(OpLog.LoggedOp::op)
        .filteredOn(op -> !op.write() && op.object().equals(file.stripe(4)))
        .extracting(OpInfo::isOfAnyCopy)
        .containsExactly(true, false);
    assertThat(fixture.pool.inUse()).isZero();
  }

  /** Another copy would not be reached by this client either. */
  @Test
  void whoIsCutOffDoesNotAskThePrimary() {
    fixture.cluster.client("reader").faults().atRead(1, Fault.BLOCKLIST);
    assertThatThrownBy(() -> readFrom(ReadFrom.BALANCED, Fixture.file().withLength(1)))
        .isInstanceOf(IOException.class);
    assertThat(reads()).isEqualTo(1);
  }

  @Test
  void aReadWithoutAnswerIsAskedAgain() throws IOException {
    fixture
        .cluster
        .client("reader")
        .faults()
        .atRead(1, Fault.LOSE_ANSWER)
        .atRead(2, Fault.LOSE_REQUEST);
    assertThat(fixture.read(store, file)).isEqualTo(CONTENT);
    fixture.cluster.client("reader").faults().always(op -> !op.write(), Fault.LOSE_ANSWER);
    assertThatThrownBy(() -> fixture.read(store, file)).isInstanceOf(IOException.class);
    fixture.cluster.client("reader").faults().clear();
    assertThat(fixture.read(store, file)).isEqualTo(CONTENT);
  }

  @Test
  void aVectoredReadIsOneOperationAStripe() throws IOException {
    List<FileRange> ranges =
        List.of(
            FileRange.createFileRange(2500, 1000),
            FileRange.createFileRange(0, 10),
            FileRange.createFileRange(900, 50),
            FileRange.createFileRange(20, 0),
            FileRange.createFileRange(3500, 10));
    try (StripedInputStream in = open()) {
      in.readVectored(ranges, ByteBuffer::allocateDirect);
      assertRead(ranges, CONTENT);
      assertThat(reads()).as("stripes 0, 2 and 3").isEqualTo(3);
      assertThat(in.minSeekForVectorReads()).isEqualTo(128 << 10);
      assertThat(in.maxReadSizeForVectorReads()).isEqualTo(4 << 20);
    }
  }

  private static void assertRead(List<FileRange> ranges, byte[] content) {
    for (FileRange range : ranges) {
      int from = (int) range.getOffset();
      assertThat(bytes(range.getData().join()))
          .isEqualTo(Arrays.copyOfRange(content, from, from + range.getLength()));
    }
  }

  /** As by a store that is closed while a few are under way and thousands wait. */
  @Test
  void rangesWhoseReadsAreRefusedAtOnceAllFail() throws IOException {
    int many = 20_000;
    FileData huge = Fixture.file(new FsPath("huge"), STRIPE).withLength((long) many * STRIPE);
    List<CompletableFuture<ReadResult>> underWay = new ArrayList<>();
    boolean[] closed = new boolean[1];
    ObjectStore refusing =
        new ForwardingObjectStore(store) {
          @Override
          public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
            if (closed[0]) {
              return CompletableFuture.failedFuture(new IOException("closed"));
            }
            CompletableFuture<ReadResult> answer = new CompletableFuture<>();
            underWay.add(answer);
            return answer;
          }
        };
    List<FileRange> ranges =
        IntStream.range(0, many)
            .mapToObj(stripe -> FileRange.createFileRange((long) stripe * STRIPE, 1))
            .toList();
    BufferPool pool = new BufferPool(1 << 20);
    try (StripedInputStream in =
        new StripedInputStream(refusing, huge.origin(), huge, pool, StreamSettings.defaults())) {
      in.readVectored(ranges, ByteBuffer::allocate);
      closed[0] = true;
      underWay.get(0).completeExceptionally(new IOException("closed"));
      underWay.forEach(answer -> answer.completeExceptionally(new IOException("closed")));

      for (FileRange range : ranges) {
        assertThatThrownBy(() -> range.getData().get(20, TimeUnit.SECONDS))
            .isInstanceOf(ExecutionException.class);
      }
    }
    assertThat(pool.inUse()).isZero();
  }

  /** As of a task that is killed: whoever has closed the stream may use the buffers anew. */
  @Test
  void rangesThatHaveNotBegunWhenTheStreamIsClosedAreNotRead() throws Exception {
    int many = 100;
    FileData large =
        fixture.write(store, Fixture.file(new FsPath("l"), STRIPE), content(3, many * STRIPE));
    CompletableFuture<Void> answers = new CompletableFuture<>();
    ObjectStore held =
        new ForwardingObjectStore(store) {
          @Override
          public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
            return super.readAsync(object, op).thenCombine(answers, (result, answered) -> result);
          }
        };
    List<FileRange> ranges =
        IntStream.range(0, many)
            .mapToObj(stripe -> FileRange.createFileRange((long) stripe * STRIPE, 1))
            .toList();
    int before = reads();
    StripedInputStream in = fixture.open(held, large);
    in.readVectored(ranges, ByteBuffer::allocate);
    in.close();
    answers.complete(null);
    assertThat(ranges.get(0).getData().get(20, TimeUnit.SECONDS).remaining()).isEqualTo(1);
    assertThatThrownBy(() -> ranges.get(many - 1).getData().get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("/l: " + FSExceptionMessages.STREAM_IS_CLOSED);
    for (FileRange range : ranges) {
      Object unused = range.getData().handle((read, thrown) -> true).get(20, TimeUnit.SECONDS);
    }
    assertThat(reads() - before).isEqualTo(32);
    assertThat(fixture.pool.inUse()).isZero();
  }

  /** As where many tasks read ranges at the same time: librados holds bytes for each operation. */
  @Test
  void vectoredReadsKeepToTheBudgetOfStreams() throws IOException {
    byte[] content = content(12, 300 * STRIPE);
    FileData large = fixture.write(store, Fixture.file(new FsPath("budget"), STRIPE), content);
    BufferPool pool = new BufferPool(10 * BufferPool.SMALLEST);
    ScatteredStore scattered = new ScatteredStore(store, 12);
    List<FileRange> ranges = new ArrayList<>();
    try (StripedInputStream one =
            new StripedInputStream(
                scattered, large.origin(), large, pool, StreamSettings.defaults());
        StripedInputStream other =
            new StripedInputStream(
                scattered, large.origin(), large, pool, StreamSettings.defaults())) {
      for (StripedInputStream in : List.of(one, other)) {
        List<FileRange> wanted =
            IntStream.range(0, 300)
                .mapToObj(stripe -> FileRange.createFileRange((long) stripe * STRIPE, 100))
                .toList();
        in.readVectored(wanted, ByteBuffer::allocate);
        ranges.addAll(wanted);
      }
      assertRead(ranges, content);
    } finally {
      scattered.close();
    }
    assertThat(scattered.mostUnderWay()).isBetween(2, 11);
    assertThat(pool.mostInUse()).isLessThanOrEqualTo(11 * BufferPool.SMALLEST);
    assertThat(pool.inUse()).isZero();
  }

  /** Memory that is new to each read is cleared by the kernel first. */
  @Test
  void rangesForTheHeapArriveInBuffersThatAreUsedAgain() throws IOException {
    List<ByteBuffer> arrived = new ArrayList<>();
    ObjectStore watched =
        new ForwardingObjectStore(store) {
          @Override
          public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
            op.steps().stream()
                .filter(ReadOp.Data.class::isInstance)
                .forEach(step -> arrived.add(((ReadOp.Data) step).into()));
            return super.readAsync(object, op);
          }
        };
    AtomicLong made = new AtomicLong();
    BufferPool pool =
        new BufferPool(
            1 << 20,
            capacity -> {
              made.incrementAndGet();
              return ByteBuffer.allocateDirect(capacity);
            });
    try (StripedInputStream in =
        new StripedInputStream(watched, file.origin(), file, pool, StreamSettings.defaults())) {
      for (int i = 0; i < 3; i++) {
        List<FileRange> ranges =
            List.of(FileRange.createFileRange(10, 20), FileRange.createFileRange(50, 100));
        in.readVectored(ranges, ByteBuffer::allocate);
        assertRead(ranges, CONTENT);
      }
    }
    assertThat(arrived).hasSize(6).allMatch(ByteBuffer::isDirect);
    assertThat(made.get()).as("buffers").isEqualTo(1);
    assertThat(pool.inUse()).isZero();
  }

  /**
   * By way of librados' own memory, which the JVM does not bound. To find out that there is none
   * costs the JVM half a second and a collection.
   */
  @Test
  void rangesForTheHeapAreReadWhereTheJvmHasNoDirectMemoryLeft() throws IOException {
    AtomicLong tried = new AtomicLong();
    BufferPool pool =
        new BufferPool(
            20 << 20,
            capacity -> {
              tried.incrementAndGet();
              throw new OutOfMemoryError("Direct buffer memory");
            });
    byte[] content = content(13, 32 * STRIPE);
    FileData large = fixture.write(store, Fixture.file(new FsPath("full"), STRIPE), content);
    List<FileRange> ranges =
        IntStream.range(0, 32)
            .mapToObj(stripe -> FileRange.createFileRange((long) stripe * STRIPE, 10))
            .toList();
    ScatteredStore scattered = new ScatteredStore(store, 13);
    try (StripedInputStream in =
        new StripedInputStream(scattered, large.origin(), large, pool, StreamSettings.defaults())) {
      in.readVectored(ranges, ByteBuffer::allocate);
      assertRead(ranges, content);
    } finally {
      scattered.close();
    }
    assertThat(tried.get()).as("looks for direct memory").isEqualTo(1);
    assertThat(scattered.mostUnderWay()).isGreaterThan(1);
    assertThat(pool.inUse()).isZero();
  }

  /** Those that wait too, which nobody would start any more. */
  @Test
  void rangesFailWhereAReadCannotBegin() throws Exception {
    OutOfMemoryError none = new OutOfMemoryError("Java heap space");
    ObjectStore full =
        new ForwardingObjectStore(store) {
          @Override
          public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
            throw none;
          }
        };
    BufferPool pool = new BufferPool(1 << 20);
    int many = 100;
    FileData huge = Fixture.file(new FsPath("huge"), STRIPE).withLength((long) many * STRIPE);
    List<FileRange> ranges =
        IntStream.range(0, many)
            .mapToObj(stripe -> FileRange.createFileRange((long) stripe * STRIPE, 1))
            .toList();
    try (StripedInputStream in =
        new StripedInputStream(full, huge.origin(), huge, pool, StreamSettings.defaults())) {
      in.readVectored(ranges, ByteBuffer::allocate);
      for (FileRange range : ranges) {
        assertThatThrownBy(() -> range.getData().get(20, TimeUnit.SECONDS))
            .hasRootCauseInstanceOf(OutOfMemoryError.class);
      }
    }
    assertThat(pool.kept()).as("what librados may still write to").isZero();
  }

  @Test
  void aVectoredReadOfManyStripesHasABoundedNumberUnderWay() throws IOException {
    byte[] content = content(11, 300 * STRIPE);
    FileData large = fixture.write(store, Fixture.file(new FsPath("many"), STRIPE), content);
    List<FileRange> ranges =
        IntStream.range(0, 300)
            .mapToObj(stripe -> FileRange.createFileRange((long) stripe * STRIPE + 7, 100))
            .toList();
    ScatteredStore scattered = new ScatteredStore(store, 11);
    try (StripedInputStream in = fixture.open(scattered, large)) {
      in.readVectored(ranges, ByteBuffer::allocate);
      assertRead(ranges, content);
    } finally {
      scattered.close();
    }
    assertThat(scattered.mostUnderWay()).isEqualTo(32);
  }

  @Test
  void vectoredReadsRefuseWhatHadoopRefuses() throws IOException {
    try (StripedInputStream in = open()) {
      assertThatThrownBy(
              () ->
                  in.readVectored(
                      List.of(FileRange.createFileRange(CONTENT.length - 5, 6)),
                      ByteBuffer::allocate))
          .isInstanceOf(EOFException.class);
      assertThatThrownBy(
              () ->
                  in.readVectored(
                      List.of(FileRange.createFileRange(0, 6), FileRange.createFileRange(5, 6)),
                      ByteBuffer::allocate))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(reads()).isZero();
  }

  /** Nothing is at the path that it was written to. */
  @Test
  void errorsNameThePathThatWasOpened() throws IOException {
    FsPath renamed = new FsPath("renamed");
    try (StripedInputStream in =
        new StripedInputStream(store, renamed, file, fixture.pool, Fixture.window(3))) {
      store.write(file.stripe(0), WriteOp.builder().remove().build());
      assertThatThrownBy(in::read)
          .isInstanceOf(FileNotFoundException.class)
          .hasMessageStartingWith("/renamed was replaced or removed while it was read");
      in.close();
      assertThatThrownBy(in::read).hasMessageStartingWith("/renamed: ");
    }
  }

  /** No memory is left for the second range: whoever looks at the ranges after that is told. */
  @Test
  void noRangeIsAsIfReadWhereTheAllocatorFails() throws IOException {
    List<FileRange> ranges =
        List.of(
            FileRange.createFileRange(0, 10),
            FileRange.createFileRange(20, 10),
            FileRange.createFileRange(40, 10));
    OutOfMemoryError none = new OutOfMemoryError("Direct buffer memory");
    IntFunction<ByteBuffer> allocate =
        new IntFunction<>() {
          private int calls;

          @Override
          public ByteBuffer apply(int size) {
            if (++calls == 2) {
              throw none;
            }
            return ByteBuffer.allocate(size);
          }
        };
    try (StripedInputStream in = open()) {
      assertThatThrownBy(() -> in.readVectored(ranges, allocate)).isSameAs(none);
    }
    for (FileRange range : ranges) {
      assertThat(range.getData()).isCompletedExceptionally();
    }
  }

  /** Its caller may give the buffers that it has made to others. */
  @Test
  void nothingIsReadIntoABufferWhereTheAllocatorFailsLater() throws IOException {
    int stripe = file.objectSize();
    List<FileRange> ranges =
        List.of(
            FileRange.createFileRange(0, 10),
            FileRange.createFileRange(stripe, 10),
            FileRange.createFileRange(2 * stripe, 10));
    AtomicLong calls = new AtomicLong();
    long before = fixture.cluster.client("reader").reads();
    try (StripedInputStream in = open()) {
      assertThatThrownBy(
              () ->
                  in.readVectored(
                      ranges,
                      size -> {
                        if (calls.incrementAndGet() == ranges.size()) {
                          throw new OutOfMemoryError("Direct buffer memory");
                        }
                        return ByteBuffer.allocateDirect(size);
                      }))
          .isInstanceOf(OutOfMemoryError.class);
    }
    assertThat(fixture.cluster.client("reader").reads()).isEqualTo(before);
  }

  @Test
  void unbufferGivesTheMemoryBackAndReadingGoesOn() throws IOException {
    AtomicLong told = new AtomicLong();
    StreamSettings settings = Fixture.window(3).withBytes(told::addAndGet);
    try (StripedInputStream in =
        new StripedInputStream(store, file.origin(), file, fixture.pool, settings)) {
      in.read();
      assertThat(fixture.pool.inUse()).isPositive();
      in.unbuffer();
      assertThat(fixture.pool.inUse()).isZero();
      assertThat(told.get()).isEqualTo(1);
      assertThat((byte) in.read()).isEqualTo(CONTENT[1]);
      assertThat(in.read(new byte[10])).isEqualTo(10);
      assertThat(told.get()).isEqualTo(12);
    }
  }

  @Test
  void readAheadStaysWithinTheBudget() throws IOException {
    FileData large =
        fixture.write(store, Fixture.file(new FsPath("l"), 256 << 10), new byte[8 << 20]);
    BufferPool pool = new BufferPool(1 << 20);
    StripedInputStream[] streams = new StripedInputStream[5];
    for (int i = 0; i < streams.length; i++) {
      streams[i] = new StripedInputStream(store, large.origin(), large, pool, Fixture.window(8));
    }
    byte[] some = new byte[100_000];
    for (int round = 0; round < 80; round++) {
      for (StripedInputStream in : streams) {
        org.apache.hadoop.io.IOUtils.readFully(in, some, 0, some.length);
      }
    }
    assertThat(pool.mostInUse()).isLessThanOrEqualTo((1 << 20) + 5 * (256 << 10));
    for (StripedInputStream in : streams) {
      in.close();
    }
    assertThat(pool.inUse()).isZero();
  }

  /** Whoever repeats a read that has failed, gets the bytes that it did not get. */
  @Test
  void aReadThatFailsHalfWayMovesNothing() throws IOException {
    fixture
        .cluster
        .client("reader")
        .faults()
        .once(op -> op.object().endsWith("/00000004"), Fault.failWith(Kind.OTHER));
    try (StripedInputStream in = open()) {
      in.seek(10);
      ByteBuffer into = ByteBuffer.allocate(6 * STRIPE);
      assertThatThrownBy(() -> in.read(into)).isInstanceOf(IOException.class);
      assertThat(in.getPos()).isEqualTo(10);
      assertThat(into.position()).isZero();
      while (into.hasRemaining()) {
        assertThat(in.read(into)).isPositive();
      }
      assertThat(bytes(into.flip())).isEqualTo(Arrays.copyOfRange(CONTENT, 10, 10 + 6 * STRIPE));
    }
  }

  @Test
  void whatItCanDoItSays() throws IOException {
    try (StripedInputStream in = open()) {
      for (String capability :
          List.of(
              StreamCapabilities.VECTOREDIO,
              StreamCapabilities.UNBUFFER,
              StreamCapabilities.READBYTEBUFFER,
              StreamCapabilities.PREADBYTEBUFFER,
              StreamCapabilities.IOSTATISTICS)) {
        assertThat(in.hasCapability(capability)).as(capability).isTrue();
      }
      assertThat(in.hasCapability(StreamCapabilities.HSYNC)).isFalse();
      assertThat(in.hasCapability(StreamCapabilities.READAHEAD))
          .as("that of CanSetReadahead, which it does not implement")
          .isFalse();
    }
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
