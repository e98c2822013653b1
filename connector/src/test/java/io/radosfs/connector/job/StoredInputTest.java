// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.Superblock;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.layout.Xattrs;
import io.radosfs.connector.ledger.LedgerEntry;
import io.radosfs.connector.ledger.Ledgers;
import io.radosfs.connector.ledger.RemovedJobs;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All that is stored is input, which anyone may have written who may write to the pool: a value out
 * of its range is a {@link LayoutException}, whatever reads it.
 */
@Execution(ExecutionMode.CONCURRENT)
class StoredInputTest {

  private static final String OBJECT = "a/";
  private static final String KEY = "e/f";
  private static final int MUTATIONS = 4_000;
  private static final long SEED = 20_261_123;
  private static final FsPath PATH = new FsPath("a/f");
  private static final FsPath DESTINATION = new FsPath("out");
  private static final Uid FIRST = new Uid("0123456789abcdef01234567");
  private static final Uid SECOND = new Uid("89abcdef0123456701234567");

  private static final Attributes ATTRIBUTES =
      new Attributes(1, 0644, "me", "us", Xattrs.NONE.with("user.a", new byte[] {1, 2}));

  private static final FileData DATA =
      new FileData(new FsPath("was/here"), FIRST, false, 100, 8, Optional.of("cold"));

  private static final Entry.OfFile FILE = new Entry.OfFile(DATA, 7, ATTRIBUTES);
  private static final Entry.OfFile RESTORED =
      new Entry.OfFile(DATA.restoredAs(SECOND), 7, ATTRIBUTES);
  private static final Entry.OfDirectory DIRECTORY =
      new Entry.OfDirectory(
          SECOND, ATTRIBUTES, new DataLayout(Optional.of("cold"), Optional.of(9)));

  @ParameterizedTest
  @ValueSource(strings = {"m/a b/0", "m/a", "m//0", "m/a/", "m/a/0/1"})
  void aKeyOfARecordThatNamesNoAttemptIsNamed(String key) {
    assertThatThrownBy(() -> RecordReader.attempt("out//job/j", key, "m/"))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("'" + key + "'")
        .hasMessageContaining("'out//job/j'");
  }

  /** Whoever resolves it would find no directory, or the root, which is never removed. */
  @ParameterizedTest
  @ValueSource(strings = {"rename a", "rename a//", "rename //a", "rename a//b//c", "removal "})
  void anOwnerThatNamesNoPathIsNamed(String owner) {
    byte[] stored = new TransactionStatus(TransactionStatus.State.PENDING, owner).encode();
    assertThatThrownBy(() -> TransactionStatus.decode(OBJECT, "t", stored))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("'j/t' of RADOS object 'a/'");
  }

  @Test
  void aMarkOfARemovalThatDoesNotSayOfWhatIsNamed() {
    byte[] stored = "transaction 1 decider=a directory=REMOVED".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> TransactionMark.decode(OBJECT, "t", stored))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("'t/t' of RADOS object 'a/'");
  }

  /** Reads a stored value. */
  private interface Reader {
    Object read(byte[] stored) throws LayoutException;
  }

  /** Everything that is read from RADOS. */
  private enum Stored {
    ENTRY(
        value -> EntryCodec.decode(PATH, value),
        EntryCodec.encode(PATH, FILE),
        EntryCodec.encode(PATH, RESTORED),
        EntryCodec.encode(PATH, DIRECTORY)),
    INTENT(
        value -> WriteIntent.decode(PATH, value),
        WriteIntent.add("t", FILE).encode(PATH),
        WriteIntent.replace("t", SECOND, FILE).encode(PATH),
        WriteIntent.remove("t", SECOND).encode(PATH),
        WriteIntent.makeDirectory("t", DIRECTORY).sharedWith("u").encode(PATH)),
    DEFERRED_DELETION(
        value -> DeferredDeletion.decode(OBJECT, "x/" + FIRST, value),
        new DeferredDeletion.OfFile(FILE, 5).encode(),
        new DeferredDeletion.OfDirectory(PATH, FIRST).encode()),
    UNTIL(
        value -> DeferredDeletion.decodeUntil(OBJECT, "h.until", value),
        DeferredDeletion.encodeUntil(5)),
    KEPT(
        value -> RetainedData.decode(3, "5/" + FIRST, value),
        new DeferredDeletion.OfFile(FILE, 5).encode()),
    HEAD(
        value -> IndexHead.decode(OBJECT, value),
        IndexHead.OPEN.encode(),
        IndexHead.OPEN.splittingInto(new Shards(64, FIRST.value())).encode(),
        IndexHead.OPEN.closingAs(FIRST).encode(),
        IndexHead.filling(FIRST).encode(),
        IndexHead.frozen("t").encode()),
    MARK(
        value -> TransactionMark.decode(OBJECT, "t", value),
        TransactionMark.removing(PATH, FIRST).inMadeIndex().encode()),
    TRANSACTION_STATUS(
        value -> TransactionStatus.decode(OBJECT, "t", value),
        new TransactionStatus(
                TransactionStatus.State.COMMITTED,
                "rename a//b",
                Set.of(PATH, DESTINATION),
                List.of(Uid.random(), Uid.random()))
            .encode()),
    LAYOUT(
        value -> DataLayout.decode(OBJECT, "h.layout", value),
        DIRECTORY.layout().encode(),
        DataLayout.DEFAULT.encode()),
    LINE(
        value -> LedgerEntry.decode("//ledger/x", "f/" + FIRST, value),
        new LedgerEntry.UnfinishedFile(DATA, 8).encode(),
        new LedgerEntry.RestoredFile(DESTINATION, RESTORED).encode(),
        new LedgerEntry.NewIndex(PATH).encode(),
        new LedgerEntry.NewShards(PATH, new Shards(64, FIRST.value())).encode()),
    LEDGER_STATE(
        value ->
            Ledgers.decode(
                "//ledger/x",
                new TreeMap<>(Map.of("s", value, "r", "5".getBytes(StandardCharsets.UTF_8)))),
        "open 1".getBytes(StandardCharsets.UTF_8)),
    LEDGER_TIME(
        value ->
            Ledgers.decode(
                "//ledger/x",
                new TreeMap<>(Map.of("r", value, "s", "open 1".getBytes(StandardCharsets.UTF_8)))),
        "1763723000123".getBytes(StandardCharsets.UTF_8)),
    LEDGERS_JOB(
        value -> RemovedJobs.decode("job/out//job/j", value),
        new TransactionStatus(TransactionStatus.State.PENDING, "out//job/j").encode()),
    SUPERBLOCK(
        value -> {
          TreeMap<String, byte[]> omap =
              new TreeMap<>(new Superblock(Optional.of("cold"), 4096, 5).encode());
          omap.put("object.size", value);
          return Superblock.decode("rados://meta", omap);
        },
        "4096".getBytes(StandardCharsets.UTF_8)),
    JOB_STATE(value -> JobState.decode("out//job/j", value), JobState.RUNNING.encode()),
    JOB_INFO(
        value -> JobInfo.decode("out//job/j", value),
        new JobInfo("j", "s", "spark", "4.1", "me", 5).replacing(List.of("a")).encode()),
    WORK_FILE(
        value -> WorkFile.decode("out//job/j", DESTINATION, "w/t/0/part//" + FIRST, value),
        WorkFile.open(new TaskAttempt("t", "0"), "part", DATA, 8).encode(),
        EntryCodec.encode(new FsPath("out/part"), FILE));

    private final Reader reader;
    private final List<byte[]> values;

    Stored(Reader reader, byte[]... values) {
      this.reader = reader;
      this.values = List.of(values);
    }
  }

  private static final List<String> SPLICES =
      List.of(
          "-1",
          "0",
          "9223372036854775807",
          "99999999999999999999",
          "2147483648",
          "//",
          "/",
          "..",
          "%",
          "%zz",
          " ",
          "=",
          "\0",
          "",
          "pool=",
          "uid=",
          " origin=",
          "origin=..",
          "null",
          "{",
          "é",
          "7777777",
          "x".repeat(5000));

  private static byte[] mutated(byte[] valid, Random random) {
    String text = new String(valid, StandardCharsets.UTF_8);
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      int from = random.nextInt(text.length() + 1);
      int to = Math.min(text.length(), from + random.nextInt(12));
      text =
          switch (random.nextInt(4)) {
            case 0 -> text.substring(0, from) + text.substring(to);
            case 1 -> text.substring(0, from) + (char) random.nextInt(256) + text.substring(from);
            case 2 -> {
              String splice = SPLICES.get(random.nextInt(SPLICES.size()));
              yield text.substring(0, from) + splice + text.substring(to);
            }
            default -> text.replaceFirst("\\d+", SPLICES.get(random.nextInt(5)));
          };
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource(Stored.class)
  void anythingElseIsALayoutException(Stored stored) throws LayoutException {
    Random random = new Random(SEED);
    int refused = 0;
    for (byte[] valid : stored.values) {
      assertThat(stored.reader.read(valid)).isNotNull();
      for (int i = 0; i < MUTATIONS; i++) {
        byte[] value = mutated(valid, random);
        try {
          Object unused = stored.reader.read(value);
        } catch (LayoutException e) {
          refused++;
          assertThat(e.getMessage().length()).isLessThan(2_000);
        } catch (RuntimeException | StackOverflowError e) {
          throw new AssertionError(
              stored + " of '" + new String(value, StandardCharsets.UTF_8) + "'", e);
        }
      }
    }
    assertThat(refused).isPositive();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String entry(String fields) {
    return "file 1 length=1 mtime=1 uid="
        + FIRST
        + " mode=644 owner=o group=g stripe=8 crc32c=0 "
        + fields;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "length=9223372036854775807 stripe=1",
        "length=2199023255552 stripe=1",
        "length=-1",
        "stripe=0",
        "stripe=-8",
        "mode=7777777",
        "mode=-1",
        "origin=a%2F%2Fb",
        "origin=..%2Fb",
        "origin=a%00b",
        "origin=",
        "pool=",
        "x.user.a=***",
      })
  void anEntryOutOfItsRangeIsRefused(String field) {
    String text = entry("");
    for (String one : field.split(" ")) {
      String name = one.substring(0, one.indexOf('='));
      text = text.replaceFirst(" " + name + "=\\S*", "").stripTrailing() + " " + one;
    }
    String stored = text;
    assertThatThrownBy(() -> EntryCodec.decode(PATH, bytes(stored)))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("'e/f'")
        .hasMessageContaining("'a/'");
    assertThatThrownBy(() -> DeferredDeletion.decode("b/", "x/" + FIRST, bytes(stored)))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("'x/" + FIRST)
        .hasMessageContaining("'b/'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "writing 1 window=0 FILE",
        "writing 1 window=2147483647 FILE",
        "writing 1 window=8 file 1 length=1",
        "restoring 1  FILE",
        "making 1 a//b",
        "making 1 ../b",
        "sharding 1 2000000000 0123456789abcdef01234567 a",
        "sharding 1 64 ../../up a",
      })
  void aLineOfALedgerOutOfItsRangeIsRefused(String line) {
    String stored = line.replace("FILE", entry("origin=a%2Ff"));
    assertThatThrownBy(() -> LedgerEntry.decode("//ledger/x", "f/k", bytes(stored)))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("'f/k'")
        .hasMessageContaining("'//ledger/x'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "radosfs-index 1 shards=999999/0123456789abcdef01234567 open",
        "radosfs-index 1 shards=1 closing",
        "radosfs-index 1 shards=1 closing someone",
        "radosfs-index 1 shards=1 frozen",
        "radosfs-index 1 shards=1 splitting",
      })
  void aHeadOutOfItsRangeIsRefused(String head) {
    assertThatThrownBy(() -> IndexHead.decode("a/", bytes(head)))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("'a/'");
  }

  @Test
  void aFileBeyondTwoTerabytesHasAllItsStripes() {
    List<Long> sizes = new ArrayList<>(List.of(0L, 1L, 1024L, 1025L, 2199023254528L));
    List<Integer> stripes = new ArrayList<>();
    for (long size : sizes) {
      stripes.add(new FileData(PATH, FIRST, true, size, 1024, Optional.empty()).stripes());
    }
    assertThat(stripes).containsExactly(1, 1, 1, 2, FileData.MAX_STRIPES);
    assertThatThrownBy(
            () -> new FileData(PATH, FIRST, true, 2199023254529L, 1024, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
