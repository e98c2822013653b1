// SPDX-License-Identifier: Apache-2.0
/** The examples for Kubernetes and YARN, and what Spark makes of them. */
package io.radosfs.kubernetes;
