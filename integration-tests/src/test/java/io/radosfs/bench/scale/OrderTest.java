// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OrderTest {

  private final ObjectMapper json = new ObjectMapper();

  private final List<Order> orders =
      List.of(
          new RunTasks(new JobTasks("rados://p/out", "scale", 1, 100, 5, 10, 16), 1, 2, 4),
          new MakeFiles("rados://p/names", true, 16, 16, 3),
          new WriteOmap("rados://p/", false, 0, 1, 0.5));

  @Test
  void eachIsALineAndComesBackTheSame() throws Exception {
    for (Order order : orders) {
      String line = json.writerFor(Order.class).writeValueAsString(order);

      assertThat(line).startsWith("{\"order\":").doesNotContain("\n");
      assertThat(json.readValue(line, Order.class)).isEqualTo(order);
    }
  }

  @Test
  void anAnswerComesBackTheSame() throws Exception {
    WorkerAnswer answer = new WorkerAnswer(12, 1.5, Map.of("rados_op_read", 3L));

    WorkerAnswer read = json.readValue(json.writeValueAsString(answer), WorkerAnswer.class);

    assertThat(read).isEqualTo(answer);
    assertThat(read.rate()).isEqualTo(8);
  }
}
