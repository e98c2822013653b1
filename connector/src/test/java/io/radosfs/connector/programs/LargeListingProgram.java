// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.programs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OmapEntries;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Lists a directory of files that have much in extended attributes, in a JVM of its own with a
 * bounded heap: for {@code ListingMemoryTest}. The simulation holds the files without attributes:
 * they are put into each page as it is read.
 */
public final class LargeListingProgram {

  private static final FsPath DIRECTORY = new FsPath("d");
  private static final byte[] XATTR = (" x.user.much=" + "A".repeat(16 << 10)).getBytes(UTF_8);

  private LargeListingProgram() {}

  /**
   * Lists, and prints how many files there are, and how many bytes they are said to take.
   *
   * @param args how to list, number of files, of shards
   */
  public static void main(String[] args) throws IOException {
    int files = Integer.parseInt(args[1]);
    int shards = Integer.parseInt(args[2]);
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    Sharding sharding = shards > 1 ? new Sharding(files / 2, shards) : new Sharding(files * 2, 2);
    make(SimulatedMount.of(cluster.client("setup"), sharding), files);
    ExecutorService answers = Executors.newSingleThreadExecutor();
    ObjectStore store = cluster.client("client").open(SimulatedMount.POOL, "");
    Namespace namespace =
        SimulatedMount.of(cluster.client("client"), withAttributes(store, answers)).namespace();
    long[] found = new long[2];
    switch (args[0]) {
      case "list" -> namespace.list(DIRECTORY).forEach(child -> count(child, found));
      case "listing" -> {
        RemoteIterator<Namespace.Child> children = namespace.listing(DIRECTORY);
        while (children.hasNext()) {
          count(children.next(), found);
        }
      }
      default -> throw new IllegalArgumentException(args[0]);
    }
    answers.shutdown();
    System.out.println("listed " + found[0] + ", of " + found[1] / XATTR.length + " times as much");
  }

  private static void count(Namespace.Child child, long[] found) {
    found[0]++;
    found[1] += child.entry().attributes().xattrs().leftOut();
  }

  private static void make(SimulatedMount mount, int files) throws IOException {
    Attributes attributes = new Attributes(1, 0644, "me", "us");
    mount.namespace().mkdirs(DIRECTORY, attributes);
    Transactions transactions = mount.transactions();
    Map<String, Entry> all = new HashMap<>();
    for (int i = 0; i < files; i++) {
      FsPath path = DIRECTORY.child(String.format("part-%07d", i));
      FileData data = new FileData(path, Uid.random(), true, 0, 1 << 22, Optional.empty());
      all.put(path.name(), new Entry.OfFile(data, 0, attributes));
    }
    Registration job = new Registration("job", DIRECTORY, "d//job/job");
    transactions.register(job);
    transactions.commit(job, Map.of(DIRECTORY, DirectoryChange.adding(all)), Set.of());
    transactions.forget(job);
  }

  /** Answers as RADOS does, in a thread of its own, one read after another. */
  private static ObjectStore withAttributes(ObjectStore store, ExecutorService answers) {
    return (ObjectStore)
        Proxy.newProxyInstance(
            LargeListingProgram.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("readAsync")) {
                return CompletableFuture.supplyAsync(
                    () -> {
                      try {
                        return withAttributes(
                            store.read((String) arguments[0], (ReadOp) arguments[1]));
                      } catch (IOException e) {
                        throw new java.util.concurrent.CompletionException(e);
                      }
                    },
                    answers);
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static ReadResult withAttributes(ReadResult read) {
    List<ReadResult.StepResult> steps = new ArrayList<>();
    for (ReadResult.StepResult step : read.steps()) {
      steps.add(
          step instanceof ReadResult.Omap omap
              ? new ReadResult.Omap(withAttributes(omap.entries()), omap.more())
              : step);
    }
    return new ReadResult(steps);
  }

  private static OmapEntries withAttributes(OmapEntries read) {
    if (read.isEmpty() || !read.key(0).startsWith(IndexKeys.ENTRY_PREFIX)) {
      return read;
    }
    int[] ends = new int[2 * read.size()];
    byte[] bytes = new byte[(int) read.length() + read.size() * XATTR.length];
    int end = 0;
    for (int i = 0; i < read.size(); i++) {
      for (byte[] part : List.of(read.key(i).getBytes(UTF_8), read.value(i), XATTR)) {
        System.arraycopy(part, 0, bytes, end, part.length);
        end += part.length;
        ends[2 * i + 1] = end;
      }
      ends[2 * i] = end - XATTR.length - read.value(i).length;
    }
    return new OmapEntries(bytes, ends);
  }
}
