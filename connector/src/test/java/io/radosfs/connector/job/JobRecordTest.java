// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.mount.ExplainedDenials;
import io.radosfs.connector.store.FailedWrite;
import io.radosfs.connector.store.LargestAnswer;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class JobRecordTest {

  private static final FsPath DESTINATION = new FsPath("out");
  private static final TaskAttempt ATTEMPT = new TaskAttempt("m000001", "0");
  private static final JobInfo INFO =
      new JobInfo("j1", "uuid", "JobUUID", "spark", "me@here", 1763723000123L);

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private final SimulatedClient client = cluster.client("a");
  private JobRecord record;
  private AttemptRecord attempt;

  @BeforeEach
  void open() throws Exception {
    record = new JobRecord(client.open("meta", ""), DESTINATION, "j1");
    attempt = record.of(ATTEMPT);
  }

  private static WorkFile open(String relative) throws IOException {
    FileData data =
        new FileData(
            DESTINATION.resolve(relative), Uid.random(), true, 0, 4096, Optional.of("ec pool"));
    return WorkFile.open(ATTEMPT, relative, data, 8);
  }

  private static WorkFile closed(WorkFile open, boolean plain) {
    FileData data = open.data().withLength(10_000).withPlainFirst(plain);
    return WorkFile.closed(
        open.attempt(),
        open.relative(),
        new Entry.OfFile(data, 0x1a2b3c4d, new Attributes(5, 0644, "me", "us")));
  }

  /** A denial stays one, and says by its cause that the attempt may be committed. */
  @Test
  void aCommitThatIsDeniedThoughItIsMadeSaysThatItMayBe() throws Exception {
    record.create(INFO, () -> {});
    AttemptRecord denied =
        new JobRecord(ExplainedDenials.of(client.open("meta", "")), DESTINATION, "j1").of(ATTEMPT);
    AttemptRecord.Contents read = denied.contents();
    FaultPlan unused = client.faults().once(OpInfo::write, Fault.failAfter(Kind.PERMISSION_DENIED));
    assertThatThrownBy(() -> denied.commit("{}".getBytes(UTF_8), read))
        .isInstanceOfSatisfying(
            AccessControlException.class,
            e -> assertThat(new FailedWrite(e).mayHaveTakenEffect()).isTrue());
    assertThat(attempt.contents().manifest()).isPresent();
  }

  @Test
  void isCreatedOnceAndCanBeCreatedAgainWhileItRuns() throws Exception {
    record.create(INFO, () -> {});
    record.create(INFO, () -> {});
    assertThat(record.state()).contains(JobState.RUNNING);
    assertThat(cluster.objects("meta", "").keySet()).containsExactly("out//job/j1");
    assertThat(record.change(JobState.RUNNING, JobState.COMMITTING)).contains(JobState.COMMITTING);
    assertThat(record.change(JobState.RUNNING, JobState.COMMITTING)).contains(JobState.COMMITTING);
    assertThatThrownBy(() -> record.create(INFO, () -> {}))
        .isInstanceOf(JobEndedException.class)
        .hasMessageContaining("COMMITTING");
  }

  @Test
  void isNotCreatedAgainOnceItWas() throws Exception {
    for (Fault fault : List.of(Fault.LOSE_ANSWER, Fault.OVERTAKEN)) {
      JobRecord lost = new JobRecord(client.open("meta", ""), DESTINATION, "j" + fault.action());
      client.faults().once(OpInfo::write, fault);
      // The second would come when the record has gone, if the client dies.
      client.faults().once(OpInfo::write, Fault.CRASH_LATE);
      lost.create(INFO, () -> {});
      assertThat(lost.state()).as(fault.toString()).contains(JobState.RUNNING);
      client.faults().clear();
    }
  }

  @Test
  void isCreatedByTheNextTryWhereTheFirstIsLost() throws Exception {
    client.faults().once(OpInfo::write, Fault.LOSE_REQUEST);
    record.create(INFO, () -> {});
    assertThat(record.info()).contains(INFO);
  }

  @Test
  void keepsFilesFromBeginToCommit() throws Exception {
    record.create(INFO, () -> {});
    WorkFile one = open("year=1/part é 0");
    attempt.begin(one);
    assertThat(attempt.contents().files()).containsExactly(one);
    attempt.publish(closed(one, false));
    WorkFile two = open("part-1");
    attempt.begin(two);
    attempt.publish(closed(two, true));
    assertThat(attempt.contents().files()).containsExactly(closed(two, true), closed(one, false));
    assertThat(attempt.commit("{}".getBytes(UTF_8), attempt.contents())).isTrue();
    AttemptRecord.Contents after = attempt.contents();
    assertThat(after.files()).isEmpty();
    assertThat(after.manifest()).contains("{}".getBytes(UTF_8));
    assertThat(record.of(new TaskAttempt("m000001", "1")).contents().otherManifests()).isEqualTo(1);
    assertThat(after.otherManifests()).isZero();
  }

  /** The repetition of a commit whose answer was lost: found by the explorer. */
  @Test
  void aCommitBetweenTwoPagesOfTheFilesIsSeenWhole() throws Exception {
    record.create(INFO, () -> {});
    List<WorkFile> files = begin(JobRecord.PAGE + 1);
    assertThat(
            contentsWhen(2, () -> attempt.commit("{}".getBytes(UTF_8), AttemptContents.of(files))))
        .matches(seen -> seen.manifest().isPresent() && seen.files().isEmpty());
  }

  /** Where each manifest is read by itself, it may come after the files as well. */
  @Test
  void aCommitAmongLargeManifestsIsSeenWhole() throws Exception {
    record.create(INFO, () -> {});
    List<WorkFile> files = begin(3);
    assertThat(
            record
                .of(new TaskAttempt("m000001", "-"))
                .commit(new byte[1 << 20], AttemptContents.of(List.of())))
        .isTrue();
    assertThat(
            contentsWhen(3, () -> attempt.commit("{}".getBytes(UTF_8), AttemptContents.of(files))))
        .matches(seen -> seen.manifest().isPresent() && seen.files().isEmpty());
  }

  private List<WorkFile> begin(int files) throws IOException {
    List<WorkFile> begun = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      begun.add(open("part-%04d".formatted(i)));
      attempt.begin(begun.get(i));
    }
    return begun;
  }

  @FunctionalInterface
  private interface Change {
    void make() throws IOException;
  }

  /** Looks at the attempt; the change is made before the n-th operation of that. */
  private AttemptRecord.Contents contentsWhen(int n, Change change) throws IOException {
    SimulatedClient other = cluster.client("b");
    AttemptRecord looking = new JobRecord(other.open("meta", ""), DESTINATION, "j1").of(ATTEMPT);
    other
        .faults()
        .before(
            op -> {
              if (op.number() == n) {
                change.make();
              }
            });
    AttemptRecord.Contents seen = looking.contents();
    assertThat(other.faults().struck()).isEmpty();
    return seen;
  }

  private final LargestAnswer answers = new LargestAnswer();

  private JobRecord watched() throws IOException {
    return new JobRecord(answers.watch(client.open("meta", "")), DESTINATION, "j1");
  }

  private List<TaskAttempt> commitLargeAttempts(int count, int bytes) throws IOException {
    record.create(INFO, () -> {});
    List<TaskAttempt> attempts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      attempts.add(new TaskAttempt("m000001", Integer.toString(i)));
      assertThat(record.of(attempts.get(i)).commit(new byte[bytes], AttemptContents.of(List.of())))
          .isTrue();
    }
    return attempts;
  }

  @Test
  void countsLargeManifestsOfOtherAttemptsFewAtATime() throws Exception {
    List<TaskAttempt> attempts = commitLargeAttempts(9, 1 << 20);
    JobRecord watched = watched();
    AttemptRecord.Contents first = watched.of(attempts.get(0)).contents();
    assertThat(first.manifest().orElseThrow()).hasSize(1 << 20);
    assertThat(first.otherManifests()).isEqualTo(8);
    assertThat(others(watched, "m000001", "new")).isEqualTo(9);
    assertThat(others(watched, "m000002", "0")).isZero();
    assertThat(answers.bytes()).isLessThan(4 << 20);
  }

  /** Each may be as large as an operation; no two of them are in one answer. */
  @Test
  void readsAttemptsWithVeryLargeManifestsOneByOne() throws Exception {
    int bytes = 20 << 20;
    List<TaskAttempt> attempts = commitLargeAttempts(3, bytes);
    JobRecord watched = watched();
    for (TaskAttempt each : attempts) {
      AttemptRecord.Contents contents = watched.of(each).contents();
      assertThat(contents.manifest().orElseThrow()).hasSize(bytes);
      assertThat(contents.otherManifests()).isEqualTo(2);
    }
    assertThat(answers.bytes()).isLessThan(21 << 20);
  }

  /** One that an earlier version has made says nothing of its manifests. */
  @Test
  void readsAttemptsInARecordOfAnEarlierVersionOneByOne() throws Exception {
    List<TaskAttempt> attempts = commitLargeAttempts(3, 1 << 20);
    client
        .open("meta", "")
        .write(
            record.name(),
            WriteOp.builder()
                .assertExists()
                .setXattr(ManifestSizes.XATTR, new byte[] {'?'})
                .build());
    assertThat(watched().of(attempts.get(0)).contents().otherManifests()).isEqualTo(2);
    assertThat(answers.bytes()).isLessThan((1 << 20) + 10_000);
  }

  private static int others(JobRecord record, String task, String attempt) throws IOException {
    return record.of(new TaskAttempt(task, attempt)).contents().otherManifests();
  }

  /** The job may end with it between the try that nobody answers and the repetition. */
  @Test
  void mayHaveCommittedATaskWhoseRepetitionComesTooLate() throws Exception {
    record.create(INFO, () -> {});
    JobRecord drivers = new JobRecord(cluster.client("driver").open("meta", ""), DESTINATION, "j1");
    int write = client.writes() + 1;
    client.faults().atWrite(write, Fault.LOSE_ANSWER);
    client
        .faults()
        .once(op -> op.write() && op.ordinal() == write + 1 && fence(drivers), Fault.LOSE_REQUEST);
    assertThatThrownBy(() -> attempt.commit("{}".getBytes(UTF_8), AttemptContents.of(List.of())))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(attempt.contents().manifest()).contains("{}".getBytes(UTF_8));
  }

  private static boolean fence(JobRecord record) {
    try {
      return record.change(JobState.RUNNING, JobState.COMMITTING).isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void doesNotSayThatItsStateIsAnotherWhereThatCannotBeRead() throws Exception {
    record.create(INFO, () -> {});
    int op = client.ops() + 1;
    client.faults().atOp(op, Fault.LOSE_ANSWER);
    client.faults().atOp(op + 2, Fault.failWith(Kind.BLOCKLISTED));
    assertThatThrownBy(() -> record.change(JobState.RUNNING, JobState.COMMITTING))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(record.state()).contains(JobState.COMMITTING);
  }

  @Test
  void letsNobodyInOnceTheJobHasLeftRunning() throws Exception {
    record.create(INFO, () -> {});
    WorkFile file = open("part-0");
    attempt.begin(file);
    for (JobState state :
        new JobState[] {JobState.COMMITTING, JobState.COMMITTED, JobState.ABORTED}) {
      assertThat(record.setDecided(state, 5)).isTrue();
      assertThatThrownBy(() -> attempt.begin(open("x"))).isInstanceOf(JobEndedException.class);
      assertThatThrownBy(() -> attempt.publish(closed(file, true)))
          .isInstanceOf(JobEndedException.class)
          .hasMessageContaining("m000001/0")
          .hasMessageContaining(state.name());
      assertThatThrownBy(() -> attempt.commit(new byte[] {1}, AttemptContents.of(List.of())))
          .isInstanceOf(JobEndedException.class);
    }
    record.ended().remove();
    record.ended().remove();
    assertThatThrownBy(() -> attempt.begin(open("x")))
        .isInstanceOf(JobEndedException.class)
        .hasMessageContaining("there is no job j1");
    assertThat(attempt.forget(List.of(file))).isFalse();
    assertThat(record.setDecided(JobState.ABORTED, 5)).isFalse();
    assertThat(record.plan(new TreeMap<>(java.util.Map.of("plan", new byte[] {1})))).isFalse();
    assertThat(cluster.objects("meta", "")).isEmpty();
  }

  @Test
  void letsAnAbortedAttemptDoNothingMore() throws Exception {
    record.create(INFO, () -> {});
    WorkFile file = open("part-0");
    attempt.begin(file);
    attempt.abort();
    assertThatThrownBy(() -> attempt.publish(closed(file, true))).hasMessageContaining("aborted");
    assertThatThrownBy(() -> attempt.begin(open("x"))).hasMessageContaining("aborted");
    assertThatThrownBy(() -> attempt.commit(new byte[] {1}, AttemptContents.of(List.of())))
        .hasMessageContaining("aborted");
    assertThat(attempt.contents().aborted()).isTrue();
    attempt.forgetAborted(List.of(file));
    assertThat(attempt.contents().files()).isEmpty();
  }

  @Test
  void isReadWholeInPages() throws Exception {
    record.create(INFO, () -> {});
    WorkFile file = open("part-0");
    attempt.begin(file);
    List<TaskAttempt> expected = new ArrayList<>();
    for (int i = 0; i < 1200; i++) {
      TaskAttempt one = new TaskAttempt(String.format("m%06d", i), "0");
      assertThat(record.of(one).commit(new byte[] {1}, AttemptContents.of(List.of()))).isTrue();
      expected.add(one);
    }
    record.of(new TaskAttempt("m000005", "3")).abort();
    assertThat(record.change(JobState.RUNNING, JobState.COMMITTING)).isPresent();
    TreeMap<String, byte[]> plan = new TreeMap<>(java.util.Map.of("plan", new byte[] {7}));
    assertThat(record.plan(plan)).isTrue();
    assertThat(record.plan(plan)).isFalse();
    List<TaskAttempt> seen = new ArrayList<>();
    int reads = client.reads();
    JobRecord.Contents contents =
        record.contents(all -> (of, manifest) -> seen.add(of)).orElseThrow();
    // Of 16, 128, 512, 512 and the rest: how large they are is not known at first.
    assertThat(client.reads() - reads).isEqualTo(5);
    assertThat(seen).isEqualTo(expected);
    assertThat(contents.state()).isEqualTo(JobState.COMMITTING);
    assertThat(contents.info()).isEqualTo(INFO);
    assertThat(contents.files()).containsExactly(file);
    assertThat(contents.aborted()).containsExactly(new TaskAttempt("m000005", "3"));
    assertThat(contents.plan()).containsOnlyKeys("plan");
  }

  @Test
  void repeatsWhatWasNotAnsweredAndSaysWhenItNeverIs() throws Exception {
    client.faults().once(op -> op.write(), Fault.LOSE_ANSWER);
    record.create(INFO, () -> {});
    client.faults().once(op -> op.write(), Fault.LOSE_ANSWER);
    WorkFile file = open("part-0");
    attempt.begin(file);
    client.faults().once(op -> op.write(), Fault.DELAY);
    attempt.publish(closed(file, true));
    client.faults().once(op -> op.write(), Fault.LOSE_ANSWER);
    assertThat(record.change(JobState.RUNNING, JobState.COMMITTING)).contains(JobState.COMMITTING);
    client.faults().once(op -> !op.write(), Fault.LOSE_ANSWER);
    assertThat(record.state()).contains(JobState.COMMITTING);
    client.faults().always(op -> op.write(), Fault.LOSE_REQUEST);
    assertThatThrownBy(() -> record.setDecided(JobState.ABORTED, 5))
        .isInstanceOf(OutcomeUnknownException.class);
  }

  @Test
  void namesWhatItCannotRead() throws Exception {
    record.create(INFO, () -> {});
    client
        .open("meta", "")
        .write(
            record.name(),
            WriteOp.builder().setOmap("w/m000001/0/part-0//xyz", "?".getBytes(UTF_8)).build());
    assertThatThrownBy(() -> attempt.contents())
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("out//job/j1")
        .hasMessageContaining("w/m000001/0/part-0//xyz");
    client
        .open("meta", "")
        .write(record.name(), WriteOp.builder().setOmap("s", "?".getBytes(UTF_8)).build());
    assertThatThrownBy(() -> record.state())
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("out//job/j1");
  }

  @Test
  void aManifestBeyondWhatAnOperationTakesIsRefusedBeforeAnythingIsChanged() throws Exception {
    record.create(INFO, () -> {});
    WorkFile file = closed(open("part"), true);
    attempt.publish(file);
    int before = cluster.log().size();
    assertThatThrownBy(() -> attempt.commit(new byte[64 << 20], AttemptContents.of(List.of(file))))
        .hasMessageContaining("attempt m000001/0 of job j1")
        .hasMessageContaining("fewer files");
    assertThat(cluster.log().size()).isEqualTo(before);
    assertThat(attempt.contents().files()).containsExactly(file);
  }

  @Test
  void largeManifestsAreReadFewAtATime() throws Exception {
    record.create(INFO, () -> {});
    List<TaskAttempt> attempts = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      attempts.add(new TaskAttempt("m" + i, "0"));
      assertThat(
              record.of(attempts.get(i)).commit(new byte[1 << 20], AttemptContents.of(List.of())))
          .isTrue();
    }
    int before = cluster.log().size();
    List<TaskAttempt> found = new ArrayList<>();
    watched().manifests(attempts, (of, manifest) -> found.add(of));
    assertThat(found).containsExactlyInAnyOrderElementsOf(attempts);
    // A read that is refused, one of what there is instead, then 4 MiB at a time.
    assertThat(cluster.log().size() - before).isEqualTo(2 + 40 / 4);
    assertThat(answers.bytes()).isLessThan(5 << 20);
  }

  @Test
  void noAnswerOfARecordHoldsMoreManifestsThanTheirSizesAllow() throws Exception {
    List<TaskAttempt> large = commitLargeAttempts(16, 3 << 20);
    List<TaskAttempt> found = new ArrayList<>();
    var contents = watched().contents(all -> (of, manifest) -> found.add(of));
    assertThat(contents).isPresent();
    assertThat(found).containsExactlyInAnyOrderElementsOf(large);
    assertThat(answers.bytes()).isLessThan(4 << 20);
  }

  /** The sizes of those that were read say nothing of those that follow. */
  @Test
  void largeManifestsAfterManySmallOnesDoNotFillTheMemory() throws Exception {
    record.create(INFO, () -> {});
    List<TaskAttempt> attempts = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      attempts.add(new TaskAttempt("a%02d".formatted(i), "0"));
      assertThat(record.of(attempts.get(i)).commit(new byte[100], AttemptContents.of(List.of())))
          .isTrue();
    }
    byte[] large = new byte[48 << 20];
    for (int i = 0; i < 3; i++) {
      attempts.add(new TaskAttempt("b%02d".formatted(i), "0"));
      assertThat(record.of(attempts.get(40 + i)).commit(large, AttemptContents.of(List.of())))
          .isTrue();
    }
    List<TaskAttempt> found = new ArrayList<>();
    var contents = watched().contents(all -> (of, manifest) -> found.add(of));
    assertThat(contents).isPresent();
    assertThat(found).containsExactlyElementsOf(attempts);
    watched().manifests(attempts, (of, manifest) -> found.add(of));
    assertThat(found).hasSize(2 * attempts.size());
    assertThat(answers.bytes()).isLessThan(49L << 20);
  }

  /** A record of an earlier version does not say how large its manifests are. */
  @Test
  void manifestsOfARecordThatDoesNotTellTheirSizesAreReadOneByOneAtFirst() throws Exception {
    List<TaskAttempt> attempts = commitLargeAttempts(16, 3 << 20);
    ObjectStore store = client.open("meta", "");
    store.write(
        record.name(),
        WriteOp.builder()
            .setXattr("radosfs.manifests", "?".getBytes(UTF_8))
            .removeOmap(ManifestSizes.keys())
            .build());
    List<TaskAttempt> found = new ArrayList<>();
    var contents = watched().contents(all -> (of, manifest) -> found.add(of));
    assertThat(contents).isPresent();
    assertThat(found).containsExactlyInAnyOrderElementsOf(attempts);
    assertThat(answers.bytes()).isLessThan(4 << 20);
  }

  @Test
  void theManyPartsOfALargePlanAreReadFewAtATime() throws Exception {
    record.create(INFO, () -> {});
    assertThat(record.change(JobState.RUNNING, JobState.COMMITTING)).isPresent();
    TreeMap<String, byte[]> all = new TreeMap<>(Map.of("plan", new byte[1]));
    assertThat(record.plan(all)).isTrue();
    byte[] part = new byte[1 << 20];
    for (int i = 0; i < 100; i++) {
      String name = "directories/%06d".formatted(i);
      all.put(name, part);
      assertThat(record.extendPlan(new TreeMap<>(Map.of(name, part)))).isTrue();
    }
    assertThat(watched().contents(none -> (of, manifest) -> {}).orElseThrow().plan())
        .containsOnlyKeys(all.keySet());
    assertThat(answers.bytes()).isLessThan(65 << 20);
  }

  @Test
  void smallManifestsTakeNoMoreReadsThanBefore() throws Exception {
    commitLargeAttempts(16, 128 << 10);
    int before = cluster.log().size();
    assertThat(watched().contents(all -> (of, manifest) -> {})).isPresent();
    assertThat(cluster.log().size() - before).isEqualTo(1);
    assertThat(answers.bytes()).isLessThan(3 << 20);
  }

  @Test
  void theFilesOfALargeAttemptAreForgottenInPieces() throws Exception {
    record.create(INFO, () -> {});
    List<WorkFile> files = new ArrayList<>();
    for (int i = 0; i < 10_001; i++) {
      files.add(closed(open("part-" + i), true));
    }
    attempt.publish(files.get(0));
    attempt.publish(files.get(10_000));
    attempt.abort();
    int before = cluster.log().size();
    attempt.forgetAborted(files);
    assertThat(cluster.log().size() - before).isEqualTo(2);
    assertThat(attempt.contents().files()).isEmpty();
    attempt.forgetAborted(List.of());
    assertThat(cluster.log().size() - before).isEqualTo(4);
  }
}
