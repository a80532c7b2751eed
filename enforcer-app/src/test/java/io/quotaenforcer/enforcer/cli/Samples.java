package io.quotaenforcer.enforcer.cli;

import java.nio.file.Path;

/** What the repository has for users to try. */
final class Samples {
  private static final Path FOLDER = Path.of("..", "topology-docs", "samples");
  static final Path LOG = FOLDER.resolve("access.log.gz");
  static final Path RULES = FOLDER.resolve("access-rules.yaml");

  private Samples() {}
}
