// SPDX-License-Identifier: Apache-2.0
/** The URIs of file systems. */
package io.radosfs.connector.uri;
