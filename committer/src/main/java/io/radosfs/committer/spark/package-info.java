// SPDX-License-Identifier: Apache-2.0
/** The committer as Spark SQL sees it. Built for one Scala version. */
package io.radosfs.committer.spark;
