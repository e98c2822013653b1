// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** What a verb has answered. */
record Ran(int status, String out, String err) {

  private static final List<String> SETTINGS =
      List.of("fs.rados.cluster.factory", "fs.rados.ceph.conf", "fs.rados.ceph.user");

  /** Runs it, with what a configuration has to reach a simulation. */
  static Ran of(Configuration conf, String... args) {
    return of(conf, false, new StringWriter(), args);
  }

  /** The same, with a terminal for stderr, which others may look at meanwhile. */
  static Ran onTerminal(Configuration conf, StringWriter err, String... args) {
    return of(conf, true, err, args);
  }

  private static Ran of(Configuration conf, boolean terminal, StringWriter err, String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    for (String key : SETTINGS) {
      if (conf.get(key) != null) {
        all.add("-D" + key + "=" + conf.get(key));
      }
    }
    StringWriter out = new StringWriter();
    int status =
        Radosfs.run(
            new PrintWriter(out),
            new PrintWriter(err),
            new Radosfs.Console(terminal, /* screen= */ false, /* pipe= */ false),
            all.toArray(new String[0]));
    return new Ran(status, out.toString(), err.toString());
  }

  /** The lines of stdout, each an object. */
  List<JsonNode> objects() throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    for (String line : out.lines().toList()) {
      objects.add(new ObjectMapper().readTree(line));
    }
    return objects;
  }
}
