// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RememberedTimeoutsTest {

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private int tries;
  private Kind fails = Kind.TIMED_OUT;

  private final RememberedTimeouts<String, String> maker =
      new RememberedTimeouts<>(
          key -> {
            tries++;
            if (fails != null) {
              throw new StoreException(fails, "", "no monitor of " + key);
            }
            return key;
          },
          nanos::get);

  @Test
  void theSecondTryRemembersAndALaterOneTriesAgain() throws IOException {
    assertThatThrownBy(() -> maker.make("a")).hasMessage("no monitor of a");
    nanos.addAndGet(RememberedTimeouts.REMEMBERED.toNanos() - 1);
    assertThatThrownBy(() -> maker.make("a"))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMED_OUT))
        .hasMessage("no monitor of a (This was so a moment ago, and is not tried again for 1 s)");
    assertThat(tries).isEqualTo(1);
    assertThatThrownBy(() -> maker.make("b")).hasMessage("no monitor of b");
    assertThat(tries).as("others are tried").isEqualTo(2);
    nanos.addAndGet(1);
    fails = null;
    assertThat(maker.make("a")).isEqualTo("a");
  }

  @Test
  void otherFailuresAreTriedAgain() throws IOException {
    fails = Kind.PERMISSION_DENIED;
    assertThatThrownBy(() -> maker.make("a")).hasMessage("no monitor of a");
    assertThatThrownBy(() -> maker.make("a")).hasMessage("no monitor of a");
    fails = null;
    assertThat(maker.make("a")).isEqualTo("a");
    assertThat(tries).isEqualTo(3);
  }
}
