// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

class WorkPathTest {

  private static final TaskAttempt ATTEMPT = new TaskAttempt("m000003", "7");

  @Test
  void isReadBackAsWritten() throws Exception {
    for (String destination : new String[] {"", "a", "a b/é=1%20"}) {
      for (String relative : new String[] {"", "part-0", "year=2024/x y/part%3A0"}) {
        WorkPath path = new WorkPath(new FsPath(destination), "job-1", ATTEMPT, relative);
        assertThat(WorkPath.parse(path.path())).contains(path);
        assertThat(path.toString()).isEqualTo(path.path().toString());
        FsPath expected =
            relative.isEmpty()
                ? new FsPath(destination)
                : FsPath.parse("/" + destination + "/" + relative);
        assertThat(path.finalPath()).isEqualTo(expected);
      }
    }
  }

  @Test
  void survivesHadoopsPath() throws Exception {
    WorkPath path = new WorkPath(new FsPath("a b"), "job-1", ATTEMPT, "p=é %/part");
    Path hadoop = new Path(new Path("rados", "ns@my_pool", path.path().toString()).toString());
    assertThat(WorkPath.parse(FsPath.parse(hadoop.toUri().getPath()))).contains(path);
  }

  @Test
  void isNoOtherPath() throws Exception {
    for (String other :
        new String[] {
          "/", "/a/b", "/a/__radosfs_work", "/a/__radosfs_work/j/t", "/x__radosfs_work/1/2/3"
        }) {
      assertThat(WorkPath.parse(FsPath.parse(other))).as(other).isEmpty();
    }
    assertThat(WorkPath.isMarked(new FsPath("a/__radosfs_work"))).isTrue();
    assertThat(WorkPath.isMarked(new FsPath("a/__radosfs_work_"))).isFalse();
  }

  @Test
  void refusesIdsThatAreNoNames() {
    assertThatThrownBy(() -> new TaskAttempt("a/b", "0")).hasMessageContaining("a/b");
    assertThatThrownBy(() -> new TaskAttempt("a", "")).hasMessageContaining("attempt");
    assertThatThrownBy(() -> new WorkPath(FsPath.ROOT, "..", ATTEMPT, ""))
        .hasMessageContaining("job");
  }
}
