// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Lines on the terminal while a part runs: what was measured just now, and how long the rest takes.
 */
public final class TimeTold {

  private final PrintStream out;
  private final LongSupplier nanoTime;
  private String part = "";
  private TimeLeft timeLeft = new TimeLeft(0);
  private long done;
  private long started;

  /**
   * Tells of one part after another.
   *
   * @param nanoTime as {@link System#nanoTime}
   */
  public TimeTold(PrintStream out, LongSupplier nanoTime) {
    this.out = out;
    this.nanoTime = nanoTime;
  }

  /**
   * A part begins.
   *
   * @param work how many units {@link #done} will name in all
   */
  public void begin(String ofPart, long work) {
    part = ofPart;
    timeLeft = new TimeLeft(work);
    done = 0;
    started = nanoTime.getAsLong();
  }

  /** Something that is no part of the work that was counted. */
  public void say(String format, Object... values) {
    out.println("[" + part + "] " + String.format(Locale.ROOT, format, values));
  }

  /** So many units more are done. */
  public void done(long work, String format, Object... values) {
    done += work;
    Duration elapsed = Duration.ofNanos(nanoTime.getAsLong() - started);
    String left =
        timeLeft
            .after(done, elapsed)
            .map(time -> ", about " + TimeLeft.text(time) + " left")
            .orElse("");
    String text = String.format(Locale.ROOT, format, values);
    out.println("[" + part + " " + done + "/" + timeLeft.total() + left + "] " + text);
  }
}
