// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import java.util.Locale;

/** Figures as people read them. */
final class Texts {

  private Texts() {}

  static String number(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.2f", value);
  }

  static String median(Figure figure) {
    return withUnit(figure.median(), figure);
  }

  static String range(Figure figure) {
    return number(figure.min()) + "–" + number(figure.max());
  }

  /** Empty where there is none. */
  static String goal(Figure figure) {
    return figure
        .goal()
        .map(goal -> goal.bound().sign() + " " + withUnit(goal.limit(), figure))
        .orElse("");
  }

  /** Empty where there is no goal. */
  static String met(Figure figure) {
    return figure.met().map(met -> met ? "met" : "NOT MET").orElse("");
  }

  private static String withUnit(double value, Figure figure) {
    return figure.isRatio() ? number(value) : number(value) + " " + figure.unit();
  }
}
