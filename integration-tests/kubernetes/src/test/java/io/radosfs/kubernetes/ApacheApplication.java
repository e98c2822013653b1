// SPDX-License-Identifier: Apache-2.0
package io.radosfs.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.Map;

/** As much of a SparkApplication of {@code spark.apache.org/v1} as the example has. */
record ApacheApplication(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {

  record Spec(
      DeploymentMode deploymentMode,
      RuntimeVersions runtimeVersions,
      String pyFiles,
      Map<String, String> sparkConf,
      Pod driverSpec,
      Pod executorSpec) {}

  enum DeploymentMode {
    ClientMode,
    ClusterMode
  }

  record RuntimeVersions(String sparkVersion) {}

  record Pod(PodTemplateSpec podTemplateSpec) {}
}
