package io.quotaenforcer.broker;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;

/** Folder for the records of an embedded broker. */
final class DataFolder {
  /** Least space for a new segment of Kafka, with its indexes. */
  private static final long ALMOST_FULL_BYTES = 4L << 20;

  /** Kafka's own lock comes too late: two brokers write to one log of metadata before it. */
  private static final String LOCK_FILE = "embedded-broker.lock";

  /** Files that a folder may hold and still count as empty. */
  private static final Set<String> HARMLESS = Set.of("lost+found", LOCK_FILE);

  private final Path path;
  private final boolean temporary;
  private @Nullable FileChannel lock;

  private DataFolder(Path path, boolean temporary) {
    this.path = path;
    this.temporary = temporary;
  }

  /** A folder that exists, is writable, has room and is not used by anyone else. */
  static DataFolder open(BrokerOptions options) {
    boolean temporary = options.dataFolder().isEmpty();
    Path path = temporary ? createTemporary() : options.dataFolder().get().toAbsolutePath();
    DataFolder folder = new DataFolder(path, temporary);
    try {
      Files.createDirectories(path);
      Files.delete(Files.createTempFile(path, "write-check", ".tmp"));
      folder.checkRoom(options.minFreeBytes());
      folder.checkForeign();
      folder.lock();
      folder.format();
      return folder;
    } catch (BrokerException e) {
      folder.release();
      throw e;
    } catch (Exception e) {
      folder.release();
      throw folder.unusable(e);
    }
  }

  Path path() {
    return path;
  }

  /** Likely cause in the folder of the broker's failure; null if none is found. */
  @Nullable String complaint() {
    try {
      Files.delete(Files.createTempFile(path, "write-check", ".tmp"));
      long free = Files.getFileStore(path).getUsableSpace();
      return free < ALMOST_FULL_BYTES ? full(free) : null;
    } catch (IOException e) {
      return unusable(e).getMessage();
    }
  }

  /** Unlocks the folder, or removes it if it is temporary. */
  void release() {
    try {
      FileChannel held = lock;
      if (held != null) {
        held.close();
      }
      if (temporary) {
        removeTree(path);
      }
    } catch (IOException e) {
      throw new BrokerException("cannot let go of the data folder " + path + ": " + e, e);
    }
  }

  private void checkRoom(long minFreeBytes) throws IOException {
    long free = Files.getFileStore(path).getUsableSpace();
    if (free < minFreeBytes) {
      throw new BrokerException(full(free));
    }
  }

  private String full(long freeBytes) {
    return "the disk of the broker's data folder "
        + path
        + " is full ("
        + (freeBytes >> 20)
        + " MB free): free some space, or choose another folder";
  }

  private BrokerException unusable(Exception cause) {
    return new BrokerException(
        "cannot use "
            + path
            + " as the broker's data folder ("
            + reason(cause)
            + "): choose a folder that can be written and holds nothing else",
        cause);
  }

  BrokerException taken(@Nullable Throwable cause) {
    return new BrokerException(
        "another broker uses the data folder " + path + ": stop it, or choose another folder",
        cause);
  }

  private static String reason(Exception cause) {
    String text = String.valueOf(cause.getMessage());
    return cause.getClass().getSimpleName() + ": " + text;
  }

  private boolean isFormatted() {
    return Files.exists(path.resolve("meta.properties"));
  }

  private void checkForeign() throws IOException {
    if (isFormatted()) {
      return;
    }
    try (var files = Files.list(path)) {
      List<Path> foreign =
          files.filter(file -> !HARMLESS.contains(file.getFileName().toString())).toList();
      if (!foreign.isEmpty()) {
        throw new IOException("it holds other files, such as " + foreign.get(0).getFileName());
      }
    }
  }

  private void lock() throws IOException {
    FileChannel channel = FileChannel.open(path.resolve(LOCK_FILE), CREATE, WRITE);
    try {
      if (channel.tryLock() != null) {
        lock = channel;
        return;
      }
    } catch (OverlappingFileLockException e) {
      // A broker of this process holds it.
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    throw taken(null);
  }

  private void format() throws Exception {
    if (isFormatted()) {
      return;
    }
    new Formatter()
        .setPrintStream(new PrintStream(PrintStream.nullOutputStream(), false))
        .setNodeId(BrokerProperties.NODE_ID)
        .setClusterId(Uuid.randomUuid().toString())
        .addDirectory(path.toString())
        .setMetadataLogDirectory(path.toString())
        .setControllerListenerName("CONTROLLER")
        .setReleaseVersion(MetadataVersion.latestProduction())
        .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
        .run();
  }

  private static Path createTemporary() {
    try {
      return Files.createTempDirectory("quota-broker-");
    } catch (IOException e) {
      throw new BrokerException(
          "cannot create a temporary folder for the broker in "
              + System.getProperty("java.io.tmpdir")
              + " ("
              + e.getMessage()
              + "): free some space there, or choose a data folder",
          e);
    }
  }

  private static void removeTree(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
              throws IOException {
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
