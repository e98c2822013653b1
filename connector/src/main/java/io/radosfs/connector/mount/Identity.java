// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.layout.Attributes;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;

/** The owner of new files and directories. */
public record Identity(String user, String group) {

  /** The Hadoop user of the calling thread. */
  public static Identity current(Settings settings) throws IOException {
    return of(UserGroupInformation.getCurrentUser(), settings);
  }

  /** The user that runs the process. */
  public static Identity ofProcess(Settings settings) throws IOException {
    return of(UserGroupInformation.getLoginUser(), settings);
  }

  private static Identity of(UserGroupInformation user, Settings settings) {
    String group = settings.get(Options.GROUP);
    return new Identity(user.getShortUserName(), group.isEmpty() ? primaryGroup(user) : group);
  }

  private static String primaryGroup(UserGroupInformation user) {
    try {
      return user.getPrimaryGroupName();
    } catch (IOException e) {
      return user.getShortUserName(); // No group: this host does not know the user.
    }
  }

  /** The attributes of a file or directory that is made now. */
  public Attributes attributes(FsPermission permission) {
    return new Attributes(System.currentTimeMillis(), permission.toShort(), user, group);
  }
}
