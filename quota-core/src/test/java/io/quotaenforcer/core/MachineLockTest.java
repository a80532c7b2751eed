package io.quotaenforcer.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks of files exclude processes, so that there must be some. */
class MachineLockTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @TempDir Path folder;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void endAll() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  /** Goes in, says so by a file, and stays there until it is killed. */
  public static final class Visitor {
    private Visitor() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
      Path folder = Path.of(arguments[0]);
      MachineLock lock = new MachineLock(folder, Boolean.parseBoolean(arguments[1]));
      Files.createFile(folder.resolve(arguments[2] + ".begun"));
      lock.enter();
      Files.createFile(folder.resolve(arguments[2]));
      Thread.currentThread().join();
    }
  }

  private Process visitor(boolean alone, String name) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Visitor.class.getName(),
                folder.toString(),
                String.valueOf(alone),
                name)
            .inheritIO()
            .start();
    processes.add(process);
    await().atMost(TIMEOUT).until(() -> Files.exists(folder.resolve(name + ".begun")));
    return process;
  }

  private boolean someoneIsAtTheGate() throws IOException {
    try (FileChannel gate =
            FileChannel.open(folder.resolve("gate.lock"), StandardOpenOption.WRITE);
        FileLock passed = gate.tryLock()) {
      return passed == null;
    }
  }

  private boolean isIn(String name) {
    return Files.exists(folder.resolve(name));
  }

  private void awaitIn(String name) {
    await(name).atMost(TIMEOUT).until(() -> isIn(name));
  }

  @Test
  void whoIsAlone_waitsForAllOthers_andLetsNobodyInBefore() throws Exception {
    Process first = visitor(false, "first");
    awaitIn("first");
    Process second = visitor(false, "second");
    awaitIn("second");
    Process alone = visitor(true, "alone");
    await("alone").atMost(TIMEOUT).until(this::someoneIsAtTheGate);
    visitor(false, "late");
    kill(first);
    await().during(Duration.ofMillis(300)).until(() -> !isIn("alone") && !isIn("late"));
    kill(second);
    awaitIn("alone");
    await().during(Duration.ofMillis(300)).until(() -> !isIn("late"));
    kill(alone);
    awaitIn("late");
  }

  @Test
  void whoEnteredTwice_leavesWithTheSecondTime() throws Exception {
    MachineLock lock = new MachineLock(folder, true);
    lock.enter();
    lock.enter();
    visitor(false, "other");
    lock.leave();
    await().during(Duration.ofMillis(300)).until(() -> !isIn("other"));
    lock.leave();
    awaitIn("other");
  }

  private static void kill(Process process) throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }
}
