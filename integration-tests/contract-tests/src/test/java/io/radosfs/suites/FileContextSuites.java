// SPDX-License-Identifier: Apache-2.0
package io.radosfs.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FCStatisticsBaseTest;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextCreateMkdirBaseTest;
import org.apache.hadoop.fs.FileContextMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContextPermissionBase;
import org.apache.hadoop.fs.FileContextTestHelper;
import org.apache.hadoop.fs.FileContextURIBase;
import org.apache.hadoop.fs.FileContextUtilBase;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.After;
import org.junit.Before;
import org.junit.Ignore;
import org.junit.Test;

/** Hadoop's suites of FileContext. */
public final class FileContextSuites {

  private static final String NO_APPEND = "files are written once: there is no append";
  private static final Duration USAGE_TIMEOUT = Duration.ofSeconds(60);

  private FileContextSuites() {}

  private static FileContext fileContext() throws IOException {
    return FileContext.getFileContext(SuitePool.uri(), SuitePool.configure(new Configuration()));
  }

  public static class MainOperations extends FileContextMainOperationsBaseTest {
    @Before
    @Override
    public void setUp() throws Exception {
      fc = fileContext();
      super.setUp();
    }

    @Override
    protected Path getDefaultWorkingDirectory() throws IOException {
      return fc.getHomeDirectory();
    }

    /** As every file system but HDFS: there are no blocks. */
    @Override
    protected boolean listCorruptedBlocksSupported() {
      return false;
    }

    @Test
    @Ignore(NO_APPEND)
    @Override
    public void testCreateFlagAppendExistingFile() {}

    @Test
    @Ignore(NO_APPEND)
    @Override
    public void testCreateFlagCreateAppendExistingFile() {}

    @Test
    @Ignore(NO_APPEND)
    @Override
    public void testBuilderCreateAppendExistingFile() {}

    @Test
    @Ignore("opens a file that is being written, which is not there before it is closed")
    @Override
    public void testSetVerifyChecksum() {}
  }

  public static class CreateMkdir extends FileContextCreateMkdirBaseTest {
    @Before
    @Override
    public void setUp() throws Exception {
      fc = fileContext();
      super.setUp();
    }
  }

  public static class Uri extends FileContextURIBase {
    @Before
    @Override
    public void setUp() throws Exception {
      fc1 = fileContext();
      fc2 = fileContext();
      super.setUp();
    }

    /** A Ceph monitor hears some seconds later how much a pool holds. */
    @Test
    @Override
    public void testFileStatus() throws IOException {
      Path file = qualifiedPath("file", fc1);
      FileContextTestHelper.createFile(fc1, file);
      long end = System.nanoTime() + USAGE_TIMEOUT.toNanos();
      while (fc1.getFsStatus(file).getUsed() == 0 && System.nanoTime() < end) {
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      }
      super.testFileStatus();
    }
  }

  public static class Permission extends FileContextPermissionBase {
    @Override
    protected FileContext getFileContext() throws IOException {
      return fileContext();
    }
  }

  public static class Util extends FileContextUtilBase {
    @Before
    @Override
    public void setUp() throws Exception {
      fc = fileContext();
      super.setUp();
    }
  }

  public static class Statistics extends FCStatisticsBaseTest {
    @Before
    public void setUp() throws IOException {
      fc = fileContext();
      FileContext.clearStatistics();
      fc.mkdir(fileContextTestHelper.getTestRootPath(fc, "test"), FileContext.DEFAULT_PERM, true);
    }

    @After
    public void tearDown() throws IOException {
      fc.delete(fileContextTestHelper.getTestRootPath(fc, "test"), true);
    }

    @Override
    protected void verifyReadBytes(FileSystem.Statistics statistics) {
      // Once by read() and once by read(position, ...).
      assertThat(statistics.getBytesRead()).isEqualTo(2L * blockSize);
    }

    @Override
    protected void verifyWrittenBytes(FileSystem.Statistics statistics) {
      assertThat(statistics.getBytesWritten()).isEqualTo((long) blockSize * numBlocks);
    }

    @Override
    protected URI getFsUri() {
      return SuitePool.uri();
    }
  }
}
