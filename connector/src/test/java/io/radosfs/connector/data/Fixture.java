// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.zip.CRC32C;

/** What the tests of this package share: a pool, files in it, and short ways to write them. */
final class Fixture {

  static final String POOL = "data";
  static final FsPath PATH = new FsPath("a/b");
  static final int STRIPE = 1000;

  final SimulatedCluster cluster = SimulatedCluster.withPools(POOL);
  final BufferPool pool = new BufferPool(16 << 20);

  static FileData file() {
    return file(PATH, STRIPE);
  }

  static FileData file(FsPath path, int objectSize) {
    return new FileData(path, Uid.random(), true, 0, objectSize, Optional.empty());
  }

  static StreamSettings window(int stripes) {
    return StreamSettings.defaults().withWindow(stripes);
  }

  static byte[] content(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static int crc32c(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content, 0, content.length);
    return (int) crc.getValue();
  }

  static ObjectStore store(SimulatedClient client) throws IOException {
    return client.open(POOL, "");
  }

  ObjectStore store(String client) throws IOException {
    return store(cluster.client(client));
  }

  Set<String> objects() {
    return cluster.objects(POOL, "").keySet();
  }

  StripedOutputStream create(ObjectStore store, FileData file, FilePublisher publisher) {
    return new StripedOutputStream(store, file, publisher, pool, window(3));
  }

  StripedInputStream open(ObjectStore store, FileData file) {
    return new StripedInputStream(store, file.origin(), file, pool, window(3));
  }

  /** Writes a file whole; answers it as published. */
  FileData write(ObjectStore store, FileData file, byte[] content) throws IOException {
    RecordingPublisher publisher = new RecordingPublisher();
    try (StripedOutputStream out = create(store, file, publisher)) {
      out.write(content, 0, content.length);
    }
    return publisher.published;
  }

  byte[] read(ObjectStore store, FileData file) throws IOException {
    try (StripedInputStream in = open(store, file)) {
      return in.readAllBytes();
    }
  }
}
