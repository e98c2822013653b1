// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Retention;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIOException;

/**
 * Brings a transaction's change of a directory into the index: checks it against what is there,
 * guards it, and writes it as intents or applies it at once.
 */
public record IntendedChange(String transaction, DirectoryChange change) {

  /**
   * A change of more names than this is first guarded with the whole directory being unchanged,
   * rather than with each name: two guards a name take an OSD as long as the change itself.
   */
  static final int MANY = 64;

  boolean isOfMany() {
    return change.add().size() + change.remove().size() + change.directories().size() > MANY;
  }

  /** The intents to prepare, by name. */
  Map<String, WriteIntent> intents() {
    Map<String, WriteIntent> intents = new HashMap<>();
    Map<String, Entry> remove = change.remove();
    remove.forEach(
        (name, entry) -> intents.put(name, WriteIntent.remove(transaction, entry.uid())));
    change
        .directories()
        .forEach(
            (name, directory) ->
                intents.put(
                    name,
                    remove.containsKey(name)
                        ? WriteIntent.replace(transaction, remove.get(name).uid(), directory)
                        : WriteIntent.makeDirectory(transaction, directory)));
    change
        .add()
        .forEach(
            (name, entry) ->
                intents.put(
                    name,
                    remove.containsKey(name)
                        ? WriteIntent.replace(transaction, remove.get(name).uid(), entry)
                        : WriteIntent.add(transaction, entry)));
    return intents;
  }

  /** Adds the intents to a change of an index that has none of these names. */
  void setIntents(IndexChange index) throws IOException {
    for (Map.Entry<String, WriteIntent> intent : intents().entrySet()) {
      FsPath path = index.index().directory().child(intent.getKey());
      index.set(IndexKeys.intent(intent.getKey()), intent.getValue().encode(path));
    }
  }

  /** Fails unless the directory still is as the change expects. */
  void check(DirectoryView view) throws IOException {
    for (Map.Entry<String, Entry> removed : change.remove().entrySet()) {
      Optional<Entry> there = view.entry(removed.getKey());
      if (there.isEmpty() || !there.get().uid().equals(removed.getValue().uid())) {
        throw changed(view.directory().child(removed.getKey()));
      }
    }
    for (String name : change.add().keySet()) {
      if (view.storedEntry(name).isPresent() && !change.remove().containsKey(name)) {
        throw new FileAlreadyExistsException(view.directory().child(name) + " already exists");
      }
    }
    for (String name : change.sharedNames()) {
      Optional<Entry> there = view.entry(name);
      if (there.isPresent() && !(there.get() instanceof Entry.OfDirectory)) {
        throw new FileAlreadyExistsException(
            view.directory().child(name) + " is a file, not a directory");
      }
    }
  }

  /** Guards a change of the index with the names as they are in the view. */
  void expectNames(IndexChange index, DirectoryView view) {
    for (String name : change.names()) {
      index
          .expect(IndexKeys.intent(name), view.value(IndexKeys.intent(name)))
          .expect(IndexKeys.entry(name), view.storedEntry(name));
    }
  }

  /**
   * Adds all to a change of the view's index object, without intents first and without guards on
   * the names.
   */
  void applyAtOnce(IndexChange index, DirectoryView view, Retention retention) throws IOException {
    for (Map.Entry<String, WriteIntent> entry : intents().entrySet()) {
      String name = entry.getKey();
      String key = IndexKeys.entry(name);
      FsPath path = view.directory().child(name);
      WriteIntent intent = entry.getValue();
      Optional<Entry> there = view.entry(name);
      switch (intent.kind()) {
        case ADD -> index.set(key, intent.storedEntry(path));
        case REPLACE -> {
          index.defer(retention.replaced(path, there.orElseThrow()));
          index.set(key, intent.storedEntry(path));
        }
        case REMOVE -> {
          index.defer(retention.replaced(path, there.orElseThrow()));
          index.remove(key);
        }
        case MOVE_AWAY -> index.remove(key);
        case MAKE_DIRECTORY -> {
          if (there.isEmpty()) {
            Entry made =
                view.intent(name).flatMap(WriteIntent::entry).orElse(intent.entry().orElseThrow());
            index.set(key, EntryCodec.encode(path, made));
          }
        }
      }
    }
  }

  /** The failure of a transaction if something is no longer as it was read. */
  public static PathIOException changed(FsPath path) {
    return new PathIOException(
        path.toString(), "was removed or replaced by others since it was looked at; try again");
  }
}
