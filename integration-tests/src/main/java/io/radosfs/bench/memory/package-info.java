// SPDX-License-Identifier: Apache-2.0
/**
 * What a process of the benchmark's part {@code memory} is told, what it samples while it asks
 * queries, and what it tells. It uses no other package of the benchmark.
 */
package io.radosfs.bench.memory;
