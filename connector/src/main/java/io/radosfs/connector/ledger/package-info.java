// SPDX-License-Identifier: Apache-2.0
/**
 * Intent logs of processes: what a process may have in RADOS that no index refers to yet (I4). An
 * entry is recorded before, and crossed out after.
 */
package io.radosfs.connector.ledger;
