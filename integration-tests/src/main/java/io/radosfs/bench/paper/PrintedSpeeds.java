// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.paper;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.bench.paper.PaperCase.Buffer;
import io.radosfs.bench.paper.PaperCase.Format;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * All that is printed of what the part {@code paper} measures, from a file that names its source.
 * It is drawn beside what is measured, and says so. The numbers of the paper's figures 5 to 14 are
 * not known to the project, and so not here.
 *
 * @param source where they are printed
 */
public record PrintedSpeeds(String source, List<PrintedSpeed> all) {

  private static final String RESOURCE = "printed-speeds.json";

  public PrintedSpeeds {
    all = List.copyOf(all);
  }

  /** Reads the file, which is beside this class. */
  public static PrintedSpeeds read() throws IOException {
    try (InputStream file = PrintedSpeeds.class.getResourceAsStream(RESOURCE)) {
      JsonNode root = new ObjectMapper().readTree(file);
      List<PrintedSpeed> speeds = new ArrayList<>();
      for (JsonNode one : root.get("speeds")) {
        speeds.add(
            new PrintedSpeed(
                one.get("who").asText(),
                Format.valueOf(one.get("format").asText()),
                one.get("mib").asInt(),
                one.get("copies").asInt(),
                Buffer.valueOf(one.get("buffer").asText()),
                one.get("seconds").asDouble()));
      }
      return new PrintedSpeeds(root.get("source").asText(), speeds);
    }
  }

  /** Those that have a place in one plot, of sizes that it shows. */
  public List<PrintedSpeed> of(int copies, Buffer buffer, Format format, List<Integer> mib) {
    return all.stream()
        .filter(one -> one.copies() == copies && one.buffer() == buffer && one.format() == format)
        .filter(one -> mib.contains(one.mib()))
        .toList();
  }
}
