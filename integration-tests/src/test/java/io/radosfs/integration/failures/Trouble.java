// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

/** What happens to the first attempts of one task of a job. */
public enum Trouble {
  NONE,

  // The executor dies by SIGKILL:
  /** some files are written, and one in part. */
  DIES_WRITING_DATA(true),
  /** all is written, and the manifest is next. */
  DIES_BEFORE_MANIFEST(true),
  /** the operation is on its way: nobody knows whether it will take effect. */
  DIES_SENDING_MANIFEST(true),
  /** it has taken effect, and nobody was told. */
  DIES_AFTER_MANIFEST(true),
  /** the attempt is committed, and the driver was not told. */
  DIES_BEFORE_REPORT(true),

  // The attempt is so slow that another one is started beside it:
  /** the second one commits, while the first one waits to. */
  SECOND_ATTEMPT_WINS(false),
  /** the first one commits after all, when the second one is about to. */
  FIRST_ATTEMPT_WINS(false),
  /** both commit at the same time. */
  BOTH_ATTEMPTS_COMMIT(false);

  private final boolean deadly;

  Trouble() {
    this(false);
  }

  Trouble(boolean deadly) {
    this.deadly = deadly;
  }

  boolean isDeadly() {
    return deadly;
  }
}
