// SPDX-License-Identifier: Apache-2.0
/**
 * What people run now and then: collecting what crashed processes left, and checking a whole pool
 * against its index. Nothing of a running file system depends on it.
 */
package io.radosfs.connector.upkeep;
