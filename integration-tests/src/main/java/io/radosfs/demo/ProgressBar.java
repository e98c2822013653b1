// SPDX-License-Identifier: Apache-2.0
package io.radosfs.demo;

import java.io.PrintStream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/**
 * How far the work is: a bar that is drawn anew in place on a terminal, one line a step elsewhere.
 * Spark's tasks move it on within a step.
 */
final class ProgressBar extends SparkListener {

  private static final int WIDTH = 30;
  private static final int TITLE = 38;

  private final PrintStream out;
  private final boolean terminal;
  private final int totalWeight;
  private final long started = System.nanoTime();

  private int weightDone;
  private int weight;
  private String title = "";
  private int tasks;
  private int tasksDone;

  ProgressBar(PrintStream out, boolean terminal, int totalWeight) {
    this.out = out;
    this.terminal = terminal;
    this.totalWeight = totalWeight;
  }

  /** Work that may fail. */
  interface Step<T> {
    T run() throws Exception;
  }

  /** Does one step. */
  <T> T step(String name, int stepWeight, Step<T> step) throws Exception {
    begin(name, stepWeight);
    T result = step.run();
    end();
    return result;
  }

  private synchronized void begin(String name, int stepWeight) {
    title = name;
    weight = stepWeight;
    tasks = 0;
    tasksDone = 0;
    if (terminal) {
      draw();
    } else {
      out.printf("[%3d%%] %5.1f s  %s%n", percent(), seconds(), title);
    }
  }

  private synchronized void end() {
    weightDone += weight;
    weight = 0;
    if (terminal) {
      draw();
    }
  }

  /** Leaves the terminal as it was: for the report, or an error. */
  synchronized void clear() {
    if (terminal) {
      out.print("\r\u001b[K");
      out.flush();
    }
  }

  @Override
  public synchronized void onStageSubmitted(SparkListenerStageSubmitted stage) {
    tasks += stage.stageInfo().numTasks();
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd task) {
    tasksDone++;
    if (terminal && weight > 0) {
      draw();
    }
  }

  private double fraction() {
    // A step's later stages are not known yet: its tasks never fill it.
    double ofStep = tasks == 0 ? 0 : 0.9 * Math.min(tasksDone, tasks) / tasks;
    return Math.min(1, (weightDone + weight * ofStep) / totalWeight);
  }

  private int percent() {
    return (int) (100 * fraction());
  }

  private double seconds() {
    return (System.nanoTime() - started) / 1e9;
  }

  private void draw() {
    int filled = (int) (WIDTH * fraction());
    String bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
    String shown = title.length() > TITLE ? title.substring(0, TITLE - 1) + "…" : title;
    out.printf("\r\u001b[K%s %3d%% %4.0f s  %s", bar, percent(), seconds(), shown);
    out.flush();
  }
}
