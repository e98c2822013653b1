// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Keys of Ceph users among the credentials of Hadoop users, where Hadoop keeps secrets that a
 * process was sent. They are used where a machine has no key of its own, and are never written
 * anywhere by this process.
 */
public final class CarriedKeys {

  private static final String PREFIX = "radosfs key of ";

  private CarriedKeys() {}

  /** The key of a Ceph user that the Hadoop user of the calling thread carries. */
  static Optional<String> find(String cephUser) throws IOException {
    byte[] key =
        UserGroupInformation.getCurrentUser().getCredentials().getSecretKey(name(cephUser));
    return Optional.ofNullable(key).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  /**
   * From now on, the Hadoop user of the calling thread carries the key, and so does the user that
   * runs the process: from Java 24 on, a new thread does not have the user of the one that made it.
   */
  public static void carry(String cephUser, String key) throws IOException {
    Set<UserGroupInformation> users = new LinkedHashSet<>();
    users.add(UserGroupInformation.getCurrentUser());
    users.add(UserGroupInformation.getLoginUser());
    for (UserGroupInformation user : users) {
      // A copy of what it has; adding it puts the key beside the others.
      var credentials = user.getCredentials();
      credentials.addSecretKey(name(cephUser), key.getBytes(StandardCharsets.UTF_8));
      user.addCredentials(credentials);
    }
  }

  private static Text name(String cephUser) {
    return new Text(PREFIX + cephUser);
  }
}
