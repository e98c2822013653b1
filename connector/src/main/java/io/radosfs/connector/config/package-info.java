// SPDX-License-Identifier: Apache-2.0
/**
 * All settings of the connector: key, default, meaning, and how each is read. No other package
 * reads {@code fs.rados.*}.
 */
package io.radosfs.connector.config;
