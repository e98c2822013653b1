// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import picocli.CommandLine.IVersionProvider;

/** The version of the jar. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {"radosfs " + (version == null ? "(not from a jar)" : version)};
  }
}
