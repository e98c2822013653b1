// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.simulated;

import io.radosfs.connector.data.BufferPool;
import io.radosfs.connector.data.DataStores;
import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.data.StreamSettings;
import io.radosfs.connector.data.StripedInputStream;
import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.mount.Wiring;
import io.radosfs.connector.operations.DirectoryLayouts;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadFrom;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.shard.Sharding;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.upkeep.GarbageCollector;
import io.radosfs.connector.upkeep.PoolCheck;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A file system without its Hadoop facade, as one simulated client has it mounted. */
public final class SimulatedMount {

  public static final String POOL = "meta";

  /** Where directories are told to keep their data that do not keep it in {@link #POOL}. */
  public static final String OTHER_POOL = "other";

  public static final Attributes ATTRIBUTES = new Attributes(1_000, 0755, "spark", "spark");

  /** The time of all that processes do, and of the first collection after it. */
  public static final long WORKING = 1_000;

  public static final long COLLECTING = 2_000;

  /** Bytes of an object, by default. */
  public static final int STRIPE = 8;

  /** Directories stay in one object. */
  private static final Sharding WHOLE = new Sharding(65_536, 64);

  private static final Retention NOTHING_KEPT = new Retention(Duration.ZERO, () -> WORKING);

  private final SimulatedClient client;
  private final ObjectStore store;
  private final DataStores stores;
  private final BufferPool buffers = new BufferPool(1 << 20);
  private final DirectoryLoop loop;
  private final Sharding sharding;
  private final Wiring wiring;
  private ReadFrom readFrom = ReadFrom.PRIMARY;
  private StreamSettings writing = StreamSettings.defaults();

  private SimulatedMount(
      SimulatedClient client,
      ObjectStore store,
      DataStores stores,
      Sharding sharding,
      Retention retention,
      BatchLimit limit,
      DirectoryLoop loop,
      Duration longestWait) {
    this.client = client;
    this.store = store;
    this.stores = stores;
    this.loop = loop;
    this.sharding = sharding;
    this.wiring =
        new Wiring(
            new Wiring.Place(store, POOL, stores, POOL, STRIPE, ATTRIBUTES),
            new Wiring.Means(
                () -> WORKING + client.clockAhead(),
                client.retries(),
                loop,
                RetainedData.Later.NEVER),
            new Wiring.Limits(longestWait, sharding, retention, limit, 4));
  }

  /** One that keeps no data of replaced files. */
  public static SimulatedMount of(SimulatedClient client) throws IOException {
    return of(client, WHOLE, NOTHING_KEPT);
  }

  /**
   * The same by another store of the index.
   *
   * @param index a client's, and what a test has made of it
   */
  public static SimulatedMount of(SimulatedClient client, ObjectStore index) {
    DataStores stores = file -> client.open(file.pool().orElse(POOL), "");
    return new SimulatedMount(
        client,
        index,
        stores,
        WHOLE,
        NOTHING_KEPT,
        BatchLimit.DEFAULT,
        DirectoryLoop.sequential(),
        Duration.ZERO);
  }

  /** One that waits so long for other clients' transactions, in the client's own time. */
  public static SimulatedMount of(SimulatedClient client, Duration longestWait) throws IOException {
    return of(
        client, WHOLE, NOTHING_KEPT, BatchLimit.DEFAULT, DirectoryLoop.sequential(), longestWait);
  }

  public static SimulatedMount of(SimulatedClient client, Retention retention) throws IOException {
    return of(client, WHOLE, retention);
  }

  /** A mount that spreads the names of directories over shards as told. */
  public static SimulatedMount of(SimulatedClient client, Sharding sharding) throws IOException {
    return of(client, sharding, NOTHING_KEPT);
  }

  /** A mount whose operations take so much at most. */
  public static SimulatedMount of(SimulatedClient client, Sharding sharding, BatchLimit limit)
      throws IOException {
    return of(client, sharding, NOTHING_KEPT, limit, DirectoryLoop.sequential());
  }

  public static SimulatedMount of(SimulatedClient client, Sharding sharding, Retention retention)
      throws IOException {
    return of(client, sharding, retention, BatchLimit.DEFAULT, DirectoryLoop.sequential());
  }

  /**
   * The same.
   *
   * @param loop how work on several directories is run
   */
  public static SimulatedMount of(
      SimulatedClient client, Sharding sharding, Retention retention, DirectoryLoop loop)
      throws IOException {
    return of(client, sharding, retention, BatchLimit.DEFAULT, loop);
  }

  private static SimulatedMount of(
      SimulatedClient client,
      Sharding sharding,
      Retention retention,
      BatchLimit limit,
      DirectoryLoop loop)
      throws IOException {
    return of(client, sharding, retention, limit, loop, Duration.ZERO);
  }

  private static SimulatedMount of(
      SimulatedClient client,
      Sharding sharding,
      Retention retention,
      BatchLimit limit,
      DirectoryLoop loop,
      Duration longestWait)
      throws IOException {
    return new SimulatedMount(
        client,
        client.open(POOL, ""),
        file -> client.open(file.pool().orElse(POOL), ""),
        sharding,
        retention,
        limit,
        loop,
        longestWait);
  }

  /** Has it write no more stripes of a file at a time from now on. */
  public SimulatedMount writing(int window) {
    writing = writing.withWindow(window);
    return this;
  }

  /** Has it read files from these copies from now on. */
  public SimulatedMount readingFrom(ReadFrom copies) {
    readFrom = copies;
    return this;
  }

  /** Whether it spreads the names of directories over shards, of a few names already. */
  public boolean isSharding() {
    return !sharding.equals(WHOLE);
  }

  /** Another process with the same pool, which leaves directories in one object. */
  public SimulatedMount whole() {
    return new SimulatedMount(
        client, store, stores, WHOLE, NOTHING_KEPT, BatchLimit.DEFAULT, loop, Duration.ZERO);
  }

  /** Objects that the names of a directory are in; 0 where it has no index. */
  public int shards(String directory) throws IOException {
    return wiring
        .indexes()
        .reader()
        .keys(FsPath.parse(directory), List.of())
        .head()
        .map(head -> head.isSharded() ? head.shards().count() : 1)
        .orElse(0);
  }

  public DirectoryLayouts layouts() {
    return wiring.layouts();
  }

  public Namespace namespace() {
    return wiring.namespace();
  }

  /** The parts of the file system. */
  public Wiring wiring() {
    return wiring;
  }

  public ObjectStore store() {
    return store;
  }

  public Transactions transactions() {
    return wiring.transactions(ATTRIBUTES, loop);
  }

  public void sweep() throws IOException {
    wiring.sweep().sweep(FsPath.ROOT);
  }

  public ProcessLedger ledger() {
    return wiring.ledger();
  }

  private static FileData inPool(String pool) {
    return new FileData(FsPath.ofKey("any"), Uid.random(), true, 0, STRIPE, Optional.of(pool));
  }

  /**
   * Closes it as a process does its file system: what is open fails from now on, and so does what
   * other threads are at.
   */
  public void close() throws IOException {
    try (store;
        ProcessLedger unused = wiring.ledger()) {
      // Closed in the reverse order, whatever fails.
    }
  }

  /** What {@code radosfs fsck} runs. */
  public PoolCheck check() {
    return wiring.check(pool -> stores.of(inPool(pool)));
  }

  /** Takes every other process for dead, and collects what it left. */
  public void collect() throws IOException {
    collect(new CollectionLog(line -> {}));
  }

  /** The same, and tells what is done. */
  public void collect(CollectionLog log) throws IOException {
    collector(COLLECTING, log).collect(WORKING);
  }

  /** Collects once more, long after, so that ledgers are forgotten too. */
  public void collectLongAfter() throws IOException {
    collector(2 * COLLECTING, new CollectionLog(line -> {})).collect(COLLECTING);
  }

  private GarbageCollector collector(long now, CollectionLog log) {
    return wiring.collector(log, () -> now);
  }

  /**
   * Collects at a time.
   *
   * @param before what has had no heartbeat since then is taken for dead
   */
  public void collect(long now, long before) throws IOException {
    collector(now, new CollectionLog(line -> {})).collect(before, now);
  }

  public void mkdirs(String path) throws IOException {
    namespace().mkdirs(FsPath.parse(path), ATTRIBUTES);
  }

  /** Writes a file with this content, which may take several stripes of 8 bytes. */
  public void write(String path, String content, boolean overwrite) throws IOException {
    FsPath at = FsPath.parse(path);
    try (StripedOutputStream out = write(at, namespace().create(at, overwrite, true, ATTRIBUTES))) {
      out.write(content.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Writes an object that is no file's, as {@code rados put} does. */
  public void put(String object, String content) throws IOException {
    store.write(
        object,
        WriteOp.builder()
            .writeFull(ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)))
            .build());
  }

  /** Writes a file of one stripe, which nothing leads to yet, as a task does. */
  public void writeStripe(FileData file, byte[] content) throws IOException {
    store.write(
        file.stripe(0),
        WriteOp.builder()
            .createExclusive()
            .setXattr(FileData.UID_XATTR, file.uid().value().getBytes(StandardCharsets.UTF_8))
            .writeFull(ByteBuffer.wrap(content))
            .build());
  }

  /** The stream into a file that is about to be written. */
  public StripedOutputStream write(FsPath path, Namespace.NewFile file) throws IOException {
    FileData data = file.data(path, STRIPE);
    return new StripedOutputStream(stores.of(data), data, file.publisher(), buffers, writing);
  }

  public void write(String path, String content) throws IOException {
    write(path, content, false);
  }

  /** Opens what an entry tells of, and reads nothing yet. */
  public StripedInputStream open(FileData data) throws IOException {
    return new StripedInputStream(
        stores.of(data),
        data.origin(),
        data,
        buffers,
        StreamSettings.defaults().withFrom(readFrom));
  }

  public String read(FsPath path) throws IOException {
    return read(((Entry.OfFile) namespace().lookup(path).orElseThrow()).data());
  }

  /** What a reader finds who has looked at the entry before. */
  public String read(FileData data) throws IOException {
    try (StripedInputStream in = open(data)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The whole tree as a reader sees it: directories with a slash at the end, files' content. */
  public SortedMap<String, String> tree() throws IOException {
    SortedMap<String, String> tree = new TreeMap<>();
    collect(FsPath.ROOT, tree);
    return tree;
  }

  private void collect(FsPath directory, SortedMap<String, String> tree) throws IOException {
    for (Namespace.Child child : namespace().list(directory)) {
      if (child.entry() instanceof Entry.OfDirectory) {
        tree.put(child.path() + "/", "");
        collect(child.path(), tree);
      } else {
        tree.put(child.path().toString(), read(child.path()));
      }
    }
  }
}
