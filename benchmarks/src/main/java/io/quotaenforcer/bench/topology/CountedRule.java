package io.quotaenforcer.bench.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.rules.RuleAdmin;
import io.quotaenforcer.enforcer.rules.RulesTopic;
import io.quotaenforcer.lab.process.QuotaProgram;
import io.quotaenforcer.schemas.topic.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The one rule by which is counted: of the default kind, and so high that nobody is throttled. */
final class CountedRule {
  static final long PERMITS = 1_000_000_000L;

  private static final RuleId ID = new RuleId("bench", "posts-per-user");
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);
  private static final String TEXT =
      """
      domain: bench
      rules:
        - {id: posts-per-user, match: {api: "POST /posts"}, key: [user], limit: {permits: %d, per: 1s}}
      """
          .formatted(PERMITS);

  private CountedRule() {}

  /** The rule in the eyes of an instance that nobody else knows. */
  static Rule rule() {
    return Rule.of(ID, List.of("user"), new SlidingWindow(PERMITS, NANOS_PER_SECOND))
        .withVersion(1, 1);
  }

  static QuotaKey key(int user) {
    return QuotaKey.of(ID, List.of(user(user)));
  }

  static String user(int user) {
    return "user-" + user;
  }

  /**
   * Creates the topics, and puts the rule in force.
   *
   * @return the rule as it was published: what is reported of another generation is counted, but
   *     granted nothing
   */
  static Rule publish(Path folder, String bootstrapServers, Wire wire) throws IOException {
    String server = "--bootstrap-server=" + bootstrapServers;
    QuotaProgram.run("topics", "create", "--partitions=" + TopologyScale.PARTITIONS, server);
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(rules, TEXT);
    QuotaProgram.run("rules", "apply", rules.toString(), server);
    Map<String, Object> kafka = Map.of("bootstrap.servers", bootstrapServers);
    return new RuleAdmin(RulesTopic.inKafka(kafka, wire, READ_TIMEOUT)).get(ID);
  }
}
