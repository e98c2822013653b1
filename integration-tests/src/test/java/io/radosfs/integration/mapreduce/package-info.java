// SPDX-License-Identifier: Apache-2.0
/** MapReduce's own programs on {@code rados://}, with the committer. */
package io.radosfs.integration.mapreduce;
