package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralAnswer.Verdict;
import io.quotaenforcer.core.message.Replay;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The three forms of nginx' {@code limit_req zone=per-address burst=20}, at {@code rate=10r/s}:
 * what passes at once, what waits and leaves at the rate, and what is refused.
 */
class NginxRulesTest {
  private static final Request REQUEST = Request.of("address", "192.0.2.1");
  private static final QuotaKey KEY =
      QuotaKey.of(new RuleId("edge", "per-address"), List.of("192.0.2.1"));

  @TempDir Path state;

  @Test
  void nodelay_burstPassesAtOnce_andNothingWaits() {
    String rules =
        """
        domain: edge
        rules:
          - id: per-address
            key: [address]
            limit: {permits: 10, per: 1s, algorithm: leaky-bucket, burst: 20}
            enforcement: strict
        """;
    try (ServiceFixture service = new ServiceFixture(state, rules)) {
      List<Decision> decisions = service.at("00:00:01").decide(0, 30, REQUEST);
      assertThat(decisions).filteredOn(Decision::admitted).hasSize(21);
      assertThat(decisions).noneMatch(NginxRulesTest::isDeferrable);
    }
  }

  /** {@code burst=20 delay=8}. */
  @Test
  void delay_passesAPartOfTheBurst_letsTheNextLeaveAtTheRate_andRefusesTheRest() {
    try (ServiceFixture service = new ServiceFixture(state, waiting(8, 12))) {
      assertThat(passAtOnce(service)).isEqualTo(9);
      assertThat(handOver(service, 21)).isEqualTo(12);
      assertLeaveAtTheRate(service, 12);
    }
  }

  /** {@code burst=20} alone: what comes too early waits, but for one. */
  @Test
  void withoutDelay_nearlyTheWholeBurstLeavesAtTheRate() {
    try (ServiceFixture service = new ServiceFixture(state, waiting(1, 19))) {
      assertThat(passAtOnce(service)).isEqualTo(2);
      assertThat(handOver(service, 28)).isEqualTo(19);
      assertLeaveAtTheRate(service, 19);
    }
  }

  /** The one permit that there can be is the queue's own, and comes at the rate. */
  @Test
  void withoutAnyBurst_whatWaitsLeavesAtTheRate() {
    try (ServiceFixture service = new ServiceFixture(state, waiting(0, 20))) {
      assertThat(passAtOnce(service)).isEqualTo(1);
      assertThat(handOver(service, 29)).isEqualTo(20);
      assertLeaveAtTheRate(service, 20);
    }
  }

  private static String waiting(int burst, int queueLength) {
    return """
    domain: edge
    rules:
      - id: per-address
        key: [address]
        limit: {permits: 10, per: 1s, algorithm: leaky-bucket, burst: %d}
        enforcement: strict
        over-limit: defer
        deferral: {release: steady, queue-length: %d, replay-share: 100%%, unacknowledged: 20}
    """
        .formatted(burst, queueLength);
  }

  private static int passAtOnce(ServiceFixture service) {
    List<Decision> decisions = service.at("00:00:01").decide(0, 30, REQUEST);
    List<Decision> throttled = decisions.stream().filter(each -> !each.admitted()).toList();
    assertThat(throttled).allMatch(NginxRulesTest::isDeferrable);
    return decisions.size() - throttled.size();
  }

  private static boolean isDeferrable(Decision decision) {
    return decision instanceof Decision.Throttled throttled && throttled.deferrable();
  }

  /** How many of the requests may wait. */
  private static int handOver(ServiceFixture service, int requests) {
    for (int i = 0; i < requests; i++) {
      service.topology.tell(DeferralSamples.request("r" + i, KEY));
    }
    service.run(Duration.ofMillis(50));
    List<DeferralAnswer> answers = service.topology.deferralAnswers();
    assertThat(answers).hasSize(requests);
    return (int) answers.stream().filter(each -> each.verdict() == Verdict.ACCEPTED).count();
  }

  /** In order, and at no time more than has leaked by then. */
  private static void assertLeaveAtTheRate(ServiceFixture service, int waiting) {
    List<Replay> released = new ArrayList<>();
    for (int tenth = 1; tenth <= waiting + 5; tenth++) {
      service.run(Duration.ofMillis(100));
      released.addAll(service.topology.replays());
      // It looks each 50 ms, and asks for its permits some loops before.
      assertThat(released.size()).isBetween(Math.min(waiting, tenth - 4), tenth);
    }
    assertThat(released).hasSize(waiting);
    for (int i = 0; i < waiting; i++) {
      assertThat(released.get(i).id()).isEqualTo("r" + i);
    }
  }
}
