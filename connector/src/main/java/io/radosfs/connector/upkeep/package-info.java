// SPDX-License-Identifier: Apache-2.0
/**
 * Maintenance that operators run now and then: collecting what crashed processes left, and checking
 * a whole pool against its index. A running file system does not depend on it.
 */
package io.radosfs.connector.upkeep;
