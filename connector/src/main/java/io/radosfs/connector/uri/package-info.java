/** The URIs of file systems. */
package io.radosfs.connector.uri;
