// SPDX-License-Identifier: Apache-2.0
/**
 * The storage format in RADOS: names of objects and of omap keys, and the values stored there. Pure
 * values and codecs; nothing here talks to RADOS.
 */
package io.radosfs.connector.layout;
