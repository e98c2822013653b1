// SPDX-License-Identifier: Apache-2.0
/**
 * How the cost of a job grows with its size, and what limits it: jobs of the committer alone in
 * processes of their own, the loads on one object, the model of the counts, and what follows from
 * both. What is measured by them, and how it is reported, is in the package above.
 */
package io.radosfs.bench.scale;
