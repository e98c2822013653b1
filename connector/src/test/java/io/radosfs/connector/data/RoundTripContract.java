// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.ObjectStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileRange;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Striped files on any store: random ones, written and read in random ways, against a byte array;
 * names that meet; files that go away.
 */
public abstract class RoundTripContract {

  private static final FsPath PATH = new FsPath("round trip/f");

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  /** An empty store. */
  protected abstract ObjectStore store() throws IOException;

  /** How many random files to try. */
  protected abstract int rounds();

  /** The names of all objects in the store. */
  protected abstract Collection<String> objects();

  @Test
  @Tag("exploration")
  void whatIsWrittenIsRead() throws Exception {
    System.out.println("seed " + seed);
    for (int round = 0; round < rounds(); round++) {
      BufferPool pool = new BufferPool(1 + random.nextInt(1 << 20));
      StreamSettings settings = Fixture.window(1 + random.nextInt(8));
      int stripe = random.nextBoolean() ? 1 + random.nextInt(5_000) : 70_000;
      byte[] content = Fixture.content(random.nextLong(), random.nextInt(20 * stripe));
      String as =
          String.format(
              "seed %d, round %d: %d bytes, stripe %d, window %d, budget %d",
              seed, round, content.length, stripe, settings.window(), pool.budget());
      FileData file = Fixture.file(PATH, stripe);
      RecordingPublisher publisher = new RecordingPublisher();
      try (StripedOutputStream out =
          new StripedOutputStream(store(), file, publisher, pool, settings)) {
        write(out, content);
      }
      assertThat(pool.inUse()).as(as).isZero();
      // One stripe always goes on, whatever is spent: two buffers of it, and librados' copy.
      assertThat(pool.mostInUse())
          .as(as)
          .isLessThanOrEqualTo(pool.budget() + (128 << 10) + Math.max(stripe, 64 << 10));
      assertThat(publisher.published).as(as).isEqualTo(file.withLength(content.length));
      assertThat(publisher.crc32c).as(as).isEqualTo(Fixture.crc32c(content));
      assertThat(objects()).as(as).hasSize(publisher.published.stripes());
      try (StripedInputStream in =
          new StripedInputStream(
              store(), publisher.published.origin(), publisher.published, pool, settings)) {
        for (int i = 0; i < 20; i++) {
          readSomehow(in, content, as);
        }
      }
      awaitNoneInUse(pool);
      assertThat(pool.inUse()).as(as).isZero();
      remover().remove(publisher.published);
      assertThat(objects()).as(as).isEmpty();
    }
  }

  @Test
  void anEmptyFileIsAnEmptyObject() throws IOException {
    FileData empty = write(Fixture.file(PATH, 1000), new byte[0]);
    assertThat(objects()).containsExactly(PATH.key());
    assertThat(read(empty)).isEmpty();
  }

  @Test
  void filesOfOneNameLiveSideBySide() throws IOException {
    byte[] first = Fixture.content(1, 2500);
    byte[] second = Fixture.content(2, 3500);
    FileData one = write(Fixture.file(PATH, 1000), first);
    FileData two = write(Fixture.file(PATH, 1000), second);
    assertThat(one.plainFirst()).isTrue();
    assertThat(two.plainFirst()).isFalse();
    assertThat(read(one)).isEqualTo(first);
    assertThat(read(two)).isEqualTo(second);
    remover().remove(one);
    remover().removeUnfinished(one, 3, any -> {}, () -> {});
    assertThat(read(two)).isEqualTo(second);
    remover().remove(two);
    assertThat(objects()).isEmpty();
  }

  @Test
  void aReplacedFileIsNotReadAsItself() throws IOException {
    FileData old = write(Fixture.file(PATH, 1000), Fixture.content(3, 2500));
    remover().remove(old);
    write(Fixture.file(PATH, 1000), Fixture.content(4, 2500));
    assertThatThrownBy(() -> read(old))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("replaced or removed");
  }

  @Test
  void anUnfinishedFileIsRemoved() throws IOException {
    FileData file = Fixture.file(PATH, 1000);
    StripedOutputStream left =
        new StripedOutputStream(
            store(), file, new RecordingPublisher(), new BufferPool(1 << 20), Fixture.window(3));
    left.write(Fixture.content(5, 30_500));
    assertThat(objects()).isNotEmpty();
    left.abort();
    assertThat(objects()).isEmpty();

    FileData taken = write(Fixture.file(PATH, 1000), Fixture.content(6, 500));
    FileData given = write(Fixture.file(PATH, 1000), Fixture.content(7, 30_500));
    remover().removeUnfinished(given.withLength(0).withPlainFirst(true), 3, any -> {}, () -> {});
    assertThat(objects()).containsExactly(taken.stripe(0));
  }

  /** In the thread that brings the answers, nothing else of the connection would be answered. */
  @Test
  void whatDependsOnARangeMayReadAndWait() throws Exception {
    byte[] content = Fixture.content(8, 30_500);
    FileData file = write(Fixture.file(PATH, 1000), content);
    try (StripedInputStream in =
        new StripedInputStream(
            store(), file.origin(), file, new BufferPool(1 << 20), Fixture.window(3))) {
      FileRange range = FileRange.createFileRange(0, 30_000);
      in.readVectored(List.of(range), ByteBuffer::allocateDirect);
      byte[] read =
          range.getData().thenApply(bytes -> readFully(in, 30_500)).get(60, TimeUnit.SECONDS);

      assertThat(read).isEqualTo(content);
    }
  }

  private static byte[] readFully(StripedInputStream in, int length) {
    byte[] bytes = new byte[length];
    try {
      in.readFully(0, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes;
  }

  private DataRemover remover() throws IOException {
    ObjectStore store = store();
    return new DataRemover(file -> store, 8);
  }

  /** Writes a file whole; answers it as published. */
  protected final FileData write(FileData file, byte[] content) throws IOException {
    RecordingPublisher publisher = new RecordingPublisher();
    try (StripedOutputStream out =
        new StripedOutputStream(
            store(), file, publisher, new BufferPool(1 << 20), Fixture.window(3))) {
      out.write(content);
    }
    return publisher.published;
  }

  protected final byte[] read(FileData file) throws IOException {
    BufferPool pool = new BufferPool(1 << 20);
    try (StripedInputStream in =
        new StripedInputStream(store(), file.origin(), file, pool, Fixture.window(3))) {
      return in.readAllBytes();
    }
  }

  private void write(StripedOutputStream out, byte[] content) throws IOException {
    int done = 0;
    while (done < content.length) {
      int size = Math.min(content.length - done, 1 << random.nextInt(18));
      if (size == 1) {
        out.write(content[done]);
      } else {
        out.write(content, done, size);
      }
      done += size;
    }
  }

  private void readSomehow(StripedInputStream in, byte[] content, String as) throws Exception {
    int from = random.nextInt(content.length + 1);
    int most = random.nextBoolean() ? content.length - from : Math.min(3000, content.length - from);
    int count = random.nextInt(most + 1);
    byte[] expected = Arrays.copyOfRange(content, from, from + count);
    byte[] actual = new byte[count];
    switch (random.nextInt(6)) {
      case 0:
        in.seek(from);
        assertThat(in.readNBytes(actual, 0, count)).as(as).isEqualTo(count);
        break;
      case 1:
        in.readFully(from, actual);
        break;
      case 2:
        ByteBuffer direct = ByteBuffer.allocateDirect(count);
        in.readFully(from, direct);
        direct.flip().get(actual);
        break;
      case 3:
        in.seek(from);
        for (int i = 0; i < count; i++) {
          actual[i] = (byte) in.read();
        }
        break;
      case 4:
        // Goes on from wherever the stream is.
        expected = Arrays.copyOfRange(content, (int) in.getPos(), content.length);
        actual = in.readNBytes(Math.min(expected.length, 50_000));
        expected = Arrays.copyOf(expected, actual.length);
        break;
      default:
        readVectored(in, content, as);
        return;
    }
    assertThat(actual).as(as).isEqualTo(expected);
  }

  private void readVectored(StripedInputStream in, byte[] content, String as) throws Exception {
    List<FileRange> ranges = new ArrayList<>();
    int at = 0;
    while (at < content.length && ranges.size() < 100) {
      at += random.nextInt(content.length / 4 + 2);
      int length = Math.min(random.nextInt(content.length / 4 + 2), content.length - at);
      if (length > 0) {
        ranges.add(FileRange.createFileRange(at, length));
        at += length;
      }
    }
    Collections.shuffle(ranges, random);
    in.readVectored(
        ranges, random.nextBoolean() ? ByteBuffer::allocate : ByteBuffer::allocateDirect);
    for (FileRange range : ranges) {
      ByteBuffer buffer = range.getData().get();
      byte[] actual = new byte[buffer.remaining()];
      buffer.get(actual);
      int from = (int) range.getOffset();
      assertThat(actual)
          .as(as)
          .isEqualTo(Arrays.copyOfRange(content, from, from + range.getLength()));
    }
  }

  /** What was read ahead and dropped is given back when it arrives. */
  private static void awaitNoneInUse(BufferPool pool) throws InterruptedException {
    for (int i = 0; i < 30_000 && pool.inUse() > 0; i++) {
      Thread.sleep(1);
    }
  }
}
