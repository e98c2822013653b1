// SPDX-License-Identifier: Apache-2.0
/** Finds the superblock of a file system, or makes it; knows its data pools. */
package io.radosfs.connector.superblock;
