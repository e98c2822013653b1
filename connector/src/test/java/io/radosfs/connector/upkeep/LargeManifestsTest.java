// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.job.AttemptContents;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.LargestAnswer;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A check reads the record of a job in pieces, however large its manifests are. */
@Tag("slow")
class LargeManifestsTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");

  @Test
  void aCheckReadsLargeManifestsFewAtATime() throws Exception {
    LargestAnswer answers = new LargestAnswer();
    ObjectStore store = cluster.client("a").open("meta", "");
    JobRecord record = new JobRecord(store, new FsPath("out"), "j1");
    record.create(new JobInfo("j1", "uuid", "JobUUID", "spark", "me@here", 1), () -> {});
    List<Uid> files = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      files.add(Uid.random());
      byte[] manifest = new byte[12 << 20];
      Arrays.fill(manifest, (byte) ' ');
      byte[] uid = files.get(i).value().getBytes(UTF_8);
      System.arraycopy(uid, 0, manifest, 1000, uid.length);
      assertThat(
              record
                  .of(new TaskAttempt("m" + i, "0"))
                  .commit(manifest, AttemptContents.of(List.of())))
          .isTrue();
    }
    List<Uid> mentioned = new ArrayList<>();
    new WrittenDown(new StorePoolView(answers.watch(store))).job(record.name(), taker(mentioned));
    assertThat(mentioned).containsAll(files);
    // Four of up to 16 MiB fill one answer.
    assertThat(answers.bytes()).isLessThan(49 << 20);
  }

  /** Such a record says nothing of its manifests. */
  @Test
  void aCheckReadsThoseOfAnEarlierVersionOneByOne() throws Exception {
    LargestAnswer answers = new LargestAnswer();
    ObjectStore store = cluster.client("a").open("meta", "");
    SortedMap<String, byte[]> earlier = new TreeMap<>();
    List<Uid> files = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      files.add(Uid.random());
      byte[] manifest = new byte[12 << 20];
      Arrays.fill(manifest, (byte) ' ');
      byte[] uid = files.get(i).value().getBytes(UTF_8);
      System.arraycopy(uid, 0, manifest, 1000, uid.length);
      earlier.put("m/m" + i + "/0", manifest);
    }
    for (var line : earlier.entrySet()) {
      store.write(
          "out//job/j1",
          WriteOp.builder().createIfMissing().setOmap(line.getKey(), line.getValue()).build());
    }
    List<Uid> mentioned = new ArrayList<>();
    new WrittenDown(new StorePoolView(answers.watch(store))).job("out//job/j1", taker(mentioned));
    assertThat(mentioned).containsAll(files);
    assertThat(answers.bytes()).isLessThan(13 << 20);
  }

  private static WrittenDown.Taker taker(List<Uid> mentioned) {
    return new WrittenDown.Taker() {
      @Override
      public void object(String name) {}

      @Override
      public void unfinished(FileData data) {}

      @Override
      public void mentioned(Uid file) {
        mentioned.add(file);
      }

      @Override
      public void directory(FsPath directory) {}

      @Override
      public void unreadable(String subject, IOException why) throws IOException {
        throw why;
      }

      @Override
      public void note(String text) {}
    };
  }
}
