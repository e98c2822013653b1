// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.data.NoSuchPoolException;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Superblock;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.ClusterStatus;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ObjectStore.PoolUsage;
import io.radosfs.connector.store.PoolPlacement.Copies;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.librados.LocalNeed;
import io.radosfs.connector.superblock.DataPools;
import io.radosfs.connector.superblock.Superblocks;
import io.radosfs.connector.superblock.Vacancy;
import io.radosfs.connector.uri.Authority;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.functional.CallableRaisingIOE;

/**
 * Examines everything that a job needs of this machine, the cluster and the pools, step by step. A
 * step without which the next ones make no sense ends the examination when it fails.
 *
 * <p><b>Nothing is left behind.</b> Writing is tried by one operation that makes an object of its
 * own name, sets its data (in the index pool also an omap key) and removes it. RADOS applies an
 * operation whole or not at all. So there is no instant at which the object is there, whenever this
 * process is killed, and none of its operations that arrives late leaves it either. It has no line
 * in a ledger, and needs none. No superblock is made.
 *
 * <p>Cost: some commands to the monitors; in each pool a read and a write with the data of one
 * object; where there is no superblock, a listing that ends at the first name.
 */
public final class Doctor {

  private static final String CLOCK_SKEW = "MON_CLOCK_SKEW";

  private final Authority authority;
  private final Configuration conf;
  private final Consumer<Diagnosis> told;

  /**
   * @param told each thing that was looked at
   */
  public Doctor(Authority authority, Configuration conf, Consumer<Diagnosis> told) {
    this.authority = authority;
    this.conf = conf;
    this.told = told;
  }

  /**
   * Examines everything.
   *
   * @throws InterruptedIOException if it is interrupted; all other failures are findings
   */
  public void examine() throws InterruptedIOException {
    Optional<Settings> settings =
        attempt(
            "settings",
            () -> {
              Settings all = new Settings(conf, authority.pool());
              ok("settings", "Ceph user " + all.get(Options.CEPH_USER));
              return all;
            });
    if (settings.isPresent() && hasLocalNeeds(settings.get())) {
      Optional<Cluster> cluster =
          attempt("monitors", () -> ClusterFactory.of(settings.get()).connect(settings.get()));
      if (cluster.isPresent()) {
        examine(cluster.get(), settings.get());
      }
    }
  }

  private boolean hasLocalNeeds(Settings settings) throws InterruptedIOException {
    for (LocalNeed need : LocalNeed.values()) {
      String subject = need.name().toLowerCase(Locale.ROOT);
      Optional<Optional<String>> found =
          attempt(subject, () -> ClusterFactory.of(settings).find(need, settings));
      if (found.isEmpty()) {
        return false;
      }
      found.get().ifPresent(detail -> ok(subject, detail));
    }
    return true;
  }

  private void examine(Cluster cluster, Settings settings) throws InterruptedIOException {
    String user = settings.get(Options.CEPH_USER);
    Optional<Boolean> unused =
        attempt(
            "closing",
            () -> {
              try (cluster;
                  Stores stores = new Stores(cluster, authority, user, store -> store)) {
                ok("monitors", "connected to cluster " + cluster.fsid());
                examineStatus(cluster);
                examinePools(stores, settings);
              }
              return true;
            });
  }

  private void examineStatus(Cluster cluster) throws InterruptedIOException {
    Optional<ClusterStatus> found = attempt("cluster", cluster::status);
    if (found.isEmpty()) {
      return;
    }
    ClusterStatus status = found.get();
    String quorum =
        String.format(
            "%d of %d monitors in quorum (%s)",
            status.quorum().size(), status.monitors(), String.join(", ", status.quorum()));
    if (status.health().equals("HEALTH_OK")) {
      ok("cluster", "HEALTH_OK, " + quorum);
    } else {
      warn(
          "cluster",
          status.health()
              + ", "
              + quorum
              + ": "
              + String.join("; ", status.checks().values())
              + ". `ceph health detail` says more");
    }
    if (status.checks().containsKey(CLOCK_SKEW)) {
      warn(
          "clocks",
          status.checks().get(CLOCK_SKEW)
              + ": have all machines synchronise their clocks (chrony)");
    } else {
      ok("clocks", "the monitors tell of no skew");
    }
  }

  private void examinePools(Stores stores, Settings settings) throws InterruptedIOException {
    Optional<ObjectStore> index = attempt("pool " + authority.pool(), stores::superblockStore);
    if (index.isEmpty()) {
      return;
    }
    examinePool(index.get());
    Optional<Optional<Superblock>> superblock =
        attempt("file system", () -> findFileSystem(index.get()));
    if (superblock.isEmpty()) {
      return; // Nothing is written, were it for an instant, among what is somebody else's.
    }
    long objectSize =
        superblock
            .get()
            .map(found -> (long) found.objectSize())
            .orElseGet(() -> settings.get(Options.OBJECT_SIZE));
    tryIndex(index.get());
    tryData(index.get(), objectSize);
    Optional<String> byDefault = superblock.get().flatMap(Superblock::dataPool);
    Set<String> dataPools = new LinkedHashSet<>();
    byDefault.ifPresent(dataPools::add);
    attempt("layouts", () -> new DataPools(index.get()).names()).ifPresent(dataPools::addAll);
    dataPools.remove(authority.pool());
    for (String name : dataPools) {
      Optional<ObjectStore> data =
          byDefault.equals(Optional.of(name))
              ? attempt("pool " + name, () -> stores.of(name))
              : attempt("pool " + name, () -> findNamed(stores, name)).flatMap(found -> found);
      if (data.isPresent()) {
        examinePool(data.get());
        tryData(data.get(), objectSize);
      }
    }
  }

  /** A pool stays listed after the last layout that names it, so it may be gone on purpose. */
  private Optional<ObjectStore> findNamed(Stores stores, String pool) throws IOException {
    try {
      return Optional.of(stores.of(pool));
    } catch (NoSuchPoolException e) {
      warn(
          "pool " + pool,
          "a layout named it, and the cluster has it no more. `radosfs fsck "
              + authority
              + "/` names the files whose data was there; they can be deleted. In a directory whose"
              + " layout still names it (`radosfs layout get <directory>`) no file can be made:"
              + " `radosfs layout clear <directory>`");
      return Optional.empty();
    }
  }

  private Optional<Superblock> findFileSystem(ObjectStore index) throws IOException {
    String where = authority.toString();
    Optional<Superblock> found = new Superblocks(index, where).find();
    if (found.isPresent()) {
      ok("file system", found.get().describe(Long::toString));
      return found;
    }
    Vacancy vacancy = new Vacancy(index, where);
    vacancy.requireOwnPool();
    Optional<String> object = vacancy.anyObject();
    if (object.isPresent()) {
      throw vacancy.occupied(object.get());
    }
    ok("file system", "none yet: the first write makes it, or `radosfs format " + where + "`");
    return found;
  }

  private void examinePool(ObjectStore pool) throws InterruptedIOException {
    String subject = "pool " + pool.pool();
    Optional<Boolean> unused =
        attempt(
            subject,
            () -> {
              Set<String> applications = pool.applications();
              Copies copies = pool.placement().copies();
              PoolUsage usage = pool.usage();
              String told =
                  String.format(
                      "application %s, size %d, min_size %d, %d bytes in it, room for %d",
                      applications.isEmpty() ? "not set" : String.join(", ", applications),
                      copies.size(),
                      copies.minimum(),
                      usage.bytes(),
                      usage.bytesAvailable());
              if (usage.bytesAvailable() == 0) {
                fail(subject, told + ": it is full; free space, or raise its quota");
              } else if (copies.size() == 1) {
                warn(subject, told + ": a disk that fails takes data with it");
              } else {
                ok(subject, told);
              }
              return true;
            });
  }

  private void tryIndex(ObjectStore index) throws InterruptedIOException {
    String subject = "index in " + index.pool();
    Optional<Boolean> unused =
        attempt(
            subject,
            () -> {
              try {
                probe(index, WriteOp.builder().createExclusive().setOmap("probe", new byte[] {1}));
              } catch (StoreException e) {
                if (e.is(StoreException.Kind.UNSUPPORTED)) {
                  throw new IOException(
                      "the pool holds no omap, as it is erasure-coded: keep the index in a"
                          + " replicated pool, and only the data in this one (`radosfs format"
                          + " --data-pool "
                          + index.pool()
                          + " rados://<replicated pool>`)",
                      e);
                }
                throw e;
              }
              ok(subject, "read; an object with an omap key was written and removed");
              return true;
            });
  }

  private void tryData(ObjectStore pool, long bytes) throws InterruptedIOException {
    String subject = "data in " + pool.pool();
    Optional<Boolean> unused =
        attempt(
            subject,
            () -> {
              ByteBuffer data = ByteBuffer.allocate(Math.toIntExact(bytes));
              probe(pool, WriteOp.builder().createExclusive().writeFull(data));
              ok(subject, "read; an object of " + bytes + " bytes was written and removed");
              return true;
            });
  }

  /** The object is removed by the operation that makes it. */
  private static void probe(ObjectStore pool, WriteOp.Builder making) throws IOException {
    String object = ObjectNames.probe(Uid.random());
    boolean unused = Reads.find(pool, object, ReadOp.builder().size().build()).isPresent();
    pool.write(object, making.remove().build());
  }

  private <T> Optional<T> attempt(String subject, CallableRaisingIOE<T> step)
      throws InterruptedIOException {
    try {
      return Optional.of(step.apply());
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      fail(subject, e.getMessage() == null ? e.toString() : e.getMessage());
      return Optional.empty();
    }
  }

  private void ok(String subject, String detail) {
    told.accept(new Diagnosis(subject, Diagnosis.Result.OK, detail));
  }

  private void warn(String subject, String detail) {
    told.accept(new Diagnosis(subject, Diagnosis.Result.WARNING, detail));
  }

  private void fail(String subject, String detail) {
    told.accept(new Diagnosis(subject, Diagnosis.Result.FAILED, detail));
  }
}
