/** Finds the superblock of a file system, or makes it. */
package io.radosfs.connector.superblock;
