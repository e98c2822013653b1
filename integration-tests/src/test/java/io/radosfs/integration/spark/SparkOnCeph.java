// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import io.radosfs.connector.cli.Radosfs;
import io.radosfs.connector.config.Options;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.spark.sql.SparkSession;

/** One pool of the shared cluster, as Spark and as Ceph see it. */
public final class SparkOnCeph implements AutoCloseable {

  private static SparkSession session;

  public final CephCluster ceph;
  public final String pool;
  public final SparkSession spark;

  private SparkOnCeph(CephCluster ceph, String pool, SparkSession spark) {
    this.ceph = ceph;
    this.pool = pool;
    this.spark = spark;
  }

  /** A new pool. */
  public static SparkOnCeph withNewPool() {
    CephCluster ceph = CephCluster.shared();
    return new SparkOnCeph(ceph, ceph.createPool(), session(ceph));
  }

  /** The one session of the test run: four tasks at a time, each tried twice. */
  private static synchronized SparkSession session(CephCluster ceph) {
    if (session == null) {
      session = SparkSessions.local("4, 2", ceph.conf());
      // So that the objects in a pool are those of its files; ReplacedDataIT is about it.
      session.sparkContext().hadoopConfiguration().set(Options.REPLACED_RETENTION.key(), "0");
    }
    return session;
  }

  /** {@code rados://pool/name}. */
  public String uri(String name) {
    return "rados://" + pool + "/" + name;
  }

  public Path path(String name) {
    return new Path(uri(name));
  }

  public Configuration configuration() {
    return spark.sessionState().newHadoopConf();
  }

  /** The file system that Spark uses too. */
  public FileSystem fileSystem() throws IOException {
    return FileSystem.get(URI.create(uri("")), configuration());
  }

  /** A file system of its own. */
  public FileSystem newFileSystem() throws IOException {
    return FileSystem.newInstance(URI.create(uri("")), configuration());
  }

  /** All files at or below a directory, by their paths in the pool without the first slash. */
  public TreeSet<String> files(String directory) throws IOException {
    TreeSet<String> files = new TreeSet<>();
    for (FileStatus status : statuses(directory)) {
      files.add(status.getPath().toUri().getPath().substring(1));
    }
    return files;
  }

  /** All files at or below a directory but those that begin with an underscore. */
  public List<FileStatus> dataFiles(String directory) throws IOException {
    return statuses(directory).stream()
        .filter(status -> !status.getPath().getName().startsWith("_"))
        .toList();
  }

  long bytes(String directory) throws IOException {
    return statuses(directory).stream().mapToLong(FileStatus::getLen).sum();
  }

  private List<FileStatus> statuses(String directory) throws IOException {
    List<FileStatus> statuses = new ArrayList<>();
    if (fileSystem().exists(path(directory))) {
      RemoteIterator<LocatedFileStatus> each = fileSystem().listFiles(path(directory), true);
      while (each.hasNext()) {
        statuses.add(each.next());
      }
    }
    return statuses;
  }

  /** The pool's objects, sorted by kind. */
  public PoolObjects objects() {
    return PoolObjects.of(ceph.listObjects(pool));
  }

  /**
   * Runs the command line on the pool.
   *
   * @param verb with its options
   * @throws AssertionError with what it said, when its status is not 0
   */
  public String radosfs(String... verb) {
    StringWriter out = new StringWriter();
    List<String> arguments = new ArrayList<>(List.of(verb));
    arguments.add("-Dfs.rados.ceph.conf=" + ceph.conf());
    arguments.add(uri(""));
    PrintWriter printed = new PrintWriter(out);
    int status = Radosfs.run(printed, printed, arguments.toArray(new String[0]));
    if (status != 0) {
      throw new AssertionError(verb[0] + " ended with " + status + ": " + out);
    }
    return out.toString();
  }

  @Override
  public void close() {
    ceph.deletePool(pool);
  }
}
