// SPDX-License-Identifier: Apache-2.0
package io.radosfs.releases;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/** Classes by their internal names, read from class files, not loaded. */
final class ClassFiles implements AutoCloseable {

  private final URLClassLoader files;
  private final Map<String, Optional<ClassNode>> read = new HashMap<>();

  private ClassFiles(Collection<URL> entries) {
    this.files =
        new URLClassLoader(entries.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  /** The JDK's classes and those of a class path of jars and folders. */
  static ClassFiles of(Collection<Path> classPath) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (Path entry : classPath) {
      urls.add(entry.toUri().toURL());
    }
    return new ClassFiles(urls);
  }

  /** Where a class of the test's class path comes from: a jar, or a folder. */
  static Path home(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The names of all classes in a jar or folder. */
  static List<String> names(Path entry) throws IOException {
    if (Files.isDirectory(entry)) {
      try (Stream<Path> below = Files.walk(entry)) {
        return names(below.map(path -> entry.relativize(path).toString().replace('\\', '/')));
      }
    }
    try (JarFile jar = new JarFile(entry.toFile())) {
      return names(jar.stream().map(file -> file.getName()));
    }
  }

  private static List<String> names(Stream<String> paths) {
    return paths
        .filter(path -> path.endsWith(".class") && !path.endsWith("-info.class"))
        .map(path -> path.substring(0, path.length() - ".class".length()))
        .sorted()
        .toList();
  }

  /** Empty if there is no such class. */
  Optional<ClassNode> find(String name) {
    return read.computeIfAbsent(name, this::read);
  }

  private Optional<ClassNode> read(String name) {
    try (InputStream in = files.getResourceAsStream(name + ".class")) {
      if (in == null) {
        return Optional.empty();
      }
      ClassNode node = new ClassNode();
      new ClassReader(in).accept(node, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      return Optional.of(node);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read class " + name, e);
    }
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
