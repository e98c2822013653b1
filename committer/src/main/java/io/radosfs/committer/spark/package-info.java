/** The committer as Spark SQL sees it. Built for one Scala version. */
package io.radosfs.committer.spark;
