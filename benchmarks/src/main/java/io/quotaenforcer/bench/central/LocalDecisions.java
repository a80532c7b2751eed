package io.quotaenforcer.bench.central;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.QuotaHandle;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.embedded.EmbeddedCluster;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * An admission client with its enforcer and a broker, all in this process: what they do in the
 * background is done beside the decisions that are measured.
 */
final class LocalDecisions implements AutoCloseable {
  private static final String DOMAIN = "bench";
  private static final RuleId RULE = new RuleId(DOMAIN, "posts-per-user");
  private static final int MAX_INSTANCES = 1;
  private static final Duration RULES_TIMEOUT = Duration.ofSeconds(20);

  private final EmbeddedCluster cluster;
  private final AdmissionClient client;
  private final QuotaHandle[] handles;
  private final Request[] requests;

  private LocalDecisions(EmbeddedCluster cluster, AdmissionClient client) {
    this.cluster = cluster;
    this.client = client;
    this.handles =
        IntStream.range(0, Users.COUNT)
            .mapToObj(user -> client.handle(RULE.toString(), Users.name(user)))
            .toArray(QuotaHandle[]::new);
    this.requests =
        IntStream.range(0, Users.COUNT).mapToObj(LocalDecisions::request).toArray(Request[]::new);
  }

  /** Returns when the client has the rule. */
  static LocalDecisions start(Allowance allowance) throws InterruptedException {
    FixedWindow limit =
        new FixedWindow(
            allowance.permits(), TimeUnit.MILLISECONDS.toNanos(allowance.periodMillis()));
    Rule rule = Rule.of(RULE, List.of("user"), limit).withVersion(1, 1);
    EmbeddedCluster cluster =
        EmbeddedCluster.start(
            MAX_INSTANCES, List.of(rule), EmbeddedCluster.settings(Clocks.system().epochNanos()));
    try {
      AdmissionClient client =
          AdmissionClient.builder()
              .bootstrapServers(cluster.bootstrapServers())
              .domains(DOMAIN)
              .build();
      if (!client.awaitRules(RULES_TIMEOUT)) {
        client.close();
        throw new IllegalStateException("the client has no rules after " + RULES_TIMEOUT);
      }
      return new LocalDecisions(cluster, client);
    } catch (RuntimeException | InterruptedException e) {
      cluster.close();
      throw e;
    }
  }

  boolean byHandle(int user) {
    return handles[user].tryAcquire();
  }

  boolean byRequest(int user) {
    return client.decide(requests[user]).admitted();
  }

  boolean byNewRequest(int user) {
    return client.decide(request(user)).admitted();
  }

  static Map<String, Object> configuration() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("rule", "balanced, fixed window, one attribute in its key, matches every request");
    json.put("instances", 1);
    json.put("maxInstances", MAX_INSTANCES);
    json.put("where", "client, enforcer and broker in the process that measures");
    json.put("clientSettings", "defaults");
    return json;
  }

  @Override
  public void close() {
    client.close();
    cluster.close();
  }

  private static Request request(int user) {
    return Request.of("user", Users.name(user), "api", "POST /posts");
  }
}
