// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.uri.Authority;

/** Stores as a mount has them: who may not do something is told which rights that takes. */
public final class ExplainedDenials {

  private ExplainedDenials() {}

  /** The store, by which denials are told as a mount tells them. */
  public static ObjectStore of(ObjectStore store) {
    AccessErrors errors =
        new AccessErrors(
            new Authority(store.pool(), store.namespace()), "client.test", store::pool);
    return new DenialExplainingStore(store, failure -> errors.explain(store.pool(), failure));
  }
}
