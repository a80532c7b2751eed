package io.quotaenforcer.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(90)
class TemporaryFolderTest {
  private static final int FILES = 3_000;

  @Test
  void closed_removesWhatIsInIt_onceAndAgain() throws Exception {
    TemporaryFolder folder = TemporaryFolder.create("quota-test-");
    Path inside = Files.createDirectories(folder.path().resolve("a/b"));
    Files.writeString(inside.resolve("c"), "d");

    folder.close();
    assertThat(folder.path()).doesNotExist();
    folder.close();
  }

  @Test
  void closed_whileSomethingStillWrites_isRemovedOnceThatHasStopped() throws Exception {
    TemporaryFolder folder = TemporaryFolder.create("quota-test-");
    Path inside = folder.path().resolve("late");
    CountDownLatch begun = new CountDownLatch(1);
    Thread late =
        new Thread(
            () -> {
              for (int i = 0; i < FILES; i++) {
                write(inside, i);
                begun.countDown();
              }
            });
    late.start();
    begun.await();

    folder.close();
    late.join();
    folder.close();
    assertThat(folder.path()).doesNotExist();
  }

  /** Like a store that makes its folder anew. */
  private static void write(Path folder, int number) {
    try {
      Files.writeString(Files.createDirectories(folder).resolve("f" + number), "");
    } catch (IOException gone) {
      // Removed in between: what the test is about.
      return;
    }
  }
}
