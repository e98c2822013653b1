// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import java.util.SortedMap;

/**
 * A copy of an object for those that check invariants.
 *
 * @param data its data
 * @param xattrs its xattrs by name
 * @param omap its omap in the order of the keys' UTF-8 bytes
 * @param dataWrites how often data was written to it since it was created: at most once, by I1
 */
public record ObjectView(
    String name,
    byte[] data,
    SortedMap<String, byte[]> xattrs,
    SortedMap<String, byte[]> omap,
    int dataWrites) {}
