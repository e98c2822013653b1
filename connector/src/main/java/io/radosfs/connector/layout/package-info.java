// SPDX-License-Identifier: Apache-2.0
/**
 * Where things live in RADOS: the names of objects and of omap keys, and the values kept there.
 * Pure values and codecs; nothing here talks to RADOS.
 */
package io.radosfs.connector.layout;
