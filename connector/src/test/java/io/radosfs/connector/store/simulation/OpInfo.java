// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

/**
 * One call of a client, as fault plans and schedulers see it before it takes effect.
 *
 * @param client the client's name
 * @param connection which of the client's connections it comes by, from 0
 * @param number the client's how-manieth operation, from 1, reads and writes together
 * @param ordinal the client's how-manieth write, or read, from 1
 * @param write whether it is a write
 * @param object the object's name; empty for {@code usage()} and {@code list()}
 * @param words its steps
 */
public record OpInfo(
    String client,
    int connection,
    int number,
    int ordinal,
    boolean write,
    String pool,
    String namespace,
    String object,
    Words words) {

  /** Whether both are about one object. */
  public boolean isOfSameObject(OpInfo other) {
    return object.equals(other.object)
        && pool.equals(other.pool)
        && namespace.equals(other.namespace);
  }

  /** Whether it is a read that another copy than the primary's may answer. */
  public boolean isOfAnyCopy() {
    return !write && summary().startsWith(Words.ANY_COPY);
  }

  /** The same as one of another thread of the client. */
  OpInfo by(String lane) {
    return new OpInfo(lane, connection, number, ordinal, write, pool, namespace, object, words);
  }

  /** Its steps in words, shortened. */
  public String summary() {
    return words.toString();
  }

  /** Whether it is the client's own, or one of a helper of it. */
  public boolean isOf(String program) {
    return client.equals(program) || client.startsWith(program + TurnScheduler.HELPER);
  }

  /** Whether the two operations could be swapped without anyone seeing a difference. */
  boolean independentOf(OpInfo other) {
    boolean meets =
        isOfSameObject(other) || pool.equals(other.pool) && (isOfPool() || other.isOfPool());
    return !write && !other.write || !meets;
  }

  /** Whether it reads something of all objects of a pool. */
  private boolean isOfPool() {
    return object.isEmpty();
  }

  @Override
  public String toString() {
    String place = namespace.isEmpty() ? pool : namespace + "@" + pool;
    return String.format(
        "%s #%d (%s %d) %s '%s': %s",
        client, number, write ? "write" : "read", ordinal, place, object, words);
  }
}
