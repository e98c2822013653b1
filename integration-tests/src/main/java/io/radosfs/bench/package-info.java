// SPDX-License-Identifier: Apache-2.0
/**
 * The benchmark: figures that say how fast radosfs is beside what it is compared with, measured in
 * turns in the same run. No test depends on them.
 */
package io.radosfs.bench;
