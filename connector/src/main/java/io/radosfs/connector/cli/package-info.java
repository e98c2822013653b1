// SPDX-License-Identifier: Apache-2.0
/** The command line, {@code scripts/radosfs}: each verb a class. */
package io.radosfs.connector.cli;
