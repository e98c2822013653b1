package io.radosfs.connector.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
}
