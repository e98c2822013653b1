// SPDX-License-Identifier: Apache-2.0
/**
 * The demo: Spark generates TPC-H tables, writes them to a file system as Parquet and as ORC, reads
 * them back, queries them, checks all results against each other and shows what happened.
 */
package io.radosfs.demo;
