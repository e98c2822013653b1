// SPDX-License-Identifier: Apache-2.0
/**
 * The bytes of files: striped objects that are written once, read, and removed. This package knows
 * nothing of directories: a {@link io.radosfs.connector.data.FilePublisher} takes complete files.
 */
package io.radosfs.connector.data;
