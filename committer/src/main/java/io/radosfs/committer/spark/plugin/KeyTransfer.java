// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import io.radosfs.committer.CommitterOptions;
import io.radosfs.committer.spark.SparkRelease;
import io.radosfs.connector.access.ClusterAccess;
import io.radosfs.connector.config.Settings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.PluginContext;

/**
 * Brings a Ceph user's key from the driver to an executor whose machine has none: by a question of
 * the executor, in Spark's own RPC, and only where that is encrypted. Settings would be seen in
 * Spark's web pages and event log; what a plugin is asked and answers is not.
 *
 * <p>Questions and answers are arrays of strings, as any of Spark's class loaders can read them.
 */
final class KeyTransfer {

  private static final String QUESTION = "radosfs: the key of";
  private static final String KEY = "key";
  private static final String REFUSED = "refused";

  /** What encrypts Spark's RPC: these are true together. */
  private static final String AUTHENTICATE = "spark.authenticate";

  private static final String CRYPTO = "spark.network.crypto.enabled";
  private static final String SASL = "spark.authenticate.enableSaslEncryption";
  private static final String TLS = "spark.ssl.rpc.enabled";
  private static final String WITHOUT_TLS = "3.";

  private KeyTransfer() {}

  /** Whether what an executor asks is a question of this class. */
  static boolean isQuestion(Object message) {
    return message instanceof String[] words && words.length == 2 && words[0].equals(QUESTION);
  }

  /**
   * On the driver: the answer to a question.
   *
   * @throws IOException if the driver has no connection itself
   */
  static String[] answer(Object question, SparkConf spark, Configuration conf) throws IOException {
    String pool = ((String[]) question)[1];
    if (!new Settings(conf, pool).get(CommitterOptions.PLUGIN_SEND_KEY)) {
      return refused(CommitterOptions.PLUGIN_SEND_KEY.key() + " is false");
    }
    if (!isForUsOnly(spark, SparkRelease.version())) {
      return refused(
          "Spark's processes do not both ask each other for a secret and encrypt what they say. Set "
              + AUTHENTICATE
              + "=true with "
              + CRYPTO
              + "=true, or from Spark 4.0 on "
              + TLS
              + "=true");
    }
    try (ClusterAccess access = ClusterAccess.connect(conf, pool)) {
      Optional<String> key = access.key();
      return key.isPresent()
          ? new String[] {KEY, access.user(), key.get()}
          : refused("the driver cannot see its key either");
    }
  }

  private static String[] refused(String why) {
    return new String[] {REFUSED, why};
  }

  /**
   * Whether only processes of this application can ask, and only they can read the answer. TLS
   * alone tells nobody who asks. Before Spark 4.0 the setting for it has no effect, and says
   * nothing.
   */
  static boolean isForUsOnly(SparkConf spark, String version) {
    boolean encrypts =
        spark.getBoolean(CRYPTO, false)
            || spark.getBoolean(SASL, false)
            || spark.getBoolean(TLS, false) && !version.startsWith(WITHOUT_TLS);
    return spark.getBoolean(AUTHENTICATE, false) && encrypts;
  }

  /**
   * On an executor: asks the driver for the key, and keeps it for this process.
   *
   * @return why the driver has not sent it; empty if it has
   */
  static Optional<String> fetch(PluginContext context, String pool) throws IOException {
    Object answer;
    try {
      answer = context.ask(new String[] {QUESTION, pool});
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while asking the driver for a key").initCause(e);
    } catch (Exception e) {
      return Optional.of("the driver did not answer: " + e.getMessage());
    }
    if (answer instanceof String[] words && words.length == 3 && words[0].equals(KEY)) {
      ClusterAccess.carryKey(words[1], words[2]);
      return Optional.empty();
    }
    return Optional.of(
        answer instanceof String[] words && words.length == 2 && words[0].equals(REFUSED)
            ? words[1]
            : "the driver has no plugin of radosfs");
  }
}
