// SPDX-License-Identifier: Apache-2.0
/**
 * What the benchmark's part {@code paper} writes and how its plots are titled, and what is printed
 * elsewhere of the same work. How it is measured is in the package above.
 */
package io.radosfs.bench.paper;
