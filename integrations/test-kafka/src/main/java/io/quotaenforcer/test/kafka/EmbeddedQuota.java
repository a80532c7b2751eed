package io.quotaenforcer.test.kafka;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.embedded.EmbeddedCluster;
import io.quotaenforcer.rules.QuotaRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A broker, the topics and an enforcer in this process, on loopback and a free port: for tests that
 * a service does not only decide, but is counted. Safe for use by any number of threads.
 */
public final class EmbeddedQuota implements AutoCloseable {
  private static final int MAX_INSTANCES = 10;
  private static final Duration RULES_TIMEOUT = Duration.ofSeconds(30);

  private final EmbeddedCluster cluster;

  private EmbeddedQuota(EmbeddedCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Starts everything, and returns when the enforcer serves.
   *
   * @param yaml the text of a rule file
   * @throws IllegalArgumentException naming each problem of the rule file with its line
   */
  public static EmbeddedQuota start(String yaml) throws InterruptedException {
    List<Rule> rules = QuotaRules.parse(yaml).stream().map(rule -> rule.withVersion(1, 1)).toList();
    return new EmbeddedQuota(
        EmbeddedCluster.start(
            MAX_INSTANCES, rules, EmbeddedCluster.settings(EmbeddedQuota::epochNanos)));
  }

  private static long epochNanos() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  /** Address for clients: {@code 127.0.0.1:port}. */
  public String bootstrapServers() {
    return cluster.bootstrapServers();
  }

  /**
   * Starts a client that knows the rules; the caller's to close.
   *
   * @throws IllegalStateException if the rules do not come in time
   */
  public AdmissionClient client() throws InterruptedException {
    AdmissionClient client = AdmissionClient.builder().bootstrapServers(bootstrapServers()).build();
    if (client.awaitRules(RULES_TIMEOUT)) {
      return client;
    }
    client.close();
    throw new IllegalStateException("no rules within " + RULES_TIMEOUT + ": " + client.readiness());
  }

  /**
   * Waits until a number of permits of a rule is counted, over all its quota keys and the windows
   * that are kept.
   *
   * @param rule {@code domain/rule-id}
   * @return those that are counted then: fewer if the count stood still for ten seconds
   */
  public long awaitCounted(String rule, long permits) throws InterruptedException {
    RuleId id = RuleId.parse(rule);
    return cluster.awaitCounted(Map.of(id, permits)).getOrDefault(id, 0L);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
