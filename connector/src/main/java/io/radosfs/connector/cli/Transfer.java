// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.apache.hadoop.fs.Options.OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY;
import static org.apache.hadoop.fs.Options.OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_WHOLE_FILE;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.fs.Abortable;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.util.functional.FutureIO;

/** Copies files between file systems, and tells how far that has come. */
final class Transfer implements Supplier<String> {

  private static final int BUFFER = 1 << 20;

  private final Sizes sizes = new Sizes();
  private final AtomicLong files = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final byte[] buffer = new byte[BUFFER];

  /** Copies a file, or a directory with all that is in it, to a name that is not there. */
  void tree(FileSystem source, Path from, FileSystem target, Path to) throws IOException {
    tree(source, source.getFileStatus(from), target, to);
  }

  private void tree(FileSystem source, FileStatus from, FileSystem target, Path to)
      throws IOException {
    if (!from.isDirectory()) {
      file(source, from.getPath(), target, to, /* overwrite= */ false);
      return;
    }
    if (!target.mkdirs(to)) {
      throw new IOException("cannot make directory " + to);
    }
    for (FileStatus child : source.listStatus(from.getPath())) {
      tree(source, child, target, new Path(to, child.getPath().getName()));
    }
  }

  /** Copies a file. */
  void file(FileSystem source, Path from, FileSystem target, Path to, boolean overwrite)
      throws IOException {
    try (InputStream in =
        FutureIO.awaitFuture(
            source
                .openFile(from)
                .opt(FS_OPTION_OPENFILE_READ_POLICY, FS_OPTION_OPENFILE_READ_POLICY_WHOLE_FILE)
                .build())) {
      file(in, target, to, overwrite);
    }
  }

  /** Copies to a file that is closed only when it is whole: what is closed is visible. */
  void file(InputStream in, FileSystem target, Path to, boolean overwrite) throws IOException {
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

  /** How far it has come. */
  @Override
  public String get() {
    return String.format("%,d files, %s", files.get(), sizes.inWords(bytes.get()));
  }
}
