// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.uri.Authority;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.programs.TalkativeProgram;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users with few rights, made by the commands of connector/docs/security.md, on a real Ceph. */
class SecurityIT {

  private static final String POOL = "lake";
  private static final String DATA_POOL = "lake-data";

  @TempDir static java.nio.file.Path folder;

  private static CephCluster ceph;

  @BeforeAll
  static void followTheReadme() throws Exception {
    ceph = CephCluster.shared();
    for (String pool : List.of(POOL, DATA_POOL)) {
      assertThat(ceph.ceph("osd", "pool", "ls").lines())
          .as("pools of the page's name, which this test makes and removes")
          .doesNotContain(pool);
      ceph.createPool(pool);
    }
    List<String> commands =
        PageCommands.of("connector/docs/security.md", "Users and keys").stream()
            .filter(line -> line.startsWith("ceph auth "))
            .toList();
    assertThat(commands).hasSize(3);
    for (String command : commands) {
      String keyring = PageCommands.asAdmin(ceph).run(command);
      Files.writeString(keyringOf(PageCommands.words(command).get(3)), keyring, UTF_8);
    }
  }

  @AfterAll
  static void removeAll() {
    ceph.deletePool(POOL);
    ceph.deletePool(DATA_POOL);
    for (String user : List.of("client.team", "client.team-reader", "client.archive")) {
      ceph.ceph("auth", "rm", user);
    }
  }

  private static java.nio.file.Path keyringOf(String user) {
    return folder.resolve(user + ".keyring");
  }

  private static String keyOf(String user) throws IOException {
    Matcher matcher = Pattern.compile("key = (\\S+)").matcher(Files.readString(keyringOf(user)));
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  /** Without any key. */
  private static Configuration as(String user) {
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    conf.set("fs.rados.ceph.user", user);
    return conf;
  }

  private static Configuration withKeyring(String user) {
    Configuration conf = as(user);
    conf.set("fs.rados.ceph.keyring", keyringOf(user).toString());
    return conf;
  }

  private static Configuration admin() {
    Configuration conf = as(ceph.admin().entity());
    conf.set("fs.rados.ceph.keyring", ceph.admin().keyring().toString());
    return conf;
  }

  private static FileSystem open(String uri, Configuration conf) throws IOException {
    return FileSystem.newInstance(URI.create(uri), conf);
  }

  private static void write(FileSystem fs, String path) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path))) {
      out.write(path.getBytes(UTF_8));
    }
  }

  private static String read(FileSystem fs, String path) throws IOException {
    try (var in = fs.open(new Path(path))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private static void assertDenied(ThrowingCallable call, String... said) {
    assertThatThrownBy(call)
        .isInstanceOf(AccessControlException.class)
        .satisfies(e -> Arrays.stream(said).forEach(s -> assertThat(e.getMessage()).contains(s)));
  }

  @Test
  void aUserOfOneNamespaceHasAWholeFileSystemThereAndNothingElse() throws Exception {
    try (FileSystem own = open("rados://team@lake/", withKeyring("client.team"))) {
      write(own, "/a/f");
      assertThat(own.rename(new Path("/a/f"), new Path("/a/g"))).isTrue();
      assertThat(own.mkdirs(new Path("/b"))).isTrue();
      assertThat(own.rename(new Path("/a"), new Path("/b"))).isTrue();
      assertThat(read(own, "/b/a/g")).isEqualTo("/a/f");
      assertThat(own.listStatus(new Path("/b/a"))).hasSize(1);
      assertThat(own.getStatus().getUsed()).isNotNegative();
      assertThat(own.delete(new Path("/b"), true)).isTrue();
    }
    assertDenied(
        () -> open("rados://other@lake/", withKeyring("client.team")).close(),
        "pool 'lake', namespace 'other'",
        "client.team",
        "osd 'allow rw pool=lake namespace=other'");
    assertDenied(() -> open("rados://lake/", withKeyring("client.team")).close(), "pool 'lake'");
    assertDenied(
        () -> open("rados://team@lake-data/", withKeyring("client.team")).close(),
        "pool 'lake-data', namespace 'team'");
  }

  @Test
  void namespacesDoNotSeeEachOther() throws Exception {
    try (FileSystem team = open("rados://team@lake/", withKeyring("client.team"));
        FileSystem other = open("rados://other@lake/", admin());
        FileSystem none = open("rados://lake/", admin())) {
      write(team, "/same");
      assertThat(other.exists(new Path("/same"))).isFalse();
      assertThat(none.exists(new Path("/same"))).isFalse();
      write(other, "/same");
      assertThat(other.delete(new Path("/"), true)).isTrue();
      assertThat(read(team, "/same")).isEqualTo("/same");
      assertThat(none.listStatus(new Path("/"))).isEmpty();
    }
  }

  @Test
  void aReaderReadsAndIsDeniedTheRest() throws Exception {
    try (FileSystem team = open("rados://team@lake/", withKeyring("client.team"));
        FileSystem reader = open("rados://team@lake/", withKeyring("client.team-reader"))) {
      write(team, "/read/me");
      assertThat(read(reader, "/read/me")).isEqualTo("/read/me");
      assertThat(reader.listStatus(new Path("/read"))).hasSize(1);
      String where = "pool 'lake', namespace 'team'";
      assertDenied(() -> write(reader, "/read/not"), where, "client.team-reader");
      assertDenied(() -> reader.delete(new Path("/read"), true), where);
      assertDenied(() -> reader.rename(new Path("/read/me"), new Path("/read/you")), where);
      assertDenied(() -> reader.mkdirs(new Path("/new")), where);
      assertThat(read(team, "/read/me")).isEqualTo("/read/me");
    }
  }

  /** Nor an owner. What is not there is refused, and not quietly left out. */
  @Test
  void permissionsAreStoredAndNotEnforced() throws Exception {
    try (FileSystem team = open("rados://team@lake/", withKeyring("client.team"));
        FileSystem reader = open("rados://team@lake/", withKeyring("client.team-reader"))) {
      Path file = new Path("/private/f");
      write(team, file.toString());
      team.setPermission(file, new FsPermission((short) 0));
      team.setPermission(file.getParent(), new FsPermission((short) 0));
      team.setOwner(file, "somebody", "else");
      assertThat(reader.getFileStatus(file).getPermission()).hasToString("---------");
      assertThat(reader.getFileStatus(file).getOwner()).isEqualTo("somebody");
      assertThat(read(reader, file.toString())).isEqualTo(file.toString());
      assertThat(reader.listStatus(file.getParent())).hasSize(1);
      assertThatThrownBy(() -> team.getAclStatus(file))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> team.modifyAclEntries(file, List.of()))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThat(team.getDelegationToken("yarn")).isNull();
      assertThat(team.delete(file.getParent(), true)).isTrue();
    }
  }

  @Test
  void whoLacksTheDataPoolIsToldWhichItIs() throws Exception {
    // What the superblock names is a pool that client.archive may write, and client.team not.
    Mount.format(Authority.of(URI.create("rados://archive@lake/")), admin(), Optional.of(DATA_POOL))
        .close();
    try (FileSystem archive = open("rados://archive@lake/", withKeyring("client.archive"))) {
      write(archive, "/kept");
      assertThat(read(archive, "/kept")).isEqualTo("/kept");
    }
    CephCluster.User half =
        ceph.createUser(
            "half-archive", "mon", "allow r", "osd", "allow rw pool=lake namespace=archive");
    Configuration conf = as(half.entity());
    conf.set("fs.rados.ceph.keyring", half.keyring().toString());
    try (FileSystem fs = open("rados://archive@lake/", conf)) {
      assertThat(fs.exists(new Path("/kept"))).isTrue();
      String where = "pool 'lake-data', namespace 'archive'";
      assertDenied(() -> read(fs, "/kept"), where);
      assertDenied(
          () -> write(fs, "/not"),
          where,
          "allow rw pool=lake namespace=archive, allow rw pool=lake-data namespace=archive");
      assertThat(fs.exists(new Path("/not"))).isFalse();
    } finally {
      ceph.ceph("auth", "rm", half.entity());
    }
  }

  @Test
  void theKeyComesFromKeyfileSecretOrCredentialProvider() throws Exception {
    Configuration keyfile = as("client.team");
    keyfile.set(
        "fs.rados.ceph.keyfile",
        Files.writeString(folder.resolve("key"), keyOf("client.team")).toString());
    Configuration secret = as("client.team");
    secret.set("fs.rados.ceph.secret", keyOf("client.team"));
    Configuration provider = as("client.team");
    provider.set(
        CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH,
        "localjceks://file" + folder.resolve("keys.jceks"));
    CredentialProvider store = CredentialProviderFactory.getProviders(provider).get(0);
    store.createCredentialEntry(
        "fs.rados.pool.lake.ceph.secret", keyOf("client.team").toCharArray());
    store.createCredentialEntry("fs.rados.ceph.secret", keyOf("client.archive").toCharArray());
    store.flush();
    for (Configuration conf : List.of(keyfile, secret, provider)) {
      // No other place to find a key in.
      conf.set("fs.rados.ceph.keyring", "/nonexistent");
      try (FileSystem fs = open("rados://team@lake/", conf)) {
        write(fs, "/by-key");
        assertThat(read(fs, "/by-key")).isEqualTo("/by-key");
      }
    }
    assertThatThrownBy(() -> open("rados://team@lake-data/", provider).close())
        .as("the key for all other pools is another user's")
        .isInstanceOf(IOException.class)
        .hasMessageContaining("fs.rados.ceph.secret")
        .hasMessageContaining("does not know this user with this key");
  }

  /** With all that librados and the loggers have to say. */
  @Test
  void theKeyIsNeverShown() throws Exception {
    String key = keyOf("client.team");
    String output =
        ChildJvm.run(
            TalkativeProgram.class,
            "rados://team@lake",
            "fs.rados.ceph.conf=" + ceph.conf(),
            "fs.rados.ceph.user=client.team",
            "fs.rados.ceph.secret=" + key,
            "fs.rados.ceph.log_to_stderr=true",
            "fs.rados.ceph.debug_auth=20",
            "fs.rados.ceph.debug_monc=20",
            "fs.rados.ceph.debug_ms=20",
            "fs.rados.ceph.debug_rados=20",
            "fs.rados.ceph.debug_client=20",
            "fs.rados.ceph.debug_objecter=20");
    assertThat(output)
        .as("librados talks, and so does the program")
        .contains("cephx")
        .contains("librados:")
        .contains("RadosFileSystem{rados://team@lake}")
        .contains("fs.rados.ceph.secret=<hidden")
        .contains("client.nobody-at-all")
        .contains("namespace 'not-for-this-user'")
        .contains("holds for this user is no key")
        .contains("fs.rados.ceph.secret instead");
    // Not assertThat(output).doesNotContain(key), which would show it.
    assertThat(output.contains(key)).as("the key is in the output").isFalse();
  }

  /** Ceph's messenger says of each connection how it is protected. */
  @Test
  void connectionsAreEncryptedWhereTheOptionSaysSo() throws Exception {
    assertThat(connections("crc")).contains(" crc :").doesNotContain(" secure :");
    assertThat(connections("secure")).contains(" secure :").doesNotContain(" crc :");
  }

  private static String connections(String mode) throws IOException {
    List<String> ready =
        ChildJvm.run(
                TalkativeProgram.class,
                "rados://team@lake",
                "fs.rados.ceph.conf=" + ceph.conf(),
                "fs.rados.ceph.user=client.team",
                "fs.rados.ceph.secret=" + keyOf("client.team"),
                "fs.rados.ceph.log_to_stderr=true",
                "fs.rados.ceph.debug_ms=5",
                "fs.rados.ceph.ms_mon_client_mode=" + mode,
                "fs.rados.ceph.ms_client_mode=" + mode)
            .lines()
            .filter(line -> line.contains("--2-") && line.contains(" s=READY "))
            .toList();
    assertThat(ready).isNotEmpty();
    return String.join("\n", ready);
  }
}
