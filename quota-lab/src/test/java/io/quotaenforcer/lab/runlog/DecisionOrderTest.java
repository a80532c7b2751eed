package io.quotaenforcer.lab.runlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.runlog.DecisionOrder.Asked;
import io.quotaenforcer.lab.verdict.KeyTable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionOrderTest {
  private static final Rule RULE =
      Rule.of(new RuleId("web", "all"), List.of(), new FixedWindow(5, 60_000_000_000L));

  private final List<String> passed = new ArrayList<>();
  private long now = 100;
  private final DecisionOrder order =
      new DecisionOrder(
          new KeyTable(List.of(RULE)),
          (stamp, instance, key, cost, source, window) ->
              passed.add(
                  stamp
                      + " "
                      + instance
                      + " "
                      + (source == PermitSource.NONE ? "throttled " : "admitted ")
                      + cost),
          () -> now);

  @Test
  void decisions_outOfOrder_arePassedByStamp() {
    Asked slow = order.ask(0, 1);
    now = 110;
    Asked quick = order.ask(1, 2);
    now = 120;
    order.decided(quick, admitted(115));

    assertThat(order.drain()).isFalse();
    assertThat(passed).isEmpty();
    order.decided(slow, throttled(112));

    assertThat(order.drain()).isTrue();
    assertThat(passed).containsExactly("112 0 throttled 1", "115 1 admitted 2");
  }

  @Test
  void decisions_beforeAnUndecidedRequest_arePassed() {
    Asked first = order.ask(0, 1);
    order.decided(first, admitted(105));
    now = 110;
    Asked second = order.ask(0, 1);

    assertThat(order.drain()).isFalse();
    assertThat(passed).containsExactly("105 0 admitted 1");
    now = 130;

    assertThat(order.decided(second, admitted(120))).isEqualTo(20);
  }

  @Test
  void decision_unmatched_passesNothing() {
    order.decided(order.ask(0, 1), new Decision.Unmatched());

    assertThat(order.drain()).isTrue();
    assertThat(passed).isEmpty();
  }

  @Test
  void decision_ruleInShadowModeWithoutRoom_isThrottledByIt() {
    RuleDecision shadow = by(105, 60);

    order.decided(order.ask(0, 1), new Decision.Admitted(shadow, List.of(shadow, by(105, 0))));
    now = 110;
    order.drain();

    assertThat(passed).containsExactly("105 0 throttled 1", "105 0 admitted 1");
  }

  private static Decision admitted(long atNanos) {
    return new Decision.Admitted(by(atNanos, 0), List.of(by(atNanos, 0)));
  }

  private static Decision throttled(long atNanos) {
    return new Decision.Throttled(by(atNanos, 60));
  }

  private static RuleDecision by(long atNanos, long retryAfterNanos) {
    QuotaKey key = QuotaKey.of(RULE.id(), List.of());
    return RuleDecision.builder(key, RULE.limit(), atNanos)
        .remaining(1)
        .resetNanos(1)
        .retryAfterNanos(retryAfterNanos)
        .known(true)
        .build();
  }
}
