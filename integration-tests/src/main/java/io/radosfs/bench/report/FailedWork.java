// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

/**
 * Work that failed: it has no figures, or not all that it was to have.
 *
 * @param part of the benchmark
 * @param message what it failed with
 */
public record FailedWork(String part, String work, String message) {}
