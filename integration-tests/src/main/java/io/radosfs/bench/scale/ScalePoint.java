// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

/** What a job of some size took of something. */
public record ScalePoint(JobSize size, double value) {}
