package io.radosfs.connector.hadoop;

import java.io.IOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;

/** Hadoop's iterators over a listing. */
public final class Listing {

  private Listing() {}

  public static RemoteIterator<FileStatus> all(Iterator<RadosFileStatus> statuses) {
    return new Statuses<>(statuses, status -> true);
  }

  public static RemoteIterator<LocatedFileStatus> located(
      Iterator<RadosFileStatus> statuses, PathFilter filter) {
    return new Statuses<>(statuses, filter);
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
