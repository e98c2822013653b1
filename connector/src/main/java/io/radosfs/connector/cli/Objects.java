package io.radosfs.connector.cli;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The RADOS objects of a file or directory. */
final class Objects {

  private Objects() {}

  static long count(Entry entry) {
    return entry instanceof Entry.OfFile file ? file.data().stripes() : 1;
  }

  static Stream<String> names(FsPath path, Entry entry) {
    return entry instanceof Entry.OfFile file
        ? IntStream.range(0, file.data().stripes()).mapToObj(file.data()::stripe)
        : List.of(ObjectNames.index(path)).stream();
  }
}
