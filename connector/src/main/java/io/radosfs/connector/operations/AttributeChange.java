// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.layout.Attributes;
import java.io.IOException;

/**
 * A change of attributes. It may be called several times, with what another client has written
 * meanwhile.
 */
@FunctionalInterface
public interface AttributeChange {

  /**
   * @throws IOException if these are not to be changed; then nothing is
   */
  Attributes of(Attributes before) throws IOException;
}
