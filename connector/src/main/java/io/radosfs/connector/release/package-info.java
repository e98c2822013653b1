// SPDX-License-Identifier: Apache-2.0
/** Which releases of Hadoop and Spark radosfs can be used with, and what it says of others. */
package io.radosfs.connector.release;
