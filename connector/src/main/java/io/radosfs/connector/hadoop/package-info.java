// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of {@link io.radosfs.connector.RadosFileSystem}: they translate between Hadoop's file
 * system API and {@link io.radosfs.connector.operations.Namespace}.
 */
package io.radosfs.connector.hadoop;
