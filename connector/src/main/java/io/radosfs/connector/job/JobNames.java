package io.radosfs.connector.job;

/** What jobs, tasks and attempts may be called: their names are parts of paths and of keys. */
final class JobNames {

  private JobNames() {}

  static String check(String what, String name) {
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      throw new IllegalArgumentException("not a " + what + " id: '" + name + "'");
    }
    if (name.indexOf('/') >= 0 || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a " + what + " id holds no '/' and no NUL: " + name);
    }
    return name;
  }
}
