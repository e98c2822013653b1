// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.layout.Xattrs;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.uri.Authority;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Puts files with many bytes of extended attributes into a directory, and renames, lists, splits
 * and deletes it.
 */
public final class LargeAttributesProgram {

  private static final String ATTRIBUTE = "user.much";
  private static final int ATTRIBUTE_BYTES = 12 << 10;
  private static final int AT_A_TIME = 500;

  /** At which a directory of all these files is in one object still. */
  private static final int HIGHEST_THRESHOLD = 100_000;

  private static final FsPath MADE = new FsPath("made");

  private final URI uri;
  private final Configuration conf;
  private final int files;

  private LargeAttributesProgram(URI uri, Configuration conf, int files) {
    this.uri = uri;
    this.conf = conf;
    this.files = files;
  }

  /** Given a URI, a configuration file of Ceph and how many files. */
  public static void main(String[] arguments) throws IOException {
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", arguments[1]);
    int files = Integer.parseInt(arguments[2]);
    new LargeAttributesProgram(URI.create(arguments[0]), conf, files).run();
  }

  private interface Step {
    void run() throws IOException;
  }

  private static void step(String name, Step step) throws IOException {
    long started = System.nanoTime();
    step.run();
    System.out.println(name + ": " + (System.nanoTime() - started) / 1_000_000 + " ms");
  }

  private void run() throws IOException {
    conf.setInt("fs.rados.directory.threshold", HIGHEST_THRESHOLD);
    try (FileSystem fs = FileSystem.newInstance(uri, conf)) {
      step("make", this::make);
      step("rename of one object", () -> rename(fs, "/made", "/whole"));
      step("list", () -> list(fs, "/whole", files));
    }
    int more = files / 50 + 1;
    conf.setInt("fs.rados.directory.threshold", files / 2);
    conf.setInt("fs.rados.directory.shards", 8);
    try (FileSystem fs = FileSystem.newInstance(uri, conf)) {
      step("split", () -> add(fs, "/whole", more));
      step("list", () -> list(fs, "/whole", files + more));
      step("rename of shards", () -> rename(fs, "/whole", "/split"));
      step("list", () -> list(fs, "/split", files + more));
      for (int i = 0; i < files; i += files / 20) {
        byte[] value = fs.getXAttr(new Path("/split", name(i)), ATTRIBUTE);
        require(value.length == ATTRIBUTE_BYTES && value[0] == (byte) i, "attribute of " + i);
      }
      step("delete", () -> require(fs.delete(new Path("/split"), true), "delete"));
      require(fs.listStatus(new Path("/")).length == 0, "nothing is left");
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  private static String name(int file) {
    return String.format("part-%07d", file);
  }

  /** As a job commits whose files are written; these have no data, which nobody misses here. */
  private void make() throws IOException {
    Attributes attributes = new Attributes(1, 0644, "job", "job");
    try (Mount mount = Mount.open(Authority.of(uri), conf)) {
      mount.namespace().mkdirs(MADE, new Attributes(1, 0755, "job", "job"));
      Transactions transactions = mount.transactions(attributes);
      for (int from = 0; from < files; from += AT_A_TIME) {
        Map<String, Entry> some = new HashMap<>();
        for (int i = from; i < Math.min(files, from + AT_A_TIME); i++) {
          byte[] value = new byte[ATTRIBUTE_BYTES];
          value[0] = (byte) i;
          FsPath path = MADE.child(name(i));
          some.put(
              path.name(),
              new Entry.OfFile(
                  new FileData(path, Uid.random(), true, 0, 1 << 22, Optional.empty()),
                  0,
                  attributes.withXattrs(Xattrs.NONE.with(ATTRIBUTE, value))));
        }
        Registration job = new Registration("job-" + from, MADE, "made//job/job-" + from);
        transactions.register(job);
        transactions.commit(job, Map.of(MADE, DirectoryChange.adding(some)), Set.of());
        transactions.forget(job);
      }
    }
  }

  private static void add(FileSystem fs, String directory, int more) throws IOException {
    for (int i = 0; i < more; i++) {
      fs.create(new Path(directory, "more-" + i)).close();
    }
  }

  private static void rename(FileSystem fs, String from, String to) throws IOException {
    require(fs.rename(new Path(from), new Path(to)), "rename of " + from);
    require(!fs.exists(new Path(from)), from + " is gone");
  }

  private static void list(FileSystem fs, String directory, int expected) throws IOException {
    RemoteIterator<FileStatus> children = fs.listStatusIterator(new Path(directory));
    int count = 0;
    while (children.hasNext()) {
      children.next();
      count++;
    }
    require(count == expected, directory + " has " + count + " files, not " + expected);
  }
}
