// SPDX-License-Identifier: Apache-2.0
/**
 * What librados can do by its C interface, with nothing of radosfs in between: whole objects are
 * written and read, so many at a time. It shows which share of {@code rados bench} no program can
 * reach that uses this interface. How it is measured is in the package above.
 */
package io.radosfs.bench.ceiling;
