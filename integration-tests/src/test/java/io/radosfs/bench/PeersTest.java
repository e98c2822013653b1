// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.bench.Peer.Store;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PeersTest {

  private static Properties told() {
    Properties properties = new Properties();
    properties.setProperty("bucket", "bench");
    properties.setProperty("fs.s3a.endpoint", "http://127.0.0.1:1");
    properties.setProperty("fs.s3a.access.key", "id");
    properties.setProperty("pid.radosgw", "7");
    return properties;
  }

  private static Peers peers(Properties properties) {
    return Peers.of(properties, URI.create("rados://pool/bench"), Path.of("/local"));
  }

  private static List<String> names(Peers peers) {
    return peers.all().stream().map(Peer::name).toList();
  }

  @Test
  void withoutAMountThereIsNoCephFs() {
    Peers peers = peers(told());

    assertThat(names(peers))
        .containsExactly("rados://", "local disk v1", "S3A magic", "S3A v1", "S3A v2");
    assertThat(peers.daemons()).containsEntry("radosgw", 7L).hasSize(1);
  }

  @Test
  void theGatewayIsReachedByTheSettingsOfTheFile() {
    assertThat(peers(told()).hadoop())
        .containsOnly(
            Map.entry("fs.s3a.endpoint", "http://127.0.0.1:1"),
            Map.entry("fs.s3a.access.key", "id"));
  }

  @Test
  void cephFsIsWrittenByBothAlgorithmsEachInAFolderOfItsOwn() {
    Properties properties = told();
    properties.setProperty("cephfs.dir", "/mounted");

    List<Peer> cephfs =
        peers(properties).all().stream().filter(peer -> peer.store() == Store.CEPHFS).toList();

    assertThat(cephfs).hasSize(2);
    assertThat(cephfs)
        .extracting(peer -> peer.root().toString())
        .containsExactly("file:/mounted/v1", "file:/mounted/v2");
    assertThat(cephfs)
        .extracting(peer -> peer.settings().get("mapreduce.fileoutputcommitter.algorithm.version"))
        .containsExactly("1", "2");
  }

  /** Else a peer would be written with what the one before it has set. */
  @Test
  void eachPeerSetsTheSameKeys() {
    List<Peer> all = peers(told()).all();
    Set<String> keys = all.get(0).settings().keySet();

    assertThat(all).allSatisfy(peer -> assertThat(peer.settings().keySet()).isEqualTo(keys));
  }

  @Test
  void whatIsReadIsWrittenByTheFirstPeerOfEachStore() {
    assertThat(peers(told()).ofStores().values())
        .extracting(Peer::name)
        .containsExactly("rados://", "local disk v1", "S3A magic");
  }

  /** The amounts of works name them. */
  @Test
  void theyHaveTheNamesByWhichWorksTakeThem() {
    Properties properties = told();
    properties.setProperty("cephfs.dir", "/mounted");

    assertThat(names(peers(properties)))
        .containsExactly(
            Peers.RADOS,
            Peers.DISK,
            Peers.CEPHFS_V1,
            Peers.CEPHFS_V2,
            Peers.S3A_MAGIC,
            Peers.S3A_V1,
            Peers.S3A_V2);
  }

  @Test
  void aGatewayThatIsNotToldOfIsAnError() {
    Properties properties = told();
    properties.remove("fs.s3a.endpoint");

    assertThatThrownBy(() -> peers(properties)).hasMessageContaining("fs.s3a.endpoint");
  }
}
