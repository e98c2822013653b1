// SPDX-License-Identifier: Apache-2.0
/**
 * Reads parts of one directory index object at one instant, and changes it under guards. The layer
 * above, {@code transaction}, knows what pending transactions mean for it.
 */
package io.radosfs.connector.index;
