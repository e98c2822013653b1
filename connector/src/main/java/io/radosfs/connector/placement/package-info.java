/** Which machines hold the objects of a file. */
package io.radosfs.connector.placement;
