// SPDX-License-Identifier: Apache-2.0
/**
 * A swarm: drawn operations of several clients on few names, with drawn faults, each run checked
 * for linearizability against a plain tree in memory and for what must hold of the pool, and shrunk
 * when it fails.
 *
 * <ul>
 *   <li>{@link io.radosfs.connector.explorer.Scenario}: what a run consists of, drawn by a seed.
 *   <li>{@link io.radosfs.connector.explorer.Run}: runs and checks one.
 *   <li>{@link io.radosfs.connector.explorer.Linearizability}: the search for an order.
 *   <li>{@link io.radosfs.connector.explorer.TreeBehaviours}: what each operation may do to a tree.
 *   <li>{@link io.radosfs.connector.explorer.Explorer}: many runs, and the shrinking.
 * </ul>
 *
 * <p>What clients do is pluggable: a {@link io.radosfs.connector.explorer.World} draws {@link
 * io.radosfs.connector.explorer.Step}s, recovers and looks at the end.
 */
package io.radosfs.connector.explorer;
