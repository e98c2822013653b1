// SPDX-License-Identifier: Apache-2.0
/**
 * The bytes of files: striped objects written once, read, and removed. Knows nothing of
 * directories: what happens to a file that is complete is the business of a {@link
 * io.radosfs.connector.data.FilePublisher}.
 */
package io.radosfs.connector.data;
