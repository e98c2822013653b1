// SPDX-License-Identifier: Apache-2.0
/** Files that one stream writes and reads, as a program does that knows Hadoop's file system. */
package io.radosfs.bench.streams;
