// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.upkeep.CollectionLog;

/** What a collection does, as results of a verb. */
final class Events {

  private Events() {}

  /** A log that prints each event. */
  static CollectionLog log(Output output, Sizes sizes) {
    return new CollectionLog(
        event -> output.result(() -> fields(event), event::toString), sizes::inWords);
  }

  private static Fields fields(CollectionLog.Event event) {
    return new Fields()
        .with("type", "event")
        .with("action", event.action().name())
        .with("subject", event.subject())
        .with("detail", event.detail());
  }

  /** How much was removed and kept. */
  static Fields summary(CollectionLog log) {
    return new Fields()
        .with("type", "summary")
        .with("removed", log.removed())
        .with("kept", log.kept());
  }
}
