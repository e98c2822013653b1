// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.operations.Namespace.Child;
import java.util.function.Predicate;
import org.apache.hadoop.fs.GlobPattern;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say what is searched for. */
final class Wanted {

  /** What may be searched for. */
  enum Type {
    file,
    directory
  }

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"--name", "-name"},
      paramLabel = "GLOB",
      description = "The last part of the path matches this: '*.parquet', 'part-[0-9]*', '{a,b}*'.")
  private String name;

  @Option(
      names = {"--type", "-type"},
      paramLabel = "TYPE",
      description = "file or directory; f or d for short.")
  private String type;

  @Option(
      names = "--larger-than",
      paramLabel = "SIZE",
      description = "Files with more bytes than this, such as 100M.")
  private String largerThan;

  @Option(
      names = "--smaller-than",
      paramLabel = "SIZE",
      description = "Files with fewer bytes than this, such as 1M.")
  private String smallerThan;

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      description = "Last changed before this time ago, such as 30m, 12h or 7d.")
  private String olderThan;

  @Option(
      names = "--newer-than",
      paramLabel = "TIME",
      description = "Last changed after this time ago.")
  private String newerThan;

  /**
   * What tells whether something is what is searched for.
   *
   * @param now milliseconds since the epoch
   */
  Predicate<Child> test(long now) {
    Predicate<Child> test = child -> true;
    if (name != null) {
      GlobPattern glob = glob();
      test = test.and(child -> glob.matches(child.path().name()));
    }
    if (type != null) {
      Type only = type();
      test = test.and(child -> isFile(child) == (only == Type.file));
    }
    if (largerThan != null) {
      long least = size("--larger-than", largerThan);
      test = test.and(child -> isFile(child) && EntryText.length(child.entry()) > least);
    }
    if (smallerThan != null) {
      long most = size("--smaller-than", smallerThan);
      test = test.and(child -> isFile(child) && EntryText.length(child.entry()) < most);
    }
    if (olderThan != null) {
      long before = now - OptionTime.millis(spec, "--older-than", olderThan);
      test = test.and(child -> child.entry().attributes().modified() < before);
    }
    if (newerThan != null) {
      long after = now - OptionTime.millis(spec, "--newer-than", newerThan);
      test = test.and(child -> child.entry().attributes().modified() > after);
    }
    return test;
  }

  private static boolean isFile(Child child) {
    return child.entry() instanceof Entry.OfFile;
  }

  private GlobPattern glob() {
    try {
      return new GlobPattern(name);
    } catch (RuntimeException e) { // of re2j, whose place differs among Hadoop's releases
      throw wrong("--name " + name + ": " + e.getMessage());
    }
  }

  private Type type() {
    for (Type one : Type.values()) {
      if (!type.isEmpty() && one.name().startsWith(type)) {
        return one;
      }
    }
    throw wrong("--type " + type + ": file or directory");
  }

  private long size(String option, String text) {
    try {
      return TraditionalBinaryPrefix.string2long(text);
    } catch (IllegalArgumentException e) {
      throw wrong(option + " " + text + ": a size, such as 100M");
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
