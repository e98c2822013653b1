// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.Options.CreateOpts;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;

class RadosFsTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools("my_pool");
  private final Configuration conf = SimulatedConnections.configuration(cluster);

  private FileContext context() throws IOException {
    return FileContext.getFileContext(URI.create("rados://my_pool/"), conf);
  }

  private void write(String path) throws IOException {
    try (FSDataOutputStream out =
        context()
            .create(new Path(path), EnumSet.of(CreateFlag.CREATE), CreateOpts.createParent())) {
      out.write('x');
    }
  }

  @Test
  void renameIsExclusive() throws IOException {
    write("/d/a");
    write("/d/b");
    assertThatThrownBy(() -> context().rename(new Path("/d/a"), new Path("/d/b")))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> context().rename(new Path("/d/none"), new Path("/d/c")))
        .isInstanceOf(FileNotFoundException.class);
    context().rename(new Path("/d/a"), new Path("/d/b"), Rename.OVERWRITE);
    assertThat(context().util().exists(new Path("/d/a"))).isFalse();
    assertThat(context().util().exists(new Path("/d/b"))).isTrue();
  }

  @Test
  void createChecksTheParentOnlyWhenAsked() throws IOException {
    assertThatThrownBy(
            () ->
                context()
                    .create(
                        new Path("/none/f"),
                        EnumSet.of(CreateFlag.CREATE),
                        CreateOpts.donotCreateParent()))
        .isInstanceOf(FileNotFoundException.class);
    write("/none/f");
    assertThat(context().getFileStatus(new Path("/none/f")).getLen()).isEqualTo(1);
  }

  @Test
  void otherPoolsAreRefused() throws IOException {
    RadosFs fs = (RadosFs) context().getDefaultFileSystem();
    fs.checkPath(new Path("rados://my_pool/x"));
    assertThatThrownBy(() -> fs.checkPath(new Path("rados://other_pool/x")))
        .isInstanceOf(InvalidPathException.class)
        .hasMessageContaining("Wrong FS");
  }

  @Test
  void contextsBeyondTheFirstCostNothing() throws IOException {
    FileContext first = context();
    int ops = cluster.client("client.admin").ops();
    for (int i = 0; i < 100; i++) {
      FileContext another = context();
      assertThat(another.getDefaultFileSystem().getUri())
          .isEqualTo(first.getDefaultFileSystem().getUri());
    }
    assertThat(cluster.client("client.admin").ops()).isEqualTo(ops);
  }

  /** Others remove the parent after this client has seen it: at whatever operation. */
  @Test
  void mkdirMakesNoParentUnlessAsked() throws IOException {
    SimulatedClient client = cluster.client("client.admin");
    Configuration ofOther = new Configuration(conf);
    ofOther.set("fs.rados.ceph.user", "client.other");
    FileContext other = FileContext.getFileContext(URI.create("rados://my_pool/"), ofOther);
    for (int at = 1; at <= 8; at++) {
      Path parent = new Path("/at" + at);
      Path child = new Path(parent, "child");
      context().mkdir(parent, FsPermission.getDirDefault(), false);
      int removal = client.ops() + at;
      client
          .faults()
          .before(
              op -> {
                if (op.number() == removal) {
                  other.delete(parent, true);
                }
              });
      boolean isMade = false;
      try {
        context().mkdir(child, FsPermission.getDirDefault(), false);
        isMade = true;
      } catch (FileNotFoundException e) {
        assertThat(other.util().exists(parent)).as("the parent, removed at %s", at).isFalse();
      }
      boolean isRemoved = client.ops() >= removal;
      assertThat(other.util().exists(child)).as("removed at %s", at).isEqualTo(!isRemoved);
      assertThat(isMade || isRemoved).isTrue();
    }
  }
}
