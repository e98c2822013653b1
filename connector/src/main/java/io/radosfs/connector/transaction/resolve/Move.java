// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.resolve;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.OwnTransactions;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.transaction.Transactions.Registration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.PathIOException;

/** A rename that concerns more than one index object. */
public record Move(String id, FsPath source, FsPath destination) {

  public Move(FsPath source, FsPath destination) {
    this(Uid.random().value(), source, destination);
  }

  public static Optional<Move> parse(String id, String owner) {
    if (!OwnTransactions.isRename(id, owner)) {
      return Optional.empty();
    }
    List<FsPath> paths = OwnTransactions.paths(owner);
    return Optional.of(new Move(id, paths.get(0), paths.get(1)));
  }

  public String owner() {
    return OwnTransactions.ofRename(source, destination);
  }

  /** For messages. */
  public String what() {
    return "rename of " + source + " to " + destination;
  }

  public FsPath coordinator() {
    return destination.parent();
  }

  public boolean withinParent() {
    return source.parent().equals(destination.parent());
  }

  public Registration registration() {
    return new Registration(id, coordinator(), owner());
  }

  public FsPath newPathOf(FsPath old) throws PathIOException {
    try {
      return destination.resolve(old.relativeTo(source));
    } catch (FsPath.InvalidNameException e) {
      throw new PathIOException(old.toString(), e);
    }
  }
}
