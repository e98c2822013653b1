// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How to reach a Ceph cluster, and as which user.
 *
 * @param confPath the path of ceph.conf; empty for Ceph's own search ({@code CEPH_CONF}, {@code
 *     /etc/ceph}, {@code ~/.ceph})
 * @param user the Ceph user, {@code admin} or {@code client.admin}
 * @param keyring the path of a keyring file; empty for the one that Ceph's configuration names
 * @param keyFile the path of a file that holds only the key
 * @param key the key itself; never shown
 * @param keyIfNone the key if there is none where Ceph looks for it; never shown
 * @param cephOptions Ceph's own options, which override everything else
 * @param operationTimeout how long an operation may take; librados gives up a little earlier
 * @param connectTimeout how long connecting may take
 */
public record ClusterSettings(
    Optional<String> confPath,
    String user,
    Optional<String> keyring,
    Optional<String> keyFile,
    Optional<String> key,
    Optional<String> keyIfNone,
    Map<String, String> cephOptions,
    Duration operationTimeout,
    Duration connectTimeout) {

  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  private static final String HIDDEN = "<hidden>";

  public ClusterSettings {
    if (operationTimeout.isNegative() || operationTimeout.isZero()) {
      throw new IllegalArgumentException("the operation timeout must be positive");
    }
    if (connectTimeout.isNegative() || connectTimeout.isZero()) {
      throw new IllegalArgumentException("the connect timeout must be positive");
    }
    cephOptions = Map.copyOf(cephOptions);
  }

  /** The user with its type: {@code client.admin}. */
  public String entityName() {
    return user.startsWith("client.") ? user : "client." + user;
  }

  /** Settings for Ceph's defaults: its own search for ceph.conf, the user client.admin. */
  public static Builder builder() {
    return new Builder();
  }

  /** Shows no key, however it was given. */
  @Override
  public String toString() {
    Map<String, String> options = new TreeMap<>(cephOptions);
    options.replaceAll((name, value) -> isSecret(name) ? HIDDEN : value);
    return "ClusterSettings[conf="
        + confPath.orElse("<Ceph's own search>")
        + ", user="
        + entityName()
        + keyring.map(path -> ", keyring=" + path).orElse("")
        + keyFile.map(path -> ", keyFile=" + path).orElse("")
        + key.map(secret -> ", key=" + HIDDEN).orElse("")
        + keyIfNone.map(secret -> ", keyIfNone=" + HIDDEN).orElse("")
        + ", options="
        + options
        + ", operationTimeout="
        + operationTimeout
        + ", connectTimeout="
        + connectTimeout
        + "]";
  }

  private static boolean isSecret(String option) {
    String name = option.toLowerCase(Locale.ROOT);
    return name.equals("key") || name.contains("secret") || name.contains("password");
  }

  /** Collects settings. Not thread-safe. */
  public static final class Builder {
    private Optional<String> confPath = Optional.empty();
    private String user = "client.admin";
    private Optional<String> keyring = Optional.empty();
    private Optional<String> keyFile = Optional.empty();
    private Optional<String> key = Optional.empty();
    private Optional<String> keyIfNone = Optional.empty();
    private Map<String, String> cephOptions = Map.of();
    private Duration operationTimeout = DEFAULT_TIMEOUT;
    private Duration connectTimeout = DEFAULT_TIMEOUT;

    private Builder() {}

    public Builder confPath(String path) {
      confPath = Optional.of(path);
      return this;
    }

    public Builder user(String name) {
      user = name;
      return this;
    }

    public Builder keyring(String path) {
      keyring = Optional.of(path);
      return this;
    }

    public Builder keyFile(String path) {
      keyFile = Optional.of(path);
      return this;
    }

    public Builder key(String secret) {
      key = Optional.of(secret);
      return this;
    }

    public Builder keyIfNone(Optional<String> secret) {
      keyIfNone = secret;
      return this;
    }

    public Builder cephOptions(Map<String, String> options) {
      cephOptions = options;
      return this;
    }

    public Builder operationTimeout(Duration timeout) {
      operationTimeout = timeout;
      return this;
    }

    public Builder connectTimeout(Duration timeout) {
      connectTimeout = timeout;
      return this;
    }

    public ClusterSettings build() {
      return new ClusterSettings(
          confPath,
          user,
          keyring,
          keyFile,
          key,
          keyIfNone,
          cephOptions,
          operationTimeout,
          connectTimeout);
    }
  }
}
