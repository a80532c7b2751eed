package io.quotaenforcer.bench.deferral;

import io.quotaenforcer.bench.process.QuotaProgram;
import io.quotaenforcer.core.RuleId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The rules of the run, applied as by {@code quota rules apply}. */
final class BenchRules {
  static final RuleId HELD = new RuleId("bench", "held");
  static final RuleId PROBED = new RuleId("bench", "probed");
  static final RuleId STEADY = new RuleId("bench", "steady");
  static final RuleId WINDOWED = new RuleId("bench", "windowed");

  /** Permits per second of {@link #STEADY} and {@link #WINDOWED}. */
  static final int RATE = 100;

  /** Permits per quota key while nothing but the first request is to be released. */
  static final int NEXT_TO_NONE = 1;

  /** Permits per quota key when everything is. */
  static final int ALL = 10_000_000;

  private static final String TEXT =
      """
      domain: bench
      rules:
        - id: held
          match: {api: held}
          key: [user]
          limit: {permits: %d, per: 30d, algorithm: fixed-window}
          over-limit: defer
          deferral: {unacknowledged: 100000, queue-length: 10000000, queue-bytes: 64GiB}
        - id: probed
          match: {api: probed}
          key: [user]
          limit: {permits: 1000, per: 1s, algorithm: fixed-window}
          over-limit: defer
          deferral: {unacknowledged: 100000}
        - id: steady
          match: {api: steady}
          limit: {permits: %d, per: 1s, algorithm: token-bucket}
          over-limit: defer
          deferral: {unacknowledged: 100000, release: steady}
        - id: windowed
          match: {api: windowed}
          limit: {permits: %d, per: 1s, algorithm: fixed-window}
          over-limit: defer
          deferral: {unacknowledged: 100000}
      """;

  private final Path file;
  private final String bootstrapServers;

  BenchRules(Path folder, String bootstrapServers) {
    this.file = folder.resolve("rules.yaml");
    this.bootstrapServers = bootstrapServers;
  }

  /**
   * Applies them.
   *
   * @param permits of each quota key of {@link #HELD}
   */
  void apply(int permits) throws IOException {
    Files.writeString(file, TEXT.formatted(permits, RATE, RATE));
    QuotaProgram.run("rules", "apply", file.toString(), "--bootstrap-server=" + bootstrapServers);
  }
}
