// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.StringWriter;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.WriterAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What is logged at WARN or above. */
public final class LoggedLines {

  private LoggedLines() {}

  /** The one message that a logger has while a call runs, which must not fail. */
  public static String warningOf(String name, ThrowingCallable call) {
    StringWriter lines = new StringWriter();
    PatternLayout layout = PatternLayout.newBuilder().withPattern("%level %msg%n").build();
    WriterAppender appender =
        WriterAppender.newBuilder().setName("warnings").setLayout(layout).setTarget(lines).build();
    appender.start();
    Logger logger = (Logger) LogManager.getLogger(name);
    Level before = logger.getLevel();
    Configurator.setLevel(name, Level.WARN);
    logger.addAppender(appender);
    try {
      assertThat(catchThrowable(call)).isNull();
    } finally {
      logger.removeAppender(appender);
      Configurator.setLevel(name, before);
      appender.stop();
    }
    String prefix = "WARN ";
    return lines
        .toString()
        .lines()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()))
        .findFirst()
        .orElse("no warning");
  }
}
