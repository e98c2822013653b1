// SPDX-License-Identifier: Apache-2.0
/**
 * What fails around a job, one test for each: processes that die, OSDs that die, pools that are
 * full, rights that are taken away, and jobs, tasks and names that are at the edge. After each the
 * table is whole, {@code radosfs fsck} finds nothing, and a full listing of the pool agrees.
 */
package io.radosfs.integration.failures;
