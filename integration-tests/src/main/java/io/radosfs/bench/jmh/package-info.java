// SPDX-License-Identifier: Apache-2.0
/**
 * Reports of {@code scripts/bench micro} and {@code compare}: what JMH has written, as the report
 * of the other parts, so that one report can be made of all of them.
 */
package io.radosfs.bench.jmh;
