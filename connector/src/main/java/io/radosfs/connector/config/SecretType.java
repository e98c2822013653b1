// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProviderFactory;

/**
 * A secret: from Hadoop's credential providers, or else from the configuration if {@code
 * hadoop.security.credential.clear-text-fallback} permits it ({@link Configuration#getPassword}).
 */
final class SecretType implements Option.Type<String> {

  /**
   * {@inheritDoc}
   *
   * @throws UncheckedIOException if a provider cannot be read, naming the providers
   */
  @Override
  public String read(Configuration conf, String setKey, String defaultText) {
    char[] secret = password(conf, setKey);
    return secret == null ? defaultText : new String(secret).trim();
  }

  @Override
  public boolean isSet(Configuration conf, String key) {
    return password(conf, key) != null;
  }

  /**
   * The names of the providers, and a digest of a secret in clear text. Providers are not opened: a
   * process may open the same file system hundreds of times.
   */
  @Override
  public String mark(Configuration conf, String setKey, String defaultText) {
    String clear = conf.get(setKey);
    String providers = conf.get(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, "");
    return (clear == null ? "" : "<hidden, SHA-256 " + digest(clear.trim()) + "> ")
        + (providers.isEmpty() ? "" : "from " + providers);
  }

  private static char[] password(Configuration conf, String key) {
    try {
      return conf.getPassword(key);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot read "
              + key
              + " from the credential providers "
              + conf.get(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH)
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private static String digest(String secret) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every JVM has it.
    }
  }
}
