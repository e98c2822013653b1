// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.uri.Authority;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathTranslatorTest {

  /** Of whatever kind, it is the path that Hadoop makes of scheme, authority and path. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/a",
        "/a/part-00000_x.y=z",
        "/a b/c:d/100%/e?f#g",
        "/größe/😀",
        "/a+b/c&d/[e]/~f",
        "/..a/.b/c..",
        "/C:/x",
      })
  void isAsHadoopMakesIt(String path) throws IOException {
    for (String authority : new String[] {"pool", "team@my_pool.x", "1"}) {
      PathTranslator paths =
          new PathTranslator(Authority.of(URI.create("rados://" + authority + "/")));
      Path made = paths.toHadoop(FsPath.parse(path));
      Path expected = new Path("rados", authority, path);
      assertThat(made).isEqualTo(expected);
      assertThat(made).hasToString(expected.toString());
      assertThat(made).hasSameHashCodeAs(expected);
      assertThat(made.toUri()).isEqualTo(expected.toUri()).hasToString(expected.toUri().toString());
      assertThat(made.toUri().getPath()).isEqualTo(path);
      assertThat(made.getName()).isEqualTo(expected.getName());
      assertThat(paths.toFs(made, made)).isEqualTo(FsPath.parse(path));
    }
  }
}
