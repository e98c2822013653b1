// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.release;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The releases of a product that radosfs can be used with.
 *
 * <p>A release that has not what radosfs needs, or wants of radosfs what it does not have, is
 * refused: otherwise a job would fail after all its tasks have run. Any other is used. If none of
 * its line (3.4, 3.5) is among those tested, that is worth a warning and no more, as most newer
 * releases, and vendors' own, are fine.
 *
 * @param product such as Hadoop
 * @param oldest as {@code major.minor.patch}; older ones have not all that radosfs refers to
 * @param tested in ascending order, the same way
 */
public record Releases(String product, String oldest, List<String> tested) {

  private static final Pattern NUMBERS =
      Pattern.compile("(\\d{1,6})\\.(\\d{1,6})(?:\\.(\\d{1,6}))?.*");

  /**
   * Why a release cannot be used; empty if it can.
   *
   * @param version as the product tells it
   * @param ours what radosfs implements of it: has it all methods that the release calls?
   */
  public Optional<String> refusal(String version, Class<?> ours) {
    Matcher running = NUMBERS.matcher(version);
    if (running.matches() && compare(running, matched(oldest)) < 0) {
      return Optional.of(refused(version, "it needs " + oldest + " or newer"));
    }
    try {
      return Arrays.stream(ours.getMethods())
          .filter(method -> Modifier.isAbstract(method.getModifiers()))
          .findFirst()
          .map(method -> refused(version, lacking(ours, method)));
    } catch (LinkageError e) {
      return Optional.of(refused(version, "that release has no " + e.getMessage()));
    }
  }

  /** What to warn of; empty if a release of that line is tested. */
  public Optional<String> warning(String version) {
    Matcher running = NUMBERS.matcher(version);
    if (running.matches() && tested.stream().anyMatch(each -> isOneLine(running, matched(each)))) {
      return Optional.empty();
    }
    return Optional.of(
        "radosfs is not tested with "
            + product
            + " "
            + version
            + ", and goes on. "
            + known()
            + ". Try your jobs before you rely on it");
  }

  private String refused(String version, String reason) {
    return "radosfs cannot be used with "
        + product
        + " "
        + version
        + ": "
        + reason
        + ". "
        + known()
        + ": use one of them, or a release of radosfs that is made for "
        + product
        + " "
        + version;
  }

  private String known() {
    return "It is tested with " + product + " " + String.join(", ", tested);
  }

  private static String lacking(Class<?> ours, Method method) {
    return ours.getSimpleName()
        + " has no method "
        + method.getName()
        + Arrays.stream(method.getParameterTypes())
            .map(Class::getName)
            .collect(Collectors.joining(", ", "(", ")"))
        + " of "
        + method.getDeclaringClass().getSimpleName()
        + ", which that release wants";
  }

  private static Matcher matched(String version) {
    Matcher matcher = NUMBERS.matcher(version);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(version + " is no version");
    }
    return matcher;
  }

  private static boolean isOneLine(Matcher a, Matcher b) {
    return number(a, 1) == number(b, 1) && number(a, 2) == number(b, 2);
  }

  private static int compare(Matcher a, Matcher b) {
    for (int group = 1; group <= 3; group++) {
      int compared = Integer.compare(number(a, group), number(b, group));
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }

  private static int number(Matcher matcher, int group) {
    return matcher.group(group) == null ? 0 : Integer.parseInt(matcher.group(group));
  }
}
