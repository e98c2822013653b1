// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.TransactionChanges;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Found by the explorer: two drivers commit one job at the same time, and each takes it over from
 * the other. What the other has prepared counts no more then, and it begins anew. So each leaves
 * the job to the other for a while, longer each time, or neither would come to the end.
 */
@Tag("exploration")
class TwoDriversAtOnceTest {

  private static final FsPath OUT = new FsPath("out");
  private static final Registration JOB = new Registration("job", OUT, ObjectNames.job(OUT, "job"));

  /** So many that the other driver comes along before all are prepared. */
  private static final int DIRECTORIES = 30;

  /** Without leaving time to the other there were 82 in one of these runs. */
  private static final int FEW = 24;

  private static FsPath path(int directory) throws IOException {
    return OUT.child("p=" + directory).child("new");
  }

  private static Entry.OfFile file(FsPath path) {
    Uid uid = new Uid(String.format("%024x", path.key().hashCode() & 0xffffffffL));
    FileData data = new FileData(path, uid, false, 3, 8, Optional.empty());
    return new Entry.OfFile(data, 0, SimulatedMount.ATTRIBUTES);
  }

  private static void setUp(SimulatedClient client) throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    mount.write("/out/other", "other");
    mount.transactions().register(JOB);
  }

  private static void commit(SimulatedClient client) throws IOException {
    Map<FsPath, DirectoryChange> changes = new HashMap<>();
    for (int directory = 0; directory < DIRECTORIES; directory++) {
      FsPath path = path(directory);
      changes.put(path.parent(), DirectoryChange.adding(Map.of(path.name(), file(path))));
    }
    Transactions transactions = SimulatedMount.of(client).transactions();
    try {
      var unused = transactions.commit(JOB, TransactionChanges.of(changes), Set.of(), true);
    } catch (IOException e) {
      // Its caller answers by a look at the state, as the committer does.
      if (transactions.state(JOB).filter(Transactions.State.COMMITTED::equals).isEmpty()) {
        throw e;
      }
    }
  }

  private static void check(Trial trial) throws IOException {
    for (String driver : Set.of("one", "other")) {
      assertThat(trial.outcome(driver).failure()).isNull();
    }
    SimulatedMount observer = SimulatedMount.of(trial.observer());
    for (int directory = 0; directory < DIRECTORIES; directory++) {
      assertThat(observer.namespace().lookup(path(directory))).isPresent();
    }
    String key = IndexKeys.transactionStatus(JOB.id());
    String object = ObjectNames.index(OUT);
    byte[] stored = trial.cluster().objects(SimulatedMount.POOL, "").get(object).omap().get(key);
    assertThat(TransactionStatus.decode(object, JOB.id(), stored).takeovers()).hasSizeLessThan(FEW);
  }

  @Test
  void oneOfThemComesToTheEndSoon() {
    Experiment.named("two drivers commit one job")
        .setUp(TwoDriversAtOnceTest::setUp)
        .program("one", TwoDriversAtOnceTest::commit)
        .program("other", TwoDriversAtOnceTest::commit)
        .check(TwoDriversAtOnceTest::check)
        .randomInterleavings(20_261_126, 10);
  }
}
