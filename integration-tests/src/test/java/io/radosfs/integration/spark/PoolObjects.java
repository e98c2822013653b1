// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import java.util.List;
import java.util.TreeSet;

/**
 * The objects of a pool by kind, told apart by their names alone, as documented.
 *
 * @param firstStripes named as their file was when it was written
 * @param renamedStripes first stripes of files whose name was taken: {@code path//~uid}
 * @param furtherStripes {@code path//uid/k}
 * @param jobs records of jobs
 * @param others ledgers and the superblock
 */
public record PoolObjects(
    TreeSet<String> firstStripes,
    TreeSet<String> renamedStripes,
    TreeSet<String> furtherStripes,
    TreeSet<String> indexes,
    TreeSet<String> jobs,
    TreeSet<String> others) {

  static PoolObjects of(List<String> names) {
    PoolObjects objects =
        new PoolObjects(
            new TreeSet<>(),
            new TreeSet<>(),
            new TreeSet<>(),
            new TreeSet<>(),
            new TreeSet<>(),
            new TreeSet<>());
    names.forEach(objects::add);
    return objects;
  }

  private void add(String name) {
    int mark = name.indexOf("//");
    if (mark < 0) {
      (name.endsWith("/") ? indexes : firstStripes).add(name);
    } else if (name.startsWith("job/", mark + 2)) {
      jobs.add(name);
    } else if (mark == 0) {
      others.add(name);
    } else if (name.startsWith("~", mark + 2)) {
      renamedStripes.add(name);
    } else {
      furtherStripes.add(name);
    }
  }

  /** First stripes at or below a directory. */
  public TreeSet<String> firstStripesBelow(String directory) {
    TreeSet<String> below = new TreeSet<>();
    for (String name : firstStripes) {
      if (name.startsWith(directory + "/")) {
        below.add(name);
      }
    }
    return below;
  }

  /** Objects with data of files, at or below a directory. */
  public long dataObjectsBelow(String directory) {
    String prefix = directory + "/";
    return firstStripes.stream().filter(name -> name.startsWith(prefix)).count()
        + renamedStripes.stream().filter(name -> name.startsWith(prefix)).count()
        + furtherStripes.stream().filter(name -> name.startsWith(prefix)).count();
  }
}
