// SPDX-License-Identifier: Apache-2.0
package io.radosfs.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JavaProgramTest {

  private static final List<String> OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-Xmx32m");

  private final List<String> told = new ArrayList<>();

  private int run(Duration limit, String what) throws Exception {
    return JavaProgram.run(JavaProgram.of(Child.class, OPTIONS, what), limit, told::add);
  }

  /** The process that is run. */
  static final class Child {

    private Child() {}

    public static void main(String[] arguments) throws InterruptedException {
      JavaProgram.endWithStarter();
      System.out.println("began");
      switch (arguments[0]) {
        case "end" -> System.out.println("ended");
        case "fail" -> System.exit(3);
        default -> Thread.sleep(Duration.ofMinutes(5).toMillis());
      }
    }
  }

  @Test
  void itsLinesAndItsStatusAreTold() throws Exception {
    assertThat(run(Duration.ofMinutes(5), "end")).isZero();
    assertThat(told).containsExactly("began", "ended");
    assertThat(run(Duration.ofMinutes(5), "fail")).isEqualTo(3);
  }

  @Test
  void oneThatDoesNotEndIsKilled() throws Exception {
    // SIGKILL.
    assertThat(run(Duration.ofSeconds(2), "wait")).isEqualTo(128 + 9);
  }

  /** Else what was started for a run that was killed would go on for hours. */
  @Test
  void itEndsWithTheProcessThatStartedIt() throws Exception {
    Process process = JavaProgram.of(Child.class, OPTIONS, "wait").start();
    try {
      assertThat(process.inputReader().readLine()).isEqualTo("began");
      // As the end of this process would.
      process.getOutputStream().close();
      assertThat(process.waitFor()).isEqualTo(1);
    } finally {
      process.destroyForcibly();
    }
  }
}
