package io.radosfs.connector.simulated;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.simulation.ObjectView;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/** What a job record leads to. */
record JobObjects(List<FileData> finished, List<FileData> unfinished, Set<String> directories) {

  static Optional<JobObjects> of(SortedMap<String, ObjectView> objects, String record) {
    return objects.containsKey(record)
        ? Optional.of(new JobObjects(List.of(), List.of(), Set.of()))
        : Optional.empty();
  }
}
