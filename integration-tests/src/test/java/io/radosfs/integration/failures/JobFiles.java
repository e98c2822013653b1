// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.spark.ProtocolJob;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Jobs and files in one pool, as one configuration has it.
 *
 * @param name of the pool
 */
record JobFiles(CephCluster ceph, String name, Configuration conf) {

  /** Settings for a cluster, with which a pool holds the objects of its files and no others. */
  static Configuration configuration(CephCluster ceph) {
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    // Hadoop's cache would give a job the file system of another one with other settings.
    conf.set("fs.rados.impl.disable.cache", "true");
    // Nothing that is replaced is kept for those that read it.
    conf.set("fs.rados.replaced.retention", "0");
    return conf;
  }

  /** A job that replaces a directory, set up. */
  ProtocolJob overwrite(String directory) throws IOException {
    return new ProtocolJob(conf, path(directory).toString(), UUID.randomUUID().toString())
        .overwriting()
        .setup();
  }

  void write(String file, byte[] content) throws IOException {
    try (FileSystem fs = open();
        var out = fs.create(path(file), false)) {
      out.write(content);
    }
  }

  void delete(String file) throws IOException {
    try (FileSystem fs = open()) {
      assertThat(fs.delete(path(file), false)).isTrue();
    }
  }

  /** Names of the files below a directory that do not begin with an underscore. */
  List<String> dataFiles(String directory) throws IOException {
    try (FileSystem fs = open()) {
      return paths(fs, directory).stream().map(Path::getName).toList();
    }
  }

  /** So many files are below the directory, and each has that content. */
  void assertFiles(String directory, byte[] content, int count) throws IOException {
    try (FileSystem fs = open()) {
      List<Path> files = paths(fs, directory);
      assertThat(files).hasSize(count);
      for (Path file : files) {
        try (var in = fs.open(file)) {
          assertThat(in.readAllBytes()).isEqualTo(content);
        }
      }
    }
  }

  PoolState pool() {
    return new PoolState(ceph, name, conf);
  }

  private List<Path> paths(FileSystem fs, String directory) throws IOException {
    List<Path> paths = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> each = fs.listFiles(path(directory), true);
    while (each.hasNext()) {
      Path path = each.next().getPath();
      if (!path.getName().startsWith("_")) {
        paths.add(path);
      }
    }
    return paths;
  }

  private FileSystem open() throws IOException {
    return FileSystem.newInstance(URI.create("rados://" + name + "/"), conf);
  }

  Path path(String below) {
    return new Path("rados://" + name + "/" + below);
  }
}
