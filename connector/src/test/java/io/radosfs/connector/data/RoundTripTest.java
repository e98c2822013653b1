// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.store.ObjectStore;
import java.io.IOException;
import java.util.Collection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** On the simulation, with asynchronous operations in any order. */
@Execution(ExecutionMode.CONCURRENT)
class RoundTripTest extends RoundTripContract {

  private final Fixture fixture = new Fixture();
  private ScatteredStore store;

  @BeforeEach
  void open() throws IOException {
    store = new ScatteredStore(fixture.store("client"), 1);
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  @Override
  protected ObjectStore store() {
    return store;
  }

  @Override
  protected int rounds() {
    return 25;
  }

  @Override
  protected Collection<String> objects() {
    return fixture.objects();
  }
}
