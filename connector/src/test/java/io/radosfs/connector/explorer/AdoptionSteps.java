// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.ForwardingObjectStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.upkeep.Adoption.Adopted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** What other programs do with the objects of a pool, and how clients make files of these. */
public sealed interface AdoptionSteps extends Step {

  /** Puts an object, as another program does, unless there is one of that name. */
  record Put(FsPath path, boolean several) implements AdoptionSteps {
    @Override
    public void run(Session session) throws IOException {
      String content = AdoptableObjects.content(session.newContent(several));
      AdoptableObjects foreign = session.history().foreign();
      foreign.begun(path);
      WriteOp put =
          WriteOp.builder()
              .createExclusive()
              .writeFull(ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)))
              .build();
      Optional<Boolean> unused =
          session.call(
              "put object '" + path.key() + "' with '" + content + "'",
              TreeBehaviours.nothing().failing(List.of(DocumentedFailure.IS_THERE)),
              () -> {
                session.mount().store().write(path.key(), put);
                foreign.isThere(content);
                return true;
              });
    }
  }

  /**
   * Makes a file of the object that is there.
   *
   * @param resume whether the client knows that nobody else does so
   */
  record Adopt(FsPath path, boolean resume) implements AdoptionSteps {
    @Override
    public void run(Session session) throws IOException {
      session.known(path.parent());
      // Nothing is visible before the object has got an identity, and its content is known.
      Behaviour[] behaviour = {TreeBehaviours.adopt(path, TreeBehaviours.NO_FILE)};
      BiConsumer<String, String> identified =
          (uid, content) -> {
            session.history().content(uid, content);
            session.history().foreign().isThere(content);
            behaviour[0] = TreeBehaviours.adopt(path, node(path, uid, content));
          };
      Optional<Adopted> unused =
          session.call(
              toString(),
              ((Behaviour) (tree, state, answer) -> behaviour[0].next(tree, state, answer))
                  .failing(DocumentedFailure.OF_ADOPTION),
              () -> {
                SimulatedMount mount = session.mount();
                return mount
                    .wiring()
                    .adoption(new Watched(mount.store(), session, identified))
                    .fileAt(path, SimulatedMount.ATTRIBUTES, resume, false);
              });
    }

    private static Tree.Node node(FsPath path, String uid, String content) {
      FileData data =
          new FileData(path, new Uid(uid), true, 0, SimulatedMount.STRIPE, Optional.empty())
              .inOneStripe(content.length());
      return new Tree.Node(
          uid, TreeBehaviours.PERMISSION, Optional.of(DataLayout.of(data, SimulatedMount.STRIPE)));
    }
  }

  /** Notices the identity that an object gets, and which content has it. */
  final class Watched extends ForwardingObjectStore {
    private final Session session;
    private final BiConsumer<String, String> identified;
    private Optional<byte[]> uid = Optional.empty();

    private Watched(ObjectStore store, Session session, BiConsumer<String, String> identified) {
      super(store);
      this.session = session;
      this.identified = identified;
    }

    @Override
    public void write(String object, WriteOp op) throws IOException {
      for (WriteOp.Step step : op.steps()) {
        if (step instanceof WriteOp.SetXattr set && set.name().equals(FileData.UID_XATTR)) {
          uid = Optional.of(set.value());
        }
      }
      super.write(object, op);
      look(object);
    }

    /** That of an object whose answer was lost. */
    @Override
    public ReadResult read(String object, ReadOp op) throws IOException {
      ReadResult result = super.read(object, op);
      look(object);
      return result;
    }

    private void look(String object) {
      if (uid.isPresent()) {
        AdoptableObjects.contentOf(session.client().cluster(), object, uid.get())
            .ifPresent(
                content ->
                    identified.accept(new String(uid.get(), StandardCharsets.UTF_8), content));
      }
    }
  }
}
