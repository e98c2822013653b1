// SPDX-License-Identifier: Apache-2.0
/** The committer for Spark SQL. Built for one Scala version. */
package io.radosfs.committer.spark;
