// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.mount.LedgerRenewal.Step;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LedgerRenewalTest {

  @Test
  void aStepThatFailsEndsNeitherTheOthersNorTheNextTime() throws InterruptedException {
    CountDownLatch timesOfTheLast = new CountDownLatch(3);
    List<Step> steps =
        List.of(
            new Step(
                "the ledger",
                () -> {
                  throw new IOException("no answer");
                }),
            new Step(
                "the jobs",
                () -> {
                  throw new IllegalStateException("a defect");
                }),
            new Step(
                "the rest",
                () -> {
                  throw new OutOfMemoryError("no memory");
                }),
            new Step("the last", timesOfTheLast::countDown));
    try (LedgerRenewal renewal = new LedgerRenewal(steps, Duration.ofMillis(1), "renewal")) {
      assertThat(timesOfTheLast.await(1, TimeUnit.MINUTES)).as("%s goes on", renewal).isTrue();
    }
  }
}
