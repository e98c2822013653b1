package io.radosfs.connector.hadoop;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.operations.Namespace.Child;
import io.radosfs.connector.operations.TreeWalk;
import java.io.IOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;

/** Hadoop's iterators over a listing. */
public final class Listing {

  private Listing() {}

  /** Hands out one after another, until there is none. */
  @FunctionalInterface
  interface Source {
    Optional<RadosFileStatus> next() throws IOException;
  }

  static RemoteIterator<FileStatus> of(Source source) {
    return new Handed(source);
  }

  private static final class Handed implements RemoteIterator<FileStatus> {
    private final Source source;
    private Optional<RadosFileStatus> next = Optional.empty();

    private Handed(Source source) {
      this.source = source;
    }

    @Override
    public boolean hasNext() throws IOException {
      if (next.isEmpty()) {
        next = source.next();
      }
      return next.isPresent();
    }

    @Override
    public FileStatus next() throws IOException {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      RadosFileStatus status = next.get();
      next = Optional.empty();
      return status;
    }
  }

  public static RemoteIterator<LocatedFileStatus> located(
      Iterator<RadosFileStatus> statuses, PathFilter filter) {
    return new Statuses<>(statuses, filter);
  }

  /** Of what a walk meets, the files. */
  static RemoteIterator<LocatedFileStatus> files(
      TreeWalk walk, Function<Child, RadosFileStatus> toStatus) {
    return new Files(walk, toStatus);
  }

  private static final class Files implements RemoteIterator<LocatedFileStatus> {
    private final TreeWalk walk;
    private final Function<Child, RadosFileStatus> toStatus;
    private LocatedFileStatus next;

    private Files(TreeWalk walk, Function<Child, RadosFileStatus> toStatus) {
      this.walk = walk;
      this.toStatus = toStatus;
    }

    @Override
    public boolean hasNext() throws IOException {
      while (next == null && walk.hasNext()) {
        Child child = walk.next();
        if (child.entry() instanceof Entry.OfFile) {
          next = toStatus.apply(child);
        }
      }
      return next != null;
    }

    @Override
    public LocatedFileStatus next() throws IOException {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      LocatedFileStatus found = next;
      next = null;
      return found;
    }
  }

  private static final class Statuses<T> implements RemoteIterator<T> {
    private final Iterator<? extends T> statuses;
    private final PathFilter filter;
    private T next;

    @SuppressWarnings("unchecked")
    private Statuses(Iterator<RadosFileStatus> statuses, PathFilter filter) {
      this.statuses = (Iterator<? extends T>) statuses;
      this.filter = filter;
    }

    @Override
    public boolean hasNext() throws IOException {
      while (next == null && statuses.hasNext()) {
        T candidate = statuses.next();
        if (filter.accept(((FileStatus) candidate).getPath())) {
          next = candidate;
        }
      }
      return next != null;
    }

    @Override
    public T next() throws IOException {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      T found = next;
      next = null;
      return found;
    }
  }
}
