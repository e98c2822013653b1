// SPDX-License-Identifier: Apache-2.0
/**
 * Hadoop's own test suites on {@code rados://}, as Hadoop ships them. They run twice: on the
 * simulation by surefire, and on a real Ceph by failsafe; {@link io.radosfs.suites.SuitePool} tells
 * which. README.md of this module has the figures.
 */
package io.radosfs.suites;
