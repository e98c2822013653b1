// SPDX-License-Identifier: Apache-2.0
package io.radosfs.suites;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSMainOperationsBaseTest;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystemContractBaseTest;
import org.apache.hadoop.fs.Path;
import org.junit.Before;
import org.junit.Ignore;
import org.junit.Test;

/** Hadoop's older suites of the FileSystem API. */
public final class FileSystemSuites {

  private static final String NOT_ENFORCED =
      "permissions are kept, not enforced: the capabilities of the Ceph user are";

  private FileSystemSuites() {}

  private static FileSystem fileSystem() throws IOException {
    return FileSystem.newInstance(SuitePool.uri(), SuitePool.configure(new Configuration()));
  }

  public static class FileSystemContract extends FileSystemContractBaseTest {
    @Before
    public void setUp() throws IOException {
      fs = fileSystem();
    }
  }

  public static class MainOperations extends FSMainOperationsBaseTest {
    @Override
    protected FileSystem createFileSystem() throws IOException {
      return fileSystem();
    }

    @Override
    protected Path getDefaultWorkingDirectory() throws IOException {
      return fSys.getHomeDirectory();
    }

    @Test
    @Ignore(NOT_ENFORCED)
    @Override
    public void testListStatusThrowsExceptionForUnreadableDir() {}

    @Test
    @Ignore(NOT_ENFORCED)
    @Override
    public void testGlobStatusThrowsExceptionForUnreadableDir() {}
  }
}
