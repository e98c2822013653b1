// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.layout.Xattrs;
import io.radosfs.connector.operations.AttributeChange;
import java.io.IOException;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.XAttrSetFlag;

/**
 * Hadoop's extended attributes, with HDFS's names and errors: {@code <namespace>.<name>}, where the
 * namespace is one of {@code user}, {@code trusted}, {@code security}, {@code system} and {@code
 * raw}, in any case. No namespace needs a permission, as permissions are not enforced.
 */
public final class ExtendedAttributes {

  private static final Set<String> NAMESPACES =
      Set.of("user", "trusted", "security", "system", "raw");

  private ExtendedAttributes() {}

  /** See {@code FileSystem.setXAttr}; a null value is taken for an empty one. */
  public static AttributeChange set(String name, byte[] value, EnumSet<XAttrSetFlag> flags) {
    String checked = checked(name);
    byte[] bytes = value == null ? new byte[0] : value.clone();
    return before -> {
      XAttrSetFlag.validate(checked, before.xattrs().value(checked).isPresent(), flags);
      Xattrs after = before.xattrs().with(checked, bytes);
      if (after.bytes() > Xattrs.MAX_BYTES) {
        throw new IOException(
            "cannot set extended attribute "
                + checked
                + ": with it they would have "
                + after.bytes()
                + " bytes, and all of a file together may have "
                + Xattrs.MAX_BYTES
                + ". Remove others, or keep it in a file");
      }
      return before.withXattrs(after);
    };
  }

  /** See {@code FileSystem.removeXAttr}; throws an IOException if there is no such attribute. */
  public static AttributeChange remove(String name) {
    String checked = checked(name);
    return before -> {
      required(before.xattrs(), checked);
      return before.withXattrs(before.xattrs().without(checked));
    };
  }

  /**
   * Returns the name in stored form.
   *
   * @throws HadoopIllegalArgumentException if it is in none of the namespaces
   */
  public static String checked(String name) {
    int dot = name == null ? -1 : name.indexOf('.');
    String namespace = dot < 0 ? "" : name.substring(0, dot).toLowerCase(Locale.ROOT);
    if (!NAMESPACES.contains(namespace) || dot == name.length() - 1) {
      throw new HadoopIllegalArgumentException(
          "an extended attribute is named user.<name>, or has trusted, security, system or raw"
              + " before the dot; not '"
              + name
              + "'");
    }
    return namespace + name.substring(dot);
  }

  /** The names, checked. */
  public static List<String> checked(List<String> names) {
    return names.stream().map(ExtendedAttributes::checked).toList();
  }

  /** All of them. */
  public static Map<String, byte[]> all(Xattrs xattrs) throws IOException {
    return some(xattrs, xattrs.names());
  }

  /**
   * Those with the names given.
   *
   * @throws IOException if one of them does not exist
   */
  public static Map<String, byte[]> some(Xattrs xattrs, List<String> names) throws IOException {
    Map<String, byte[]> found = new LinkedHashMap<>();
    for (String name : names) {
      found.put(name, required(xattrs, name));
    }
    return found;
  }

  private static byte[] required(Xattrs xattrs, String name) throws IOException {
    return xattrs
        .value(name)
        .orElseThrow(
            () ->
                new IOException(
                    "there is no extended attribute " + name + ", only " + xattrs.names()));
  }
}
