// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
class ShardsTest {

  private static final String GENERATION = "0123456789abcdef01234567";

  /** What is stored rests on these. The digests begin ca978112, 142e5bd1 and 33e6d73f. */
  @ParameterizedTest
  @CsvSource({"a, 64, 18", "a, 7, 2", "part-00000, 64, 17", "ä, 64, 63"})
  void whichShardHasANameIsFixed(String name, int shards, int shard) {
    assertThat(new Shards(shards, GENERATION).shardOf(name)).isEqualTo(shard);
  }

  @Test
  void namesSpreadEvenly() {
    Shards shards = new Shards(64, GENERATION);
    int[] names = new int[64];
    for (int i = 0; i < 64_000; i++) {
      names[shards.shardOf(String.format("part-%05d-of-one-job.parquet", i))]++;
    }
    for (int count : names) {
      assertThat(count).isBetween(850, 1150);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 64, 4096})
  void inTheirOrderNamesOfOneShardComeTogether(int count) {
    Shards shards = new Shards(count, GENERATION);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      names.add("part-" + i);
    }
    names.sort((one, other) -> Integer.compareUnsigned(Shards.order(one), Shards.order(other)));
    Set<Integer> before = new HashSet<>();
    int last = -1;
    for (String name : names) {
      int shard = shards.shardOf(name);
      assertThat(shard == last || before.add(shard)).as(name).isTrue();
      last = shard;
    }
  }

  @Test
  void namesOfAShardAreTogetherInTheirOrder() throws Exception {
    Shards shards = new Shards(7, GENERATION);
    FsPath directory = FsPath.parse("/a/b");
    List<String> names = IntStream.range(0, 100).mapToObj(i -> "part-" + i).toList();
    SortedMap<IndexObject, List<String>> byShard = shards.byShard(directory, names);
    assertThat(byShard).hasSize(7);
    byShard.forEach(
        (shard, some) ->
            assertThat(some)
                .isEqualTo(
                    names.stream()
                        .filter(name -> shards.of(directory, name).equals(shard))
                        .toList()));
    assertThat(shards.byShard(directory, List.of())).isEmpty();
  }

  @Test
  void objectsAreNamedByGeneration() throws Exception {
    Shards shards = new Shards(20, GENERATION);
    assertThat(shards.of(FsPath.parse("/a/b")).get(18).name())
        .isEqualTo("a/b//shard/0123456789abcdef01234567/0012");
    assertThat(shards.of(FsPath.ROOT).get(0).name())
        .isEqualTo("//shard/0123456789abcdef01234567/0000");
    assertThat(Shards.NONE.of(FsPath.ROOT)).isEmpty();
  }

  @Test
  void headsAreReadAsTheyAreWritten() throws Exception {
    Shards shards = new Shards(64, GENERATION);
    IndexHead sharded = IndexHead.OPEN.splittingInto(shards).opened();
    assertThat(new String(sharded.encode(), StandardCharsets.UTF_8))
        .isEqualTo("radosfs-index 1 shards=64/0123456789abcdef01234567 open");
    for (IndexHead head :
        new IndexHead[] {
          IndexHead.OPEN,
          IndexHead.opening("t"),
          IndexHead.frozen("t"),
          IndexHead.OPEN.closingAs(new Uid(GENERATION)),
          IndexHead.filling(new Uid(GENERATION)),
          IndexHead.OPEN.splittingInto(shards),
          sharded,
          sharded.frozenBy("t"),
          sharded.closingAs(new Uid(GENERATION))
        }) {
      assertThat(IndexHead.decode("o", head.encode())).isEqualTo(head);
    }
    assertThat(sharded.isSharded()).isTrue();
    assertThat(IndexHead.OPEN.splittingInto(shards).isSharded()).isFalse();
    assertThatThrownBy(
            () ->
                IndexHead.decode(
                    "o", "radosfs-index 1 shards=2 open".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(LayoutException.class);
  }
}
