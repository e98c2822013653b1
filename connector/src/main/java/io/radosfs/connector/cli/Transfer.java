// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.hadoop.OpenOptions;
import io.radosfs.connector.layout.FsPath;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.fs.Abortable;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.util.functional.FutureIO;

/** Copies files between file systems, and tells how far that has come. */
final class Transfer implements Supplier<String> {

  private static final int BUFFER = 1 << 20;
  private static final String UNFINISHED = "._COPYING_";

  private final Sizes sizes = new Sizes();
  private final AtomicLong files = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final List<Copied> copied = new ArrayList<>();
  private final byte[] buffer = new byte[BUFFER];

  /**
   * A file that was copied.
   *
   * @param below its path below what was copied; empty for that itself
   */
  private record Copied(String below, long length) {}

  /**
   * The path of a child. Hadoop's own, of a name with a colon, takes what is before that for a
   * scheme.
   */
  static Path child(Path directory, String name) {
    return new Path(directory, new Path(null, null, name));
  }

  /** What a parameter names here; a URI is taken for one, and any other text for a path. */
  static Path local(FileSystem local, File parameter) {
    String text = parameter.getPath();
    return local.makeQualified(
        text.startsWith("file:/") ? new Path(text) : new Path(null, null, text));
  }

  /** Where a copy is until it is whole. */
  static Path unfinished(Path copy) {
    return child(copy.getParent(), copy.getName() + UNFINISHED);
  }

  /** Refuses to copy where another copy is not whole. */
  static void requireNone(FileSystem target, Path unfinished) throws IOException {
    if (target.exists(unfinished)) {
      throw new FileAlreadyExistsException(
          unfinished
              + " is there, of a copy that was ended early or still runs: remove it, with rm -r");
    }
  }

  /** Copies a file, or a directory with all that is in it, to a name that is not there. */
  void tree(FileSystem source, Path from, FileSystem target, Path to) throws IOException {
    tree(source, source.getFileStatus(from), target, to, "");
  }

  private void tree(FileSystem source, FileStatus from, FileSystem target, Path to, String below)
      throws IOException {
    if (!from.isDirectory()) {
      try (InputStream in = open(source, from.getPath())) {
        file(in, target, to, /* overwrite= */ false, below);
      }
      return;
    }
    if (!target.mkdirs(to)) {
      throw new IOException("cannot make directory " + to);
    }
    for (FileStatus child : source.listStatus(from.getPath())) {
      String name = child.getPath().getName();
      tree(source, child, target, child(to, name), below.isEmpty() ? name : below + "/" + name);
    }
  }

  /** Copies a file. */
  void file(FileSystem source, Path from, FileSystem target, Path to, boolean overwrite)
      throws IOException {
    try (InputStream in = open(source, from)) {
      file(in, target, to, overwrite);
    }
  }

  private static InputStream open(FileSystem source, Path file) throws IOException {
    return FutureIO.awaitFuture(
        source.openFile(file).opt(OpenOptions.POLICY, OpenOptions.WHOLE_FILE).build());
  }

  /** Copies to a file that is closed only when it is whole: what is closed is visible. */
  void file(InputStream in, FileSystem target, Path to, boolean overwrite) throws IOException {
    file(in, target, to, overwrite, "");
  }

  private void file(InputStream in, FileSystem target, Path to, boolean overwrite, String below)
      throws IOException {
    long before = bytes.get();
    OutputStream out = target.create(to, overwrite);
    try {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
        long unused = bytes.addAndGet(read);
      }
    } catch (IOException e) {
      end(out, e);
      throw e;
    }
    out.close();
    long unused = files.incrementAndGet();
    copied.add(new Copied(below, bytes.get() - before));
  }

  /** One that cannot be aborted is of this machine, where its name says that it is not whole. */
  private static void end(OutputStream out, IOException failure) {
    // Hadoop's stream has the method in any case.
    if (out instanceof StreamCapabilities able
        && able.hasCapability(StreamCapabilities.ABORTABLE_STREAM)
        && out instanceof Abortable file) {
      Abortable.AbortableResult unused = file.abort();
      return;
    }
    try {
      out.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * What was copied, one for each file.
   *
   * @param of where the whole of it is in the file system
   * @param local the name of the whole of it here
   */
  List<Fields> results(Location of, String local) throws IOException {
    List<Fields> results = new ArrayList<>();
    for (Copied file : copied) {
      FsPath path = of.path().resolve(file.below());
      results.add(
          new Fields()
              .with("uri", of.of(path))
              .with("path", path.toString())
              .with("length", file.length())
              .with("local", file.below().isEmpty() ? local : local + "/" + file.below()));
    }
    return results;
  }

  /** How far it has come. */
  @Override
  public String get() {
    return String.format("%,d files, %s", files.get(), sizes.inWords(bytes.get()));
  }
}
