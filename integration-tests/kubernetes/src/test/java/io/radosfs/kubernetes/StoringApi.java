// SPDX-License-Identifier: Apache-2.0
package io.radosfs.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.util.HashMap;

/** A Kubernetes API on loopback that stores objects, and does nothing about them. */
final class StoringApi implements AutoCloseable {

  private static final int NOT_FOUND = 404;

  private final KubernetesMockServer server =
      new KubernetesMockServer(
          new Context(), new MockWebServer(), new HashMap<>(), new Applying(), false);
  private final KubernetesClient client;

  StoringApi() {
    server.init();
    client = server.createClient();
  }

  KubernetesClient client() {
    return client;
  }

  /** For {@code --master}. */
  String master() {
    return "k8s://http://127.0.0.1:" + server.getPort();
  }

  @Override
  public void close() {
    client.close();
    server.destroy();
  }

  /** Spark applies objects that are not there yet: then they are made, as Kubernetes does it. */
  private static final class Applying extends KubernetesCrudDispatcher {

    @Override
    public MockResponse handlePatch(RecordedRequest request) {
      String path = request.getPath().replaceFirst("\\?.*", "");
      boolean isApplied = String.valueOf(request.getHeader("Content-Type")).contains("apply-patch");
      if (!isApplied) {
        return super.handlePatch(request);
      }
      if (handleGet(path).code() == NOT_FOUND) {
        String collection = path.substring(0, path.lastIndexOf('/'));
        return handleCreate(as(HttpMethod.POST, collection, request));
      }
      return handleUpdate(as(HttpMethod.PUT, path, request));
    }

    private static RecordedRequest as(HttpMethod method, String path, RecordedRequest request) {
      return new RecordedRequest(
          request.getHttpVersion(), method, path, request.getHeaders(), request.getBody());
    }
  }
}
