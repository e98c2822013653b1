// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ids by which one transaction is prepared. The first client prepares it by the transaction's
 * own id, which is in the marks, intents and heads that it writes. A takeover prepares it by an id
 * of its own, {@code <transaction>~<24 hex digits>}. So what the others write, however late it
 * arrives, is never taken for a part of what is committed.
 */
public final class Takeover {

  private static final Pattern ID = Pattern.compile("(.+)~[0-9a-f]{24}", Pattern.DOTALL);

  private Takeover() {}

  /** The id by which a takeover prepares a transaction. */
  static String id(String transaction, Uid takeover) {
    return transaction + "~" + takeover.value();
  }

  /** The transaction that is prepared by this id. */
  public static String transactionOf(String id) {
    Matcher matcher = ID.matcher(id);
    return matcher.matches() ? matcher.group(1) : id;
  }
}
