package io.quotaenforcer.bench.gateway.served;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * {@code redis-server}, where it is installed.
 *
 * @param file that is run
 */
public record RedisProgram(Path file) {
  private static final String NAME = "redis-server";

  /** The advice where none is installed. */
  public static final String HOW_TO_INSTALL =
      "no redis-server on the PATH; on Debian and Ubuntu, as root: apt-get install redis-server"
          + " (and systemctl disable --now redis-server: this command starts its own)";

  /**
   * Looks for it.
   *
   * @param searchPath folders, as the environment variable {@code PATH} has them
   */
  public static Optional<RedisProgram> find(String searchPath) {
    return Arrays.stream(searchPath.split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder).resolve(NAME))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst()
        .map(RedisProgram::new);
  }
}
