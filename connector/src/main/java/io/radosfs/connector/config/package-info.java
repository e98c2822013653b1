// SPDX-License-Identifier: Apache-2.0
/**
 * Every setting of the connector: its key, its default, its meaning, and how it is read. Nothing
 * else reads {@code fs.rados.*}.
 */
package io.radosfs.connector.config;
