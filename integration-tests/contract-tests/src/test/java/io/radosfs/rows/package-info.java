// SPDX-License-Identifier: Apache-2.0
/** A table on disk to which several JVMs of one build add their rows. */
package io.radosfs.rows;
