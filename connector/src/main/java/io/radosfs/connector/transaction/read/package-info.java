// SPDX-License-Identifier: Apache-2.0
/**
 * Reads directories as of one instant, with committed transactions as if applied (I5); or as they
 * are stored, for callers that know that nobody changes them.
 *
 * <p>Cost: one read for a name, ⌈n/1024⌉ for a listing. If a transaction holds what is read, one or
 * two reads more, and one of its coordinator. Nothing is written.
 */
package io.radosfs.connector.transaction.read;
