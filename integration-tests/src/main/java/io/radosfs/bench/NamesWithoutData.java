// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;

/**
 * Makes a directory of many names, by large commits, as jobs do, but without the data of the files:
 * nobody reads them.
 */
final class NamesWithoutData {

  private NamesWithoutData() {}

  /**
   * Makes the directory, and so many names in it.
   *
   * @param ofACommit names of each commit
   */
  static void make(RadosFileSystem fileSystem, Path path, int names, int ofACommit)
      throws IOException {
    if (!fileSystem.mkdirs(path)) {
      throw new IOException(path + " was not made");
    }
    FsPath directory = FsPath.parse(path.toUri().getPath());
    Attributes attributes = new Attributes(1_700_000_000_000L, 0644, "bench", "bench");
    Mount mount = fileSystem.mount();
    int stripe = mount.superblock().objectSize();
    Transactions transactions = mount.transactions(attributes);
    for (int from = 0; from < names; from += ofACommit) {
      TreeMap<String, Entry> files = new TreeMap<>();
      for (int i = from; i < Math.min(names, from + ofACommit); i++) {
        String name = String.format("part-%08d-c000.snappy.parquet", i);
        FileData data =
            new FileData(
                directory.child(name), Uid.random(), true, 1_000_000 + i, stripe, Optional.empty());
        files.put(name, new Entry.OfFile(data, i, attributes));
      }
      Registration registration = new Registration("bench-" + Uid.random(), directory, "benchmark");
      transactions.register(registration);
      transactions.commit(registration, Map.of(directory, DirectoryChange.adding(files)), Set.of());
      transactions.forget(registration);
    }
  }
}
