// SPDX-License-Identifier: Apache-2.0
package io.radosfs.releases;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * What the JVM would do with each reference of a class when it is used for the first time (JVMS
 * 5.4.3), on a class path: classes, fields and methods that are not there, that are static where
 * they should not be, or the other way round. And what it would find out later still: abstract
 * methods without an implementation, and final methods that are overridden.
 */
final class Links {

  private final ClassFiles classes;

  /** Names of classes that matter; others, such as a library's, are believed. */
  private final Predicate<String> judged;

  Links(ClassFiles classes, Predicate<String> judged) {
    this.classes = classes;
    this.judged = judged;
  }

  /** What cannot be linked, as {@code what}, of the class. */
  TreeSet<String> broken(String name) {
    ClassNode node = classes.find(name).orElseThrow(() -> new AssertionError("no " + name));
    TreeSet<String> broken = new TreeSet<>();
    types(node).stream().filter(this::isMissing).forEach(broken::add);
    for (MethodNode method : node.methods) {
      for (AbstractInsnNode instruction : method.instructions) {
        if (instruction instanceof MethodInsnNode call) {
          boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
          checkMethod(broken, call.owner, call.name, call.desc, isStatic, call.itf);
        } else if (instruction instanceof FieldInsnNode field) {
          boolean isStatic =
              field.getOpcode() == Opcodes.GETSTATIC || field.getOpcode() == Opcodes.PUTSTATIC;
          checkField(broken, field.owner, field.name, field.desc, isStatic);
        } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
          for (Object argument : dynamic.bsmArgs) {
            if (argument instanceof Handle handle) {
              checkHandle(broken, handle);
            }
          }
        }
      }
    }
    checkInherited(broken, node);
    return broken;
  }

  private boolean isMissing(String name) {
    return judged.test(name) && classes.find(name).isEmpty();
  }

  /** All that the class names anywhere, in its code, its declarations and its annotations. */
  private static TreeSet<String> types(ClassNode node) {
    TreeSet<String> names = new TreeSet<>();
    Remapper collector =
        new Remapper(Opcodes.ASM9) {
          @Override
          public String map(String internalName) {
            names.add(internalName);
            return internalName;
          }
        };
    node.accept(new ClassRemapper(new ClassNode(), collector));
    return names;
  }

  private void checkHandle(TreeSet<String> broken, Handle handle) {
    if (handle.getTag() >= Opcodes.H_INVOKEVIRTUAL) {
      boolean isStatic = handle.getTag() == Opcodes.H_INVOKESTATIC;
      checkMethod(
          broken,
          handle.getOwner(),
          handle.getName(),
          handle.getDesc(),
          isStatic,
          handle.isInterface());
    }
  }

  private void checkMethod(
      TreeSet<String> broken,
      String owner,
      String name,
      String descriptor,
      boolean isStatic,
      boolean ofInterface) {
    // A call of an array's clone(), too, is not judged.
    if (!judged.test(owner) || isMissing(owner)) {
      return;
    }
    String called = owner + "." + name + descriptor;
    ClassNode type = classes.find(owner).orElseThrow();
    if (ofInterface != ((type.access & Opcodes.ACC_INTERFACE) != 0)) {
      broken.add(called + (ofInterface ? " is of a class" : " is of an interface"));
    }
    Optional<MethodNode> method =
        hierarchy(owner).stream()
            .flatMap(each -> each.methods.stream())
            .filter(each -> each.name.equals(name) && each.desc.equals(descriptor))
            .findFirst();
    if (method.isEmpty()) {
      broken.add(called);
    } else if (isStatic != ((method.get().access & Opcodes.ACC_STATIC) != 0)) {
      broken.add(called + (isStatic ? " is not static" : " is static"));
    }
  }

  private void checkField(
      TreeSet<String> broken, String owner, String name, String descriptor, boolean isStatic) {
    if (!judged.test(owner) || isMissing(owner)) {
      return;
    }
    Optional<FieldNode> field =
        hierarchy(owner).stream()
            .flatMap(each -> each.fields.stream())
            .filter(each -> each.name.equals(name) && each.desc.equals(descriptor))
            .findFirst();
    if (field.isEmpty()) {
      broken.add(owner + "." + name + " " + descriptor);
    } else if (isStatic != ((field.get().access & Opcodes.ACC_STATIC) != 0)) {
      broken.add(owner + "." + name + (isStatic ? " is not static" : " is static"));
    }
  }

  /** Abstract methods that nobody implements, and final ones that the class overrides. */
  private void checkInherited(TreeSet<String> broken, ClassNode node) {
    List<ClassNode> hierarchy = hierarchy(node.name);
    for (ClassNode above : hierarchy.subList(1, hierarchy.size())) {
      for (MethodNode method : above.methods) {
        if ((method.access & Opcodes.ACC_FINAL) != 0
            && (method.access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0
            && node.methods.stream().anyMatch(own -> isSame(own, method))) {
          broken.add("overrides the final " + above.name + "." + method.name + method.desc);
        }
      }
    }
    if ((node.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) != 0) {
      return;
    }
    Map<String, ClassNode> open = new LinkedHashMap<>();
    for (ClassNode above : hierarchy) {
      for (MethodNode method : above.methods) {
        if ((method.access & Opcodes.ACC_ABSTRACT) != 0) {
          open.putIfAbsent(method.name + method.desc, above);
        }
      }
    }
    for (ClassNode above : hierarchy) {
      for (MethodNode method : above.methods) {
        if ((method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_STATIC)) == 0) {
          open.remove(method.name + method.desc);
        }
      }
    }
    open.forEach((method, above) -> broken.add("does not implement " + above.name + "." + method));
  }

  private static boolean isSame(MethodNode a, MethodNode b) {
    return a.name.equals(b.name) && a.desc.equals(b.desc);
  }

  /** The class, those above it, then all their interfaces; without those that are missing. */
  private List<ClassNode> hierarchy(String name) {
    Map<String, ClassNode> found = new LinkedHashMap<>();
    List<String> interfaces = new ArrayList<>();
    for (String each = name; each != null; ) {
      ClassNode node = classes.find(each).orElse(null);
      if (node == null) {
        break;
      }
      found.put(each, node);
      interfaces.addAll(node.interfaces);
      each = node.superName;
    }
    for (int i = 0; i < interfaces.size(); i++) {
      ClassNode node = classes.find(interfaces.get(i)).orElse(null);
      if (node != null && found.putIfAbsent(node.name, node) == null) {
        interfaces.addAll(node.interfaces);
      }
    }
    return new ArrayList<>(found.values());
  }
}
