// SPDX-License-Identifier: Apache-2.0
/**
 * Trying again what others were faster with: one bounded loop, and the clock that it waits by.
 * Knows nothing of RADOS.
 */
package io.radosfs.connector.retry;
