// SPDX-License-Identifier: Apache-2.0
/** Spark on {@code rados://}, on a real Ceph: what its users see, and what reaches the OSDs. */
package io.radosfs.integration.spark;
