package io.quotaenforcer.bench.central;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Optional;

/** The Redis of this machine; tests that need one are skipped, and say so, where there is none. */
final class InstalledRedis {
  private InstalledRedis() {}

  static RedisProgram orSkip() {
    Optional<RedisProgram> program = RedisProgram.find(System.getenv("PATH"));
    if (program.isEmpty()) {
      System.err.println("SKIPPED: " + RedisProgram.HOW_TO_INSTALL);
    }
    assumeTrue(program.isPresent(), RedisProgram.HOW_TO_INSTALL);
    return program.orElseThrow();
  }
}
