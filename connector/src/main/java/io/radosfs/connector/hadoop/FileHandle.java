// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.data.DataStores;
import io.radosfs.connector.data.StoredData;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.fs.InvalidPathHandleException;
import org.apache.hadoop.fs.PathHandle;

/**
 * A file as it was seen: its path and its entry. The handle also says whether the file may have
 * been moved to another path, or replaced by another file, when the handle is opened. A file that
 * is written once cannot change otherwise. See {@link RadosOperations#open(FileHandle,
 * org.apache.hadoop.fs.FileSystem.Statistics)}.
 */
public final class FileHandle implements PathHandle {

  private static final long serialVersionUID = 1L;
  private static final String VERSION = "radosfs-handle 1";
  private static final int MAX_ENTRY = 1 << 20;

  private final byte[] stored;
  private final transient FsPath path;
  private final transient Entry.OfFile file;

  /** Whether the file may be opened after it was moved from the path. */
  private final transient boolean mayMove;

  /** Whether another file that has taken the path may be opened. */
  private final transient boolean mayChange;

  private FileHandle(
      byte[] stored, FsPath path, Entry.OfFile file, boolean mayMove, boolean mayChange) {
    this.stored = stored;
    this.path = path;
    this.file = file;
    this.mayMove = mayMove;
    this.mayChange = mayChange;
  }

  /** The handle of a file seen at a path. */
  static FileHandle of(FsPath path, Entry.OfFile file, boolean mayMove, boolean mayChange) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] entry = EntryCodec.encode(path, file);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(VERSION);
      out.writeBoolean(mayMove);
      out.writeBoolean(mayChange);
      out.writeUTF(path.key());
      out.writeInt(entry.length);
      out.write(entry);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never, in memory
    }
    return new FileHandle(bytes.toByteArray(), path, file, mayMove, mayChange);
  }

  /**
   * Decodes a handle, which may come from another process.
   *
   * @throws InvalidPathHandleException if it is no handle of a {@code rados://} file
   */
  public static FileHandle of(PathHandle handle) throws InvalidPathHandleException {
    if (handle instanceof FileHandle ours && ours.path != null) {
      return ours;
    }
    ByteBuffer buffer = handle.bytes().duplicate();
    byte[] stored = new byte[buffer.remaining()];
    buffer.get(stored);
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(stored))) {
      String version = in.readUTF();
      if (!version.equals(VERSION)) {
        throw new InvalidPathHandleException(
            "the handle begins with '" + version + "'; this radosfs reads '" + VERSION + "'");
      }
      boolean mayMove = in.readBoolean();
      boolean mayChange = in.readBoolean();
      FsPath path = new FsPath(in.readUTF());
      int length = in.readInt();
      if (length < 0 || length > MAX_ENTRY) {
        throw new InvalidPathHandleException("the handle of " + path + " is damaged");
      }
      byte[] entry = new byte[length];
      in.readFully(entry);
      return new FileHandle(
          stored, path, (Entry.OfFile) EntryCodec.decode(path, entry), mayMove, mayChange);
    } catch (InvalidPathHandleException e) {
      throw e;
    } catch (LayoutException | ClassCastException | IllegalArgumentException e) {
      throw new InvalidPathHandleException("the entry in the handle cannot be read", e);
    } catch (IOException e) {
      throw new InvalidPathHandleException("these bytes are no handle of a rados:// file", e);
    }
  }

  FsPath path() {
    return path;
  }

  /**
   * Returns the file that the handle now stands for. One look-up, and one read if the file was
   * moved.
   *
   * @throws InvalidPathHandleException if there is no file that the handle allows
   */
  Entry referent(FileTree tree, DataStores stores) throws IOException {
    Optional<Entry> there = tree.lookup(path).filter(Entry.OfFile.class::isInstance);
    FileData seen = file.data();
    if (there.filter(entry -> entry.uid().equals(seen.uid())).isPresent()) {
      return there.get();
    }
    if (mayMove && StoredData.isThere(stores.of(seen), seen)) {
      return file;
    }
    if (mayChange && there.isPresent()) {
      return there.get();
    }
    throw new InvalidPathHandleException(
        "the file seen at "
            + path
            + " (uid "
            + seen.uid()
            + ") was "
            + (there.isPresent() ? "replaced by another" : "removed or renamed")
            + (mayMove ? "" : ", and the handle does not follow a rename"));
  }

  @Override
  public ByteBuffer bytes() {
    return ByteBuffer.wrap(stored).asReadOnlyBuffer();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PathHandle that && bytes().equals(that.bytes());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(stored);
  }

  @Override
  public String toString() {
    return "FileHandle{" + (path == null ? "read back" : path + " " + file.uid()) + "}";
  }
}
