// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import org.apache.hadoop.fs.FileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Types that the file system's methods are declared with, and that this Hadoop has not: an empty
 * interface stands in for each.
 *
 * <p>A method that an old Hadoop never calls is harmless there, but {@code Class.getMethods} of the
 * file system resolves the types of all its methods. PySpark's gateway calls it for each object
 * that a program uses directly, so one missing type makes {@code fs.exists(path)} fail there with a
 * NoClassDefFoundError. The method must be declared by the class that users name in {@code
 * fs.rados.impl}, whatever Hadoop they have, so no subclass for newer Hadoops can have it instead.
 *
 * <p>A type that Hadoop has is never replaced. The one that stands in has the same class loader as
 * Hadoop's file system, and nothing implements it until somebody asks for it.
 */
public final class MissingTypes {

  private static final Logger LOG = LoggerFactory.getLogger(MissingTypes.class);

  /** Hadoop has it from 3.4.1 on. */
  private static final String BULK_DELETE = "org.apache.hadoop.fs.BulkDelete";

  private static final int JAVA_8 = 52;
  private static final int PUBLIC_ABSTRACT_INTERFACE = 0x0601;

  private MissingTypes() {}

  /** Defines those that are missing. Can be repeated. */
  public static void define() {
    try {
      Class<?> unused = Class.forName(BULK_DELETE, false, FileSystem.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      define(BULK_DELETE);
    }
  }

  /** In the package of Hadoop's file system, by its class loader. */
  private static void define(String name) {
    try {
      Class<?> unused =
          MethodHandles.privateLookupIn(FileSystem.class, MethodHandles.lookup())
              .defineClass(emptyInterface(name));
    } catch (IllegalAccessException | LinkageError e) {
      // Another thread may have been faster. If not, all that Hadoop itself calls works.
      LOG.debug("{} could not be defined", name, e);
    }
  }

  /** A class file (JVMS 4.1). */
  private static byte[] emptyInterface(String name) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(0xCAFEBABE);
      out.writeShort(0);
      out.writeShort(JAVA_8);
      out.writeShort(5); // constants, and one
      writeClass(out, name, 2); // 1
      writeClass(out, "java.lang.Object", 4); // 3
      out.writeShort(PUBLIC_ABSTRACT_INTERFACE);
      out.writeShort(1); // this
      out.writeShort(3); // super
      out.writeShort(0); // interfaces
      out.writeShort(0); // fields
      out.writeShort(0); // methods
      out.writeShort(0); // attributes
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Two constants: the class, and its name at the next index. */
  private static void writeClass(DataOutputStream out, String name, int nameIndex)
      throws IOException {
    out.writeByte(7); // CONSTANT_Class
    out.writeShort(nameIndex);
    out.writeByte(1); // CONSTANT_Utf8
    out.writeUTF(name.replace('.', '/'));
  }
}
