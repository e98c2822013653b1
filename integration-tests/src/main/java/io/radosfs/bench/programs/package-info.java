// SPDX-License-Identifier: Apache-2.0
/**
 * Main classes that measure in a JVM of their own, since they need its heap, its environment or its
 * beginning for themselves, and what they print. Which are run, and what their times are held
 * against, is in the package above.
 */
package io.radosfs.bench.programs;
