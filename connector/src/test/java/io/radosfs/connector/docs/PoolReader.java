// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/**
 * A reader of the pools that a page shows, as somebody writes it who has {@code
 * connector/docs/storage-format.md} and no class of radosfs. What it cannot tell from that page,
 * the page does not say. All data is taken to be in one pool, whatever a file says.
 */
public final class PoolReader {

  /** A uid, or the number that stands for one on the page. */
  private static final Pattern TAKEOVER = Pattern.compile("(.+)~([0-9a-f]{24}|<\\d+>)");

  /** The key of what an object has that is no omap. */
  private static final String DATA = "data";

  private final Map<String, Map<String, String>> objects = new LinkedHashMap<>();

  private PoolReader(String block) {
    Map<String, String> object = Map.of();
    for (String line : block.split("\n")) {
      if (line.startsWith(" ")) {
        String[] parts = line.strip().split(" =", 2);
        object.put(parts[0], parts[1].stripLeading());
      } else {
        object = new LinkedHashMap<>();
        objects.put(line, object);
      }
    }
  }

  /** Reads a block {@code pool} of a page. */
  public static PoolReader of(String block) {
    return new PoolReader(block);
  }

  /** All that a reader sees: directories with a slash at the end, and files with their content. */
  public SortedMap<String, String> tree() {
    SortedMap<String, String> tree = new TreeMap<>();
    collect("", tree);
    return tree;
  }

  private void collect(String directory, SortedMap<String, String> tree) {
    children(directory)
        .forEach(
            (name, entry) -> {
              String path = directory.isEmpty() ? name : directory + "/" + name;
              if (entry.startsWith("dir 1 ")) {
                tree.put("/" + path + "/", "");
                collect(path, tree);
              } else {
                tree.put("/" + path, content(path, fields(entry, "file 1 ")));
              }
            });
  }

  /** The layout of a directory's new files, without its word and version; empty for the default. */
  public String layout(String directory) {
    Map<String, String> index = objects.get(directory + "/");
    String here = index == null ? "" : index.getOrDefault("omap h.layout", "layout 1 ");
    if (directory.isEmpty()) {
      return here.substring(Math.min(here.length(), "layout 1 ".length()));
    }
    int slash = directory.lastIndexOf('/');
    Map<String, String> entry =
        fields(
            children(directory.substring(0, Math.max(slash, 0)))
                .get(directory.substring(slash + 1)),
            "dir 1 ");
    String[] head = index == null ? new String[] {"missing"} : head(index);
    boolean hasIt =
        switch (head[0]) {
          case "open", "splitting" -> true;
          case "frozen" -> !isCommitted(index, head[1]);
          case "closing" -> head[1].equals(entry.get("uid"));
          default -> false;
        };
    return hasIt
        ? here.substring("layout 1 ".length())
        : List.of("pool", "stripe").stream()
            .filter(entry::containsKey)
            .map(field -> field + "=" + entry.get(field))
            .collect(Collectors.joining(" "));
  }

  /** State and tag of a head. */
  private static String[] head(Map<String, String> index) {
    return index.get("omap h").split(" ", 4)[3].split(" ");
  }

  private SortedMap<String, String> children(String directory) {
    SortedMap<String, String> children = new TreeMap<>();
    Map<String, String> index = objects.get(directory + "/");
    if (index == null || isGone(index)) {
      return children;
    }
    String[] shards = index.get("omap h").split(" ")[2].substring("shards=".length()).split("/");
    if (shards.length == 1 || head(index)[0].equals("splitting")) {
      addVisible(index, 0, 1, children);
      return children;
    }
    int count = Integer.parseInt(shards[0]);
    for (int k = 0; k < count; k++) {
      String name = directory + "//shard/" + shards[1] + "/" + String.format("%04x", k);
      addVisible(objects.get(name), k, count, children);
    }
    return children;
  }

  private boolean isGone(Map<String, String> index) {
    String[] head = head(index);
    return head[0].equals("closing") || head[0].equals("frozen") && isCommitted(index, head[1]);
  }

  private void addVisible(
      Map<String, String> index, int shard, int count, SortedMap<String, String> children) {
    TreeSet<String> names = new TreeSet<>();
    for (String key : index.keySet()) {
      if (key.startsWith("omap e/") || key.startsWith("omap p/")) {
        names.add(key.substring("omap e/".length()));
      }
    }
    for (String name : names) {
      if (shardOf(name, count) != shard) {
        throw new AssertionError(name + " is in shard " + shard);
      }
      visible(index, name).ifPresent(entry -> children.put(name, entry));
    }
  }

  private Optional<String> visible(Map<String, String> index, String name) {
    Optional<String> stored = Optional.ofNullable(index.get("omap e/" + name));
    String intent = index.get("omap p/" + name);
    if (intent == null) {
      return stored;
    }
    String[] words = intent.split(" ", 6);
    boolean counts =
        List.of(words[3].split(",")).stream().anyMatch(id -> isCommitted(index, decoded(id)));
    if (!counts) {
      return stored;
    }
    return switch (words[2]) {
      case "ADD", "REPLACE" -> Optional.of(words[5]);
      case "REMOVE", "MOVE_AWAY" -> Optional.empty();
      case "MAKE_DIRECTORY" -> stored.isPresent() ? stored : Optional.of(words[5]);
      default -> throw new AssertionError(intent);
    };
  }

  /** Whether what names a transaction in this index object, by this id, counts as done. */
  private boolean isCommitted(Map<String, String> index, String id) {
    String mark = index.get("omap t/" + id);
    if (mark == null) {
      return false;
    }
    Matcher takeover = TAKEOVER.matcher(id);
    boolean isTakeover = takeover.matches();
    String transaction = isTakeover ? takeover.group(1) : id;
    String coordinator = decoded(fields(mark, "transaction 1 ").get("decider"));
    String stored = objects.get(coordinator + "/").get("omap j/" + transaction);
    if (stored == null) {
      return false;
    }
    Map<String, String> record = fields(stored, "decision 1 ");
    String takeovers = record.getOrDefault("takeovers", "");
    String last = takeovers.substring(takeovers.lastIndexOf(',') + 1);
    return record.get("state").equals("COMMITTED")
        && last.equals(isTakeover ? takeover.group(2) : "");
  }

  private static Map<String, String> fields(String stored, String version) {
    if (!stored.startsWith(version)) {
      throw new AssertionError("'" + stored + "' is of another version than " + version);
    }
    Map<String, String> fields = new LinkedHashMap<>();
    for (String field : stored.substring(version.length()).split(" ")) {
      int equals = field.indexOf('=');
      fields.put(field.substring(0, equals), field.substring(equals + 1));
    }
    return fields;
  }

  private String content(String path, Map<String, String> entry) {
    String origin = entry.containsKey("origin") ? decoded(entry.get("origin")) : path;
    String uid = entry.getOrDefault("data", entry.get("uid"));
    long length = Long.parseLong(entry.get("length"));
    long stripe = Long.parseLong(entry.get("stripe"));
    StringBuilder content = new StringBuilder();
    for (long k = 0; k == 0 || k * stripe < length; k++) {
      String first = entry.containsKey("first") ? origin + "//~" + uid : origin;
      String name = k == 0 ? first : origin + "//" + uid + "/" + String.format("%08x", k);
      Map<String, String> object = objects.get(name);
      if (object == null || k == 0 && !uid.equals(object.get("xattr radosfs.uid"))) {
        throw new AssertionError("the file was removed since: no '" + name + "' of " + uid);
      }
      String sum = object.get("xattr radosfs.crc32c");
      if (k > 0 && !sum.equals(sum(object.get(DATA).getBytes(StandardCharsets.UTF_8)))) {
        throw new AssertionError("not the content of '" + name + "'");
      }
      content.append(object.get(DATA));
    }
    byte[] bytes = content.toString().getBytes(StandardCharsets.UTF_8);
    if (bytes.length != length || !sum(bytes).equals(entry.get("crc32c"))) {
      throw new AssertionError("not the content of " + path + ": '" + content + "'");
    }
    return content.toString();
  }

  private static String sum(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes);
    return String.format("%08x", sum.getValue());
  }

  private static int shardOf(String name, int count) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return (int) ((ByteBuffer.wrap(digest).getInt() & 0xffffffffL) % count);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static String decoded(String freeText) {
    return URLDecoder.decode(freeText, StandardCharsets.UTF_8);
  }
}
