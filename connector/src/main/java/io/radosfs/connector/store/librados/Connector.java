// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.ceph.rados.exceptions.RadosException;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.librados.CephxKey.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Connects with given settings. Its errors name the setting that puts them right. */
final class Connector {

  private static final String CONF_SETTING = "fs.rados.ceph.conf";

  /**
   * Where one is reached, librados' call that starts an operation waits, without bound or
   * interrupt, for any other operation of the connection to end: with a placement group that does
   * not answer, healthy pools stand still too. What streams have under way is bounded by their own
   * budget.
   */
  private static final List<String> LIMITS_OF_OPERATIONS =
      List.of("objecter_inflight_op_bytes", "objecter_inflight_ops");

  private static final String NO_LIMIT = "0";

  private static final String ALLOW_OLDER = "`ceph mon set auth_allowed_ciphers aes,aes256k`";
  private static final String MAKE_OLDER = "`ceph config set mon mon_auth_allow_insecure_key true`";

  private final ClusterSettings settings;

  Connector(ClusterSettings settings) {
    this.settings = settings;
  }

  /** Returns a connected handle, owned by the caller. */
  ClusterHandle connect() throws IOException {
    ClusterHandle handle = create();
    boolean connected = false;
    try {
      readConf(handle);
      checkKey(handle);
      configure(handle);
      handle.connect();
      connected = true;
      return handle;
    } catch (RadosException e) {
      throw explain(handle, e);
    } finally {
      if (!connected) {
        handle.shutDown();
      }
    }
  }

  /** See {@link LibradosCluster#find}. */
  String find(LocalNeed need) throws IOException {
    ClusterHandle handle = create();
    try {
      if (need == LocalNeed.LIBRARY) {
        return NativeLibraries.describe();
      }
      readConf(handle);
      if (need == LocalNeed.CONFIGURATION) {
        return describeConf(handle);
      }
      checkKey(handle);
      configure(handle);
      return describeKey(handle);
    } catch (RadosException e) {
      throw explain(handle, e);
    } finally {
      handle.shutDown();
    }
  }

  private String describeConf(ClusterHandle handle) throws IOException {
    String monitors = handle.option("mon_host");
    if (monitors.isEmpty() && !settings.cephOptions().containsKey("mon_host")) {
      throw new IOException(noMonitor());
    }
    String told = settings.cephOptions().getOrDefault("mon_host", monitors);
    return settings.confPath().map(path -> path + ", ").orElse("found by Ceph itself, ")
        + "monitors "
        + told;
  }

  private String describeKey(ClusterHandle handle) throws IOException {
    Optional<String> key = key(handle);
    if (key.isEmpty()) {
      throw failed(Kind.PERMISSION_DENIED, noKeyring(handle), null);
    }
    return settings.entityName()
        + ", in "
        + keyPlaces(handle)
        + key.flatMap(CephxKey::type).map(type -> ", of type " + type).orElse("");
  }

  private String noMonitor() {
    return settings.confPath().orElse("ceph.conf")
        + " names no monitor (mon_host): put there what `ceph config generate-minimal-conf` prints,"
        + " or set "
        + CONF_SETTING
        + " to the path of the cluster's ceph.conf";
  }

  private ClusterHandle create() throws IOException {
    ClusterHandle handle;
    try {
      handle = new ClusterHandle(settings.entityName());
    } catch (LinkageError e) {
      throw new IOException(NativeLibraries.explain(e), e);
    }
    if (!handle.isCreated()) {
      throw new IOException("'" + settings.user() + "' is not the name of a Ceph user");
    }
    return handle;
  }

  private void readConf(ClusterHandle handle) throws IOException {
    Optional<String> path = settings.confPath();
    if (path.isPresent() && !Files.isReadable(Path.of(path.get()))) {
      throw new IOException(
          "cannot read "
              + path.get()
              + ", which "
              + CONF_SETTING
              + " names: put the cluster's ceph.conf there on every host, or correct the setting");
    }
    int result = handle.readConf(path);
    if (result >= 0) {
      return;
    }
    if (path.isPresent()) {
      throw new IOException(
          "Ceph cannot make sense of "
              + path.get()
              + " (setting "
              + CONF_SETTING
              + "): "
              + Errno.name(result)
              + ". It should be what `ceph config generate-minimal-conf` prints");
    }
    if (Errno.ENOENT.is(result) && settings.cephOptions().containsKey("mon_host")) {
      return; // The monitors are known without a file.
    }
    throw new IOException(
        "no ceph.conf in the places where Ceph looks for it (CEPH_CONF,"
            + " /etc/ceph/ceph.conf, ~/.ceph; "
            + Errno.name(result)
            + "): put it there on every host, or set "
            + CONF_SETTING
            + " to its path");
  }

  /** {@code rados_conf_set}; a later value overrides an earlier one. */
  private void configure(ClusterHandle handle) throws IOException, RadosException {
    long mount = Math.max(1, settings.connectTimeout().toSeconds());
    handle.confSet("client_mount_timeout", Long.toString(mount));
    handle.confSet(
        "rados_mon_op_timeout", Long.toString(secondsWithin(settings.operationTimeout())));
    handle.confSet(
        "rados_osd_op_timeout", Long.toString(secondsWithin(settings.operationTimeout())));
    for (String limit : LIMITS_OF_OPERATIONS) {
      handle.confSet(limit, NO_LIMIT);
    }
    set(handle, "keyring", settings.keyring());
    set(handle, "keyfile", settings.keyFile());
    set(handle, "key", settings.key());
    for (var option : settings.cephOptions().entrySet()) {
      setGiven(handle, option.getKey(), option.getValue());
    }
    if (settings.keyIfNone().isPresent() && key(handle).isEmpty()) {
      set(handle, "key", settings.keyIfNone());
    }
  }

  /** Sets an option that the user has given. Its value may be a secret and is not shown. */
  private void setGiven(ClusterHandle handle, String option, String value) throws IOException {
    try {
      handle.confSet(option, value);
    } catch (RadosException e) {
      String setting = "fs.rados.ceph." + option;
      String why =
          Errno.ENOENT.is(e.getReturnValue())
              ? "Ceph has no option " + option + ": correct or remove the setting " + setting
              : "Ceph does not take what "
                  + setting
                  + " says ("
                  + Errno.name(e.getReturnValue())
                  + "): `ceph config help "
                  + option
                  + "` tells what it should be";
      throw failed(Kind.OTHER, why, e);
    }
  }

  private static void set(ClusterHandle handle, String option, Optional<String> value)
      throws RadosException {
    if (value.isPresent()) {
      handle.confSet(option, value.get());
    }
  }

  /** A little less, so that librados gives up first and says why; Ceph counts whole seconds. */
  private static long secondsWithin(Duration bound) {
    return Math.max(1, bound.toMillis() * 9 / 10 / 1000);
  }

  private IOException explain(ClusterHandle handle, RadosException failure) {
    int result = failure.getReturnValue();
    Errno errno = Errno.of(result);
    if (errno == Errno.ENOENT) {
      return handle.option("mon_host").isEmpty()
          ? failed(Kind.OTHER, noMonitor(), failure)
          : failed(Kind.PERMISSION_DENIED, noKeyring(handle), failure);
    }
    // Without a keyring, librados tries without cephx unless ceph.conf demands cephx.
    boolean refused = errno == Errno.EACCES || errno == Errno.EPERM;
    if (refused && !hasKey(handle)) {
      return failed(Kind.PERMISSION_DENIED, noKeyring(handle), failure);
    }
    if (refused) {
      return failed(
          Kind.PERMISSION_DENIED,
          "the cluster does not know this user with this key: compare "
              + keyPlaces(handle)
              + " with `ceph auth get "
              + settings.entityName()
              + "`"
              + (keyType(handle).equals(Optional.of(Type.AES)) ? notAllowed() : "")
              + (settings.cephOptions().containsKey("ms_mon_client_mode")
                  ? "; or its monitors take no connection with fs.rados.ceph.ms_mon_client_mode = "
                      + settings.cephOptions().get("ms_mon_client_mode")
                  : ""),
          failure);
    }
    boolean unreadable = errno == Errno.EIO || errno == Errno.EINVAL;
    if (unreadable && keyType(handle).equals(Optional.of(Type.AES256K))) {
      return failed(Kind.PERMISSION_DENIED, unreadableKey(handle), failure);
    }
    if (errno == Errno.EIO && hasKey(handle)) {
      return noKey(handle, failure);
    }
    if (errno == Errno.ETIMEDOUT) {
      return failed(
          Kind.TIMED_OUT,
          "no monitor of "
              + handle.option("mon_host")
              + " answered within "
              + settings.connectTimeout().toSeconds()
              + " s: is the cluster up (`ceph -s`), is mon_host right, does a firewall let ports"
              + " 3300 and 6789 through?",
          failure);
    }
    return failed(Kind.OTHER, failure.getMessage() + ": " + Errno.name(result), failure);
  }

  private void checkKey(ClusterHandle handle) throws StoreException {
    if (settings.key().isPresent() && !CephxKey.isWellFormed(settings.key().get())) {
      throw noKey(handle, null);
    }
  }

  private StoreException noKey(ClusterHandle handle, RadosException cause) {
    return failed(
        Kind.PERMISSION_DENIED,
        "what "
            + keyPlaces(handle)
            + " holds for this user is no key: write it anew, as `ceph auth get "
            + settings.entityName()
            + "` shows it",
        cause);
  }

  /** A key that is well formed, and of a type that this host's librados does not know. */
  private String unreadableKey(ClusterHandle handle) {
    return "the key that "
        + keyPlaces(handle)
        + " holds for this user is of type "
        + Type.AES256K
        + ", which this host's librados cannot read. librados2 of Ceph 19.2.6, 20.2.4 or later"
        + " reads it: install that on every host. Or have an administrator give the user a key of"
        + " the older type: "
        + ALLOW_OLDER
        + " and "
        + MAKE_OLDER
        + ", then "
        + rotate(Type.AES)
        + ", and copy the new key to every host";
  }

  /** Why a cluster may refuse a key that is right. */
  private String notAllowed() {
    return ". Its type is "
        + Type.AES
        + ", which clusters of Ceph 19.2.6, 20.2.4 and later refuse unless they are told to allow"
        + " it (`ceph mon dump` shows auth_allowed_ciphers): "
        + ALLOW_OLDER
        + " allows it; "
        + rotate(Type.AES256K)
        + " makes a newer key, which librados reads from those releases on";
  }

  private String rotate(Type type) {
    return "`ceph auth rotate " + settings.entityName() + " --key_type " + type + "`";
  }

  /** The type of the user's key, if it can be found where librados looks for it. */
  private Optional<Type> keyType(ClusterHandle handle) {
    return key(handle).flatMap(CephxKey::type);
  }

  /** The user's key, if it can be found where librados looks for it. */
  Optional<String> key(ClusterHandle handle) {
    if (settings.key().isPresent()) {
      return settings.key();
    }
    String given = handle.option("key");
    if (!given.isEmpty()) {
      return Optional.of(given);
    }
    String file = handle.option("keyfile");
    if (!file.isEmpty()) {
      return Keyring.only(Path.of(file));
    }
    return Stream.of(handle.option("keyring").split("[,; ]+"))
        .filter(path -> !path.isEmpty())
        .map(Path::of)
        .filter(Files::isReadable)
        .findFirst()
        .flatMap(path -> Keyring.key(path, settings.entityName()));
  }

  /** Whether there is a key, as far as this process can see. */
  private boolean hasKey(ClusterHandle handle) {
    String paths = handle.option("keyring") + "," + handle.option("keyfile");
    return Stream.of(paths.split("[,; ]+"))
            .anyMatch(path -> !path.isEmpty() && Files.isReadable(Path.of(path)))
        || !handle.option("key").isEmpty();
  }

  private String noKeyring(ClusterHandle handle) {
    return "no key for this user in "
        + keyPlaces(handle)
        + ": make the file readable there on every host (`ceph auth get "
        + settings.entityName()
        + " -o <file>`), or set fs.rados.ceph.keyring to its path";
  }

  private String keyPlaces(ClusterHandle handle) {
    if (settings.key().isPresent()) {
      return "fs.rados.ceph.secret (or its credential provider)";
    }
    return settings.keyFile().or(settings::keyring).orElseGet(() -> handle.option("keyring"));
  }

  private StoreException failed(Kind kind, String why, RadosException cause) {
    return new StoreException(
        kind,
        "",
        "cannot connect to Ceph as "
            + settings.entityName()
            + " (setting fs.rados.ceph.user): "
            + why,
        cause);
  }
}
