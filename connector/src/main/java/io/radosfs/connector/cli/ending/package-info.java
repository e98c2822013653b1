// SPDX-License-Identifier: Apache-2.0
/** What the command line does where its process is ended from outside, in the midst of its work. */
package io.radosfs.connector.cli.ending;
