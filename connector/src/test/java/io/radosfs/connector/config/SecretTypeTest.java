// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.docs.PageSection;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.apache.hadoop.security.alias.CredentialShell;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretTypeTest {

  private static final String KEY = "fs.rados.ceph.secret";
  private static final String POOL_KEY = "fs.rados.pool.p.ceph.secret";
  private static final String SECRET = "AQDBIKBn4sT9IRAAyE8aGLcqTvbSH9yO0vFQNQ==";
  private static final String OTHER = "AQA6OlNnAAAAABAAm1oDg3wmcM9y5s3xQpRkVA==";

  @TempDir Path folder;

  private final Configuration conf = new Configuration(false);

  private String secret(String pool) {
    return new Settings(conf, pool).get(Options.CEPH_SECRET);
  }

  private void provide(String key, String secret) throws Exception {
    conf.set(
        CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH,
        "localjceks://file" + folder.resolve("keys.jceks"));
    CredentialProvider provider = CredentialProviderFactory.getProviders(conf).get(0);
    provider.createCredentialEntry(key, secret.toCharArray());
    provider.flush();
  }

  @Test
  void comesFromACredentialProviderBeforeTheConfiguration() throws Exception {
    conf.set(KEY, OTHER);
    assertThat(secret("p")).isEqualTo(OTHER);
    provide(KEY, SECRET);
    assertThat(secret("p")).isEqualTo(SECRET);
    conf.setBoolean(CredentialProvider.CLEAR_TEXT_FALLBACK, false);
    conf.set(POOL_KEY, OTHER);
    assertThat(secret("p")).as("not in the clear where that is forbidden").isEqualTo(SECRET);
  }

  /** Hadoop's command, with a local file in place of HDFS, and the key typed twice. */
  @Test
  void thePagesCommandMakesACredential() throws Exception {
    List<String> commands =
        PageSection.of("connector/docs/security.md", "Where a key is kept").commands("hadoop");
    assertThat(commands).hasSize(1);
    String provider = "jceks://file" + folder.resolve("ceph.jceks");
    List<String> words =
        List.of(commands.get(0).replace("jceks://hdfs/user/team/ceph.jceks", provider).split(" "));
    assertThat(words).startsWith("hadoop", "credential").endsWith(provider);
    CredentialShell shell = new CredentialShell();
    shell.setPasswordReader(
        new CredentialShell.PasswordReader() {
          @Override
          public char[] readPassword(String prompt) {
            return SECRET.toCharArray();
          }
        });
    assertThat(ToolRunner.run(conf, shell, words.subList(2, words.size()).toArray(String[]::new)))
        .isZero();
    conf.set(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, provider);
    assertThat(secret("p")).isEqualTo(SECRET);
  }

  @Test
  void mayBeOnePoolsOwn() throws Exception {
    provide(KEY, SECRET);
    provide(POOL_KEY, OTHER);
    assertThat(secret("p")).isEqualTo(OTHER);
    assertThat(secret("q")).isEqualTo(SECRET);
  }

  @Test
  void isEmptyWhereNoneIsSet() {
    assertThat(secret("p")).isEmpty();
  }

  /** Mounts with other keys are other mounts. */
  @Test
  void valuesTellSecretsApartAndShowNone() {
    conf.set(KEY, SECRET);
    String one = new Settings(conf, "p").values().get(KEY);
    conf.set(POOL_KEY, OTHER);
    String other = new Settings(conf, "p").values().get(KEY);
    conf.set(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, "localjceks://file/none");
    String provided = new Settings(conf, "p").values().get(KEY);
    assertThat(one).isNotEqualTo(other).doesNotContain(SECRET);
    assertThat(other).doesNotContain(OTHER);
    assertThat(provided).isNotEqualTo(other).contains("localjceks://file/none");
    assertThat(new Settings(conf, "p").values().toString()).doesNotContain(SECRET, OTHER);
  }

  @Test
  void aProviderThatCannotBeReadIsNamed() throws Exception {
    Path garbage = Files.writeString(folder.resolve("garbage.jceks"), "no key store");
    conf.set(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, "localjceks://file" + garbage);
    assertThatThrownBy(() -> secret("p"))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(garbage.toString())
        .hasMessageContaining("ceph.secret");
  }

  /** Spark and Hadoop hide what is named a secret in what they show of a configuration. */
  @Test
  void aKeyUnderCephsOwnNameIsRefusedAndNotShown() {
    conf.set("fs.rados.pool.p.ceph.key", SECRET);
    assertThatThrownBy(() -> new Settings(conf, "p").cephOptions())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Set fs.rados.pool.p.ceph.secret instead")
        .hasMessageNotContaining(SECRET);
    assertThat(new Settings(conf, "q").cephOptions()).isEmpty();
  }
}
