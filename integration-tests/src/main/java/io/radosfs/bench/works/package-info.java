// SPDX-License-Identifier: Apache-2.0
/**
 * The Spark jobs that are run on rados:// and beside it: what they write and read, which of them
 * the part {@code spark} has, and the goals of all works that are held against the local disk. How
 * they are measured and reported is in the package above.
 */
package io.radosfs.bench.works;
