package io.quotaenforcer.client.internal.config;

import io.quotaenforcer.core.hash.HashKeyText;
import io.quotaenforcer.core.hash.HashKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the keys come from that values are hashed by: a text, or a file that is looked at again
 * each second, so that another key takes effect without a restart. A file that is wrong by then is
 * logged once, and the keys before go on. Safe for use by any thread.
 */
public final class HashKeySource {
  /** No keys. */
  public static final HashKeySource NONE = new HashKeySource(HashKeys.NONE);

  private static final Logger log = LoggerFactory.getLogger(HashKeySource.class);
  private static final long LOOK_NANOS = 1_000_000_000L;

  private final Optional<Path> file;
  private final LongSupplier clock;
  private volatile HashKeys keys;
  private volatile long lookedNanos;
  private String lastProblem = "";
  private Optional<State> lastState = Optional.empty();

  /** Changes when the file is written, or another one is put in its place. */
  private record State(FileTime modified, long bytes, Object file) {}

  private HashKeySource(HashKeys keys) {
    this.file = Optional.empty();
    this.clock = () -> 0;
    this.keys = keys;
  }

  private HashKeySource(Path file, LongSupplier clock) {
    this.file = Optional.of(file);
    this.clock = clock;
    this.lastState = state(file);
    this.keys = read(file);
    this.lookedNanos = clock.getAsLong();
  }

  /**
   * The keys that a text holds.
   *
   * @throws IllegalArgumentException that says what is wrong with it, and not what it says
   */
  public static HashKeySource ofText(String text) {
    return new HashKeySource(HashKeyText.parse(text));
  }

  /**
   * The keys in a file.
   *
   * @throws IllegalArgumentException that says what is wrong with it, and not what it says
   */
  public static HashKeySource ofFile(Path file) {
    return new HashKeySource(file, System::nanoTime);
  }

  /** On another clock, of monotonic nanoseconds. */
  static HashKeySource ofFile(Path file, LongSupplier clock) {
    return new HashKeySource(file, clock);
  }

  /** The keys of now. Looks at the file at most once a second. */
  public HashKeys current() {
    if (file.isPresent() && clock.getAsLong() - lookedNanos >= LOOK_NANOS) {
      look(file.get());
    }
    return keys;
  }

  private synchronized void look(Path path) {
    if (clock.getAsLong() - lookedNanos < LOOK_NANOS) {
      return;
    }
    lookedNanos = clock.getAsLong();
    Optional<State> state = state(path);
    if (state.isPresent() && state.equals(lastState)) {
      return;
    }
    try {
      HashKeys newer = read(path);
      if (!newer.equals(keys)) {
        log.info("values are hashed by the keys {} from now on, before: {}", newer, keys);
        keys = newer;
      }
      lastState = state;
      lastProblem = "";
    } catch (IllegalArgumentException e) {
      lastState = state;
      String problem = String.valueOf(e.getMessage());
      if (!problem.equals(lastProblem)) {
        lastProblem = problem;
        log.warn("hash.keys.file {}; values are still hashed by the keys {}", problem, keys);
      }
    }
  }

  private static HashKeys read(Path path) {
    String text;
    try {
      checkAccess(path);
      if (Files.size(path) > HashKeyText.MAX_CHARS) {
        throw new IllegalArgumentException(path + " is too large to hold hash keys");
      }
      text = Files.readString(path);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "cannot read %s (%s); let this process read it, and nobody else: chmod 400"
              .formatted(path, e.getClass().getSimpleName()),
          e);
    }
    try {
      return HashKeyText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
    }
  }

  private static void checkAccess(Path path) throws IOException {
    Set<PosixFilePermission> permissions;
    try {
      permissions = Files.getPosixFilePermissions(path);
    } catch (UnsupportedOperationException e) {
      return; // Without such permissions there is nothing to check.
    }
    if (permissions.contains(PosixFilePermission.OTHERS_READ)
        || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IllegalArgumentException(
          path
              + " can be read or written by everybody on this machine, who could tell values by it;"
              + " take that away: chmod o-rw (of a Kubernetes secret: defaultMode: 0440)");
    }
  }

  private static Optional<State> state(Path path) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      return Optional.of(
          new State(
              attributes.lastModifiedTime(),
              attributes.size(),
              Optional.ofNullable(attributes.fileKey())));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
