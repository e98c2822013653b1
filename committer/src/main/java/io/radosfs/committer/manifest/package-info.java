// SPDX-License-Identifier: Apache-2.0
/**
 * The values that the committer stores as JSON: the manifest of a task, the plan of a job, the
 * report in {@code _SUCCESS}. Values and codecs; nothing here talks to RADOS.
 */
package io.radosfs.committer.manifest;
