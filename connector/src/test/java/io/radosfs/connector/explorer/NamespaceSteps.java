// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.data.StripedInputStream;
import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.explorer.Session.Operation;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.upkeep.Finding;
import io.radosfs.connector.upkeep.Restoration;
import io.radosfs.connector.upkeep.Restoration.Kept;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.RemoteIterator;

/** What a client does to a name space. */
public sealed interface NamespaceSteps extends Step {

  /** How much is read of a file, or of a directory, before something else is done. */
  int HALF = 4;

  /** A file that was restored is the one that its data was written for: that one is replaced. */
  static Tree.Node node(Entry entry) {
    SetPermission.requireBothSet(entry);
    return nodeOf(entry);
  }

  private static Tree.Node nodeOf(Entry entry) {
    return entry instanceof Entry.OfFile file
        ? new Tree.Node(
            file.data().written().value(),
            entry.attributes().permission(),
            Optional.of(DataLayout.of(file.data(), SimulatedMount.STRIPE)))
        : Tree.Node.directory(entry.attributes().permission());
  }

  private static Map<FsPath, Tree.Node> nodes(Iterable<Namespace.Child> children) {
    Map<FsPath, Tree.Node> nodes = new TreeMap<>();
    children.forEach(child -> nodes.put(child.path(), node(child.entry())));
    return nodes;
  }

  /** Writes a whole file. */
  record Write(FsPath path, boolean overwrite, boolean createParent, boolean several)
      implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      if (new Open(path, overwrite, createParent, several, TreeBehaviours.PERMISSION)
          .begin(session)) {
        Finish.end(session);
      }
    }
  }

  /** Begins to write a file, and leaves it open. */
  record Open(FsPath path, boolean overwrite, boolean createParent, boolean several, int permission)
      implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      Finish.end(session);
      boolean unused = begin(session);
    }

    private boolean begin(Session session) throws IOException {
      session.begun(path);
      String content = session.newContent(several);
      // The identity is known only once it is created; before, nothing is visible of it.
      Behaviour[] behaviour = {
        TreeBehaviours.write(path, overwrite, createParent, "none", permission, Optional.empty())
      };
      Call call =
          session.begin(
              this + " '" + content + "'",
              ((Behaviour) (tree, state, answer) -> behaviour[0].next(tree, state, answer))
                  .failing(session.failuresOfWriting()));
      Optional<StripedOutputStream> stream =
          session.runUnlessFails(
              call,
              () -> {
                SimulatedMount mount = session.mount();
                Namespace.NewFile created =
                    mount
                        .namespace()
                        .create(path, overwrite, createParent, SimulatedMount.ATTRIBUTES);
                String file = created.uid().value();
                behaviour[0] =
                    TreeBehaviours.write(
                        path,
                        overwrite,
                        createParent,
                        file,
                        permission,
                        // As this process remembers the directory, which spares it a look.
                        overwrite && session.knows(path.parent())
                            ? Optional.empty()
                            : Optional.of(created.layout()));
                session.history().content(file, content);
                return mount.write(path, created);
              });
      stream.ifPresent(
          open -> session.writing(Optional.of(new Session.Writing(path, open, call, content))));
      return stream.isPresent();
    }
  }

  /** Writes what is open to its end. */
  record Finish() implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      end(session);
    }

    static void end(Session session) throws IOException {
      Optional<Session.Writing> writing = session.writing();
      session.writing(Optional.empty());
      if (writing.isPresent()) {
        session.known(writing.get().path().parent());
        Optional<Boolean> unused =
            session.run(
                writing.get().call(),
                () -> {
                  try (StripedOutputStream out = writing.get().stream()) {
                    out.write(writing.get().content().getBytes(StandardCharsets.UTF_8));
                  }
                  return true;
                });
      }
    }
  }

  /** Gives up what is open for writing. */
  record Abort() implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      Optional<Session.Writing> writing = session.writing();
      session.writing(Optional.empty());
      if (writing.isPresent()) {
        session.history().abandoned(writing.get().call());
        Optional<Boolean> unused =
            session.unseen(
                "abort",
                () -> {
                  var result = writing.get().stream().abort();
                  if (result.anyCleanupException() != null) {
                    throw result.anyCleanupException();
                  }
                  return true;
                });
      }
    }
  }

  /** Makes directories. */
  record Mkdirs(FsPath path) implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      Optional<Boolean> unused =
          session.call(
              toString(),
              TreeBehaviours.mkdirs(path),
              () -> {
                session.mount().namespace().mkdirs(path, SimulatedMount.ATTRIBUTES);
                return true;
              });
    }
  }

  /** Renames. */
  record Rename(FsPath from, FsPath to, boolean overwrite) implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      Optional<Boolean> unused =
          session.call(
              toString(),
              TreeBehaviours.rename(from, to, overwrite)
                  .failing(
                      to.isAtOrBelow(from)
                          ? List.of(DocumentedFailure.BELOW_ITSELF)
                          : DocumentedFailure.OF_RENAMES),
              () -> {
                session.mount().namespace().rename(from, to, overwrite);
                return true;
              });
      session.forgetBelow(from);
      session.forgetBelow(to);
    }
  }

  /**
   * Something else, of which the client dies.
   *
   * @param write the one, of those that it does for it, after which it does; from 1
   */
  record Dying(Step step, int write) implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      session.struck(Fault.CRASH_AFTER, OpInfo::write, write, step);
    }
  }

  /** Something else, while another thread of the process closes its file system. */
  record Closing(Step step) implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      session.closingBeside();
      step.run(session);
    }
  }

  /** Deletes. */
  record Delete(FsPath path, boolean recursive) implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      Optional<Boolean> unused =
          session.call(
              toString(),
              TreeBehaviours.delete(path, recursive, session.losesAnswers()),
              session.makingRoom(
                  toString(), () -> session.mount().namespace().delete(path, recursive)));
      session.forgetBelow(path);
    }
  }

  /** Deletes many at once. */
  record DeleteAll(Set<FsPath> paths) implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      Optional<Set<FsPath>> unused =
          session.call(
              toString(),
              TreeBehaviours.deleteAll(paths),
              session.makingRoom(
                  toString(),
                  () -> {
                    Map<FsPath, IOException> failed = session.mount().namespace().deleteAll(paths);
                    failed.values().forEach(session::requireReason);
                    failed.values().forEach(e -> session.requireNoNeedOfRoom(toString(), e));
                    for (IOException failure : failed.values()) {
                      if (Answer.kindOf(failure) == Answer.Kind.UNKNOWN) {
                        throw failure; // it may yet come, so that the call has no end
                      }
                    }
                    return new TreeSet<>(failed.keySet());
                  }));
      session.forget(paths);
    }
  }

  /** Sets a permission, and with it an extended attribute that says the same. */
  record SetPermission(FsPath path, int permission) implements NamespaceSteps {

    /** What is drawn begins here; nothing else has those. */
    static final int LEAST = 0700;

    static final int DRAWN = 8;

    private static final String XATTR = "user.permission";

    /**
     * What has been set at one instant is never seen in part. Retained data has no extended
     * attributes, nor has a file that is made of it.
     */
    static void requireBothSet(Entry entry) {
      Attributes attributes = entry.attributes();
      boolean drawn = attributes.permission() >= LEAST && attributes.permission() < LEAST + DRAWN;
      boolean restored =
          entry instanceof Entry.OfFile file && file.data().restoredFrom().isPresent();
      if (restored || attributes.xattrs().leftOut() > 0) {
        return; // A listing tells their size alone.
      }
      Optional<String> told =
          attributes.xattrs().value(XATTR).map(value -> new String(value, StandardCharsets.UTF_8));
      if (drawn && told.isEmpty()
          || told.isPresent()
              && !told.get().equals(Integer.toOctalString(attributes.permission()))) {
        throw new AssertionError("the extended attribute is not of the permission: " + attributes);
      }
    }

    private Attributes set(Attributes before) {
      byte[] told = Integer.toOctalString(permission).getBytes(StandardCharsets.UTF_8);
      return before.withPermission(permission).withXattrs(before.xattrs().with(XATTR, told));
    }

    @Override
    public void run(Session session) throws IOException {
      boolean unfinished = session.hasBegun(path);
      Optional<Boolean> unused =
          session.call(
              toString(),
              unfinished
                  ? TreeBehaviours.setPermissionOfUnfinished(path, permission)
                  : TreeBehaviours.setPermission(path, permission),
              () -> {
                session.mount().namespace().setAttributes(path, this::set);
                return true;
              });
    }
  }

  /** Looks a path up, and reads the file that is there. */
  record Read(FsPath path) implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      BeginToRead.end(session);
      new BeginToRead(path, HALF).run(session);
      BeginToRead.end(session);
    }
  }

  /**
   * Deletes a file and writes another in its place, whose first object takes the name that the
   * deleted one had.
   */
  record Renew(FsPath path, boolean several) implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      new Delete(path, false).run(session);
      new Write(path, false, true, several).run(session);
    }
  }

  /**
   * Opens a file, has another take its place and the name of its first object, and reads it then:
   * it is gone, or retained, but never the other.
   */
  record ReadRenewed(FsPath path, boolean several) implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      new BeginToRead(path, 0).run(session);
      new Renew(path, several).run(session);
      BeginToRead.end(session);
    }
  }

  /**
   * Looks a path up, and reads the beginning of the file that is there.
   *
   * @param begun how much; if nothing, the stream is opened and its first object is read later
   */
  record BeginToRead(FsPath path, int begun) implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      end(session);
      Entry[] found = new Entry[1];
      Optional<Optional<Tree.Node>> looked =
          session.call(
              toString(),
              TreeBehaviours.lookup(path),
              () -> {
                Optional<Entry> entry = session.mount().namespace().lookup(path);
                found[0] = entry.orElse(null);
                return entry.map(NamespaceSteps::node);
              });
      if (looked.isPresent()
          && found[0] instanceof Entry.OfFile file
          && !Run.isReport(file.data())) {
        begin(session, file);
      }
    }

    private void begin(Session session, Entry.OfFile file) throws IOException {
      Optional<Session.Reading> reading =
          session.unseen(
              "reads " + begun + " bytes of " + file.uid(),
              undamaged(
                  session,
                  () -> {
                    StripedInputStream in = session.mount().open(file.data());
                    String beginning = new String(in.readNBytes(begun), StandardCharsets.UTF_8);
                    return new Session.Reading(in, file.data().written().value(), beginning);
                  }));
      session.reading(reading);
    }

    /** Whatever others do, a reader is not told that a file is damaged. */
    private static <T> Operation<T> undamaged(Session session, Operation<T> reading) {
      return () -> {
        try {
          return reading.run();
        } catch (IOException e) {
          if (String.valueOf(e.getMessage()).contains("is damaged")) {
            session.violation("reads what is not so: " + e.getMessage());
          }
          throw e;
        }
      };
    }

    static void end(Session session) throws IOException {
      Optional<Session.Reading> reading = session.reading();
      session.reading(Optional.empty());
      if (reading.isEmpty()) {
        return;
      }
      String file = reading.get().file();
      Operation<String> rest =
          () -> {
            try (StripedInputStream in = reading.get().stream()) {
              return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
          };
      Optional<String> read = session.unseen("reads the rest of " + file, undamaged(session, rest));
      String expected = session.history().content(file).orElse("nothing");
      if (read.isPresent() && !expected.equals(reading.get().begun() + read.get())) {
        session
            .history()
            .violation("read '" + reading.get().begun() + read.get() + "', not " + expected);
      }
    }
  }

  private static Behaviour listing(Session session, FsPath path) {
    return session.listsInParts() ? TreeBehaviours.listInParts(path) : TreeBehaviours.list(path);
  }

  /** Lists a directory at once. */
  record ListAll(FsPath path) implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      Optional<Map<FsPath, Tree.Node>> unused =
          session.call(
              toString(),
              listing(session, path),
              () -> nodes(session.mount().namespace().list(path)));
    }
  }

  /** Lists a directory child after child. */
  record Iterate(FsPath path) implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      Optional<Map<FsPath, Tree.Node>> unused =
          session.call(
              toString(),
              listing(session, path),
              () -> {
                Map<FsPath, Tree.Node> nodes = new TreeMap<>();
                RemoteIterator<Namespace.Child> children =
                    session.mount().namespace().listing(path);
                while (children.hasNext()) {
                  Namespace.Child child = children.next();
                  nodes.put(child.path(), node(child.entry()));
                }
                return nodes;
              });
    }
  }

  /** Gives a directory another layout for new files. */
  record Layout(FsPath path, DataLayout layout) implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      Optional<Boolean> unused =
          session.call(
              toString(),
              TreeBehaviours.layout(path, layout, session.mount().isSharding()),
              () -> {
                var set = session.mount().layouts().change(path, before -> layout);
                return set != null;
              });
      session.forget(Set.of(path));
    }
  }

  /** Asks what new files of a directory get. */
  record LayoutOf(FsPath path) implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      Optional<DataLayout> unused =
          session.call(
              toString(), TreeBehaviours.layoutOf(path), () -> session.mount().layouts().of(path));
    }
  }

  /**
   * Collects garbage.
   *
   * @param living whether all others are taken for dead, as those are that are suspended for long,
   *     or by a clock that is wrong
   */
  record Collect(boolean living) implements NamespaceSteps {

    /** Less than the time after which what is taken for dead is forgotten: that is relied upon. */
    private static final long MOST_AHEAD = SimulatedMount.COLLECTING - SimulatedMount.WORKING - 1;

    @Override
    public void run(Session session) throws IOException {
      Optional<Boolean> unused =
          session.unseen(
              toString(),
              session.makingRoom(
                  toString(),
                  () -> {
                    long ahead = Math.min(session.client().clockAhead(), MOST_AHEAD);
                    session
                        .mount()
                        .collect(
                            SimulatedMount.COLLECTING + ahead,
                            (living ? SimulatedMount.WORKING : 0) + ahead);
                    return true;
                  }));
    }
  }

  /**
   * Makes files of the data of files that were replaced at a path or below it, as far as it is
   * kept.
   */
  record Restore(FsPath top, FsPath directory) implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      Optional<List<Kept>> kept =
          session.unseen(
              toString(),
              () -> {
                Restoration restoration = session.mount().wiring().restoration();
                restoration.handOver(top, Failures.END);
                return Restoration.latest(
                    restoration.kept(top, Failures.END), Long.MAX_VALUE, Long.MAX_VALUE);
              });
      for (Kept one : kept.orElse(List.of())) {
        FsPath path = one.pathIn(directory, top);
        session.known(path.parent());
        Optional<Boolean> unused =
            session.call(
                "restore " + one.file().uid() + " as " + path,
                TreeBehaviours.restore(path, nodeOf(one.file())),
                () -> {
                  session.mount().wiring().restoration().restore(one, path);
                  return true;
                });
      }
    }
  }

  /** Compares all objects with what leads to them, which must be right while others work. */
  record Check(boolean withData) implements NamespaceSteps {
    @Override
    public void run(Session session) throws IOException {
      Optional<Boolean> unused =
          session.unseen(
              toString(),
              () -> {
                Set<Finding> findings =
                    new LinkedHashSet<>(session.mount().check().run(withData).findings());
                findings.removeIf(
                    finding ->
                        finding.kind() == Finding.Kind.LEAK
                            && session.history().foreign().mayBe(finding.subject()));
                // What another program has damaged is not only without its mark: a name that a
                // rename was to take away stays, and its data goes with the other name.
                if (!findings.isEmpty() && !session.mayBeDamaged()) {
                  session.violation("fsck finds what is not so: " + findings);
                }
                return true;
              });
    }
  }
}
