// SPDX-License-Identifier: Apache-2.0
/**
 * What a process may have in RADOS that no index refers to yet (I4): written down before, crossed
 * out after.
 */
package io.radosfs.connector.ledger;
