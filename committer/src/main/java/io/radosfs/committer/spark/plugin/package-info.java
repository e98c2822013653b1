// SPDX-License-Identifier: Apache-2.0
/** The two sides of {@link io.radosfs.RadosPlugin}: on the driver, and on each executor. */
package io.radosfs.committer.spark.plugin;
