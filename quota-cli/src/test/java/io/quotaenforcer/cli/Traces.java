package io.quotaenforcer.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Real logs that are not part of this repository, in the directory that the property {@code
 * quota.traces} or the variable {@code QUOTA_TRACES} names, or beside the repository.
 */
public final class Traces {
  private Traces() {}

  /** The file of this name; without it the test is skipped. */
  public static Path require(String name) {
    String configured = System.getProperty("quota.traces", System.getenv("QUOTA_TRACES"));
    Path folder = configured != null ? Path.of(configured) : Path.of("..", "..", "shared", "data");
    Path file = folder.resolve(name);
    assumeTrue(
        Files.exists(file),
        () ->
            "SKIPPED: there is no real log "
                + file.toAbsolutePath().normalize()
                + "; name its directory by -Dquota.traces=DIR or QUOTA_TRACES");
    return file;
  }
}
