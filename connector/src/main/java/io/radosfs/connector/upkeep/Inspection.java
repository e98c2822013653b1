// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.store.Failures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What one look at the pools has found so far. If a stored value cannot be understood, that is a
 * finding. If something could not be read at all, it counts as not checked, and the rest goes on.
 */
final class Inspection implements Failures {

  private final Set<Finding> findings = new LinkedHashSet<>();
  private final List<String> notes = new ArrayList<>();
  private final Set<String> unchecked = new LinkedHashSet<>();

  Set<Finding> findings() {
    return findings;
  }

  List<String> notes() {
    return notes;
  }

  Set<String> unchecked() {
    return unchecked;
  }

  void find(Finding.Kind kind, String subject, String detail) {
    findings.add(new Finding(kind, subject, detail));
  }

  void note(String text) {
    notes.add(text);
  }

  void unchecked(String what) {
    unchecked.add(what);
  }

  @Override
  public void add(String subject, IOException failure) {
    String text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    if (failure instanceof LayoutException) {
      find(Finding.Kind.UNREADABLE, subject, text);
    } else {
      unchecked(subject + ": " + text);
    }
  }
}
