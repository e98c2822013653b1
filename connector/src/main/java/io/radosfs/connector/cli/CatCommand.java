// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Writes a file to the standard output. */
@Command(
    name = "cat",
    header = "Writes a file to the standard output.",
    description = "Writes a file to the standard output, as it is now.")
final class CatCommand implements Callable<Integer> {

  private static final int BUFFER = 1 << 20;

  @Mixin private Target target;

  @Override
  public Integer call() throws IOException {
    Path path = target.hadoopPath();
    // Bytes, which the command line's own writer would take for text.
    OutputStream out = new Checked(System.out);
    try (FileSystem fs = FileSystem.newInstance(path.toUri(), target.configuration());
        InputStream file = fs.open(path)) {
      IOUtils.copyBytes(file, out, BUFFER, /* close= */ false);
    }
    out.flush();
    return 0;
  }

  /** Ends the verb once nothing can be written any more, which a print stream keeps to itself. */
  private static final class Checked extends FilterOutputStream {
    private final PrintStream printed;

    Checked(PrintStream printed) {
      super(printed);
      this.printed = printed;
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
      printed.write(bytes, from, count);
      if (printed.checkError()) {
        throw new Output.NotWrittenException();
      }
    }
  }
}
