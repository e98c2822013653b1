// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static io.radosfs.integration.ceph.TypedKeys.NEWER;
import static io.radosfs.integration.ceph.TypedKeys.OLDER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.ceph.LibradosVersion;
import io.radosfs.integration.ceph.TypedKeys;
import io.radosfs.integration.programs.ConnectProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/**
 * Keys of both types, on a cluster as Ceph 20.2.4 makes it, which takes the newer alone, and on one
 * that was told to take both. Each wrong combination is said to be one, and the commands that the
 * error names put it right: the test runs them as they are printed.
 */
class KeyTypesIT {

  private static final Pattern COMMAND =
      Pattern.compile("`ceph (?:mon set|config set|auth rotate) [^`]+`");

  private static final LibradosVersion LIBRADOS = LibradosVersion.ofThisJvm();

  private static TypedKeys keys;
  private static int users;

  @TempDir Path folder;

  private String pool;
  private String entity;

  @BeforeAll
  static void startCluster() {
    keys = TypedKeys.start();
  }

  @AfterAll
  static void stopCluster() {
    if (keys != null) {
      keys.cluster().close();
    }
  }

  @BeforeEach
  void makeUser() {
    keys.takeBoth();
    pool = keys.cluster().ceph().createPool();
    entity = "client.typed-" + ++users;
    keys.makeUser(entity, pool, NEWER);
  }

  private static void needLibrados(boolean readsNewerKeys, String why) {
    if (LIBRADOS.readsNewerKeys() != readsNewerKeys) {
      throw new TestAbortedException("this JVM has librados " + LIBRADOS.text() + ", which " + why);
    }
  }

  private String key() {
    return keys.key(entity);
  }

  /** The user's key as it is now, in each of the ways in which it can be given. */
  private Map<String, String> places() throws IOException {
    Path keyring = folder.resolve("keyring");
    Files.writeString(keyring, "[%s]\n\tkey = %s\n".formatted(entity, key()), UTF_8);
    Path keyFile = Files.writeString(folder.resolve("key"), key() + "\n", UTF_8);
    return Map.of(
        "fs.rados.ceph.keyring", keyring.toString(),
        "fs.rados.ceph.keyfile", keyFile.toString(),
        "fs.rados.ceph.secret", key());
  }

  /** What a process prints that connects with this setting. The key is not in it. */
  private String connect(String setting, String value) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add("rados://" + pool);
    arguments.add("fs.rados.ceph.conf=" + keys.cluster().ceph().conf());
    arguments.add("fs.rados.ceph.user=" + entity);
    // No other place to find a key in.
    arguments.add("fs.rados.ceph.keyring=" + folder.resolve("none"));
    arguments.add(setting + "=" + value);
    String output = ChildJvm.run(ConnectProgram.class, arguments.toArray(String[]::new));
    // Not assertThat(output).doesNotContain(key), which would show it.
    assertThat(output.contains(key())).as("the key is in the output").isFalse();
    return output;
  }

  private void assertConnects() throws IOException {
    for (Map.Entry<String, String> place : places().entrySet()) {
      assertThat(connect(place.getKey(), place.getValue()))
          .as(place.getKey())
          .contains(ConnectProgram.CONNECTED);
    }
  }

  /** What is printed when connecting fails, the same wherever the key is. */
  private String assertRefused(String... said) throws IOException {
    String output = "";
    for (Map.Entry<String, String> place : places().entrySet()) {
      output = connect(place.getKey(), place.getValue());
      assertThat(output)
          .as(place.getKey())
          .contains("cannot connect to Ceph as " + entity)
          .contains(place.getKey().endsWith("secret") ? place.getKey() : place.getValue())
          .contains(said)
          .doesNotContain(ConnectProgram.CONNECTED)
          .doesNotContain("no key");
    }
    return output;
  }

  /** The commands that a message names, as they stand there. */
  private static List<String> commands(String message) {
    return COMMAND.matcher(message).results().map(MatchResult::group).distinct().toList();
  }

  /** Those of the page, for this user: an error names the same. */
  private List<String> onThePage() {
    List<String> commands =
        PageCommands.of("connector/docs/ceph-releases.md", "Types of keys").stream()
            .map(command -> "`" + command.replace("client.team", entity) + "`")
            .toList();
    assertThat(commands).hasSize(4);
    return commands;
  }

  private static void follow(String command) {
    String words = command.substring("`ceph ".length(), command.length() - 1);
    keys.cluster().cephAsMonitor(words.split(" "));
  }

  @Test
  void aKeyThatThisLibradosReadsConnects() throws Exception {
    keys.rotate(entity, OLDER);
    assertConnects();
    if (LIBRADOS.readsNewerKeys()) {
      keys.rotate(entity, NEWER);
      assertConnects();
      keys.takeNewerOnly();
      assertConnects();
    }
  }

  @Test
  void aLibradosThatCannotReadAKeyIsNamedAndSoIsAKeyThatItReads() throws Exception {
    needLibrados(false, "reads keys of both types");
    keys.takeNewerOnly();
    String message =
        assertRefused(
            "is of type aes256k, which this host's librados cannot read",
            "librados2 of Ceph 19.2.6, 20.2.4 or later");
    List<String> commands = commands(message);
    assertThat(commands).isEqualTo(onThePage().subList(0, 3));
    commands.forEach(KeyTypesIT::follow);
    assertConnects();
  }

  @Test
  void aClusterThatRefusesOlderKeysIsToldToAllowThem() throws Exception {
    keys.rotate(entity, OLDER);
    keys.takeNewerOnly();
    String message =
        assertRefused("the cluster does not know this user with this key", "Its type is aes, ");
    assertThat(commands(message)).containsExactly(onThePage().get(0), onThePage().get(3));
    follow(commands(message).get(0));
    assertConnects();
  }

  @Test
  void aUserWhoseKeyIsRefusedGetsANewerOne() throws Exception {
    needLibrados(true, "cannot read the key that this makes");
    keys.rotate(entity, OLDER);
    // A cluster that was told to take both may have been told to make the older, too.
    keys.makeByItself(OLDER);
    keys.takeNewerOnly();
    String message = assertRefused("Its type is aes, ");
    follow(commands(message).get(1));
    assertConnects();
  }

  /** Neither the librados nor the cluster is to blame, and none is blamed. */
  @Test
  void aKeyOfAnotherUserIsNotCalledUnreadable() throws Exception {
    needLibrados(true, "does not come to ask the cluster");
    keys.rotate(entity, NEWER);
    Map<String, String> before = places();
    keys.rotate(entity, NEWER);
    String output = connect("fs.rados.ceph.secret", before.get("fs.rados.ceph.secret"));
    assertThat(output)
        .contains("the cluster does not know this user with this key")
        .doesNotContain("librados cannot read")
        .doesNotContain("auth_allowed_ciphers");
    assertThat(output.contains(before.get("fs.rados.ceph.secret"))).as("the key").isFalse();
  }
}
