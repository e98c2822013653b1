// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.uri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;

class AuthorityTest {

  @Test
  void poolsOfAnyName() {
    for (String pool : new String[] {"p", "my_pool", "a.b", "a-b", ".rgw", "Pool_1.x", "0"}) {
      Authority authority = Authority.of(URI.create("rados://" + pool + "/dir/file"));
      assertThat(authority).isEqualTo(new Authority(pool, ""));
      assertThat(authority.uri().toString()).isEqualTo("rados://" + pool);
      assertThat(authority.uri().getAuthority()).isEqualTo(pool);
    }
  }

  @Test
  void namespaceComesFirst() {
    Authority authority = Authority.of(URI.create("rados://team_a@my_pool/x"));
    assertThat(authority).isEqualTo(new Authority("my_pool", "team_a"));
    assertThat(authority.toString()).isEqualTo("rados://team_a@my_pool");
    assertThat(Authority.of(authority.uri())).isEqualTo(authority);
  }

  @Test
  void whatNamesNoPoolIsRefused() {
    for (String uri : new String[] {"rados:///x", "rados:/x", "rados://ns@/x", "rados://@p/x"}) {
      assertThatThrownBy(() -> Authority.of(URI.create(uri)))
          .as(uri)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("rados://namespace@pool/path");
    }
    assertThatThrownBy(() -> Authority.of(URI.create("hdfs://p/x")))
        .hasMessageContaining("not a rados:// URI");
  }
}
