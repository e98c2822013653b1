// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.data.DataStores;
import io.radosfs.connector.data.FilePublisher;
import io.radosfs.connector.data.ReadPlan;
import io.radosfs.connector.data.StreamSettings;
import io.radosfs.connector.data.StripedDataOutputStream;
import io.radosfs.connector.data.StripedInputStream;
import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.data.SyncRequests;
import io.radosfs.connector.job.WorkFiles.NewWorkFile;
import io.radosfs.connector.job.WorkPath;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.operations.Namespace.NewFile;
import io.radosfs.connector.store.ReadFrom;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.util.Progressable;

/** Opens the streams of one file system. */
final class FileStreams {

  private final Mount mount;
  private final DataStores reading;
  private final int writeWindow;
  private final int readWindow;
  private final ReadFrom readFrom;
  private final SyncRequests sync;

  /**
   * @param mount for all writes
   * @param reading for all reads
   */
  FileStreams(Mount mount, DataStores reading) {
    this.mount = mount;
    this.reading = reading;
    this.writeWindow = mount.settings().get(Options.WRITE_WINDOW);
    this.readWindow = mount.settings().get(Options.READ_WINDOW);
    this.readFrom = mount.readFrom();
    this.sync =
        mount.settings().get(Options.DOWNGRADE_SYNCABLE)
            ? SyncRequests.passedOver()
            : SyncRequests.refused();
  }

  /** How a file is to be created. */
  record Creation(
      boolean overwrite, boolean createParent, Attributes attributes, Progressable progress) {}

  /**
   * @param statistics told of the bytes in the writing thread
   */
  FSDataOutputStream create(FsPath path, Creation creation, FileSystem.Statistics statistics)
      throws IOException {
    Optional<WorkPath> work = WorkPath.parse(path);
    if (work.isPresent()) {
      NewWorkFile file =
          mount.workFiles().create(work.get(), creation.overwrite(), creation.attributes());
      return stream(file.data(), file.publisher(), creation, statistics);
    }
    NewFile file =
        mount
            .namespace()
            .create(path, creation.overwrite(), creation.createParent(), creation.attributes());
    FileData data = file.data(path, mount.superblock().objectSize());
    return stream(data, file.publisher(), creation, statistics);
  }

  private FSDataOutputStream stream(
      FileData data, FilePublisher publisher, Creation creation, FileSystem.Statistics statistics)
      throws IOException {
    StreamSettings settings =
        StreamSettings.defaults()
            .withWindow(writeWindow)
            .withBytes(statistics::incrementBytesWritten)
            .withSync(sync)
            .withStatistics(gatherer());
    if (creation.progress() != null) {
      settings = settings.withProgress(creation.progress()::progress);
    }
    StripedOutputStream stream =
        new StripedOutputStream(
            mount.dataStores().of(data), data, publisher, mount.buffers(), settings);
    // The stream counts bytes itself: once for each buffer, not for each call.
    return new StripedDataOutputStream(stream);
  }

  /** A stream's statistics go to the thread that opens it, even if another thread closes it. */
  private Consumer<IOStatistics> gatherer() {
    Consumer<IOStatistics> thread = ThreadStatistics.ofThisThread();
    return ofStream -> {
      mount.gather(ofStream);
      thread.accept(ofStream);
    };
  }

  /**
   * Opens the entry that a look-up returned. No RADOS operation.
   *
   * @throws FileNotFoundException if it is a directory
   */
  FSDataInputStream open(FsPath path, Entry entry, ReadPlan plan, FileSystem.Statistics statistics)
      throws IOException {
    if (!(entry instanceof Entry.OfFile file)) {
      throw new FileNotFoundException(path + " is a directory, which cannot be read as a file");
    }
    StreamSettings settings =
        StreamSettings.defaults()
            .withWindow(readWindow)
            .withBytes(statistics::incrementBytesRead)
            .withStatistics(gatherer())
            .withPlan(plan)
            .withFrom(readFrom);
    return new FSDataInputStream(
        new StripedInputStream(
            reading.of(file.data()), path, file.data(), mount.buffers(), settings));
  }
}
