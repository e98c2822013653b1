// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.parquet.hadoop.ParquetOutputFormat;
import org.apache.spark.sql.execution.datasources.parquet.ParquetWriteSupport;
import org.junit.jupiter.api.Test;

/** With the keys that Parquet has and sets. */
class ParquetSummariesTest {

  private final Configuration conf = new Configuration(false);

  private boolean asked() {
    return ParquetSummaries.warning(conf).isPresent();
  }

  private void writeParquet() throws Exception {
    Job job = Job.getInstance(conf);
    ParquetOutputFormat.setWriteSupportClass(job, ParquetWriteSupport.class);
    job.getConfiguration().forEach(entry -> conf.set(entry.getKey(), entry.getValue()));
  }

  @Test
  void jobsOfParquetThatAskForThemAreTold() throws Exception {
    writeParquet();
    assertThat(asked()).as("as Spark writes").isFalse();
    conf.set(ParquetOutputFormat.JOB_SUMMARY_LEVEL, "NONE");
    assertThat(asked()).isFalse();
    conf.set(ParquetOutputFormat.JOB_SUMMARY_LEVEL, "all");
    assertThat(ParquetSummaries.warning(conf).orElseThrow())
        .contains("parquet.summary.metadata.level = all has no effect");
    conf.unset(ParquetOutputFormat.JOB_SUMMARY_LEVEL);
    conf.setBoolean(ParquetOutputFormat.ENABLE_JOB_SUMMARY, true);
    assertThat(ParquetSummaries.warning(conf).orElseThrow())
        .contains("parquet.enable.summary-metadata has no effect");
  }

  @Test
  void otherJobsAreNot() {
    conf.set(ParquetOutputFormat.JOB_SUMMARY_LEVEL, "ALL");
    assertThat(asked()).isFalse();
  }
}
