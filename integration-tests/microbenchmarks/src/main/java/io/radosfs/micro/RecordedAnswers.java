// SPDX-License-Identifier: Apache-2.0
package io.radosfs.micro;

import io.radosfs.connector.store.ForwardingObjectStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks another store each question once, and repeats its answers. What is measured on it is what a
 * reader of the index does with them. For reads into no buffers, of what does not change.
 */
final class RecordedAnswers extends ForwardingObjectStore {

  private final Map<Question, ReadResult> answers = new ConcurrentHashMap<>();

  private record Question(String object, ReadOp op) {}

  RecordedAnswers(ObjectStore asked) {
    super(asked);
  }

  @Override
  public ReadResult read(String object, ReadOp op) throws IOException {
    Question question = new Question(object, op);
    ReadResult known = answers.get(question);
    if (known == null) {
      known = super.read(object, op);
      answers.put(question, known);
    }
    return known;
  }
}
