package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.stages.ConflictMode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Pins keys and defaults, and that the README has them. */
class CommitterOptionsTest {

  @Test
  void defaults() {
    CommitterOptions options =
        CommitterOptions.of(
            new Configuration(false), new org.apache.hadoop.fs.Path("rados://ns@my_pool/out"));
    assertThat(options).isEqualTo(new CommitterOptions(ConflictMode.APPEND, true));
    assertThat(CommitterOptions.CONFLICT_MODE.key()).isEqualTo("fs.rados.committer.conflict-mode");
  }

  @Test
  void theReadmeHasThem() throws Exception {
    assertThat(Files.readString(Path.of("README.md")))
        .contains(
            "| `"
                + CommitterOptions.CONFLICT_MODE.key()
                + "` | `"
                + CommitterOptions.CONFLICT_MODE.defaultText()
                + "` | "
                + CommitterOptions.CONFLICT_MODE.meaning()
                + " |")
        .contains("| `" + CommitterOptions.MARK_SUCCESSFUL_JOBS + "` | `true` |");
  }
}
