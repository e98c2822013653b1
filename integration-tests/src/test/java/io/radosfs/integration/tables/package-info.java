// SPDX-License-Identifier: Apache-2.0
/**
 * Table formats and streams on {@code rados://}, by their own libraries: each rests on what the
 * file system promises of creations and renames, with several processes at once or one that is
 * killed.
 */
package io.radosfs.integration.tables;
