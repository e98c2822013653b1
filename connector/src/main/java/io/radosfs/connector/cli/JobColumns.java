// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.job.JobDescription;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Jobs as a table, for people: the columns of {@code jobs list} and of {@code top}. */
final class JobColumns {

  private final JobText text;
  private final Sizes sizes;

  /**
   * @param now milliseconds since the epoch
   */
  JobColumns(long now, Sizes sizes) {
    this.text = new JobText(now);
    this.sizes = sizes;
  }

  private record Column(String head, Function<JobDescription, Object> value) {}

  Columns table(List<JobDescription> jobs) {
    return table(jobs, Optional.empty());
  }

  /**
   * The same, with how fast they write.
   *
   * @param rate in words
   */
  Columns table(List<JobDescription> jobs, Function<JobDescription, String> rate) {
    return table(jobs, Optional.of(new Column("BYTES/S", rate::apply)));
  }

  private Columns table(List<JobDescription> jobs, Optional<Column> rate) {
    List<Column> columns =
        List.of(
                Optional.of(new Column("STATE", JobText::state)),
                Optional.of(new Column("ID", job -> job.job().id())),
                Optional.of(new Column("DESTINATION", job -> job.job().destination())),
                Optional.of(new Column("TASKS", JobDescription::committed)),
                Optional.of(new Column("FILES", JobDescription::files)),
                Optional.of(new Column("BYTES", job -> sizes.text(job.bytes()))),
                rate,
                Optional.of(new Column("STARTED", JobText::started)),
                Optional.of(new Column("LAST HEARTBEAT", job -> text.ago(job.lastHeartbeat()))),
                Optional.of(new Column("OWNER", JobText::owner)))
            .stream()
            .flatMap(Optional::stream)
            .toList();
    Columns table = new Columns(columns.stream().map(Column::head).toArray());
    for (JobDescription job : jobs) {
      table.row(columns.stream().map(column -> column.value().apply(job)).toArray());
    }
    return table;
  }
}
