// SPDX-License-Identifier: Apache-2.0
package io.radosfs.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.k8s.KubernetesExecutorConf;
import org.apache.spark.deploy.k8s.KubernetesExecutorSpec;
import org.apache.spark.resource.ResourceProfile$;
import org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;

/**
 * Runs the example's spark-submit against a Kubernetes API that stores what it is sent, and looks
 * at the pods that Spark asks for: the driver's, and by the settings that the driver is given, an
 * executor's.
 */
class SubmittedPodsTest {

  private static final String NAMESPACE = "spark";
  private static final String SECRET = "rook-ceph-client-spark";
  private static final String TEMPLATE = "spark.kubernetes.executor.podTemplateFile";

  private final StoringApi api = new StoringApi();

  @TempDir Path folder;

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void driverAndExecutorsHaveTheConfAndTheKey() throws Exception {
    submit();

    List<Pod> pods = api.client().pods().inNamespace(NAMESPACE).list().getItems();
    assertThat(pods).hasSize(1);
    PodSpec driver = pods.get(0).getSpec();
    assertHasConfAndKey(driver);
    assertThat(driver.getServiceAccountName()).isEqualTo("spark");

    Properties given = propertiesOfDriver(driver);
    assertThat(given)
        .containsEntry("spark.plugins", "io.radosfs.RadosPlugin")
        .containsEntry("spark.jars", "local:///opt/radosfs/radosfs-spark.jar")
        .containsEntry("spark.hadoop.fs.rados.ceph.user", "client.spark")
        .containsEntry("spark.storage.decommission.fallbackStorage.path", "rados://lake/shuffle/");
    assertThat(given.toString()).doesNotContain("keyring").doesNotContain("secret=");

    PodSpec executor = executor(driver, given);
    assertHasConfAndKey(executor);
    assertThat(executor.getContainers().get(0).getLifecycle().getPreStop().getExec().getCommand())
        .as("what tells an executor that it is taken away")
        .isNotEmpty();
  }

  /** By the example's script, which finds this spark-submit. */
  private void submit() throws Exception {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path command = bin.resolve("spark-submit");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Files.writeString(
        command,
        "#!/bin/sh\nexec "
            + java
            + " -XX:TieredStopAtLevel=1 -cp '"
            + System.getProperty("java.class.path")
            + "' org.apache.spark.deploy.SparkSubmit"
            + " --conf spark.kubernetes.submission.waitAppCompletion=false \"$@\"\n",
        UTF_8);
    assertThat(command.toFile().setExecutable(true)).isTrue();
    File log = folder.resolve("log").toFile();
    ProcessBuilder submit =
        new ProcessBuilder(
            Example.kubernetes("spark-submit.sh").file().toString(),
            api.master(),
            "local:///opt/app/app.py");
    Map<String, String> environment = submit.environment();
    environment.merge("PATH", bin.toString(), (path, first) -> first + ":" + path);
    environment.put("SPARK_LOCAL_IP", "127.0.0.1");
    environment.put("SPARK_HOME", folder.toString());
    int status = submit.redirectErrorStream(true).redirectOutput(log).start().waitFor();
    assertThat(status).as(Files.readString(log.toPath(), UTF_8)).isZero();
  }

  private static void assertHasConfAndKey(PodSpec pod) {
    assertThat(pod.getContainers()).hasSize(1);
    Container container = pod.getContainers().get(0);
    assertThat(container.getImage()).isEqualTo("registry.example.com/spark-radosfs:4.1.3");
    assertThat(mounted(pod, "/etc/ceph").getConfigMap().getName()).isEqualTo("ceph-conf");
    assertThat(mounted(pod, "/etc/ceph-key").getSecret().getSecretName()).isEqualTo(SECRET);
    assertThat(container.getEnv().toString()).doesNotContain("ceph");
  }

  private static Volume mounted(PodSpec pod, String path) {
    List<String> names =
        pod.getContainers().get(0).getVolumeMounts().stream()
            .filter(mount -> mount.getMountPath().equals(path))
            .map(VolumeMount::getName)
            .toList();
    assertThat(names).as("mounted at " + path).hasSize(1);
    return pod.getVolumes().stream()
        .filter(volume -> volume.getName().equals(names.get(0)))
        .findFirst()
        .orElseThrow();
  }

  private Properties propertiesOfDriver(PodSpec driver) throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(data(driver, "/opt/spark/conf", "spark.properties")));
    return properties;
  }

  /** What a file of a ConfigMap has that the driver mounts. */
  private String data(PodSpec driver, String path, String file) {
    String name = mounted(driver, path).getConfigMap().getName();
    ConfigMap configMap = api.client().configMaps().inNamespace(NAMESPACE).withName(name).get();
    assertThat(configMap).as("ConfigMap " + name).isNotNull();
    return configMap.getData().get(file);
  }

  /** The pod of an executor, as the driver makes it of what it finds in its own. */
  private PodSpec executor(PodSpec driver, Properties given) throws IOException {
    Path template = Path.of(given.getProperty(TEMPLATE));
    Path copy = folder.resolve("template.yaml");
    String mountPath = template.getParent().toString();
    Files.writeString(copy, dataOfItem(driver, mountPath, template), UTF_8);
    SparkConf conf = new SparkConf(false);
    given.forEach((key, value) -> conf.set((String) key, (String) value));
    conf.set(TEMPLATE, copy.toString());
    conf.set("spark.driver.host", "127.0.0.1");
    KubernetesExecutorConf executor =
        new KubernetesExecutorConf(conf, conf.get("spark.app.id"), "1", Option.empty(), 0);
    KubernetesExecutorSpec spec =
        new KubernetesExecutorBuilder()
            .buildFromFeatures(
                executor,
                new SecurityManager(
                    conf,
                    Option.empty(),
                    org.apache.spark.internal.config.package$.MODULE$.AUTH_SECRET_FILE()),
                api.client(),
                ResourceProfile$.MODULE$.getOrCreateDefaultProfile(conf));
    PodSpec pod = spec.pod().pod().getSpec();
    pod.setContainers(List.of(spec.pod().container()));
    return pod;
  }

  /** The volume may give a file another name than the ConfigMap does. */
  private String dataOfItem(PodSpec driver, String path, Path file) {
    return mounted(driver, path).getConfigMap().getItems().stream()
        .filter(item -> item.getPath().equals(file.getFileName().toString()))
        .map(item -> data(driver, path, item.getKey()))
        .findFirst()
        .orElseThrow();
  }
}
