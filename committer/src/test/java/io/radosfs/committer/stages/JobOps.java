// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.store.simulation.OpInfo;
import java.util.function.Predicate;

/** Which operations of a job on {@code /out} are which, for faults. */
final class JobOps {

  private JobOps() {}

  /** The one that decides the job. It is of a transaction, as no takeover is. */
  static Predicate<OpInfo> decides(String job) {
    return replacesRegistration(job).and(op -> op.summary().contains(IndexKeys.TRANSACTIONS));
  }

  /** The one by which a client takes the job over. An abort looks the same. */
  static Predicate<OpInfo> takesOver(String job) {
    return replacesRegistration(job).and(op -> !op.summary().contains(IndexKeys.TRANSACTIONS));
  }

  private static Predicate<OpInfo> replacesRegistration(String job) {
    String key = "j/" + job + "=";
    return op -> {
      String summary = op.summary();
      int set = summary.indexOf("setOmap(");
      return op.write()
          && op.object().equals("out/")
          && summary.contains("compareOmap(" + key)
          && set >= 0
          && summary.indexOf(key, set) > 0;
    };
  }
}
