// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.radosfs.connector.docs.Repository;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fields of results, as the page of the command line has them. */
public final class DocumentedFields {

  private static final Pattern CODE = Pattern.compile("`([A-Za-z0-9]+)`");

  /** Values of fields, and verbs, that stand in the table of fields. */
  private static final Set<String> NO_FIELDS =
      Set.of(
          "index",
          "data",
          "file",
          "directory",
          "event",
          "REMOVED",
          "KEPT",
          "ADOPTED",
          "ADOPTABLE",
          "RESTORED",
          "RESTORABLE",
          "summary",
          "finding",
          "unchecked",
          "note",
          "df",
          "ls",
          "layout",
          "gc",
          "info");

  /** Verbs whose fields others have too. */
  private static final List<String> TAKEN_OVER = List.of("ls", "jobs list");

  private DocumentedFields() {}

  /** The fields in the row of a verb, and of those whose fields it says that it has too. */
  public static Set<String> of(String verb) throws IOException {
    String page = Repository.page("connector/docs/command-line.md");
    Matcher row =
        Pattern.compile("(?m)^\\| [^|]*`" + verb + "`[^|]* \\| (.*) \\|$")
            .matcher(page.substring(page.indexOf("## JSON")));
    if (!row.find()) {
      throw new AssertionError("the page has no fields of " + verb);
    }
    Set<String> fields = new TreeSet<>();
    Matcher code = CODE.matcher(row.group(1));
    while (code.find()) {
      fields.add(code.group(1));
    }
    fields.removeAll(NO_FIELDS);
    for (String other : TAKEN_OVER) {
      if (row.group(1).contains("those of `" + other + "`")) {
        fields.addAll(of(other));
      }
    }
    return fields;
  }

  /** The names of an object's fields. */
  public static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
