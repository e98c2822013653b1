// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.publish;

import java.util.List;

/** The plots that the repository shows, at most ten: a report has hundreds. */
public final class ChosenPlots {

  private static final String TIME = ", time";

  /** On the first page of the repository. */
  private static final List<ChosenPlot> FIRST =
      List.of(
          ChosenPlot.bars(
              "small-files",
              "Small files by Spark: time of the job",
              TIME,
              "peers: 1,000 files",
              "peers: 100 files"),
          ChosenPlot.bars(
              "streams",
              "A stream of 512 MiB: its MiB/s as a share of rados bench",
              "to rados bench",
              "stream"),
          ChosenPlot.linesOf(
              "queries", "TPC-H: seconds of each query", "tpch: seconds of each query"));

  private static final List<ChosenPlot> FURTHER =
      List.of(
          ChosenPlot.bars(
              "large-files",
              "Large files by Spark: time of the job",
              TIME,
              "peers: 512 MiB in 16 files",
              "peers: 256 MiB in 16 files"),
          ChosenPlot.bars(
              "partitions",
              "Partitions by Spark: time of the job",
              TIME,
              "peers: 200 partitions of 4 files",
              "peers: 10 partitions of 4 files"),
          ChosenPlot.bars("ceiling", "Shares of rados bench", "to rados bench", "ceiling"),
          ChosenPlot.linesOf(
              "streams-by-size",
              "Written by streams: MiB/s as a share of rados bench",
              "limit: streams to rados bench, write"),
          ChosenPlot.linesOf(
              "paper-parquet",
              "One task that writes Parquet: MiB of text a second",
              "paper: MiB of text a second of one task that writes Parquet, default buffer, pool"
                  + " size 1"),
          ChosenPlot.linesOf(
              "queries-tpcds", "TPC-DS: seconds of each query", "tpcds: seconds of each query"),
          ChosenPlot.linesOf(
              "operations",
              "A job's RADOS operations by its files, counted and by the model",
              "scale: operations at the OSDs by files"));

  private ChosenPlots() {}

  /** Those that the README shows. */
  public static List<ChosenPlot> first() {
    return FIRST;
  }

  /** All others, which the page on benchmarks shows beside the first. */
  public static List<ChosenPlot> further() {
    return FURTHER;
  }
}
