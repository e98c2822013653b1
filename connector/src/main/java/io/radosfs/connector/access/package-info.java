// SPDX-License-Identifier: Apache-2.0
/** What a program asks of a cluster before it opens a file system there. */
package io.radosfs.connector.access;
