// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * The web pages of a driver.
 *
 * @param address that of the first of them
 */
record WebPages(URI address) {

  /** The text of a page that is there. */
  String get(String path) throws IOException, InterruptedException {
    HttpResponse<String> page =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build()
            .send(
                HttpRequest.newBuilder(address.resolve(path)).build(),
                HttpResponse.BodyHandlers.ofString(UTF_8));
    assertThat(page.statusCode()).as("%s: %s", path, page.body()).isEqualTo(200);
    return page.body();
  }

  /** Where Spark's REST API has what it knows of the application. */
  String application() throws IOException, InterruptedException {
    String all = "/api/v1/applications";
    return all + "/" + new ObjectMapper().readTree(get(all)).get(0).get("id").asText();
  }
}
