// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.data.BufferPool;
import io.radosfs.connector.data.DataStores;
import io.radosfs.connector.data.FilePublisher;
import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.data.StreamSettings;
import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.job.FileObjects;
import io.radosfs.connector.job.JobHeartbeats;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.JobRegistry;
import io.radosfs.connector.job.JobSupport;
import io.radosfs.connector.job.JobUpkeep;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.job.WorkFiles;
import io.radosfs.connector.job.WorkPath;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.JobParts;
import io.radosfs.connector.mount.Wiring;
import io.radosfs.connector.operations.DirectoryLayouts;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.shard.Sharding;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.upkeep.JobCollector;
import io.radosfs.connector.upkeep.PoolCheck;
import io.radosfs.connector.upkeep.Restoration;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** What a client of the simulation has of a file system, and short ways to be a task of a job. */
public final class SimulatedJobs implements JobSupport {

  public static final String POOL = "meta";
  static final FsPath OUT = new FsPath("out");
  static final int STRIPE = 100;

  private static final BufferPool BUFFERS = new BufferPool(4 << 20);
  private static final Attributes FILE = new Attributes(7, 0644, "me", "us");
  private static final Attributes DIRECTORY = new Attributes(7, 0755, "me", "us");

  /** The time of all that jobs do, and of the collections after it. */
  static final long WORKING = 1_000;

  static final long COLLECTING = 2_000;

  /** With which a job that is set up when others are collected takes those for dead. */
  static final JobLease LEASE = lease(COLLECTING - WORKING);

  /** Directories stay in one object. */
  private static final Sharding WHOLE = new Sharding(65_536, 64);

  private final ObjectStore store;
  private final DataStores stores;
  private final int objectSize;
  private final LongSupplier clock;
  private final LongSupplier jobClock;
  private final Wiring wiring;
  private final Namespace namespace;
  private final Transactions transactions;
  private final JobParts jobs;
  private final AtomicInteger jobsThatKeepItOpen = new AtomicInteger();
  private volatile boolean closed;

  SimulatedJobs(SimulatedClient client) throws IOException {
    this(client, WORKING);
  }

  /** One whose clock stands still. */
  SimulatedJobs(SimulatedClient client, long now) throws IOException {
    this(client, now, Duration.ofMillis(20));
  }

  /**
   * The same.
   *
   * @param longestWait how long others' transactions are waited for
   */
  SimulatedJobs(SimulatedClient client, long now, Duration longestWait) throws IOException {
    this(client, now, longestWait, DirectoryLoop.sequential());
  }

  /**
   * The same.
   *
   * @param retention of replaced data
   */
  SimulatedJobs(SimulatedClient client, long now, Duration longestWait, Retention retention)
      throws IOException {
    this(client, () -> now, () -> now, longestWait, WHOLE, retention, DirectoryLoop.sequential());
  }

  /**
   * The same.
   *
   * @param loop in which order transactions work on directories
   */
  SimulatedJobs(SimulatedClient client, long now, Duration longestWait, DirectoryLoop loop)
      throws IOException {
    this(
        client,
        () -> now,
        () -> now,
        longestWait,
        WHOLE,
        new Retention(Duration.ZERO, () -> now),
        loop);
  }

  /**
   * One whose clock goes.
   *
   * @param clock milliseconds since the epoch
   * @param jobClock the same for what is noted of jobs
   */
  SimulatedJobs(
      SimulatedClient client,
      LongSupplier clock,
      LongSupplier jobClock,
      Duration longestWait,
      Sharding sharding,
      Retention retention,
      DirectoryLoop loop)
      throws IOException {
    this(client, clock, jobClock, longestWait, sharding, retention, loop, STRIPE);
  }

  /**
   * The same.
   *
   * @param objectSize bytes of an object of a file, where no layout says otherwise
   */
  SimulatedJobs(
      SimulatedClient client,
      LongSupplier clock,
      LongSupplier jobClock,
      Duration longestWait,
      Sharding sharding,
      Retention retention,
      DirectoryLoop loop,
      int objectSize)
      throws IOException {
    this(
        client,
        clock,
        jobClock,
        longestWait,
        sharding,
        retention,
        loop,
        objectSize,
        BatchLimit.DEFAULT);
  }

  /** One whose operations take so much at most. */
  SimulatedJobs(SimulatedClient client, BatchLimit limit) throws IOException {
    this(
        client,
        () -> WORKING,
        () -> WORKING,
        Duration.ZERO,
        WHOLE,
        new Retention(Duration.ZERO, () -> WORKING),
        DirectoryLoop.sequential(),
        STRIPE,
        limit);
  }

  private SimulatedJobs(
      SimulatedClient client,
      LongSupplier clock,
      LongSupplier jobClock,
      Duration longestWait,
      Sharding sharding,
      Retention retention,
      DirectoryLoop loop,
      int objectSize,
      BatchLimit limit)
      throws IOException {
    this.objectSize = objectSize;
    this.clock = clock;
    this.jobClock = jobClock;
    store = client.open(POOL, "");
    stores = file -> client.open(file.pool().orElse(POOL), "");
    wiring =
        new Wiring(
            new Wiring.Place(store, POOL, stores, POOL, objectSize, DIRECTORY),
            new Wiring.Means(
                clock, client.retries(), DirectoryLoop.sequential(), RetainedData.Later.NEVER),
            new Wiring.Limits(longestWait, sharding, retention, limit, 4));
    namespace = wiring.namespace();
    transactions = wiring.transactions(DIRECTORY, loop);
    jobs = JobParts.of(wiring, FILE::modified, jobClock, Optional.empty());
  }

  /** Spreads the names of a directory over two shards, and makes it first. */
  static void shard(SimulatedClient client, FsPath directory) throws IOException {
    Namespace namespace =
        new SimulatedJobs(
                client,
                () -> WORKING,
                () -> WORKING,
                Duration.ZERO,
                new Sharding(1, 2),
                new Retention(Duration.ZERO, () -> WORKING),
                DirectoryLoop.sequential())
            .namespace();
    for (String name : new String[] {"p=1", "p=2"}) {
      namespace.mkdirs(directory.child(name), DIRECTORY);
    }
  }

  /** What {@code radosfs gc} does: takes for dead what has had no heartbeat since then. */
  void collect(long before) throws IOException {
    recover(before);
    wiring.collector(new CollectionLog(line -> {}), clock).collect(before);
  }

  /** Finishes what any client may, and leaves jobs alone. */
  void sweep() throws IOException {
    wiring.sweep().sweep(FsPath.ROOT);
  }

  /** What {@code radosfs jobs recover} does: the same for jobs alone. */
  void recover(long before) throws IOException {
    JobRegistry registry = wiring.jobRegistry();
    new JobCollector(registry, this, new StagedJobUpkeep(), new CollectionLog(line -> {}))
        .collect(FsPath.ROOT, before);
  }

  /**
   * What {@code radosfs jobs abort --force} does, when a job is dead that was silent since then.
   */
  JobUpkeep.Recovered abort(Job job, long before) throws IOException {
    JobRegistry registry = wiring.jobRegistry();
    RegisteredJob found =
        registry.below(job.destination(), Failures.END).stream()
            .filter(registered -> registered.record().equals(job.record().name()))
            .findAny()
            .orElseThrow();
    return new JobCollector(registry, this, new StagedJobUpkeep(), new CollectionLog(line -> {}))
        .end(found, before);
  }

  /** What {@code radosfs jobs list} asks. */
  JobRegistry registry() {
    return wiring.jobRegistry();
  }

  /** What {@code radosfs fsck} runs. */
  Restoration restoration() {
    return wiring.restoration();
  }

  PoolCheck check() {
    return wiring.check(pool -> store);
  }

  public static Job job(SimulatedClient client, String id) throws IOException {
    return Job.of(new SimulatedJobs(client), OUT, id);
  }

  static JobInfo info(String id) {
    return new JobInfo(id, id, "test", "test", "me@here", 0);
  }

  /** After which neither driver nor tasks are thought to be there. */
  static JobLease lease(long millis) {
    Duration both = Duration.ofMillis(millis);
    return new JobLease(both, both);
  }

  /** Ends a job of which no process is left. */
  public static AbortJobStage.Outcome endLongAfter(Job job) throws IOException {
    return AbortJobStage.run(job, JobWriters.gone(job.record().head()));
  }

  /** Sets a job up that minds nothing at its destination, and collects no dead ones. */
  public static void setUp(Job job) throws IOException {
    SetupJobStage.run(
        job, info(job.id()), RequireEmpty.NOTHING, OverwriteConflict.WAIT, JobLease.NONE);
  }

  static TaskAttempt attempt(int task, int attempt) {
    return new TaskAttempt(String.format("m%06d", task), Integer.toString(attempt));
  }

  /** Starts to write a file as a task does. */
  StripedOutputStream open(Job job, TaskAttempt attempt, String relative) throws IOException {
    return open(create(job, attempt, relative));
  }

  /** Prepares to write a file as a task does. */
  WorkFiles.NewWorkFile create(Job job, TaskAttempt attempt, String relative) throws IOException {
    return jobs.workFiles()
        .create(WorkPath.of(job.destination(), job.id(), attempt).resolve(relative), false, FILE);
  }

  /** The files of tasks, as a task sees them. */
  WorkFiles workFiles() {
    return jobs.workFiles();
  }

  StripedOutputStream open(WorkFiles.NewWorkFile created) throws IOException {
    return stream(created.data(), created.publisher());
  }

  /** Writes a file of so many bytes as a task does. */
  void write(Job job, TaskAttempt attempt, String relative, int bytes) throws IOException {
    try (StripedOutputStream out = open(job, attempt, relative)) {
      out.write(new byte[bytes], 0, bytes);
    }
  }

  /** Sets a job up, and commits a task of it that has written one file. */
  void setUpWithFile(Job job, String relative) throws IOException {
    setUp(job);
    write(job, attempt(0, 0), relative, 250);
    var unused = CommitTaskStage.run(job, attempt(0, 0), 1);
  }

  /** Creates a visible file as any user does. */
  void create(String path, int bytes) throws IOException {
    try (StripedOutputStream out = openPlain(path)) {
      out.write(new byte[bytes], 0, bytes);
    }
  }

  /** The same in place of what is there: where it has made a file, it assumes that nothing is. */
  void createOrReplace(String path, int bytes) throws IOException {
    try (StripedOutputStream out = openPlain(path, true)) {
      out.write(new byte[bytes], 0, bytes);
    }
  }

  /** Starts to write a file as any user does. */
  StripedOutputStream openPlain(String path) throws IOException {
    return openPlain(path, false);
  }

  private StripedOutputStream openPlain(String path, boolean overwrite) throws IOException {
    FsPath file = FsPath.parse(path);
    Namespace.NewFile created = namespace.create(file, overwrite, true, FILE);
    return stream(created.data(file, objectSize), created.publisher());
  }

  DirectoryLayouts layouts() {
    return wiring.layouts();
  }

  private StripedOutputStream stream(FileData data, FilePublisher publisher) throws IOException {
    return new StripedOutputStream(
        stores.of(data), data, publisher, BUFFERS, StreamSettings.defaults().withWindow(2));
  }

  @Override
  public JobRecord record(FsPath destination, String jobId) {
    return new JobRecord(store, destination, jobId);
  }

  @Override
  public Transactions transactions() {
    return transactions;
  }

  @Override
  public BatchLimit batchLimit() {
    return wiring.batchLimit();
  }

  @Override
  public Retries retries() {
    return wiring.indexes().retries();
  }

  @Override
  public Namespace namespace() {
    return namespace;
  }

  @Override
  public FileObjects objects() {
    return jobs.objects();
  }

  @Override
  public Attributes newFileAttributes() {
    return FILE;
  }

  @Override
  public long now() {
    return jobClock.getAsLong();
  }

  @Override
  public JobHeartbeats heartbeats() {
    return jobs.heartbeats();
  }

  @Override
  public Closeable keepOpen() throws IOException {
    if (closed) {
      throw new IOException("Filesystem closed");
    }
    jobsThatKeepItOpen.incrementAndGet();
    return jobsThatKeepItOpen::decrementAndGet;
  }

  /** As another part of the program does: it stays open for what still uses it. */
  void close() {
    closed = true;
  }

  int jobsThatKeepItOpen() {
    return jobsThatKeepItOpen.get();
  }

  @Override
  public Attributes newDirectoryAttributes() {
    return DIRECTORY;
  }
}
