package io.quotaenforcer.core;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What tests do because they share a machine: those of other modules wait while a class of the JVMs
 * for tests of tag {@code alone} runs, and what a test waits for may take long. JUnit finds it by
 * its service file.
 */
public final class SharedMachine implements BeforeAllCallback, AfterAllCallback {
  /** Of waits that name no time of their own: for a machine that stands still for seconds. */
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private static final @Nullable MachineLock LOCK = lock();

  static {
    Awaitility.setDefaultTimeout(PATIENCE);
  }

  private static @Nullable MachineLock lock() {
    String folder = System.getProperty("machine.locks");
    if (folder == null) {
      return null;
    }
    try {
      return new MachineLock(Path.of(folder), Boolean.getBoolean("machine.alone"));
    } catch (IOException e) {
      throw new IllegalStateException("must be a folder that can be written: " + folder, e);
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    if (LOCK != null) {
      LOCK.enter();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (LOCK != null) {
      LOCK.leave();
    }
  }
}
