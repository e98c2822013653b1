// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.data.BufferPool;
import io.radosfs.connector.data.DataStores;
import io.radosfs.connector.job.FileObjects;
import io.radosfs.connector.job.JobHeartbeats;
import io.radosfs.connector.job.JobRegistry;
import io.radosfs.connector.job.WorkFiles;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Superblock;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.operations.DirectoryLayouts;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.placement.BlockHosts;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadFrom;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.upkeep.Adoption;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.upkeep.GarbageCollector;
import io.radosfs.connector.upkeep.PoolCheck;
import io.radosfs.connector.upkeep.Restoration;
import io.radosfs.connector.uri.Authority;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connected file system: its settings, pools, superblock, and the parts that work on them. It
 * has one connection and ends with it. Everything that is begun through a mount, such as streams
 * and ledgers, stays with that connection, see {@link LastingMount}. Thread-safe.
 */
public final class Mount implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Mount.class);

  private final Connection connection;
  private final Stores stores;
  private final BufferPool buffers;
  private final ProcessLedger ledger;
  private final LedgerRenewal renewal;
  private final ParallelDirectories directories;
  private final RetainedDataTimer retainedTimer;
  private final Wiring wiring;
  private final JobParts jobs;
  private final ReadFrom readFrom;
  private final BlockHosts blockHosts;
  private volatile Runnable whenCutOff = () -> {};

  /**
   * @param before the mount that this one replaces, because its connection is cut off
   */
  private Mount(Connection connection, Optional<Mount> before) throws IOException {
    this.connection = connection;
    this.stores = connection.stores();
    Settings settings = connection.settings();
    String name = connection.authority().toString();
    this.buffers = SharedBuffers.get(settings.get(Options.BUFFER_LIMIT));
    this.directories =
        new ParallelDirectories(settings.get(Options.TRANSACTION_THREADS), "radosfs " + name);
    this.retainedTimer =
        new RetainedDataTimer(System::currentTimeMillis, "radosfs replaced data of " + name);
    this.wiring = ConnectionWiring.of(connection, directories, retainedTimer);
    this.ledger = wiring.ledger();
    this.readFrom = ReadFrom.valueOf(settings.get(Options.READ_FROM).toUpperCase(Locale.ROOT));
    this.blockHosts = new BlockHosts(stores, readFrom, System::nanoTime);
    this.jobs =
        JobParts.of(
            wiring,
            System::currentTimeMillis,
            System::currentTimeMillis,
            before.map(replaced -> replaced.jobs));
    if (before.isPresent()) {
      before.get().retainedTimer.pending().forEach(wiring.retainedData()::resume);
    }
    // Last, as it has a thread, which nobody ends if a setting cannot be read.
    this.renewal =
        new LedgerRenewal(
            ledger, jobs.heartbeats(), this::tellWhenCutOff, "radosfs ledger of " + name);
  }

  /**
   * Connects. Nothing is written: if the pool's namespace holds no file system yet, the first write
   * makes the superblock, see {@link io.radosfs.connector.superblock.FirstUse}.
   *
   * @throws IOException which says what to do: no way to the cluster, no such pool, no permission,
   *     a superblock that cannot be read, a pool of another application
   * @throws IllegalArgumentException for a setting that cannot be read
   */
  public static Mount open(Authority authority, Configuration conf) throws IOException {
    return of(Connection.open(authority, conf), Optional.empty());
  }

  /**
   * Connects to a file system that exists.
   *
   * @throws LayoutException also if there is no superblock
   */
  public static Mount openExisting(Authority authority, Configuration conf) throws IOException {
    return of(Connection.openExisting(authority, conf), Optional.empty());
  }

  /**
   * Connects, and makes the superblock, with the configured object size.
   *
   * @param dataPool the pool for the data of files, if it is not the index pool
   * @throws LayoutException also if there is a superblock already: a file system is formatted once
   */
  public static Mount format(Authority authority, Configuration conf, Optional<String> dataPool)
      throws IOException {
    return of(Connection.format(authority, conf, dataPool), Optional.empty());
  }

  private static Mount of(Connection connection, Optional<Mount> before) throws IOException {
    boolean opened = false;
    try {
      Mount mount = new Mount(connection, before);
      opened = true;
      return mount;
    } finally {
      if (!opened) {
        connection.close();
      }
    }
  }

  /**
   * Connects again, because the connection is cut off. The new mount takes over the statistics, the
   * jobs that are driven from here and the files that tasks have closed, but nothing that is open.
   * One read more than connecting.
   */
  Mount openAnew() throws IOException {
    return of(connection.openAnew(), Optional.of(this));
  }

  /** See {@link Connection#isCutOff}. */
  boolean isCutOff() {
    return connection.isCutOff();
  }

  /** Whether that is because the cluster has blocklisted the connection. */
  boolean isBlocklisted() {
    return connection.isBlocklisted();
  }

  /**
   * Whether the mount was made before the superblock was, and that one says something else; nothing
   * can be written by it. As long as there is no superblock, one read; otherwise no cost.
   */
  boolean isSuperseded() throws IOException {
    connection.firstUse().look();
    return connection.firstUse().isSuperseded();
  }

  /** The connection's address, or the reason why it is unknown. */
  String address() {
    try {
      return connection.cluster().address();
    } catch (IOException e) {
      return "address unknown: " + e.getMessage();
    }
  }

  /** Sets what runs, from time to time, once the connection is cut off. */
  void whenCutOff(Runnable told) {
    whenCutOff = told;
  }

  private void tellWhenCutOff() {
    if (isCutOff()) {
      whenCutOff.run();
    }
  }

  public Authority authority() {
    return connection.authority();
  }

  public Settings settings() {
    return connection.settings();
  }

  public Superblock superblock() {
    return connection.superblock();
  }

  /** The tree of names. */
  public Namespace namespace() {
    return wiring.namespace();
  }

  /** The data pools and object sizes of new files, by directory. */
  public DirectoryLayouts layouts() {
    return wiring.layouts();
  }

  /** The files below the work paths of jobs. */
  public WorkFiles workFiles() {
    return jobs.workFiles();
  }

  /** The objects of files, as far as jobs need them. */
  public FileObjects fileObjects() {
    return jobs.objects();
  }

  public Retries retries() {
    return wiring.indexes().retries();
  }

  /** The most that one operation takes. */
  public BatchLimit batchLimit() {
    return wiring.batchLimit();
  }

  /**
   * The transactions of the tree of names.
   *
   * @param newDirectories attributes of directories that transactions make
   */
  public Transactions transactions(Attributes newDirectories) {
    return wiring.transactions(newDirectories, directories);
  }

  /** Returns the loop for work on many directories, several at a time. */
  public DirectoryLoop directories() {
    return directories;
  }

  /** The jobs that are driven from here. */
  public JobHeartbeats jobHeartbeats() {
    return jobs.heartbeats();
  }

  /** The registered jobs. */
  public JobRegistry jobRegistry() {
    return wiring.jobRegistry();
  }

  /** Returns a collector of what crashed processes left. */
  public GarbageCollector collector(CollectionLog log) {
    return wiring.collector(log, System::currentTimeMillis);
  }

  /** Returns what makes files of objects that other programs wrote, in the default data pool. */
  public Adoption adoption() throws IOException {
    return wiring.adoption(stores.of(stores.dataPool()));
  }

  /** Returns what makes files of the data of replaced files. */
  public Restoration restoration() {
    return wiring.restoration();
  }

  /** The pool for the files of this layout. */
  public String dataPool(DataLayout layout) {
    return layout.pool().orElse(stores.dataPool());
  }

  /**
   * Returns all pools of the index and of files, each once, except those that are no longer in the
   * cluster. One read.
   */
  public List<ObjectStore> pools() throws IOException {
    Set<String> names = new LinkedHashSet<>(List.of(authority().pool(), stores.dataPool()));
    names.addAll(wiring.pools().names());
    return stores.inCluster(names);
  }

  /** Returns a comparison of all objects with what leads to them. */
  public PoolCheck check() {
    return wiring.check(stores::of);
  }

  /** The objects of a directory's index, the head first. One read. */
  public List<String> indexObjects(FsPath directory) throws IOException {
    List<String> names = new ArrayList<>();
    names.add(IndexObject.head(directory).name());
    wiring
        .indexes()
        .reader()
        .keys(directory, List.of())
        .head()
        .ifPresent(head -> head.shards().of(directory).forEach(shard -> names.add(shard.name())));
    return names;
  }

  /**
   * Counts of RADOS operations and bytes, of all file systems that share this mount, and the
   * statistics of their closed streams.
   */
  public IOStatistics statistics() {
    return connection.statistics();
  }

  /** Adds the statistics of a stream that was closed. */
  public void gather(IOStatistics ofStream) {
    boolean unused = connection.statistics().aggregate(ofStream);
  }

  /** The index pool, in the file system's namespace. */
  public ObjectStore index() throws IOException {
    return stores.index();
  }

  /** The pools of files' data. */
  public DataStores dataStores() {
    return stores;
  }

  /** Which copies of their data files are read from. */
  public ReadFrom readFrom() {
    return readFrom;
  }

  /** The machines that are near to the blocks of files. */
  public BlockHosts blockHosts() {
    return blockHosts;
  }

  /** The buffers for streams. */
  public BufferPool buffers() {
    return buffers;
  }

  /** The cluster's fsid. */
  public String fsid() throws IOException {
    return connection.cluster().fsid();
  }

  /**
   * Closes the pools, then the connection. Open streams fail from now on. If the connection is cut
   * off, nothing waits for RADOS and nothing is thrown: the ledger, with the files that were being
   * written, is left to {@code radosfs gc}.
   */
  @Override
  public void close() throws IOException {
    try (connection;
        ledger;
        renewal;
        retainedTimer;
        directories) {
      // Closed in the reverse order, whatever fails.
    } catch (IOException e) {
      if (!isCutOff() && !connection.firstUse().isSuperseded()) {
        throw e;
      }
      LOG.debug("{}: closed after the connection was cut off", authority(), e);
    }
  }
}
