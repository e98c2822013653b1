// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.config;

import io.radosfs.connector.config.Option.Audience;
import java.time.Duration;
import java.util.List;

/** All settings. */
public final class Options {

  public static final Option<String> CEPH_CONF =
      new Option<>(
          "fs.rados.ceph.conf",
          "",
          "Ceph's configuration file. By default the one that Ceph finds: `$CEPH_CONF`,"
              + " then `/etc/ceph/ceph.conf`",
          Types.text());

  public static final Option<String> CEPH_USER =
      new Option<>(
          "fs.rados.ceph.user",
          "client.admin",
          "The Ceph user to connect as, with its type: `client.spark`",
          Types.text());

  public static final Option<String> CEPH_KEYRING =
      new Option<>(
          "fs.rados.ceph.keyring",
          "",
          "Keyring file that holds the user's key. By default the one that `ceph.conf`"
              + " names, or that Ceph finds",
          Types.text());

  public static final Option<String> CEPH_KEYFILE =
      new Option<>(
          "fs.rados.ceph.keyfile",
          "",
          "File that holds nothing but the user's key, instead of a keyring",
          Types.text());

  public static final Option<String> CEPH_SECRET =
      new Option<>(
          "fs.rados.ceph.secret",
          "",
          "The user's key itself, instead of a keyring: from a credential provider of Hadoop"
              + " (`hadoop.security.credential.provider.path`) or, less well, in the clear. It is"
              + " never shown",
          new SecretType());

  public static final Option<Duration> CONNECT_TIMEOUT =
      new Option<>(
          "fs.rados.connect.timeout",
          "30s",
          "How long to wait for a monitor when connecting. More than 0",
          Types.time());

  public static final Option<Duration> OPERATION_TIMEOUT =
      new Option<>(
          "fs.rados.operation.timeout",
          "120s",
          "How long a call waits when RADOS does not answer. librados sends an operation"
              + " again in that time; then the call fails and repeats nothing. It waits a quarter"
              + " of it more to find out what became of a write, and once more at most to clean"
              + " up, or leaves that to `radosfs gc`. More than 0",
          Types.time());

  public static final Option<Long> OBJECT_SIZE =
      new Option<>(
          "fs.rados.object.size",
          "4M",
          "Bytes in one RADOS object of a file. It counts only when a pool (or namespace)"
              + " is first written to, and its superblock made. From then on the superblock's"
              + " value holds. From 1K to 64M",
          Types.size("1K", "64M"));

  public static final Option<Long> BLOCK_SIZE =
      new Option<>(
          "fs.rados.block.size",
          "64M",
          "Block size that Hadoop is told for a file: the size of a split in MapReduce and"
              + " `sc.textFile`. Nothing is stored in blocks of that size. A multiple of 512, which"
              + " Hadoop's FileContext insists on. From 1K to 1T",
          Types.size("1K", "1T", 512));

  public static final Option<Boolean> BLOCK_HOSTS =
      new Option<>(
          "fs.rados.block.hosts",
          "true",
          "Whether Hadoop is told which machines' OSDs hold the blocks of a file, so that tasks run"
              + " beside them. The monitors are asked; of no use where nothing runs on these"
              + " machines",
          Types.flag());

  public static final Option<Integer> WRITE_WINDOW =
      new Option<>(
          "fs.rados.write.window",
          "8",
          "Objects of one file that are written at a time. From 1 to 256",
          Types.count(1, 256));

  public static final Option<Integer> READ_WINDOW =
      new Option<>(
          "fs.rados.read.window",
          "12",
          "Objects of one file that are read ahead at a time, once it is read in sequence. From 1 to 256",
          Types.count(1, 256));

  public static final Option<String> READ_FROM =
      new Option<>(
          "fs.rados.read.from",
          "primary",
          "Which copy of its data a file is read from, in replicated pools: `primary`: the one that"
              + " Ceph writes first; `balanced`: any, at random for each read; `nearest`: the one"
              + " that CRUSH has nearest to `fs.rados.ceph.crush_location`, by default this machine."
              + " See [copies](performance.md#copies) before changing it. The index is always read"
              + " from the primary",
          Types.oneOf("primary", "balanced", "nearest"));

  public static final Option<Long> BUFFER_LIMIT =
      new Option<>(
          "fs.rados.buffer.limit",
          "256M",
          "Off-heap memory for the buffers of all streams of the process, and for"
              + " librados' copies of what they write; when it is used up, writers wait. The file"
              + " system that is opened first sets it. From 1M to 1T",
          Types.size("1M", "1T"));

  public static final Option<Boolean> DOWNGRADE_SYNCABLE =
      new Option<>(
          "fs.rados.downgrade.syncable.exceptions",
          "true",
          "Nothing is visible or durable before a file is closed. `true`: `hflush` and"
              + " `hsync` do nothing, with one warning in the log. `false`: they throw an"
              + " `UnsupportedOperationException`",
          Types.flag());

  public static final Option<Duration> TRANSACTION_WAIT =
      new Option<>(
          "fs.rados.transaction.wait",
          "30s",
          "How long a change waits for another client's transaction on the same name before it"
              + " fails; jobs that overwrite one directory in turn, for each of them, and 20 times"
              + " as long in all. More than 0",
          Types.time(),
          Audience.DEVELOPERS);

  public static final Option<Duration> REPLACED_RETENTION =
      new Option<>(
          "fs.rados.replaced.retention",
          "5m",
          "How long the data of a file that is replaced, by a job, a rename or `create`,"
              + " is kept, so that whoever is reading it can finish. Then it is removed by the"
              + " process that replaced it, if it still runs, by another that replaces something,"
              + " or by `radosfs gc`. `0` removes it at once, as deletion always does",
          Types.timeOrZero());

  public static final Option<Integer> TRANSACTION_THREADS =
      new Option<>(
          "fs.rados.transaction.threads",
          "16",
          "Directories that one commit of a job works on at a time. From 1 to 256",
          Types.count(1, 256),
          Audience.DEVELOPERS);

  public static final Option<Integer> DIRECTORY_THRESHOLD =
      new Option<>(
          "fs.rados.directory.threshold",
          "65536",
          "When a directory's index has more names in one object, it is spread over"
              + " shards. Ceph warns of objects with more than 200000. From 1 to 100000",
          Types.count(1, 100_000),
          Audience.DEVELOPERS);

  public static final Option<Integer> DIRECTORY_SHARDS =
      new Option<>(
          "fs.rados.directory.shards",
          "64",
          "Shards that the index of a directory is then spread over; each look-up still"
              + " costs one operation. Once a directory is split, its number of shards stays. From 2 to 4096",
          Types.count(2, 4096),
          Audience.DEVELOPERS);

  public static final Option<String> REQUIRE_COMMITTER =
      new Option<>(
          "fs.rados.committer.require",
          "warn",
          "What happens when a job begins to write here with a committer of Hadoop that renames"
              + " each file, and makes `_temporary/0` for that: `warn` says once in the log which"
              + " settings to use, `reject` fails the job, `off` does nothing",
          Types.oneOf("warn", "reject", "off"));

  public static final Option<String> GROUP =
      new Option<>(
          "fs.rados.group",
          "",
          "Group recorded for new files and directories. By default the primary group of the"
              + " Hadoop user, or its name where it has none",
          Types.text());

  public static final Option<String> CLUSTER_FACTORY =
      new Option<>(
          "fs.rados.cluster.factory",
          "io.radosfs.connector.mount.LibradosConnections",
          "Class that connects to the cluster (`io.radosfs.connector.mount.ClusterFactory`); tests"
              + " name a simulation",
          Types.text(),
          Audience.DEVELOPERS);

  /** Every setting, in the order of the documentation. */
  public static final List<Option<?>> ALL =
      List.of(
          CEPH_CONF,
          CEPH_USER,
          CEPH_KEYRING,
          CEPH_KEYFILE,
          CEPH_SECRET,
          CONNECT_TIMEOUT,
          OPERATION_TIMEOUT,
          OBJECT_SIZE,
          BLOCK_SIZE,
          BLOCK_HOSTS,
          WRITE_WINDOW,
          READ_WINDOW,
          READ_FROM,
          BUFFER_LIMIT,
          DOWNGRADE_SYNCABLE,
          TRANSACTION_WAIT,
          REPLACED_RETENTION,
          TRANSACTION_THREADS,
          DIRECTORY_THRESHOLD,
          DIRECTORY_SHARDS,
          REQUIRE_COMMITTER,
          GROUP,
          CLUSTER_FACTORY);

  private Options() {}
}
