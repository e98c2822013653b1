// SPDX-License-Identifier: Apache-2.0
/** Finds or makes the superblock of a file system, and knows its data pools. */
package io.radosfs.connector.superblock;
