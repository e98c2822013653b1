// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.FilePublisher;
import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIOException;

/**
 * Makes files of objects that other programs wrote, without a copy: object {@code a/b} becomes the
 * one stripe of the file {@code /a/b}, and an empty object {@code a/b/}, by which some programs
 * mark a directory, the directory {@code /a/b}.
 *
 * <p><b>Steps of a file.</b> The object gets a uid, in one operation that is guarded with there
 * being none. From then on it is a stripe: no other adoption begins with it. Then its length and
 * checksum are read, and the entry is published as that of any new file: only if the name is free.
 * The object is not in the ledger meanwhile: what is there is what a collector removes, and these
 * bytes are not this process's.
 *
 * <p><b>Crashes.</b> After one, the object may have a uid that no entry has. Nothing is visible,
 * and the data is as it was. A second xattr, {@link FileData#ADOPTED_XATTR}, tells this uid from
 * one that a writer of radosfs set, whose file may be unfinished, renamed or removed. To go on, the
 * caller says that no other adoption runs ({@code resume}); if nothing leads to the file of that
 * uid, it gets a new one, so that whoever was wrong about that cannot make two files of one object:
 * an adoption that finds another uid after it has published takes its file back.
 *
 * <p><b>Other programs.</b> RADOS does not keep them from changing the object. A change until the
 * publication is noticed where it changes the length, and else right after it, by a second reading
 * of the checksum: then the entry is wrong, and the error says so. A change that comes later is
 * found by {@code radosfs fsck --data}.
 *
 * <p>Thread-safe.
 */
public final class Adoption {

  /** What became of an object. */
  public enum Outcome {
    /** It is a file, or a directory, now. */
    ADOPTED,
    /** It would be. */
    ADOPTABLE,
    /** It is the file already that it would become. */
    A_FILE_ALREADY,
    /** It is the data of a file that has another path, or is being written or removed. */
    OF_ANOTHER_FILE
  }

  /**
   * An object that was looked at.
   *
   * @param length of the file; 0 for a directory
   */
  public record Adopted(Outcome outcome, FsPath path, boolean isFile, long length) {}

  private final ObjectStore store;
  private final Namespace namespace;
  private final ForeignObjects objects;
  private final int objectSize;

  /**
   * @param store the pool of files whose entry names none
   * @param indexPool the pool of the index
   * @param objectSize bytes in a stripe of a file that is shorter than one
   */
  public Adoption(
      ObjectStore store,
      String indexPool,
      Namespace namespace,
      IndexReader reader,
      RetainedData retainedData,
      int objectSize) {
    this.store = store;
    this.namespace = namespace;
    this.objects = new ForeignObjects(store, indexPool, namespace, reader, retainedData);
    this.objectSize = objectSize;
  }

  /** The objects of which it makes files and directories. */
  public ForeignObjects objects() {
    return objects;
  }

  /**
   * Makes a file of the object {@code path.key()}. Directories above it are made if they are
   * missing; markers of them must have been adopted before ({@link #directoryAt}). Four reads, two
   * of which have an OSD read all of the object, and two writes; more for new directories.
   *
   * @param attributes of the file, and the owner of new directories
   * @param resume go on with an adoption that was ended early; no other may run. Reads the whole
   *     index for such an object
   * @param dryRun only look
   * @throws FileNotFoundException if there is no such object
   * @throws FileAlreadyExistsException if there is something else at the path
   * @throws PathIOException if the object cannot become a file, or is changed by others; it says
   *     why
   * @throws OutcomeUnknownException also if it is a file, and the last reading failed
   */
  public Adopted fileAt(FsPath path, Attributes attributes, boolean resume, boolean dryRun)
      throws IOException {
    ForeignObjects.Seen seen = objects.look(path, resume, dryRun);
    Outcome outcome =
        switch (seen.dataOf()) {
          case THE_FILE_THERE -> Outcome.A_FILE_ALREADY;
          case ANOTHER_FILE -> Outcome.OF_ANOTHER_FILE;
          case NO_FILE -> dryRun ? Outcome.ADOPTABLE : Outcome.ADOPTED;
        };
    if (outcome == Outcome.ADOPTED) {
      make(path, seen, attributes);
    }
    return new Adopted(outcome, path, true, seen.length());
  }

  /**
   * Makes the directory of which there is a marker, an empty object {@code path.key() + "/"}, and
   * removes the marker: the index of the directory will have its name. One read; two writes or
   * more. Can be repeated.
   *
   * @return empty if there is no marker
   * @throws PathIOException if the object is not empty
   */
  public Optional<Adopted> directoryAt(FsPath path, Attributes attributes, boolean dryRun)
      throws IOException {
    if (!objects.isMarker(path)) {
      return Optional.empty();
    }
    String marker = ObjectNames.index(path);
    if (dryRun) {
      return Optional.of(new Adopted(Outcome.ADOPTABLE, path, false, 0));
    }
    namespace.mkdirs(path, attributes);
    WriteOp.Builder removal = WriteOp.builder().assertExists();
    if (objects.hasOmaps()) {
      removal.absentOmap(IndexKeys.HEAD);
    }
    WriteOp remove = removal.remove().build();
    // Refused if somebody else has adopted it, and the index has its name by now.
    RepeatableOps.Answer unused =
        RepeatableOps.accepted(
            () -> store.write(marker, remove), Kind.NOT_FOUND, Kind.GUARD_FAILED);
    return Optional.of(new Adopted(Outcome.ADOPTED, path, false, 0));
  }

  private void make(FsPath path, ForeignObjects.Seen seen, Attributes attributes)
      throws IOException {
    Namespace.NewFile made =
        namespace.create(path, /* overwrite= */ false, /* createParent= */ true, attributes);
    FilePublisher publisher = made.publisher();
    publisher.beginUnrecorded();
    boolean published = false;
    try {
      FileData data =
          new FileData(path, made.uid(), /* plainFirst= */ true, 0, objectSize, Optional.empty())
              .inOneStripe((int) seen.length());
      take(data, seen.uid());
      Content content =
          content(data)
              .filter(read -> read.length() == seen.length())
              .orElseThrow(() -> early(path));
      publisher.publish(data, content.crc32c());
      published = true;
      requireOwn(path, data, content);
    } finally {
      if (!published) {
        publisher.gaveUp();
      }
    }
  }

  /** Reads what is a file by now, or was: it may be removed again. */
  private void requireOwn(FsPath path, FileData data, Content published) throws IOException {
    Optional<Content> now;
    boolean takenBack;
    try {
      now = content(data);
      takenBack = now.isEmpty() && namespace.removeFile(path, data.uid());
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      throw new OutcomeUnknownException(
          "object '"
              + path.key()
              + "' became the file "
              + path
              + ", but could not be read again, so that it may have been changed while it was"
              + " adopted: `radosfs fsck --data` tells",
          e);
    }
    if (takenBack) {
      throw changed(
          path,
          "it was removed, or another adoption took it, which was told by --resume that none ran. It"
              + " is no file by this adoption");
    }
    if (!now.orElse(published).equals(published)) {
      throw changed(
          path,
          "the file there has another length or checksum. Stop what writes it, fetch it by `rados"
              + " get`, and replace the file by `radosfs put --overwrite`");
    }
  }

  /**
   * Gives the object the file's uid, unless it has another than was seen. An owner, which was not
   * seen, is that of a file that has been made of its data since ({@link Restoration}).
   */
  private void take(FileData data, Optional<String> seen) throws IOException {
    byte[] uid = data.uid().value().getBytes(StandardCharsets.UTF_8);
    WriteOp.Builder guarded = WriteOp.builder().assertExists();
    if (seen.isPresent()) {
      guarded
          .compareXattr(FileData.UID_XATTR, seen.get().getBytes(StandardCharsets.UTF_8))
          .absentXattr(FileData.OWNER_XATTR);
    } else {
      guarded.absentXattr(FileData.UID_XATTR);
    }
    WriteOp op =
        guarded.setXattr(FileData.UID_XATTR, uid).setXattr(FileData.ADOPTED_XATTR, uid).build();
    RepeatableOps.Answer answer =
        RepeatableOps.accepted(
            () -> store.write(data.stripe(0), op), Kind.GUARD_FAILED, Kind.NOT_FOUND);
    if (!answer.isAccepted() && !has(data, uid)) {
      throw new PathIOException(
          data.origin().toString(),
          "object '"
              + data.stripe(0)
              + "' was removed, or is being adopted or restored by another client at this moment");
    }
  }

  private boolean has(FileData data, byte[] uid) throws IOException {
    ReadOp op = ReadOp.builder().afterWrites().xattr(FileData.UID_XATTR).build();
    return Reads.find(store, data.stripe(0), op)
        .flatMap(found -> found.xattr(0))
        .filter(found -> Arrays.equals(uid, found))
        .isPresent();
  }

  private record Content(long length, int crc32c) {}

  /** Of the object while it is this file's; empty if it is not, or not any more. */
  private Optional<Content> content(FileData data) throws IOException {
    byte[] uid = data.uid().value().getBytes(StandardCharsets.UTF_8);
    ReadOp op =
        ReadOp.builder()
            .afterWrites()
            .compareXattr(FileData.UID_XATTR, uid)
            .size()
            .crc32c()
            .build();
    try {
      ReadResult found = Reads.read(store, data.stripe(0), op);
      return Optional.of(new Content(found.bytes(1), found.crc32c(2)));
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND) || e.is(Kind.GUARD_FAILED)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static PathIOException early(FsPath path) {
    return changed(path, "it is no file yet. Stop what writes it, and try again with --resume");
  }

  private static PathIOException changed(FsPath path, String what) {
    return new PathIOException(
        path.toString(), "object '" + path.key() + "' was changed while it was adopted; " + what);
  }
}
