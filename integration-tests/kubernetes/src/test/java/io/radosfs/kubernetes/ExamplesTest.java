// SPDX-License-Identifier: Apache-2.0
package io.radosfs.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapVolumeSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SecretVolumeSource;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.radosfs.RadosPlugin;
import io.radosfs.connector.config.Option;
import io.radosfs.connector.config.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.spark.internal.config.ConfigEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The examples have no field that their kind does not have, no setting that Spark and radosfs do
 * not know, and what one of them names is in another.
 */
class ExamplesTest {

  private static final Example ROOK = Example.kubernetes("rook.yaml");
  private static final Example SPARK = Example.kubernetes("spark.yaml");
  private static final Example SUBMIT = Example.kubernetes("spark-submit.sh");

  private static final String FALLBACK = "spark.storage.decommission.fallbackStorage.path";
  private static final String USER = "spark.hadoop.fs.rados.ceph.user";

  /** A setting with the name of a Secret in it. */
  private static final Pattern SECRET =
      Pattern.compile("spark\\.kubernetes\\.(driver|executor)\\.secrets\\.(.+)");

  @BeforeAll
  static void loadSparksSettings() {
    assertThat(org.apache.spark.internal.config.package$.MODULE$.PLUGINS().key())
        .isEqualTo("spark.plugins");
    assertThat(org.apache.spark.deploy.k8s.Config$.MODULE$.CONTAINER_IMAGE().key())
        .isEqualTo("spark.kubernetes.container.image");
  }

  @Test
  void aFieldThatIsNotThereIsRefused() {
    for (String name : Example.MANIFESTS) {
      for (JsonNode document : Example.kubernetes(name).documents()) {
        Class<?> type = typeOf(document);
        assertThat(Example.parse(document, type)).isNotNull();
        ((ObjectNode) document).put("notThere", 1);
        assertThatThrownBy(() -> Example.parse(document, type))
            .as(name)
            .hasMessageContaining("notThere");
      }
    }
    ObjectNode pod = (ObjectNode) Example.kubernetes("pod-template.yaml").documents().get(0);
    ((ObjectNode) pod.at("/spec/containers/0/volumeMounts/0")).put("mountpath", "/etc/ceph");
    assertThatThrownBy(() -> Example.parse(pod, Pod.class)).hasMessageContaining("mountpath");
  }

  private static Class<?> typeOf(JsonNode document) {
    String kind = document.path("apiVersion").asText() + " " + document.path("kind").asText();
    return switch (kind) {
      case "ceph.rook.io/v1 CephBlockPool" -> RookObjects.BlockPool.class;
      case "ceph.rook.io/v1 CephClient" -> RookObjects.Client.class;
      case "sparkoperator.k8s.io/v1beta2 SparkApplication" -> KubeflowApplication.class;
      case "spark.apache.org/v1 SparkApplication" -> ApacheApplication.class;
      case "v1 ConfigMap" -> ConfigMap.class;
      case "v1 Pod" -> Pod.class;
      case "v1 ServiceAccount" -> ServiceAccount.class;
      case "rbac.authorization.k8s.io/v1 Role" -> Role.class;
      case "rbac.authorization.k8s.io/v1 RoleBinding" -> RoleBinding.class;
      default -> throw new AssertionError("of what kind is " + kind);
    };
  }

  @Test
  void rooksPoolsAndUserAreThoseOfTheApplications() throws IOException {
    RookObjects.Client client = ROOK.one("CephClient", null, RookObjects.Client.class);
    RookObjects.BlockPool lake = ROOK.one("CephBlockPool", "lake", RookObjects.BlockPool.class);
    RookObjects.BlockPool scratch =
        ROOK.one("CephBlockPool", "scratch", RookObjects.BlockPool.class);
    assertThat(lake.spec().application()).isEqualTo("radosfs");
    assertThat(scratch.spec().application()).isEqualTo("radosfs");
    assertThat(scratch.spec().replicated()).isEqualTo(new RookObjects.Replicated(1, false));
    assertThat(client.spec().caps())
        .isEqualTo(Map.of("mon", "allow r", "osd", "allow rw pool=lake, allow rw pool=scratch"));

    String user = "client." + client.metadata().getName();
    for (Map<String, String> settings : allSettings().values()) {
      assertThat(settings).containsEntry(USER, user);
      if (settings.containsKey(FALLBACK)) {
        assertThat(new Path(settings.get(FALLBACK)).toUri().getAuthority())
            .isEqualTo(lake.metadata().getName());
      }
    }
    String conf = SPARK.one("ConfigMap", "ceph-conf", ConfigMap.class).getData().get("ceph.conf");
    assertThat(conf).contains("[" + user + "]\nkeyfile = " + keyFile(client));
  }

  /** Where the Secret that Rook makes for the client puts its key. */
  private static String keyFile(RookObjects.Client client) {
    return "/etc/ceph-key/" + client.metadata().getName();
  }

  private static String secret() {
    RookObjects.Client client = ROOK.one("CephClient", null, RookObjects.Client.class);
    return "rook-ceph-client-" + client.metadata().getName();
  }

  @Test
  void kubeflowsOperatorMountsConfAndKey() {
    KubeflowApplication application =
        Example.kubernetes("kubeflow-operator.yaml")
            .one("SparkApplication", null, KubeflowApplication.class);
    KubeflowApplication.Spec spec = application.spec();
    for (KubeflowApplication.Pod pod : List.of(spec.driver(), spec.executor())) {
      assertThat(pod.secrets())
          .containsExactly(
              new KubeflowApplication.MountedSecret(
                  secret(), "/etc/ceph-key", KubeflowApplication.SecretType.Generic));
      assertThat(pod.configMaps())
          .containsExactly(new KubeflowApplication.MountedConfigMap("ceph-conf", "/etc/ceph"));
    }
    assertThat(spec.driver().serviceAccount()).isEqualTo("spark");
    assertThat(spec.driver().instances()).isNull();
    assertThat(spec.executor().serviceAccount()).isNull();
  }

  @Test
  void apachesOperatorMountsConfAndKey() {
    ApacheApplication.Spec spec =
        Example.kubernetes("apache-operator.yaml")
            .one("SparkApplication", null, ApacheApplication.class)
            .spec();
    for (ApacheApplication.Pod pod : List.of(spec.driverSpec(), spec.executorSpec())) {
      PodSpec template = pod.podTemplateSpec().getSpec();
      assertMounted(template, "ceph-conf", "/etc/ceph");
      assertMounted(template, "ceph-key", "/etc/ceph-key");
      assertThat(volume(template, "ceph-conf").getConfigMap())
          .extracting(ConfigMapVolumeSource::getName)
          .isEqualTo("ceph-conf");
      assertThat(volume(template, "ceph-key").getSecret())
          .extracting(SecretVolumeSource::getSecretName)
          .isEqualTo(secret());
    }
  }

  private static void assertMounted(PodSpec pod, String volume, String path) {
    assertThat(pod.getContainers()).hasSize(1);
    assertThat(pod.getContainers().get(0).getVolumeMounts())
        .filteredOn(mount -> mount.getName().equals(volume))
        .extracting(VolumeMount::getMountPath)
        .containsExactly(path);
  }

  private static Volume volume(PodSpec pod, String name) {
    return pod.getVolumes().stream()
        .filter(volume -> volume.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theServiceAccountHasItsRole() {
    RoleBinding binding = SPARK.one("RoleBinding", "spark", RoleBinding.class);
    assertThat(SPARK.one("Role", binding.getRoleRef().getName(), Role.class)).isNotNull();
    String account = binding.getSubjects().get(0).getName();
    assertThat(SPARK.one("ServiceAccount", account, ServiceAccount.class)).isNotNull();
  }

  /** scripts/test --image builds it, and runs Spark in it. */
  @Test
  void theImageHasTheJarThatTheSettingsNameAndEndsAsNoRoot() throws IOException {
    List<String> lines =
        Files.readAllLines(Example.kubernetes("Dockerfile").file(), UTF_8).stream()
            .filter(line -> line.matches("[A-Z]+ .*"))
            .toList();
    assertThat(lines.get(lines.size() - 1)).isEqualTo("USER ${UID_OF_SPARK}");
    assertThat(lines).contains("ARG UID_OF_SPARK=185");
    String jar = SUBMIT.settings().get("spark.jars").replace("local://", "");
    assertThat(lines).contains("COPY ${JAR} " + jar);
    for (String name : List.of("kubernetes", "kubeflow", "apache")) {
      assertThat(allSettings().get(name)).containsEntry("spark.jars", "local://" + jar);
    }
  }

  @Test
  void settingsAreKnown() throws IOException {
    for (Map.Entry<String, Map<String, String>> example : allSettings().entrySet()) {
      Map<String, String> settings = example.getValue();
      assertThat(settings)
          .as(example.getKey())
          .containsEntry("spark.plugins", RadosPlugin.class.getName());
      settings.forEach((key, value) -> assertKnown(key, value));
    }
  }

  private static void assertKnown(String key, String value) {
    Matcher secret = SECRET.matcher(key);
    if (key.startsWith("spark.hadoop.")) {
      assertThat(Options.ALL).extracting(Option::key).contains(key.substring(13));
    } else if (secret.matches()) {
      assertThat(secret.group(2)).isEqualTo(secret());
      assertThat(value).isEqualTo("/etc/ceph-key");
    } else {
      ConfigEntry<?> entry = ConfigEntry.findEntry(key);
      assertThat(entry).as("Spark's " + key).isNotNull();
      Object converted = entry.valueConverter().apply(value);
      assertThat(converted).as(key).isNotNull();
    }
  }

  /** Of each example, by its name. */
  private static Map<String, Map<String, String>> allSettings() throws IOException {
    Map<String, Map<String, String>> all = new TreeMap<>();
    all.put("kubernetes", SUBMIT.settings());
    all.put("yarn", Example.yarn("spark-submit.sh").settings());
    all.put(
        "kubeflow",
        Example.kubernetes("kubeflow-operator.yaml")
            .one("SparkApplication", null, KubeflowApplication.class)
            .spec()
            .sparkConf());
    all.put(
        "apache",
        Example.kubernetes("apache-operator.yaml")
            .one("SparkApplication", null, ApacheApplication.class)
            .spec()
            .sparkConf());
    return all;
  }
}
