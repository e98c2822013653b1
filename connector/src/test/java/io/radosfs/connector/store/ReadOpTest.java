// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReadOpTest {

  private static ReadOp.Builder data() {
    return ReadOp.builder().compareXattr("x", new byte[1]).data(0, ByteBuffer.allocate(1));
  }

  @Test
  void isReadFromThePrimaryUnlessToldOtherwise() {
    assertThat(data().build().from()).isEqualTo(ReadFrom.PRIMARY);
    ReadOp balanced = data().from(ReadFrom.BALANCED).build();
    assertThat(balanced.from()).isEqualTo(ReadFrom.BALANCED);
    assertThat(balanced.fromPrimary().from()).isEqualTo(ReadFrom.PRIMARY);
    assertThat(balanced.fromPrimary().steps()).isEqualTo(balanced.steps());
  }

  /** An operation that a decision may rest on cannot be made so. */
  @ParameterizedTest
  @EnumSource(
      value = ReadFrom.class,
      names = {"BALANCED", "NEAREST"})
  void nothingButDataIsReadFromOtherCopies(ReadFrom copies) {
    for (UnaryOperator<ReadOp.Builder> more :
        List.<UnaryOperator<ReadOp.Builder>>of(
            op -> op.omapByKeys(List.of("k")),
            op -> op.omapRange("", "", 1),
            ReadOp.Builder::size,
            op -> op.xattr("x"),
            ReadOp.Builder::afterWrites)) {
      assertThat(more.apply(data()).build().from()).isEqualTo(ReadFrom.PRIMARY);
      assertThatThrownBy(() -> more.apply(data()).from(copies).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("only data");
    }
  }
}
