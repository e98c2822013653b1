package io.radosfs.connector.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FileRange;
import org.junit.jupiter.api.Test;

/** Random files, written and read in random ways, against a byte array. */
class RoundTripTest {

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void whatIsWrittenIsRead() throws Exception {
    System.out.println("seed " + seed);
    for (int round = 0; round < 25; round++) {
      Fixture fixture = new Fixture();
      BufferPool pool = new BufferPool(1 + random.nextInt(1 << 20));
      int window = 1 + random.nextInt(8);
      int stripe = random.nextBoolean() ? 1 + random.nextInt(5_000) : 70_000;
      byte[] content = Fixture.content(random.nextLong(), random.nextInt(20 * stripe));
      String as =
          String.format(
              "seed %d, round %d: %d bytes, stripe %d, window %d, budget %d",
              seed, round, content.length, stripe, window, pool.budget());
      try (ScatteredStore store = new ScatteredStore(fixture.store("c"), round)) {
        FileData file = Fixture.file(new FsPath("f"), stripe);
        RecordingPublisher publisher = new RecordingPublisher();
        try (StripedOutputStream out =
            new StripedOutputStream(store, file, publisher, pool, Fixture.window(window))) {
          write(out, content);
        }
        assertThat(store.violations()).as(as).isZero();
        assertThat(store.mostUnderWay()).as(as).isLessThanOrEqualTo(window);
        assertThat(pool.inUse()).as(as).isZero();
        assertThat(pool.mostInUse()).as(as).isLessThanOrEqualTo(pool.budget() + (192 << 10));
        assertThat(publisher.published).as(as).isEqualTo(file.withLength(content.length));
        assertThat(publisher.crc32c).as(as).isEqualTo(Fixture.crc32c(content));
        try (StripedInputStream in =
            new StripedInputStream(store, publisher.published, pool, Fixture.window(window))) {
          for (int i = 0; i < 20; i++) {
            readSomehow(in, content, as);
          }
        }
        awaitNoneInUse(pool);
        assertThat(pool.inUse()).as(as).isZero();
      }
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
      at += random.nextInt(content.length / 4 + 1);
      int length = Math.min(random.nextInt(content.length / 4 + 1), content.length - at);
      if (length > 0) {
        ranges.add(FileRange.createFileRange(at, length));
        at += length;
      }
    }
    java.util.Collections.shuffle(ranges, random);
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
    for (int i = 0; i < 1000 && pool.inUse() > 0; i++) {
      Thread.sleep(1);
    }
  }
}
