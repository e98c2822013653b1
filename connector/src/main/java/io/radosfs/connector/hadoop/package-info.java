// SPDX-License-Identifier: Apache-2.0
/**
 * What {@link io.radosfs.connector.RadosFileSystem} consists of: the translation between Hadoop's
 * file system API and {@link io.radosfs.connector.operations.Namespace}.
 */
package io.radosfs.connector.hadoop;
