package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.DataStores;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.ObjectStore;
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
  private final ObjectStore data;
  private final DataStores stores;

  /**
   * @param index the pool of the index
   * @param data the pool of the data of most files, which may be the same
   * @param stores the pools of files
   */
  public PoolCheck(ObjectStore index, ObjectStore data, DataStores stores) {
    this.index = index;
    this.data = data;
    this.stores = stores;
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
    return new Result(both, second.notes(), second.objects(), second.files(), second.directories());
  }

  private Result look(boolean withData) throws IOException {
    Views views = new Views();
    return new PoolInspector(views, withData).inspect(views.view(data));
  }

  /** One view for each pool. */
  private final class Views implements PoolView.Pools {
    private final Map<String, PoolView> views = new HashMap<>();

    private PoolView view(ObjectStore store) {
      return views.computeIfAbsent(store.pool(), any -> new StorePoolView(store));
    }

    @Override
    public PoolView index() {
      return view(index);
    }

    @Override
    public PoolView of(FileData file) throws IOException {
      return view(stores.of(file));
    }
  }
}
