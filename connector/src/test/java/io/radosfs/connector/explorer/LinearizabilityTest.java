// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.explorer.Linearizability.Verdict;
import io.radosfs.connector.explorer.Tree.Node;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.OutcomeUnknownException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Histories of which it is known whether an order explains them. */
class LinearizabilityTest {

  private static final FsPath A = new FsPath("a");
  private static final FsPath F = new FsPath("a/f");
  private static final FsPath H = new FsPath("a/h");
  private static final FsPath G = new FsPath("a/g");
  private static final Node ONE = new Node("1", TreeBehaviours.PERMISSION);

  private final History history = new History();

  private Call begin(Behaviour behaviour) {
    return history.invoked("a", "", behaviour);
  }

  private void returned(Behaviour behaviour, Object value) {
    history.returned(begin(behaviour), value);
  }

  private static Behaviour write(FsPath path) {
    return TreeBehaviours.write(
        path, false, true, "1", TreeBehaviours.PERMISSION, Optional.empty());
  }

  private Verdict verdict() {
    return new Linearizability(history.calls()).search(Tree.EMPTY);
  }

  @Test
  void whatIsWrittenIsThere() {
    returned(write(F), true);
    returned(TreeBehaviours.lookup(F), Optional.of(ONE));
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
    returned(TreeBehaviours.lookup(F), Optional.empty());
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }

  @Test
  void atTheSameTimeEitherMayComeFirst() {
    Call write = begin(write(F));
    returned(TreeBehaviours.lookup(F), Optional.of(ONE));
    history.returned(write, true);
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
  }

  @Test
  void whatWasSeenDoesNotGoAway() {
    Call write = begin(write(F));
    returned(TreeBehaviours.lookup(F), Optional.of(ONE));
    returned(TreeBehaviours.lookup(F), Optional.empty());
    history.returned(write, true);
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }

  @Test
  void anUnknownOutcomeMayComeLateOrNever() {
    history.failed(begin(write(F)), new OutcomeUnknownException("", null));
    returned(TreeBehaviours.lookup(F), Optional.empty());
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
    returned(TreeBehaviours.lookup(F), Optional.of(ONE));
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
    returned(TreeBehaviours.lookup(F), Optional.empty());
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }

  @Test
  void aDefiniteFailureHasNoEffect() {
    history.failed(begin(write(F)), new IOException("no"));
    returned(TreeBehaviours.lookup(F), Optional.of(ONE));
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }

  @Test
  void aRefusalIsToBeTrue() {
    returned(write(F), true);
    history.failed(begin(TreeBehaviours.rename(G, F, true)), new FileNotFoundException());
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
    history.failed(begin(TreeBehaviours.rename(F, G, false)), new FileNotFoundException());
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }

  @Test
  void aRenameShowsTheFileInOnePlace() {
    returned(write(F), true);
    Call rename = begin(TreeBehaviours.rename(F, G, false));
    returned(TreeBehaviours.list(A), Map.of(G, ONE));
    history.returned(rename, true);
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
    returned(TreeBehaviours.list(A), Map.of(F, ONE, G, ONE));
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }

  @Test
  void aTreeIsRemovedFromTheLeavesUp() {
    returned(write(new FsPath("a/b/f")), true);
    Call delete = begin(TreeBehaviours.delete(A, true, false));
    returned(TreeBehaviours.lookup(new FsPath("a/b")), Optional.empty());
    returned(TreeBehaviours.lookup(A), Optional.of(Node.directory(TreeBehaviours.PERMISSION)));
    history.returned(delete, true);
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
    returned(TreeBehaviours.lookup(A), Optional.of(Node.directory(TreeBehaviours.PERMISSION)));
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }

  @Test
  void aDeletionLeavesAnotherDirectoryAlone() {
    returned(write(F), true);
    Call slow = begin(TreeBehaviours.delete(A, true, false));
    returned(TreeBehaviours.delete(A, true, false), true);
    returned(write(F), true);
    history.returned(slow, true);
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
    returned(TreeBehaviours.list(A), Map.of());
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }

  @Test
  void whatADeletionHasSeenAllOfTakesNothingMore() {
    FsPath inner = new FsPath("a/b/f");
    returned(write(inner), true);
    Call delete = begin(TreeBehaviours.delete(A, true, false));
    returned(TreeBehaviours.lookup(inner), Optional.empty());
    returned(write(inner), true);
    history.returned(delete, true);
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
    returned(TreeBehaviours.lookup(A), Optional.empty());
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
  }

  /** What others set back meanwhile stays so. */
  @Test
  void aLayoutIsSetOnce() {
    DataLayout other = DataLayout.DEFAULT.withObjectSize(Optional.of(16));
    returned(TreeBehaviours.mkdirs(A), true);
    Call slow = begin(TreeBehaviours.layout(A, other, false));
    returned(TreeBehaviours.layoutOf(A), other);
    returned(TreeBehaviours.layout(A, DataLayout.DEFAULT, false), true);
    returned(TreeBehaviours.layoutOf(A), DataLayout.DEFAULT);
    history.returned(slow, true);
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
    returned(TreeBehaviours.layoutOf(A), other);
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }

  private static final Node DIRECTORY = Node.directory(TreeBehaviours.PERMISSION);

  /** What others remove meanwhile is made again on the way, and not once it is all there. */
  @Test
  void aDirectoryIsMadeOnce() {
    FsPath inner = new FsPath("a/b");
    Call slow = begin(TreeBehaviours.mkdirs(inner));
    returned(TreeBehaviours.lookup(A), Optional.of(DIRECTORY));
    returned(TreeBehaviours.delete(A, true, false), true);
    returned(TreeBehaviours.lookup(A), Optional.empty());
    returned(TreeBehaviours.lookup(inner), Optional.of(DIRECTORY));
    returned(TreeBehaviours.delete(A, true, false), true);
    returned(TreeBehaviours.lookup(A), Optional.empty());
    history.returned(slow, true);
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
    returned(TreeBehaviours.lookup(inner), Optional.of(DIRECTORY));
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }

  @Test
  void directoriesThatAreThereAreNoReasonForARefusal() {
    history.failed(begin(TreeBehaviours.mkdirs(A)), new FileNotFoundException());
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }

  /** One that would take away what others have brought to a directory of the same name. */
  @Test
  void aDeletionTakesADirectoryAwayOnce() {
    returned(write(F), true);
    Call delete = begin(TreeBehaviours.delete(A, true, false));
    returned(TreeBehaviours.lookup(F), Optional.empty());
    returned(write(F), true);
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
    returned(TreeBehaviours.lookup(F), Optional.empty());
    history.returned(delete, true);
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }

  private void listedWhileFIsReplacedByG(Behaviour listing, boolean renamed) {
    returned(write(F), true);
    Call list = begin(listing);
    if (renamed) {
      returned(TreeBehaviours.rename(F, G, false), true);
    } else {
      returned(TreeBehaviours.delete(F, false, false), true);
      returned(write(G), true);
    }
    history.returned(list, Map.of(F, ONE, G, ONE));
  }

  @Test
  void partsOfAListingMayBeOfDifferentInstants() {
    listedWhileFIsReplacedByG(TreeBehaviours.listInParts(A), false);
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
  }

  @Test
  void oneReadOfAListingIsOfOneInstant() {
    listedWhileFIsReplacedByG(TreeBehaviours.list(A), false);
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }

  @Test
  void partsOfAListingSeeNoPartOfATransaction() {
    listedWhileFIsReplacedByG(TreeBehaviours.listInParts(A), true);
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }

  private void listedWhileFIsRenamedAndThenGWritten(FsPath to, Map<FsPath, Node> read) {
    returned(write(F), true);
    Call list = begin(TreeBehaviours.listInParts(A));
    returned(TreeBehaviours.rename(F, to, false), true);
    returned(write(G), true);
    history.returned(list, read);
  }

  @Test
  void partsOfAListingMayBeLaterThanATransactionThatChangesNothingInThem() {
    listedWhileFIsRenamedAndThenGWritten(new FsPath("f"), Map.of(F, ONE, G, ONE));
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
  }

  @Test
  void aListingInPartsLeavesOutNothingThatATransactionMoves() {
    listedWhileFIsRenamedAndThenGWritten(H, Map.of(G, ONE));
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }

  @Test
  void aListingInPartsShowsNothingTwiceThatATransactionMoves() {
    listedWhileFIsRenamedAndThenGWritten(H, Map.of(F, ONE, H, ONE, G, ONE));
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }

  @Test
  void aListingInPartsInventsNothingAndLeavesNothingOut() {
    returned(write(F), true);
    Call list = begin(TreeBehaviours.listInParts(A));
    returned(write(G), true);
    history.returned(list, Map.of(G, ONE));
    assertThat(verdict()).isEqualTo(Verdict.INEXPLICABLE);
  }
}
