// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import static io.radosfs.connector.data.Fixture.content;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Fault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

class RetainedDataTest {

  private final Fixture fixture = new Fixture();
  private final List<DeferredDeletion.OfFile> removed = new ArrayList<>();
  private final List<Long> expected = new ArrayList<>();
  private final List<LongConsumer> background = new ArrayList<>();
  private Optional<FileData> unremovable = Optional.empty();

  private RetainedData kept() throws IOException {
    ObjectStore store = fixture.store("client");
    DataStores stores =
        file -> {
          if (unremovable.filter(file::equals).isPresent()) {
            throw new IOException("may not delete there");
          }
          return store;
        };
    return new RetainedData(
        store,
        new DataRemover(stores, 4),
        (time, collection) -> {
          expected.add(time);
          background.add(collection);
        });
  }

  private int writes() {
    return fixture.cluster.client("client").writes();
  }

  private DeferredDeletion.OfFile file(String name, long until) throws IOException {
    FileData data =
        fixture.write(
            fixture.store("w"), Fixture.file(new FsPath(name), Fixture.STRIPE), content(1, 1500));
    return new DeferredDeletion.OfFile(
        new Entry.OfFile(data, 7, new Attributes(7, 0644, "me", "us")), until);
  }

  private List<DeferredDeletion.OfFile> listed() throws IOException {
    List<DeferredDeletion.OfFile> files = new ArrayList<>();
    kept().list(files::add);
    return files;
  }

  @Test
  void whatIsDueGoesAndTheRestStays() throws IOException {
    DeferredDeletion.OfFile first = file("a", 10);
    DeferredDeletion.OfFile second = file("b", 20);
    DeferredDeletion.OfFile third = file("c", 1_763_723_000_123L);
    kept().keep(List.of(first));
    kept().keep(List.of(second));
    kept().keep(List.of(third));
    assertThat(writes()).isEqualTo(3);
    assertThat(expected).containsExactly(10L, 20L, 1_763_723_000_123L);
    assertThat(listed()).containsExactlyInAnyOrder(first, second, third);

    kept().collect(20, removed::add);
    assertThat(removed).containsExactlyInAnyOrder(first, second);
    assertThat(listed()).containsExactly(third);
    assertThat(fixture.objects()).contains("c").doesNotContain("a", "b");
  }

  @Test
  void filesThatAreReplacedTogetherAreListedByOneWriteAndForgottenByOne() throws IOException {
    List<DeferredDeletion.OfFile> files = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      files.add(file("f" + i, 10 + i));
    }
    kept().keep(files);
    assertThat(writes()).isOne();
    kept().collect(9, removed::add);
    assertThat(writes()).isOne();
    assertThat(removed).isEmpty();
    kept().collect(19, removed::add);
    assertThat(writes()).isEqualTo(1 + 10 * 2 + 1);
    assertThat(removed).hasSize(10);
    assertThat(listed()).isEmpty();
  }

  @Test
  void moreThanAPageIsKeptAndCollected() throws IOException {
    DeferredDeletion.OfFile one = file("f", 10);
    List<DeferredDeletion.OfFile> files = new ArrayList<>();
    for (int i = 0; i < 2_500; i++) {
      // The same file, listed for other times.
      files.add(new DeferredDeletion.OfFile(one.file(), 10 + i));
    }
    kept().keep(files);
    assertThat(writes()).isEqualTo(3);
    assertThat(listed()).hasSize(2_500);
    kept().collect(10 + 2_498, removed::add);
    assertThat(listed()).containsExactly(files.get(2_499));
    assertThat(fixture.objects()).noneMatch(name -> name.startsWith("f"));
  }

  @Test
  void whatCannotBeRemovedStaysListedAndKeepsNothingElse() throws IOException {
    DeferredDeletion.OfFile stuck = file("a", 10);
    DeferredDeletion.OfFile other = file("b", 10);
    kept().keep(List.of(stuck, other));
    unremovable = Optional.of(stuck.file().data());
    assertThatThrownBy(() -> kept().collect(10, removed::add))
        .hasMessageContaining("may not delete there");
    assertThat(removed).containsExactly(other);
    assertThat(listed()).containsExactly(stuck);
    unremovable = Optional.empty();
    kept().collect(10, removed::add);
    assertThat(listed()).isEmpty();
  }

  /** However many there are, they cost a collection in the background nothing. */
  @Test
  void whatCouldNotBeDeletedIsLeftToACollectionThatIsAskedFor() throws IOException {
    DeferredDeletion.OfFile stuck = file("a", DeferredDeletion.AT_ONCE);
    DeferredDeletion.OfFile other = file("b", 10);
    RetainedData kept = kept();
    kept.keep(List.of(stuck));
    assertThat(expected).as("collections that it is due for").isEmpty();
    byte[] damaged = {'?'};
    Map<String, byte[]> many = new HashMap<>();
    for (int i = 0; i < ReadOp.MAX_RANGE; i++) {
      many.put(Uid.random().value(), damaged);
    }
    kept.keepUnreadable(many);
    kept.keep(List.of(other));
    int before = fixture.cluster.client("client").ops();
    background.get(0).accept(10);
    int reads = RetainedData.OBJECTS;
    int removals = 2;
    assertThat(fixture.cluster.client("client").ops() - before).isEqualTo(reads + removals + 1);
    assertThat(fixture.objects()).contains("a").doesNotContain("b");

    List<IOException> failures = new ArrayList<>();
    kept.collect(10, removed::add, (subject, failure) -> failures.add(failure));
    assertThat(removed).containsExactly(stuck);
    assertThat(failures).hasSize(many.size()).hasOnlyElementsOfType(LayoutException.class);
    assertThat(fixture.objects()).doesNotContain("a");
  }

  /** What cannot be removed is what a person must know of, whatever else fails after it. */
  @Test
  void theFirstFailureIsThrownThoughTheListCannotBeWrittenEither() throws IOException {
    DeferredDeletion.OfFile stuck = file("a", 10);
    DeferredDeletion.OfFile other = file("b", 10);
    kept().keep(List.of(stuck, other));
    unremovable = Optional.of(stuck.file().data());
    fixture
        .cluster
        .client("client")
        .faults()
        .always(
            op -> op.write() && op.object().startsWith("//replaced/"),
            Fault.failWith(StoreException.Kind.NO_SPACE));
    Throwable thrown = catchThrowable(() -> kept().collect(10, removed::add));
    assertThat(thrown).hasMessageContaining("may not delete there");
    assertThat(thrown.getSuppressed()).hasSize(1);
    assertThat(thrown.getSuppressed()[0]).hasMessageContaining("//replaced/");
    assertThat(removed).isEmpty();
    assertThat(listed()).containsExactlyInAnyOrder(stuck, other);
  }

  @Test
  void aLineThatCannotBeReadIsNamed() throws IOException {
    fixture
        .store("w")
        .write(
            ObjectNames.replaced(3),
            WriteOp.builder()
                .createIfMissing()
                .setOmap(Map.of("k", "garbage".getBytes(StandardCharsets.UTF_8)))
                .build());
    assertThatThrownBy(this::listed)
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("'k'")
        .hasMessageContaining("//replaced/3");
  }
}
