// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** What a directory shows to its readers. */
final class Listed {

  private Listed() {}

  /** The names in it, by a file system that is closed then. */
  static List<String> names(Path directory, Configuration conf) throws IOException {
    List<String> names = new ArrayList<>();
    try (FileSystem fs = directory.getFileSystem(conf)) {
      for (FileStatus status : fs.listStatus(directory)) {
        names.add(status.getPath().getName());
      }
    }
    return names;
  }
}
