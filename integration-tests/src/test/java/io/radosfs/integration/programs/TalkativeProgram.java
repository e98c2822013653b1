// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.radosfs.connector.RadosFileSystem;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Run by a test in a JVM of its own: uses a file system as one user, then as others in vain, and
 * says all that it can about it. Arguments: the URI, then settings as {@code key=value}.
 */
public final class TalkativeProgram {

  private TalkativeProgram() {}

  @SuppressWarnings("SystemOut") // what it prints is what the test looks at
  public static void main(String[] arguments) throws IOException {
    URI uri = URI.create(arguments[0]);
    Configuration conf = new Configuration();
    for (int i = 1; i < arguments.length; i++) {
      String[] setting = arguments[i].split("=", 2);
      conf.set(setting[0], setting[1]);
    }
    try (FileSystem fs = FileSystem.newInstance(uri, conf)) {
      try (FSDataOutputStream out = fs.create(new Path("/said"))) {
        out.write("said".getBytes(UTF_8));
      }
      System.out.println(fs + " " + fs.getConf() + " " + fs.getFileStatus(new Path("/said")));
      System.out.println(((RadosFileSystem) fs).mount());
      System.out.println(((RadosFileSystem) fs).mount().settings().values());
    }
    Configuration nobody = new Configuration(conf);
    nobody.set("fs.rados.ceph.user", "client.nobody-at-all");
    fail(uri, nobody);
    Configuration noKey = new Configuration(conf);
    noKey.set("fs.rados.ceph.secret", "!" + conf.get("fs.rados.ceph.secret"));
    fail(uri, noKey);
    Configuration wrongOption = new Configuration(conf);
    wrongOption.set("fs.rados.ceph.key", conf.get("fs.rados.ceph.secret"));
    fail(uri, wrongOption);
    Configuration elsewhere = new Configuration(conf);
    fail(URI.create("rados://not-for-this-user@" + uri.getHost()), elsewhere);
  }

  @SuppressWarnings("SystemOut")
  private static void fail(URI uri, Configuration conf) {
    try (FileSystem fs = FileSystem.newInstance(uri, conf)) {
      throw new AssertionError("opened " + fs);
    } catch (IOException | RuntimeException e) {
      e.printStackTrace(System.out);
    }
  }
}
