// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.mount.Diagnosis;
import io.radosfs.connector.mount.Doctor;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Tells what is in the way of a job. */
@Command(
    name = "doctor",
    header = "Examines everything that a job needs.",
    description =
        "Examines everything that a job needs of this machine, the cluster and the pools: library,"
            + " configuration and key, monitors, pools, and whether this Ceph user may read, write"
            + " and remove. Each line is OK, or says what to do. Nothing is left behind, also if"
            + " it is killed: the operation that writes an object removes it too. No file system"
            + " is made.",
    exitCodeList = {
      "0:a job will find what it needs",
      "1:something is FAILED",
      "2:the command line was not understood; nothing was done",
    })
final class DoctorCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;

  @Override
  public Integer call() throws IOException {
    AtomicInteger failed = new AtomicInteger();
    new Doctor(
            target.authority(),
            target.configuration(),
            diagnosis -> {
              if (diagnosis.result() == Diagnosis.Result.FAILED) {
                failed.incrementAndGet();
              }
              output.result(() -> fields(diagnosis), () -> line(diagnosis));
            })
        .examine();
    output.flush();
    return failed.get() > 0 ? 1 : 0;
  }

  private static String line(Diagnosis diagnosis) {
    return String.format(
        "%-7s  %s: %s", diagnosis.result(), diagnosis.subject(), diagnosis.detail());
  }

  private static Fields fields(Diagnosis diagnosis) {
    return new Fields()
        .with("subject", diagnosis.subject())
        .with("result", diagnosis.result().name())
        .with("detail", diagnosis.detail());
  }
}
