// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharingTest {

  private final List<String> events = new ArrayList<>();
  private boolean fail;

  private final Sharing<String, AutoCloseable> sharing =
      new Sharing<>(
          key -> {
            if (fail) {
              throw new IOException("no way to " + key);
            }
            events.add("made " + key);
            return () -> events.add("closed " + key);
          });

  @Test
  void madeOnceAndClosedWithTheLast() throws IOException {
    var first = sharing.acquire("a");
    var second = sharing.acquire("a");
    var other = sharing.acquire("b");
    assertThat(first.value()).isSameAs(second.value());
    first.close();
    first.close();
    assertThat(events).containsExactly("made a", "made b");
    second.close();
    other.close();
    assertThat(events).containsExactly("made a", "made b", "closed a", "closed b");
    sharing.acquire("a").close();
    assertThat(events).endsWith("made a", "closed a");
  }

  @Test
  void aFailureIsTriedAnew() throws IOException {
    fail = true;
    assertThatThrownBy(() -> sharing.acquire("a")).hasMessage("no way to a");
    fail = false;
    sharing.acquire("a").close();
    assertThat(events).containsExactly("made a", "closed a");
  }

  @Test
  void whatIsOfNoMoreUseIsGivenToNobodyAnew() throws IOException {
    AtomicInteger made = new AtomicInteger();
    Set<AutoCloseable> wornOut = new HashSet<>();
    Sharing<String, AutoCloseable> renewing =
        new Sharing<>(
            key -> {
              int number = made.incrementAndGet();
              return () -> events.add("closed " + number);
            },
            value -> !wornOut.contains(value));
    var first = renewing.acquire("a");
    var second = renewing.acquire("a");
    wornOut.add(first.value());
    var third = renewing.acquire("a");
    var fourth = renewing.acquire("a");
    assertThat(third.value()).isSameAs(fourth.value()).isNotSameAs(first.value());
    first.close();
    assertThat(events).isEmpty();
    second.close();
    assertThat(events).containsExactly("closed 1");
    assertThat(renewing.acquire("a").value()).isSameAs(third.value());
    assertThat(made).hasValue(2);
  }
}
