package io.quotaenforcer.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A new folder that is removed with its contents on close. */
public final class TemporaryFolder implements AutoCloseable {
  private static final long PATIENCE_NANOS = 5_000_000_000L;
  private static final long PAUSE_NANOS = 20_000_000;

  private final Path path;

  private TemporaryFolder(Path path) {
    this.path = path;
  }

  /** Throws UncheckedIOException if the folder cannot be created. */
  public static TemporaryFolder create(String prefix) {
    try {
      return new TemporaryFolder(Files.createTempDirectory(prefix));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a temporary folder", e);
    }
  }

  public Path path() {
    return path;
  }

  /**
   * Removes it. What stops late may go on writing to it for a while: that is waited for.
   *
   * @throws UncheckedIOException if it cannot be removed within five seconds
   */
  @Override
  public void close() {
    long begun = System.nanoTime();
    while (true) {
      try {
        remove();
        return;
      } catch (IOException e) {
        if (System.nanoTime() - begun > PATIENCE_NANOS) {
          throw new UncheckedIOException("cannot remove " + path, e);
        }
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void remove() throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> files = Files.walk(path)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (UncheckedIOException e) {
      // Something went away while it was looked at.
      throw e.getCause();
    }
  }
}
