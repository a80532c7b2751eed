package io.quotaenforcer.cli;

import java.nio.file.Path;

/** Samples in the repository for users to try. */
public final class Samples {
  private static final Path FOLDER = Path.of("..", "topology-docs", "samples");
  public static final Path LOG = FOLDER.resolve("access.log.gz");
  public static final Path RULES = FOLDER.resolve("access-rules.yaml");

  private Samples() {}
}
