// SPDX-License-Identifier: Apache-2.0
/**
 * The Ceph cluster that the integration tests run against: a container of their own, or one that is
 * given with {@code -Dceph.conf=PATH}.
 */
package io.radosfs.integration.ceph;
