package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.NoSuchPoolException;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.superblock.DataPools;
import io.radosfs.connector.upkeep.PoolInspector.Result;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Checks the pools of a file system, which may be in use: what seems wrong is looked at a second
 * time, and only what both looks have found is reported.
 */
public final class PoolCheck {

  private final ObjectStore index;
  private final String dataPool;
  private final DataPools registered;
  private final PoolOpener opener;

  /** Opens a pool of the file system. */
  @FunctionalInterface
  public interface PoolOpener {
    /**
     * @throws NoSuchPoolException when it is not there
     */
    ObjectStore open(String pool) throws IOException;
  }

  /**
   * @param index the pool of the index
   * @param dataPool the pool of the data of most files, which may be the same
   * @param registered the pools of other files
   */
  public PoolCheck(ObjectStore index, String dataPool, DataPools registered, PoolOpener opener) {
    this.index = index;
    this.dataPool = dataPool;
    this.registered = registered;
    this.opener = opener;
  }

  /**
   * Checks.
   *
   * @param withData whether to look at the length of every object, at one read each
   */
  public Result run(boolean withData) throws IOException {
    Result first = look(withData);
    if (first.findings().isEmpty()) {
      return first;
    }
    Result second = look(withData);
    Set<Finding> both = new LinkedHashSet<>(second.findings());
    both.retainAll(first.findings());
    return new Result(
        both,
        second.notes(),
        second.objects(),
        second.files(),
        second.directories(),
        second.kept());
  }

  private Result look(boolean withData) throws IOException {
    Views views = new Views();
    Set<PoolView> data = new LinkedHashSet<>();
    data.add(views.view(dataPool));
    for (String pool : registered.names()) {
      data.add(views.view(pool));
    }
    return new PoolInspector(views, withData).inspect(data);
  }

  /** One view for each pool. */
  private final class Views implements PoolView.Pools {
    private final Map<String, PoolView> views = new HashMap<>();

    private PoolView view(String pool) throws IOException {
      PoolView view = views.get(pool);
      if (view == null) {
        view = open(pool);
        views.put(pool, view);
      }
      return view;
    }

    private PoolView open(String pool) throws IOException {
      try {
        return new StorePoolView(pool.equals(index.pool()) ? index : opener.open(pool));
      } catch (NoSuchPoolException e) {
        return new AbsentPoolView(pool);
      }
    }

    @Override
    public PoolView index() throws IOException {
      return view(index.pool());
    }

    @Override
    public PoolView of(FileData file) throws IOException {
      return view(file.pool().orElse(dataPool));
    }
  }
}
