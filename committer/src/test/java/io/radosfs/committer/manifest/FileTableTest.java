// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.layout.Xattrs;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FileTableTest {

  private static final Attributes PLAIN = new Attributes(7, 0644, "me", "us");

  private static Entry.OfFile file(String origin, long length) {
    FileData data =
        new FileData(new FsPath(origin), Uid.random(), true, length, 100, Optional.empty());
    return new Entry.OfFile(data, (int) length * 31, PLAIN);
  }

  private static FileTable of(Map<FsPath, Entry.OfFile> files) {
    FileTable.Builder table = new FileTable.Builder();
    files.forEach((path, file) -> table.add(path, file, 3));
    return table.build();
  }

  @Test
  void whatGoesInComesOut() {
    Map<FsPath, Entry.OfFile> files = new HashMap<>();
    Random random = new Random(20261121);
    for (int i = 0; i < 20_000; i++) {
      String path = "d=" + i % 7 + "/" + (i % 3 == 0 ? "é ü %" : "part-") + i;
      FileData data =
          new FileData(
              new FsPath(i % 5 == 0 ? "elsewhere/" + i : path),
              Uid.random(),
              random.nextBoolean(),
              random.nextLong() >>> (4 + random.nextInt(58)),
              (1 << 30) + random.nextInt(3),
              random.nextBoolean() ? Optional.of("pool-" + i % 2) : Optional.empty());
      Attributes attributes =
          new Attributes(
              random.nextLong() >>> random.nextInt(63),
              0640,
              "owner " + i % 4,
              "",
              i % 100 == 0 ? new Xattrs(new TreeMap<>(Map.of("user.x", "eA=="))) : Xattrs.NONE);
      files.put(new FsPath(path), new Entry.OfFile(data, random.nextInt(), attributes));
    }
    FileTable table = of(files);
    assertThat(table.files()).isEqualTo(files.size());
    assertThat(table.directories()).hasSize(7);
    Map<FsPath, Entry.OfFile> found = new HashMap<>();
    for (FsPath directory : table.directories()) {
      int size = 0;
      long hash = 0;
      for (FileTable.Cursor cursor = table.cursor(directory); cursor.next(); size++) {
        found.put(cursor.path(), cursor.file());
        assertThat(cursor.hash()).isGreaterThanOrEqualTo(hash);
        hash = cursor.hash();
        assertThat(hash).isEqualTo(FileTable.hash(cursor.name()));
      }
      assertThat(table.size(directory)).isEqualTo(size);
    }
    assertThat(found).isEqualTo(files);
    files.forEach((path, file) -> assertThat(table.find(path)).contains(file));
    assertThat(table.find(new FsPath("d=1/other"))).isEmpty();
    assertThat(table.find(new FsPath("d=9/part-1"))).isEmpty();
    assertThat(table.find(FsPath.ROOT)).isEmpty();
    assertThat(table.twice()).isEmpty();
    assertThat(table.hasSameFiles(of(files))).isTrue();
    files.put(new FsPath("d=1/part-1"), file("d=1/part-1", 1));
    assertThat(table.hasSameFiles(of(files))).isFalse();
  }

  @Test
  void twoFilesOfOnePathAreFoundAlsoAmongNamesOfOneHash() {
    Map<Long, String> byHash = new HashMap<>();
    String one = null;
    String other = null;
    for (int i = 0; one == null; i++) {
      other = "part-" + i;
      one = byHash.put(FileTable.hash(other), other);
    }
    FileTable.Builder table = new FileTable.Builder();
    for (String name : new String[] {one, other, "third"}) {
      table.add(new FsPath("x/" + name), file("x/" + name, 1), 1);
    }
    FileTable before = table.build();
    assertThat(before.twice()).isEmpty();
    assertThat(before.find(new FsPath("x/" + other))).isPresent();
    assertThat(before.find(new FsPath("x/fourth"))).isEmpty();
    table = new FileTable.Builder();
    for (String name : new String[] {one, other, "third"}) {
      table.add(new FsPath("x/" + name), file("x/" + name, 1), 1);
    }
    FsPath twice = new FsPath("x/" + other);
    table.add(twice, file("x/" + other, 2), 2);
    assertThat(table.build().twice()).contains(new FileTable.Twice(twice, 1, 2));
  }

  @Test
  void theFirstPathsAreByDirectoryAndName() {
    Map<FsPath, Entry.OfFile> files = new HashMap<>();
    for (String path : new String[] {"b/2", "a/3", "a/1", "a/2", "b/1", "0"}) {
      files.put(new FsPath(path), file(path, 10));
    }
    FileTable table = of(files);
    assertThat(table.firstPaths(4))
        .containsExactly(new FsPath("0"), new FsPath("a/1"), new FsPath("a/2"), new FsPath("a/3"));
    assertThat(table.firstPaths(100)).hasSize(6);
    assertThat(table.bytes()).isEqualTo(60);
    assertThat(table.writer(new FsPath("a/1"))).contains(3);
  }

  @Test
  void nothing() {
    FileTable none = new FileTable.Builder().build();
    assertThat(none.files()).isZero();
    assertThat(none.directories()).isEmpty();
    assertThat(none.cursor(new FsPath("a")).next()).isFalse();
    assertThat(none.firstPaths(1)).isEmpty();
  }
}
