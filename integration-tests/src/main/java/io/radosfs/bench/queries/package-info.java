// SPDX-License-Identifier: Apache-2.0
/**
 * The queries of TPC-H and TPC-DS, and the tables that they are asked of, for any part of the
 * benchmark. It uses no other package of the benchmark.
 */
package io.radosfs.bench.queries;
