// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

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
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.LockHolder;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.SeenStripe;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.Superblock;
import io.radosfs.connector.layout.Takeover;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.layout.Xattrs;
import io.radosfs.connector.ledger.LedgerEntry;
import io.radosfs.connector.ledger.Ledgers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The vectors of {@code connector/docs/storage-format.md}: each is what is written for a value, and
 * is read as that value. They do not change as long as the layout version does not.
 */
class StorageFormatTest {

  private static final String PAGE = "connector/docs/storage-format.md";
  private static final Vectors VECTORS = Vectors.of(PAGE);

  private static final Uid UID = new Uid("0123456789abcdef01234567");
  private static final Uid OTHER = new Uid("89abcdef0123456701234567");
  private static final FsPath AB = new FsPath("a/b");
  private static final FsPath STRANGE = new FsPath("größe/a b&c=d%");
  private static final long TIME = 1_763_723_000_123L;
  private static final Shards SHARDS = new Shards(64, OTHER.value());

  /** The id by which the client prepares job-1 that has taken it over last. */
  private static final String TAKEN_OVER =
      new TransactionStatus(TransactionStatus.State.PENDING, "a//job/job-1")
          .takenOver(UID)
          .takenOver(OTHER)
          .prepared("job-1");

  private static final Attributes PLAIN = new Attributes(TIME, 0644, "spark", "users");

  private static final Attributes WITH_XATTRS =
      new Attributes(
          TIME,
          01755,
          "o w+n%er",
          "größe",
          Xattrs.NONE
              .with("user.a b", new byte[] {0, 1, (byte) 0xfb, (byte) 0xff})
              .with("user.empty", new byte[0]));

  private static final Entry.OfFile FILE =
      new Entry.OfFile(data(AB, /* plainFirst= */ true, 7, Optional.empty()), 0x9a2b3c4d, PLAIN);

  private static final Entry.OfFile MOVED =
      new Entry.OfFile(
          data(STRANGE, /* plainFirst= */ false, 9_000_000_000L, Optional.of("cold pool")),
          0x0000000a,
          WITH_XATTRS);

  private static final Entry.OfFile RESTORED =
      new Entry.OfFile(FILE.data().restoredAs(OTHER), FILE.crc32c(), PLAIN);

  private static final Entry.OfDirectory DIRECTORY = new Entry.OfDirectory(OTHER, PLAIN);

  private static final Entry.OfDirectory WITH_LAYOUT =
      new Entry.OfDirectory(
          OTHER, PLAIN, new DataLayout(Optional.of("cold pool"), Optional.of(1 << 20)));

  /** Reads a stored value. */
  private interface Reader {
    Object read(byte[] stored) throws LayoutException;
  }

  /** A value, its stored form, and how that is read; of a name there is no reading. */
  private record Stored(Object value, byte[] bytes, Optional<Reader> reader) {}

  private final Map<String, Stored> all = new LinkedHashMap<>();

  private static FileData data(
      FsPath origin, boolean plainFirst, long length, Optional<String> pool) {
    return new FileData(origin, UID, plainFirst, length, 1 << 22, pool);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void stored(String name, Object value, byte[] bytes, Reader reader) {
    all.put(name, new Stored(value, bytes, Optional.of(reader)));
  }

  private void name(String name, String value) {
    all.put(name, new Stored(value, bytes(value), Optional.empty()));
  }

  private void names() {
    name("name.first-stripe", FILE.data().stripe(0));
    name("name.first-stripe-taken", FILE.data().withPlainFirst(false).stripe(0));
    name("name.stripe-1", FILE.data().stripe(1));
    name("name.stripe-300", FILE.data().stripe(300));
    name("name.index", ObjectNames.index(AB));
    name("name.index-of-root", ObjectNames.index(FsPath.ROOT));
    name("name.shard-10", SHARDS.of(AB).get(10).name());
    name("name.shard-10-of-root", SHARDS.of(FsPath.ROOT).get(10).name());
    name("name.job", ObjectNames.job(AB, "job-1"));
    name("name.job-of-root", ObjectNames.job(FsPath.ROOT, "job-1"));
    name("name.superblock", ObjectNames.SUPERBLOCK);
    name("name.ledger", ObjectNames.ledger(UID.value()));
    name("name.ledgers", ObjectNames.LEDGERS);
    name("name.layouts", ObjectNames.LAYOUTS);
    name("name.data-of", ObjectNames.dataOf("meta"));
    name("name.replaced-10", ObjectNames.replaced(10));
    name("key.head", IndexKeys.HEAD);
    name("key.change", IndexKeys.CHANGE);
    name("key.transactions", IndexKeys.TRANSACTIONS);
    name("key.fence", IndexKeys.FENCE);
    name("key.layout", IndexKeys.LAYOUT);
    name("key.until", IndexKeys.KEPT_UNTIL);
    name("key.entry", IndexKeys.entry("b c"));
    name("key.write-intent", IndexKeys.intent("b c"));
    name("key.transaction", IndexKeys.transaction("job-1"));
    name("key.transaction-taken-over", IndexKeys.transaction(TAKEN_OVER));
    name("key.transaction-status", IndexKeys.transactionStatus(TAKEN_OVER));
    name("key.deferred-deletion", IndexKeys.deferredDeletion(UID));
    name("key.overwrite-lock", IndexKeys.OVERWRITE_LOCK);
    name("xattr.uid", FileData.UID_XATTR);
    name("xattr.crc32c", FileData.CRC32C_XATTR);
    name("xattr.adopted", FileData.ADOPTED_XATTR);
    name("xattr.owner", FileData.OWNER_XATTR);
    name("name.stripe-of-restored", RESTORED.data().stripe(1));
    for (String child : new String[] {"a", "größe", "part-00000"}) {
      name("shard-of." + child, Integer.toString(SHARDS.shardOf(child)));
    }
  }

  private void entries() {
    entry("entry.file", FILE);
    entry("entry.file-elsewhere", MOVED);
    entry("entry.file-restored", RESTORED);
    entry("entry.directory", DIRECTORY);
    entry("entry.directory-with-layout", WITH_LAYOUT);
    intent("write-intent.add", WriteIntent.add("job-1", FILE));
    intent("write-intent.replace", WriteIntent.replace("job-1", OTHER, FILE));
    intent("write-intent.remove", WriteIntent.remove("a b,c", OTHER));
    intent("write-intent.move-away", WriteIntent.moveAway(UID.value(), OTHER));
    intent("write-intent.add-taken-over", WriteIntent.add(TAKEN_OVER, FILE));
    intent(
        "write-intent.make-directory",
        WriteIntent.makeDirectory("job-1", DIRECTORY).sharedWith("job-2"));
    deferred("deferred-deletion.file", new DeferredDeletion.OfFile(FILE, DeferredDeletion.AT_ONCE));
    deferred("deferred-deletion.retained-file", new DeferredDeletion.OfFile(FILE, TIME));
    deferred("deferred-deletion.directory", new DeferredDeletion.OfDirectory(STRANGE, OTHER));
    stored(
        "replaced.line",
        new DeferredDeletion.OfFile(FILE, TIME),
        new DeferredDeletion.OfFile(FILE, TIME).encode(),
        value -> RetainedData.decode(0, TIME + "/" + UID, value));
    stored(
        "until",
        TIME,
        DeferredDeletion.encodeUntil(TIME),
        value -> DeferredDeletion.decodeUntil("a/", IndexKeys.KEPT_UNTIL, value));
    DataLayout layout = WITH_LAYOUT.layout();
    stored("layout", layout, layout.encode(), value -> DataLayout.decode("a/", "h.layout", value));
    DataLayout small = DataLayout.DEFAULT.withObjectSize(Optional.of(4096));
    stored(
        "layout.size-alone",
        small,
        small.encode(),
        value -> DataLayout.decode("a/", "h.layout", value));
  }

  private void entry(String name, Entry entry) {
    stored(name, entry, EntryCodec.encode(AB, entry), value -> EntryCodec.decode(AB, value));
  }

  private void intent(String name, WriteIntent intent) {
    stored(name, intent, intent.encode(AB), value -> WriteIntent.decode(AB, value));
  }

  private void deferred(String name, DeferredDeletion deletion) {
    stored(
        name,
        deletion,
        deletion.encode(),
        value -> DeferredDeletion.decode("a/", "x/" + UID, value));
  }

  private void heads() {
    head("head.open", IndexHead.OPEN);
    head("head.opening", IndexHead.opening("job-1"));
    head("head.frozen", IndexHead.frozen("job-1"));
    head("head.frozen-taken-over", IndexHead.frozen(TAKEN_OVER));
    head("head.closing", IndexHead.OPEN.closingAs(UID));
    head("head.splitting", IndexHead.OPEN.splittingInto(SHARDS));
    head("head.filling", IndexHead.filling(UID));
    IndexHead sharded = IndexHead.OPEN.splittingInto(SHARDS).opened();
    head("head.sharded", sharded);
    head("head.sharded-frozen", sharded.frozenBy("job-1"));
  }

  private void head(String name, IndexHead head) {
    stored(name, head, head.encode(), value -> IndexHead.decode("a/", value));
  }

  private void transactions() {
    mark("mark.kept", TransactionMark.keeping(FsPath.ROOT));
    mark("mark.kept-in-made-index", TransactionMark.keeping(STRANGE).inMadeIndex());
    mark("mark.removed", TransactionMark.removing(AB, UID));
    mark("mark.replaced", TransactionMark.replacing(AB, UID));
    mark("mark.moved", TransactionMark.moving(AB, UID));
    status(
        "transaction-status.of-a-job",
        new TransactionStatus(TransactionStatus.State.PENDING, "a/b//job/job-1"));
    status(
        "transaction-status.of-a-rename",
        new TransactionStatus(TransactionStatus.State.COMMITTED, "rename a/b//c/d e"));
    status(
        "transaction-status.of-a-removal",
        new TransactionStatus(TransactionStatus.State.ABORTED, "removal a/b"));
    status(
        "transaction-status.elsewhere",
        new TransactionStatus(
            TransactionStatus.State.COMMITTED,
            "a//job/job-1",
            Set.of(new FsPath("z"), new FsPath("c/d")),
            List.of()));
    lock("overwrite-lock.held", LockHolder.holding("job-1"));
    LockHolder asking = new LockHolder("job-1", Optional.empty(), Optional.of(UID));
    FsPath elsewhere = new FsPath("größe/a b");
    lock("overwrite-lock.asked", asking);
    lock("overwrite-lock.held-elsewhere", LockHolder.holding("job-1").decidedIn(elsewhere));
    lock("overwrite-lock.asked-elsewhere", asking.decidedIn(elsewhere));
    lock("overwrite-lock.asked-in-root", asking.decidedIn(FsPath.ROOT));
    status(
        "transaction-status.taken-over",
        new TransactionStatus(TransactionStatus.State.PENDING, "a//job/job-1")
            .takenOver(UID)
            .takenOver(OTHER));
  }

  private void mark(String name, TransactionMark mark) {
    stored(name, mark, mark.encode(), value -> TransactionMark.decode("a/", "job-1", value));
  }

  private void lock(String name, LockHolder holder) {
    stored(name, holder, holder.encode(), LockHolder::decode);
  }

  private void status(String name, TransactionStatus status) {
    stored(name, status, status.encode(), value -> TransactionStatus.decode("a/", "job-1", value));
  }

  private void ledgers() {
    line(
        "ledger.file",
        new LedgerEntry.UnfinishedFile(data(AB, /* plainFirst= */ true, 0, Optional.empty()), 8));
    line(
        "ledger.file-in-pool",
        new LedgerEntry.UnfinishedFile(
            data(STRANGE, /* plainFirst= */ false, 0, Optional.of("cold pool")), 16));
    line("ledger.restored", new LedgerEntry.RestoredFile(STRANGE, RESTORED));
    line("ledger.index", new LedgerEntry.NewIndex(STRANGE));
    line("ledger.shards", new LedgerEntry.NewShards(STRANGE, SHARDS));
    SeenStripe seen = new SeenStripe(UID, 40);
    stored("ledger.seen", seen, bytes(seen.key()), StorageFormatTest::seenStripe);
    stored("ledger.open", Ledgers.State.OPEN, bytes("open 1"), StorageFormatTest::ledgerState);
    stored("ledger.taken", Ledgers.State.TAKEN, bytes("taken 1"), StorageFormatTest::ledgerState);
  }

  private void line(String name, LedgerEntry entry) {
    stored(
        name,
        entry,
        entry.encode(),
        value -> LedgerEntry.decode("//ledger/" + OTHER, "f/" + UID, value));
  }

  private static SeenStripe seenStripe(byte[] stored) throws LayoutException {
    return SeenStripe.ofKey("//ledger/" + OTHER, new String(stored, StandardCharsets.UTF_8));
  }

  private static Ledgers.State ledgerState(byte[] stored) throws LayoutException {
    SortedMap<String, byte[]> omap =
        new TreeMap<>(Map.of("s", stored, "r", bytes(Long.toString(TIME))));
    return Ledgers.decode("//ledger/" + OTHER, omap).state();
  }

  private void superblock() {
    Superblock superblock = new Superblock(Optional.of("cold pool"), 1 << 22, TIME);
    SortedMap<String, byte[]> omap = superblock.encode();
    omap.forEach(
        (key, value) ->
            stored(
                "superblock." + key,
                superblock,
                value,
                read -> {
                  Map<String, byte[]> whole = new HashMap<>(omap);
                  whole.put(key, read);
                  return Superblock.decode("rados://meta", whole);
                }));
  }

  @BeforeEach
  void collect() {
    names();
    entries();
    heads();
    transactions();
    ledgers();
    superblock();
  }

  @Test
  void eachVectorIsWhatIsWrittenAndIsReadAsThat() throws LayoutException {
    Map<String, String> written = new HashMap<>();
    all.forEach(
        (name, stored) -> written.put(name, new String(stored.bytes(), StandardCharsets.UTF_8)));
    assertThat(Vectors.text(VECTORS.values()))
        .as("the vectors of %s, sorted", PAGE)
        .isEqualTo(Vectors.text(written));
    for (Map.Entry<String, Stored> one : all.entrySet()) {
      if (one.getValue().reader().isPresent()) {
        byte[] onPage = bytes(VECTORS.values().get(one.getKey()));
        assertThat(one.getValue().reader().get().read(onPage))
            .as(one.getKey())
            .isEqualTo(one.getValue().value());
      }
    }
  }

  /** A value that begins with a word and a version, maybe after a time. */
  private static final Pattern VERSIONED = Pattern.compile("((?:until \\d+ )?[a-z-]+ )1( .*|$)");

  @Test
  void allButAFewHaveAVersionAndAnotherOneIsRefused() {
    Set<String> others = new TreeSet<>();
    all.forEach(
        (name, stored) -> {
          Matcher versioned = VERSIONED.matcher(new String(stored.bytes(), StandardCharsets.UTF_8));
          if (stored.reader().isPresent() && versioned.matches()) {
            byte[] newer = bytes(versioned.group(1) + "2" + versioned.group(2));
            assertThatThrownBy(() -> stored.reader().get().read(newer))
                .as(name)
                .isInstanceOf(LayoutException.class);
          } else if (stored.reader().isPresent()) {
            others.add(name);
          }
        });
    assertThat(others)
        .containsExactly(
            "ledger.seen",
            "overwrite-lock.asked",
            "overwrite-lock.asked-elsewhere",
            "overwrite-lock.asked-in-root",
            "overwrite-lock.held",
            "overwrite-lock.held-elsewhere",
            "superblock.created",
            "superblock.data.pool",
            "superblock.layout.version",
            "superblock.object.size",
            "until");
  }

  @Test
  void fieldsComeInAnyOrderAndOneThatIsNotKnownIsIgnored() throws LayoutException {
    for (String name :
        List.of("entry.file-elsewhere", "mark.moved", "transaction-status.taken-over", "layout")) {
      Stored stored = all.get(name);
      List<String> words =
          new ArrayList<>(List.of(new String(stored.bytes(), StandardCharsets.UTF_8).split(" ")));
      words.add("new=1");
      Collections.reverse(words.subList(2, words.size()));
      assertThat(stored.reader().orElseThrow().read(bytes(String.join(" ", words))))
          .as(name)
          .isEqualTo(stored.value());
    }
  }

  /** What the page says of ids. */
  @Test
  void ofATransactionThatWasTakenOverTheLastIdCounts() {
    TransactionStatus committed = new TransactionStatus(TransactionStatus.State.COMMITTED, "a");
    assertThat(committed.of("job-1").state()).isEqualTo(TransactionStatus.State.COMMITTED);
    assertThat(committed.of("job-1~" + UID).state()).isEqualTo(TransactionStatus.State.ABORTED);
    TransactionStatus taken = committed.takenOver(UID).takenOver(OTHER);
    assertThat(taken.of("job-1").state()).isEqualTo(TransactionStatus.State.ABORTED);
    assertThat(taken.of("job-1~" + UID).state()).isEqualTo(TransactionStatus.State.ABORTED);
    assertThat(taken.of("job-1~" + OTHER).state()).isEqualTo(TransactionStatus.State.COMMITTED);
    assertThat(Takeover.transactionOf("job-1~" + OTHER)).isEqualTo("job-1");
    assertThat(Takeover.transactionOf("job-1~2")).isEqualTo("job-1~2");
  }
}
