// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.stages.ConflictMode;
import io.radosfs.committer.stages.ConflictScope;
import io.radosfs.committer.stages.OverwriteConflict;
import io.radosfs.committer.stages.Validation;
import io.radosfs.connector.config.SettingsTable;
import io.radosfs.connector.docs.Repository;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pins keys and defaults, and that the documentation has them. */
class CommitterOptionsTest {

  @Test
  void defaults() {
    CommitterOptions options =
        CommitterOptions.of(
            new Configuration(false), new org.apache.hadoop.fs.Path("rados://ns@my_pool/out"));
    assertThat(options)
        .isEqualTo(
            new CommitterOptions(
                ConflictMode.APPEND,
                ConflictScope.DIRECTORY,
                OverwriteConflict.WAIT,
                Validation.NONE,
                Duration.ofHours(1),
                "",
                false,
                CommitLevel.INFO,
                true));
    assertThat(CommitterOptions.ALL.stream().map(option -> option.key()))
        .containsExactly(
            "fs.rados.committer.conflict-mode",
            "fs.rados.committer.conflict-scope",
            "fs.rados.committer.overwrite-conflict",
            "fs.rados.committer.validate",
            "fs.rados.committer.lease",
            "fs.rados.committer.summary.report.directory",
            "fs.rados.committer.summary.report.files",
            "fs.rados.committer.log.level",
            "fs.rados.plugin.check",
            "fs.rados.plugin.send-key",
            "fs.rados.plugin.metrics.interval");
  }

  @Test
  void whatNothingReadsIsToldWithTheNearest() {
    Configuration conf = new Configuration(false);
    CommitterOptions.ALL.forEach(option -> conf.set(option.key(), "1"));
    conf.set("fs.rados.committer.require", "off");
    conf.set("fs.rados.pool.my_pool.committer.conflict.mode", "replace");
    conf.set("fs.rados.write.windw", "the connector tells of this one");
    assertThat(
            CommitterOptions.unknown(conf, new org.apache.hadoop.fs.Path("rados://ns@my_pool/out")))
        .containsExactly(
            "nothing reads the setting fs.rados.pool.my_pool.committer.conflict.mode: it has no"
                + " effect. The nearest that there is:"
                + " fs.rados.pool.my_pool.committer.conflict-mode");
  }

  /** A number is of seconds: 60 would end every job that had its last heartbeat a minute ago. */
  @ParameterizedTest
  @ValueSource(strings = {"60", "10m", "1199s"})
  void aLeaseThatLivingJobsDoNotKeepIsRefused(String lease) {
    Configuration conf = new Configuration(false);
    conf.set("fs.rados.committer.lease", lease);
    assertThatThrownBy(
            () -> CommitterOptions.of(conf, new org.apache.hadoop.fs.Path("rados://p/out")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "fs.rados.committer.lease is '"
                + lease
                + "', but should be 20m or longer, as live drivers have a heartbeat every 5"
                + " minutes, or 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "20m", "3600"})
  void otherLeasesAreTaken(String lease) {
    Configuration conf = new Configuration(false);
    conf.set("fs.rados.committer.lease", lease);
    assertThat(CommitterOptions.of(conf, new org.apache.hadoop.fs.Path("rados://p/out")).lease())
        .isIn(Duration.ZERO, Duration.ofMinutes(20), Duration.ofHours(1));
  }

  @Test
  void theDocumentationHasThem() {
    String page = "committer/docs/configuration.md";
    SettingsTable.assertDocumented(page, CommitterOptions.ALL);
    assertThat(Repository.page(page))
        .contains("| `" + CommitterOptions.MARK_SUCCESSFUL_JOBS + "` | `true` |");
  }
}
