package io.quotaenforcer.bench.gateway.served;

import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.rules.RuleFileLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The limits that all servers but one enforce: users who are never throttled, and users who nearly
 * are.
 */
final class Limits {
  static final long PAYING = 100_000;
  static final long FREE = 10;

  private static final String RULES =
      """
      domain: bench
      rules:
        - {id: paying, match: {plan: paying}, key: [user], limit: {permits: %d, per: 1s}}
        - {id: free, match: {plan: free}, key: [user], limit: {permits: %d, per: 1s}}
      """
          .formatted(PAYING, FREE);

  private static final String MAPPING =
      """
      attributes:
        user: "{header:X-User}"
        plan: "{header:X-Plan}"
        api: "{method} {path}"
      """;

  private Limits() {}

  static Path rules(Path folder) throws IOException {
    return Files.writeString(folder.resolve("rules.yaml"), RULES);
  }

  static Path mapping(Path folder) throws IOException {
    return Files.writeString(folder.resolve("mapping.yaml"), MAPPING);
  }

  /** Those of a file that {@link #rules} has written, as the first version of each. */
  static List<Rule> read(Path file) {
    return ((RuleFile.Valid) RuleFileLoader.load(file))
        .rules().stream().map(rule -> rule.withVersion(1, 1)).toList();
  }
}
