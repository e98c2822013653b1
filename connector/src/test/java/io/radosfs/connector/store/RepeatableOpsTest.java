// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.radosfs.connector.store.RepeatableOps.Answer;
import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.List;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.junit.jupiter.api.Test;

/** What a repetition answers while nobody knows what became of the try before. */
class RepeatableOpsTest {

  private static StoreException failure(Kind kind) {
    return new StoreException(kind, "object", "injected");
  }

  /** Fails so, try by try, and then succeeds. */
  private static InvocationRaisingIOE failing(IOException... failures) {
    ArrayDeque<IOException> left = new ArrayDeque<>(List.of(failures));
    return () -> {
      if (!left.isEmpty()) {
        throw left.poll();
      }
    };
  }

  private static FailedWrite failed(IOException... failures) {
    return new FailedWrite(
        catchThrowableOfType(() -> RepeatableOps.repeat(failing(failures)), IOException.class));
  }

  @Test
  void anErrorOfTheFirstTryIsWhatTheStoreSays() {
    FailedWrite full = failed(failure(Kind.NO_SPACE));
    assertThat(full.is(Kind.NO_SPACE)).isTrue();
    assertThat(full.mayHaveTakenEffect()).isFalse();
  }

  @Test
  void anErrorOfARepetitionIsNeverDefinite() {
    for (Kind kind : List.of(Kind.NO_SPACE, Kind.TOO_LARGE, Kind.NOT_FOUND)) {
      FailedWrite failed = failed(failure(Kind.OUTCOME_UNKNOWN), failure(kind));
      assertThat(failed.is(kind)).isTrue();
      assertThat(failed.mayHaveTakenEffect()).as("%s", kind).isTrue();
    }
  }

  @Test
  void aRefusalOfARepetitionMayBeOfItsOwnEffect() throws IOException {
    assertThat(RepeatableOps.accepted(failing(), Kind.EXISTS)).isEqualTo(Answer.ACCEPTED);
    assertThat(RepeatableOps.accepted(failing(failure(Kind.EXISTS)), Kind.EXISTS))
        .isEqualTo(Answer.REFUSED);
    assertThat(
            RepeatableOps.accepted(
                failing(failure(Kind.OUTCOME_UNKNOWN), failure(Kind.EXISTS)), Kind.EXISTS))
        .isEqualTo(Answer.REFUSED_AFTER_OPEN_TRY);
  }

  @Test
  void whatDoesNotSayLeavesItOpen() {
    assertThat(new FailedWrite(new InterruptedIOException()).mayHaveTakenEffect()).isTrue();
    assertThat(new FailedWrite(new IOException("inside the client")).mayHaveTakenEffect()).isTrue();
  }

  /** A denial is told to users by an exception of another class. */
  @Test
  void aDenialSaysWhatItsCauseSays() {
    for (boolean open : new boolean[] {true, false}) {
      AccessControlException told = new AccessControlException("see ceph auth get");
      told.initCause(new StoreException(Kind.PERMISSION_DENIED, "object", "EPERM", null, open));
      FailedWrite denial = new FailedWrite(Await.rethrowable(told));
      assertThat(denial.isDenied()).isTrue();
      assertThat(denial.mayHaveTakenEffect()).isEqualTo(open);
      IOException definite = denial.withoutEffect();
      assertThat(definite).isInstanceOf(AccessControlException.class);
      assertThat(new FailedWrite(definite).mayHaveTakenEffect()).isFalse();
      assertThat(new FailedWrite(denial.afterOpenTry()).mayHaveTakenEffect()).isTrue();
    }
  }
}
