// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.BulkDeleteUtils;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.util.functional.Tuples;

/**
 * Hadoop's {@link BulkDelete}: paths below a base, {@value #PAGE} at a time. It deletes files and
 * empty directories. A directory that is not empty after the other deletions of the page is a
 * failure; a missing path is not.
 *
 * <p>A class of its own, as Hadoop before 3.4.1 has no {@link BulkDelete}.
 */
public final class PagedBulkDelete implements BulkDelete {

  private static final int PAGE = 1_000;

  /** Translates a path as the file system does. */
  public interface Translation {
    FsPath toFs(Path path) throws IOException;
  }

  private final Path base;
  private final Translation paths;
  private final RadosOperations operations;

  private PagedBulkDelete(Path base, Translation paths, RadosOperations operations) {
    this.base = base;
    this.paths = paths;
    this.operations = operations;
  }

  /**
   * No RADOS operation.
   *
   * @param base qualified
   */
  public static BulkDelete below(Path base, Translation paths, RadosOperations operations) {
    return new PagedBulkDelete(base, paths, operations);
  }

  @Override
  public int pageSize() {
    return PAGE;
  }

  @Override
  public Path basePath() {
    return base;
  }

  /**
   * Deletes a page.
   *
   * @throws IllegalArgumentException if there are more paths than a page has, or one is not
   *     absolute or not below the base; nothing is deleted then
   */
  @Override
  public List<Map.Entry<Path, String>> bulkDelete(Collection<Path> some) throws IOException {
    BulkDeleteUtils.validateBulkDeletePaths(some, PAGE, base);
    Map<FsPath, Path> given = new LinkedHashMap<>();
    for (Path path : some) {
      given.put(paths.toFs(path), path);
    }
    List<Map.Entry<Path, String>> failures = new ArrayList<>();
    operations
        .deleteAll(given.keySet())
        .forEach((path, failure) -> failures.add(Tuples.pair(given.get(path), failure.toString())));
    return failures;
  }

  @Override
  public IOStatistics getIOStatistics() {
    return operations.statistics();
  }

  @Override
  public void close() {}
}
