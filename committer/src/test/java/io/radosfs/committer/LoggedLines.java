// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.WriterAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What loggers are told while a call runs, which must not fail. */
public final class LoggedLines {

  private static final String WARNING = "WARN ";

  private LoggedLines() {}

  /** The first warning of a logger. */
  public static String warningOf(String name, ThrowingCallable call) {
    return of(Level.WARN, List.of(name), call)
        .lines()
        .filter(line -> line.startsWith(WARNING))
        .map(line -> line.substring(WARNING.length()))
        .findFirst()
        .orElse("no warning");
  }

  /** The lines of these loggers at the level or above: the level and the message. */
  public static String of(Level level, List<String> names, ThrowingCallable call) {
    StringWriter lines = new StringWriter();
    PatternLayout layout = PatternLayout.newBuilder().withPattern("%level %msg%n").build();
    WriterAppender appender =
        WriterAppender.newBuilder().setName("lines").setLayout(layout).setTarget(lines).build();
    appender.start();
    Map<Logger, Level> before = new LinkedHashMap<>();
    for (String name : names) {
      Logger logger = (Logger) LogManager.getLogger(name);
      before.put(logger, logger.getLevel());
      Configurator.setLevel(name, level);
      logger.addAppender(appender);
    }
    try {
      assertThat(catchThrowable(call)).isNull();
    } finally {
      before.forEach(
          (logger, was) -> {
            logger.removeAppender(appender);
            Configurator.setLevel(logger.getName(), was);
          });
      appender.stop();
    }
    return lines.toString();
  }
}
