package io.quotaenforcer.core;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Processes that may be in a room together, and those that are there alone. Who waits to be alone
 * lets nobody else in before; who ends leaves.
 */
public final class MachineLock {
  /** Channels stay open: closing any one of a file gives back all its locks. */
  private final FileChannel gate;

  private final FileChannel room;
  private final boolean alone;
  private @Nullable FileLock held;
  private int entered;

  /**
   * Of one process.
   *
   * @param folder of the files that all processes lock
   */
  public MachineLock(Path folder, boolean alone) throws IOException {
    Files.createDirectories(folder);
    this.gate = open(folder.resolve("gate.lock"));
    this.room = open(folder.resolve("room.lock"));
    this.alone = alone;
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /** Waits until it may be in, if it is not. Each time is matched by one {@link #leave}. */
  public synchronized void enter() throws IOException {
    if (entered == 0) {
      try (FileLock passing = gate.lock()) {
        held = room.lock(0, Long.MAX_VALUE, !alone);
      }
    }
    entered++;
  }

  /** Goes out, when it was called as often as {@link #enter}. */
  public synchronized void leave() throws IOException {
    if (--entered == 0 && held != null) {
      held.release();
      held = null;
    }
  }
}
