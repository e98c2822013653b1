// SPDX-License-Identifier: Apache-2.0
/** The releases of Hadoop and Spark that the jars can be used with. */
package io.radosfs.releases;
