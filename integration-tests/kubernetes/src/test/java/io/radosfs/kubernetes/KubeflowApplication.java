// SPDX-License-Identifier: Apache-2.0
package io.radosfs.kubernetes;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Map;

/** As much of a SparkApplication of {@code sparkoperator.k8s.io/v1beta2} as the example has. */
record KubeflowApplication(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {

  record Spec(
      @JsonProperty(required = true) Language type,
      Mode mode,
      @JsonProperty(required = true) String sparkVersion,
      String image,
      @JsonProperty(required = true) String mainApplicationFile,
      Map<String, String> sparkConf,
      @JsonProperty(required = true) Pod driver,
      @JsonProperty(required = true) Pod executor) {}

  enum Language {
    Java,
    Python,
    Scala,
    R
  }

  enum Mode {
    cluster,
    client
  }

  /** A driver has no {@code instances}, and an executor no {@code serviceAccount} here. */
  record Pod(
      Integer cores,
      Integer instances,
      String memory,
      String memoryOverhead,
      String serviceAccount,
      List<MountedSecret> secrets,
      List<MountedConfigMap> configMaps) {}

  record MountedSecret(String name, String path, SecretType secretType) {}

  enum SecretType {
    Generic,
    GCPServiceAccount,
    HadoopDelegationToken
  }

  record MountedConfigMap(String name, String path) {}
}
