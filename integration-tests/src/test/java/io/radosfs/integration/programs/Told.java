// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** A {@link Program} from within: the lines that it is told, and its answers. */
public final class Told implements AutoCloseable {

  /** The answer where there is nothing else to say. */
  public static final String DONE = "done";

  private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));

  /** What is done for a line, and answered. */
  @FunctionalInterface
  public interface Work<E extends Exception> {
    String on(String line) throws E;
  }

  /** The next line; null where there will be none. */
  public String next() throws IOException {
    return in.readLine();
  }

  /** An answer is one line. */
  @SuppressWarnings("SystemOut") // the test reads it
  public void answer(String text) {
    System.out.println(Program.ANSWER + text.replace('\n', ' '));
  }

  /** Answers every line until there are no more. */
  public <E extends Exception> void answerEach(Work<E> work) throws IOException, E {
    for (String line = next(); line != null; line = next()) {
      answer(work.on(line));
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
