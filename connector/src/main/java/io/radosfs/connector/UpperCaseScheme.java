// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;

/**
 * Says that {@code RADOS://} is written {@code rados://}. Hadoop compares the names of schemes
 * letter by letter, and would only say that it knows no such file system.
 */
public final class UpperCaseScheme extends RadosFileSystem {

  private static final String SCHEME = "RADOS";

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public void initialize(URI uri, Configuration given) throws IOException {
    throw new IOException(
        uri + ": write the scheme in lower case, " + SCHEME.toLowerCase(Locale.ROOT) + "://");
  }
}
