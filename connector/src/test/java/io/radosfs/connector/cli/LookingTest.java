// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code radosfs ls}, {@code du}, {@code find} and {@code df}. */
class LookingTest {

  private static final long LONG_AGO = 1_000_000_000_000L;

  private final SimulatedCluster cluster =
      SimulatedCluster.withPools("meta").addErasureCodedPool("ec");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private FileSystem fs;

  @BeforeEach
  void makeFiles() throws IOException {
    conf.set("fs.rados.object.size", "1K");
    fs = FileSystem.newInstance(URI.create("rados://meta"), conf);
    write("/t/a.csv", 0);
    write("/t/d/big.parquet", 2_500);
    write("/t/d/e/small.parquet", 10);
    fs.mkdirs(new Path("/t/empty"));
    fs.setTimes(new Path("/t/d/big.parquet"), LONG_AGO, -1);
    fs.setPermission(
        new Path("/t/a.csv"), new org.apache.hadoop.fs.permission.FsPermission((short) 0640));
    fs.setOwner(new Path("/t/d/big.parquet"), "ann", "team");
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  private void write(String path, int bytes) throws IOException {
    try (FSDataOutputStream file = fs.create(new Path(path), true)) {
      file.write(new byte[bytes]);
    }
  }

  /** Only reads, and says nothing on stderr. */
  private Ran run(String... args) {
    int writes = writes();
    Ran ran = Ran.of(conf, args);
    assertThat(ran.status()).as(ran.err()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(writes()).isEqualTo(writes);
    return ran;
  }

  private int writes() {
    return (int) cluster.log().entries().stream().filter(entry -> entry.op().write()).count();
  }

  private static List<String> uris(Ran ran) throws IOException {
    return ran.objects().stream().map(object -> object.get("uri").asText()).toList();
  }

  @Test
  void listsADirectory() throws IOException {
    assertThat(run("ls", "rados://meta/t/d").out().lines().toList())
        .hasSize(2)
        .anyMatch(
            line ->
                line.matches(
                    "-rw-r--r-- +ann +team +2\\.4 KiB  2001-09-09T01:46:40Z "
                        + " rados://meta/t/d/big\\.parquet"))
        .anyMatch(line -> line.matches("drwxr-xr-x .* -  \\S+Z  rados://meta/t/d/e"));
    assertThat(run("ls", "--bytes", "rados://meta/t/d/big.parquet").out())
        .containsPattern(" 2500  2001-09-09T01:46:40Z  rados://meta/t/d/big.parquet");
    assertThat(uris(run("ls", "--json", "rados://meta/t")))
        .containsExactly("rados://meta/t/a.csv", "rados://meta/t/d", "rados://meta/t/empty");
    assertThat(uris(run("ls", "-R", "--json", "rados://meta/t/d")))
        .containsExactly(
            "rados://meta/t/d/big.parquet",
            "rados://meta/t/d/e",
            "rados://meta/t/d/e/small.parquet");
    assertThat(run("ls", "rados://meta/t/empty").out()).isEmpty();
    JsonNode file = run("ls", "--json", "rados://meta/t").objects().get(0);
    assertThat(file.get("type").asText()).isEqualTo("file");
    assertThat(file.get("length").asLong()).isZero();
    assertThat(file.get("permission").asText()).isEqualTo("0640");
  }

  @ParameterizedTest
  @CsvSource({"ls", "du", "find"})
  void whatIsNotThereIsAnError(String verb) {
    Ran ran = Ran.of(conf, verb, "rados://meta/none");
    assertThat(ran.status()).isEqualTo(1);
    assertThat(ran.err()).contains("no such file or directory: rados://meta/none");
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void sumsUp() throws IOException {
    assertThat(run("du", "rados://meta/t").out().lines().toList())
        .hasSize(4)
        .anyMatch(line -> line.matches(" +SIZE +FILES +DIRECTORIES +OBJECTS +URI"))
        .anyMatch(line -> line.matches(" +0 B +1 +0 +1 +rados://meta/t/a.csv"))
        .anyMatch(line -> line.matches(" +2\\.5 KiB +2 +1 +4 +rados://meta/t/d"))
        .anyMatch(line -> line.matches(" +0 B +0 +0 +0 +rados://meta/t/empty"));
    assertThat(run("du", "-s", "-b", "rados://meta/").out())
        .containsPattern(" 2510 +3 +4 +5 +rados://meta/\n");
    JsonNode sum = run("du", "-s", "--json", "rados://meta/t/d/big.parquet").objects().get(0);
    assertThat(sum.get("bytes").asLong()).isEqualTo(2_500);
    assertThat(sum.get("objects").asLong()).isEqualTo(3);
    assertThat(run("du", "-s", "rados://meta/t/empty").out()).contains("0 B");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--name *.parquet | d/big.parquet d/e/small.parquet",
        "-name {a,small}* | a.csv d/e/small.parquet",
        "--type d | d d/e empty",
        "--type file --name a* | a.csv",
        "--larger-than 2K | d/big.parquet",
        "--smaller-than 10 | a.csv",
        "--smaller-than 11 --larger-than 9 | d/e/small.parquet",
        "--older-than 365d | d/big.parquet",
        "--newer-than 1h --type f | a.csv d/e/small.parquet",
      })
  void finds(String options, String found) throws IOException {
    String[] words = ("find rados://meta/t " + options).split(" ");
    assertThat(run(words).out().lines().toList())
        .containsExactlyInAnyOrder(
            List.of(found.split(" ")).stream()
                .map(path -> "rados://meta/t/" + path)
                .toArray(String[]::new));
  }

  @Test
  void findsMoreThanNames() throws IOException {
    assertThat(run("find", "-l", "--older-than", "365d", "rados://meta/").out())
        .startsWith("-rw-r--r--")
        .contains("2.4 KiB");
    assertThat(run("find", "--json", "--larger-than", "2K", "rados://meta/").objects().get(0))
        .hasToString(
            "{\"uri\":\"rados://meta/t/d/big.parquet\",\"path\":\"/t/d/big.parquet\","
                + "\"type\":\"file\",\"length\":2500,\"modified\":\"2001-09-09T01:46:40Z\","
                + "\"permission\":\"0644\",\"owner\":\"ann\",\"group\":\"team\"}");
  }

  @ParameterizedTest
  @CsvSource({"--type,x", "--larger-than,much", "--older-than,yore", "--name,[a"})
  void whatCannotBeSearchedForIsNotUnderstood(String option, String value) {
    Ran ran = Ran.of(conf, "find", option, value, "rados://meta/t");
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.err()).contains(option + " " + value);
  }

  @Test
  void showsPools() throws IOException {
    cluster.setQuota("meta", 10_000);
    assertThat(Ran.of(conf, "layout", "set", "--data-pool", "ec", "rados://meta/t/empty").status())
        .isZero();
    write("/t/empty/f", 2_000);
    List<String> lines = run("df", "rados://meta/").out().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).matches("POOL +FOR +STORED +OBJECTS +AVAILABLE +USED +QUOTA");
    assertThat(lines.get(1)).matches("meta +index +2\\.5 KiB +\\d+ +7\\.3 KiB +25% +9\\.8 KiB");
    assertThat(lines.get(2)).matches("ec +data +2\\.0 KiB +\\d+ +1\\.0 TiB +0% +-");
    JsonNode pool = run("df", "--json", "rados://meta/").objects().get(0);
    assertThat(pool.get("pool").asText()).isEqualTo("meta");
    assertThat(pool.get("quotaBytes").asLong()).isEqualTo(10_000);
    assertThat(pool.get("bytes").asLong()).isEqualTo(2_510);
  }
}
