/**
 * Hadoop's own file system contract tests, on the simulation. What the file system claims to do is
 * in {@code contract/rados.xml}.
 */
package io.radosfs.connector.contract;
