// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.CommitterOptions;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * When the driver tells its key. That it arrives is shown on a real Ceph, by the cells of the
 * matrix.
 */
class KeyTransferTest {

  private static final String[] QUESTION = {"radosfs: the key of", "meta"};

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private final Configuration hadoop = SimulatedConnections.configuration(cluster);

  @BeforeEach
  void giveTheDriverAKey() {
    cluster.client(hadoop.get("fs.rados.ceph.user", "client.admin")).userKey("a-key");
  }

  private String[] answer(String... settings) throws IOException {
    SparkConf spark = new SparkConf(false);
    for (String setting : settings) {
      spark.set(setting, "true");
    }
    assertThat(KeyTransfer.isQuestion(QUESTION)).isTrue();
    return KeyTransfer.answer(QUESTION, spark, hadoop);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spark.authenticate,spark.network.crypto.enabled",
        "spark.authenticate,spark.authenticate.enableSaslEncryption",
        "spark.authenticate,spark.ssl.rpc.enabled"
      })
  void toldWhereOnlyExecutorsCanAskAndRead(String settings) throws IOException {
    assertThat(answer(settings.split(","))).containsExactly("key", "client.admin", "a-key");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spark.ui.enabled",
        "spark.authenticate",
        "spark.network.crypto.enabled",
        "spark.authenticate.enableSaslEncryption",
        "spark.ssl.rpc.enabled"
      })
  void refusedWhereOthersCouldAskOrRead(String settings) throws IOException {
    String[] answer = answer(settings.split(","));
    assertThat(answer).hasSize(2).startsWith("refused");
    assertThat(answer[1]).contains("spark.network.crypto.enabled=true");
  }

  /** Which takes the setting without a word, and encrypts nothing. */
  @Test
  void tlsIsNoneWithSpark3() {
    SparkConf spark =
        new SparkConf(false).set("spark.authenticate", "true").set("spark.ssl.rpc.enabled", "true");
    assertThat(KeyTransfer.isForUsOnly(spark, "3.5.8")).isFalse();
    assertThat(KeyTransfer.isForUsOnly(spark, "4.0.0")).isTrue();
    spark.set("spark.network.crypto.enabled", "true");
    assertThat(KeyTransfer.isForUsOnly(spark, "3.5.8")).isTrue();
  }

  @Test
  void refusedWhereItIsForbidden() throws IOException {
    hadoop.set(CommitterOptions.PLUGIN_SEND_KEY.key(), "false");
    assertThat(answer("spark.authenticate", "spark.ssl.rpc.enabled"))
        .containsExactly("refused", "fs.rados.plugin.send-key is false");
  }

  @Test
  void otherMessagesAreNoQuestions() {
    assertThat(KeyTransfer.isQuestion("radosfs: the key of")).isFalse();
    assertThat(KeyTransfer.isQuestion(new String[] {"the key of", "meta"})).isFalse();
    assertThat(KeyTransfer.isQuestion(null)).isFalse();
  }
}
