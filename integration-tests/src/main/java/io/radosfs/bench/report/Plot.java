// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.internal.chartpart.IChart;

/** A drawn plot. */
public record Plot(String title, String svg) {

  static Plot of(String title, IChart chart) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    VectorGraphicsEncoder.saveVectorGraphic(chart, bytes, VectorGraphicsFormat.SVG);
    return new Plot(title, bytes.toString(StandardCharsets.UTF_8));
  }

  String fileName() {
    String words = title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    return words.replaceAll("^-|-$", "") + ".svg";
  }
}
