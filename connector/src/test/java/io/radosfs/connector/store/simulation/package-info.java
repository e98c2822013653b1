// SPDX-License-Identifier: Apache-2.0
/**
 * A deterministic RADOS in memory, and the means to try a protocol at every point where a client
 * can stop, lose an answer, or be overtaken by another client.
 *
 * <ul>
 *   <li>{@link io.radosfs.connector.store.simulation.SimulatedCluster}: pools and objects with the
 *       guards, errors and limits of a real cluster, and views of them for invariant checkers.
 *   <li>{@link io.radosfs.connector.store.simulation.FaultPlan}: what goes wrong for a client.
 *   <li>{@link io.radosfs.connector.store.simulation.Experiment}: runs client programs at every
 *       stopping point, every insertion of one program into another, or every interleaving, and
 *       checks the outcome of each.
 * </ul>
 *
 * <p>Where RADOS surprises, the simulation does what Ceph 16.2 was seen to do: see {@link
 * io.radosfs.connector.store.ObjectStoreContract}, which runs against both.
 */
package io.radosfs.connector.store.simulation;
