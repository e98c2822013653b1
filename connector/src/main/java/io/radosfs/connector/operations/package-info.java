// SPDX-License-Identifier: Apache-2.0
/**
 * The operations of the file system, each in a class of its own, over the directory index, the
 * ledger, transactions and data. {@link io.radosfs.connector.operations.Namespace} is what the
 * Hadoop facade sees.
 */
package io.radosfs.connector.operations;
