// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.read;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.store.RadosCommands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A name, or a whole index object, that a transaction holds without a mark in that object. Mark and
 * intents come and go in the same operations, so this is damage, or another program's work. No
 * client would ever resolve it.
 *
 * @param path what is held
 * @param detail for people: which transaction holds it, where, and how to release it
 */
public record Unmarked(FsPath path, String detail) {

  /**
   * All of this kind in a view. No operation.
   *
   * @param now a view read with the marks of the transactions and the intents of the names
   * @param commands for the pool that the view is of
   */
  public static List<Unmarked> of(
      DirectoryView now,
      RadosCommands commands,
      Collection<String> transactions,
      Collection<String> names)
      throws IOException {
    List<Unmarked> all = new ArrayList<>();
    Optional<IndexHead> head = now.head();
    for (String id : transactions) {
      if (now.value(IndexKeys.transaction(id)).isPresent()) {
        continue;
      }
      for (String name : names) {
        Optional<WriteIntent> intent = now.intent(name);
        if (intent.filter(c -> c.isBy(id)).isPresent()) {
          all.add(ofName(now, commands, name, intent.get(), id));
        }
      }
      if (head.filter(h -> h.isFrozenBy(id)).isPresent()) {
        all.add(ofDirectory(now, commands, head.get(), id));
      }
    }
    return all;
  }

  /** Other transactions that make the same directory keep holding the name. */
  private static Unmarked ofName(
      DirectoryView now, RadosCommands commands, String name, WriteIntent intent, String id)
      throws IOException {
    FsPath path = now.directory().child(name);
    String key = IndexKeys.intent(name);
    return new Unmarked(
        path,
        detail(
            now,
            "'" + name + "' of directory " + now.directory() + " has a write intent",
            id,
            key,
            intent
                .without(id)
                .map(
                    rest -> commands.line("setomapval", now.object(), key, text(rest.encode(path))))
                .orElseGet(() -> commands.line("rmomapkey", now.object(), key))));
  }

  private static Unmarked ofDirectory(
      DirectoryView now, RadosCommands commands, IndexHead head, String id) {
    return new Unmarked(
        now.directory(),
        detail(
            now,
            "directory " + now.directory() + " is locked",
            id,
            IndexKeys.HEAD,
            commands.line(
                "setomapval", now.object(), IndexKeys.HEAD, text(head.opened().encode()))));
  }

  private static String text(byte[] stored) {
    return new String(stored, StandardCharsets.UTF_8);
  }

  private static String detail(
      DirectoryView now, String what, String id, String key, String command) {
    return what
        + " by transaction "
        + id
        + ", as omap key '"
        + key
        + "' of RADOS object '"
        + now.object()
        + "' says, which has no key '"
        + IndexKeys.transaction(id)
        + "'. It was damaged, or changed by another program; nothing was changed. It is read as if"
        + " the transaction had never been: where that is right, let go of it by: "
        + command;
  }
}
