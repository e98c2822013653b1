// SPDX-License-Identifier: Apache-2.0
/**
 * Trying again after another client was faster: one bounded loop and its clock. Knows nothing of
 * RADOS.
 */
package io.radosfs.connector.retry;
