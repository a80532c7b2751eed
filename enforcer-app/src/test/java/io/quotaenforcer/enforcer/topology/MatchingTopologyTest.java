package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.rules.RuleFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Overrides and keys of networks from the rule file over the wire to decisions: clients and the
 * enforcer find the same quota keys and limits, each by itself.
 */
class MatchingTopologyTest {
  private static final RuleId ID = new RuleId("posts", "per-client");
  private static final Duration STEP = Duration.ofMillis(10);
  private static final String FILE =
      """
      domain: posts
      rules:
        - id: per-client
          match: {api: "/users/*/posts"}
          key: [user, {attribute: ip, ipv4-prefix: 24, ipv6-prefix: 64}]
          limit: {permits: 20, per: 1h, algorithm: fixed-window}
          enforcement: strict
          overrides:
            - {key: {user: "bot-*"}, deny: true}
            - {key: {user: "bot-good"}, limit: {permits: 7}}
            - {key: {ip: {cidr: 10.0.0.0/8}}, limit: {permits: 3}}
            - {key: {user: {regex: "probe[0-9]"}}, exempt: true}
      """;

  @TempDir Path state;

  private TopologyFixture topology;
  private Instance first;
  private Instance second;

  @BeforeEach
  void start() {
    Rule read = ((RuleFile.Valid) RuleFile.parse("rules.yaml", FILE)).rules().get(0);
    topology = new TopologyFixture(state);
    Rule rule = topology.wire.decodeRule(topology.wire.encode(read.withVersion(1, 1), 0));
    topology.rules.post(RuleSet.of(List.of(rule)));
    first = new Instance("first", rule);
    second = new Instance("second", rule);
  }

  @AfterEach
  void stop() {
    topology.close();
  }

  @Test
  void addressesOfANetwork_atTwoInstances_shareOneLimit() {
    assertThat(admitted("alice", "203.0.113.7", "::ffff:203.0.113.200")).isEqualTo(20);
    assertThat(topology.counted())
        .containsOnlyKeys(QuotaKey.of(ID, List.of("alice", "203.0.113.0/24")));
    assertThat(admitted("alice", "2001:db8::1", "2001:db8::ffff:0:0:1")).isEqualTo(20);
    assertThat(admitted("alice", "unknown", "unknown")).isEqualTo(20);
  }

  @Test
  void limitOfAnOverride_holdsAtBothInstancesTogether() {
    assertThat(admitted("alice", "10.1.2.3", "10.1.2.4")).isEqualTo(3);
    assertThat(admitted("bot-good", "192.0.2.1", "192.0.2.2")).isEqualTo(7);
  }

  @Test
  void exemptKey_isAdmittedAndNotCounted() {
    assertThat(admitted("probe1", "192.0.2.1", "192.0.2.2")).isEqualTo(200);
    assertThat(topology.counted()).isEmpty();
  }

  @Test
  void deniedKey_isThrottledOnly_andItsPermitsAreInTheMetrics() {
    assertThat(admitted("bot-bad", "192.0.2.1", "192.0.2.2")).isZero();
    assertThat(first.granted + second.granted).isZero();
    assertThat(
            topology
                .registry
                .get("quota.permits.throttled")
                .tags("rule", ID.id())
                .counter()
                .count())
        .isEqualTo(200);
  }

  @Test
  void requestOfAnotherForm_isNotMatched() {
    Decision decision = first.decide(Request.of("api", "/users/7", "user", "alice", "ip", "::1"));
    assertThat(decision).isInstanceOf(Decision.Unmatched.class);
  }

  /** Admissions among two hundred requests within two seconds, at two instances in turn. */
  private int admitted(String user, String ip, String otherIp) {
    int admitted = 0;
    for (int i = 0; i < 200; i++) {
      Instance at = i % 2 == 0 ? first : second;
      String address = i % 2 == 0 ? ip : otherIp;
      Request request = Request.of("api", "/users/7/posts", "user", user, "ip", address);
      admitted += at.decide(request).admitted() ? 1 : 0;
      step();
    }
    for (int i = 0; i < 100; i++) {
      step();
    }
    return admitted;
  }

  private void step() {
    first.report();
    second.report();
    topology.run(STEP);
    for (QuotaSnapshot snapshot : topology.snapshots()) {
      (snapshot.instance().equals("first") ? first : second).receive(snapshot);
    }
  }

  private final class Instance {
    private final String name;
    private final AllotmentBook book = new AllotmentBook(BookSettings.defaults(), 10, 0);
    private long granted;

    Instance(String name, Rule rule) {
      this.name = name;
      book.applyPrefix(new PrefixInfo(1, QuotaKey.HASH_VERSION, 10), topology.epochNanos());
      book.applyRules(RuleSet.of(List.of(rule)), topology.epochNanos());
    }

    Decision decide(Request request) {
      return book.decide(request, topology.epochNanos());
    }

    void report() {
      long now = topology.epochNanos();
      for (PartitionReport report : book.reports(now)) {
        topology.send(
            topology.wire.topics().usage().name(),
            name.getBytes(StandardCharsets.UTF_8),
            topology.wire.encode(
                new UsageReport(name, 1, now, report.loopNanos(), 0, report.quotas())));
      }
    }

    void receive(QuotaSnapshot snapshot) {
      granted +=
          snapshot.quotas().stream()
              .flatMap(answer -> answer.cells().stream())
              .mapToLong(cell -> cell.granted())
              .sum();
      book.applySnapshot(snapshot, topology.epochNanos());
    }
  }
}
