// SPDX-License-Identifier: Apache-2.0
/**
 * Microbenchmarks (JMH) of what radosfs does by itself, without a cluster: the codecs of entries
 * and manifests, the checksum, the streams, a listing. {@code scripts/bench micro} runs them, and
 * {@code scripts/bench compare} runs those of two commits in turns.
 *
 * <p>They tell whether a change made the code slower. How fast radosfs is on a cluster, the other
 * parts of {@code scripts/bench} tell.
 */
package io.radosfs.micro;
