// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.docs.ToldMessages;
import io.radosfs.connector.store.StoreException.Kind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which errors of a write are definite: as long as nobody shows where else Ceph makes them. */
class ErrnoTest {

  private static final Set<Errno> DEFINITE =
      EnumSet.of(
          Errno.ENOENT,
          Errno.E2BIG,
          Errno.EEXIST,
          Errno.EINVAL,
          Errno.EFBIG,
          Errno.ENOSPC,
          Errno.EROFS,
          Errno.ENAMETOOLONG,
          Errno.ENODATA,
          Errno.EMSGSIZE,
          Errno.EOPNOTSUPP,
          Errno.EDQUOT,
          Errno.ECANCELED);

  private final StoreExceptions exceptions = new StoreExceptions("pool", "");

  @Test
  void theseAreDefiniteAndNoOthers() {
    int errorsOfLinux = 133;
    for (int number = 1; number <= errorsOfLinux; number++) {
      Errno errno = Errno.of(-number);
      boolean open = errno == null || !DEFINITE.contains(errno);
      assertThat(exceptions.write(-number, "object", "write").mayHaveTakenEffect())
          .as(Errno.name(-number))
          .isEqualTo(open);
    }
  }

  @Test
  void aReadHasNoEffect() {
    for (Errno errno : Errno.values()) {
      for (int number = 1; number <= 133; number++) {
        if (errno.is(-number)) {
          assertThat(exceptions.read(-number, "object", "read").mayHaveTakenEffect()).isFalse();
        }
      }
    }
  }

  @Test
  void whatWasNeverSentHasNone() {
    assertThat(exceptions.closed("object", "write").mayHaveTakenEffect()).isFalse();
    assertThat(exceptions.cutOff("object", "write").mayHaveTakenEffect()).isFalse();
    assertThat(exceptions.write(-108, "object", "write").kind()).isEqualTo(Kind.BLOCKLISTED);
    assertThat(exceptions.outcomeUnknown("object", "write", "no answer").mayHaveTakenEffect())
        .isTrue();
  }

  /** With the path that the file system puts before it. */
  @Test
  void thePageOnTroubleshootingHasAFullCluster() {
    String message = exceptions.write(-28, "d/f", "write writeFull(3 bytes)").getMessage();
    ToldMessages.of("connector/docs/troubleshooting.md", "A full cluster")
        .assertAre(List.of("/d/f: " + message));
  }
}
