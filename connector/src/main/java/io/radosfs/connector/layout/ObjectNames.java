// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of RADOS objects. They cannot collide, because a normalised path holds no {@code //}
 * and ends in no {@code /}, and a person can read them in {@code rados ls}:
 *
 * <table>
 * <caption>Objects</caption>
 * <tr><td>first stripe of file /a/b</td><td>{@code a/b}, or {@code a/b//~<uid>} if that is taken</td></tr>
 * <tr><td>stripe k of it</td><td>{@code a/b//<uid>/0000000k} (hex)</td></tr>
 * <tr><td>directory index of /a</td><td>{@code a/} (root: {@code /})</td></tr>
 * <tr><td>shard k of that index</td><td>{@code a//shard/<generation>/000k} (hex; root: {@code //shard/…})</td></tr>
 * <tr><td>record of a job writing to /a</td><td>{@code a//job/<jobId>} (root: {@code //job/<jobId>})</td></tr>
 * <tr><td>superblock</td><td>{@code //superblock}</td></tr>
 * <tr><td>data pools of layouts</td><td>{@code //layouts}</td></tr>
 * <tr><td>in a data pool, its owner</td><td>{@code //data-of/<pool of the index>}</td></tr>
 * <tr><td>retained data</td><td>{@code //replaced/<k>}</td></tr>
 * <tr><td>ledger of a process</td><td>{@code //ledger/<processId>}</td></tr>
 * </table>
 */
public final class ObjectNames {

  public static final String SUPERBLOCK = "//superblock";

  /** Lists the ledgers of processes: one omap key each. */
  public static final String LEDGERS = "//ledgers";

  /** Lists the data pools that layouts of directories have named: one omap key each. */
  public static final String LAYOUTS = "//layouts";

  private static final String DATA_OF_PREFIX = "//data-of/";
  private static final String REPLACED_PREFIX = "//replaced/";
  private static final String LEDGER_PREFIX = "//ledger/";
  private static final String JOB_INFIX = "//job/";
  private static final Pattern WITH_UID =
      Pattern.compile(".*//~?([0-9a-f]{24})(/[0-9a-f]{8})?", Pattern.DOTALL);

  private ObjectNames() {}

  /** The directory index of a directory. */
  public static String index(FsPath directory) {
    return directory.key() + "/";
  }

  /** A shard of a directory's index. */
  static String shard(FsPath directory, String generation, int k) {
    return directory.key() + "//shard/" + generation + "/" + shardNumber(k);
  }

  /** The first stripe of a file written to this path, if the name is free. */
  public static String firstStripe(FsPath path) {
    return path.key();
  }

  /** The first stripe of a file written to this path, if {@link #firstStripe} is taken. */
  public static String firstStripe(FsPath path, Uid uid) {
    return path.key() + "//~" + uid;
  }

  /** Stripe {@code k} (1 or more) of the file written to this path. */
  public static String stripe(FsPath path, Uid uid, int k) {
    return path.key() + "//" + uid + "/" + HexFormat.of().toHexDigits(k);
  }

  /** The file that a stripe of this name belongs to, if the name says it. */
  public static Optional<Uid> uidOf(String object) {
    Matcher named = WITH_UID.matcher(object);
    return named.matches() ? Optional.of(new Uid(named.group(1))) : Optional.empty();
  }

  /** Whether this may be the name of a stripe. */
  public static boolean isStripe(String object) {
    return FsPath.isKey(object) || uidOf(object).isPresent();
  }

  public static String job(FsPath destination, String jobId) {
    return destination.key() + JOB_INFIX + jobId;
  }

  /** Whether this is the name of a job's record. */
  public static boolean isJob(String object) {
    int infix = object.lastIndexOf(JOB_INFIX);
    return infix >= 0
        && FsPath.isKey(object.substring(0, infix))
        && object.length() > infix + JOB_INFIX.length();
  }

  /** The destination in the name of a job's record. */
  public static FsPath destinationOf(String jobRecord) {
    return FsPath.ofKey(jobRecord.substring(0, jobRecord.lastIndexOf(JOB_INFIX)));
  }

  /** The job's id in the name of its record. */
  public static String jobOf(String jobRecord) {
    return jobRecord.substring(jobRecord.lastIndexOf(JOB_INFIX) + JOB_INFIX.length());
  }

  /** In a data pool: says that it holds data of the file system with this index pool. */
  public static String dataOf(String indexPool) {
    return DATA_OF_PREFIX + indexPool;
  }

  /** Whether this is a name made by {@link #dataOf}. */
  public static boolean isDataOf(String object) {
    return object.startsWith(DATA_OF_PREFIX);
  }

  /** An object that is removed by the operation that makes it, so that it is never there. */
  public static String probe(Uid uid) {
    return "//probe/" + uid;
  }

  /** One of the objects that list retained data. */
  public static String replaced(int k) {
    return REPLACED_PREFIX + Integer.toHexString(k);
  }

  public static String ledger(String processId) {
    return LEDGER_PREFIX + processId;
  }

  /** Four hexadecimal digits, or more if needed. Called for each access to a shard. */
  private static String shardNumber(int k) {
    String text = Integer.toHexString(k);
    return "0".repeat(Math.max(0, 4 - text.length())) + text;
  }
}
