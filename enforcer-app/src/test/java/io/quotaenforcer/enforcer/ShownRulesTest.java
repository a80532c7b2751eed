package io.quotaenforcer.enforcer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.logging.CapturedLog;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rules whose metrics cannot be shown are followed all the same. */
class ShownRulesTest {
  private static final String SAID =
      "ERROR metrics do not show the rules in force; these are followed all the same";

  @RegisterExtension final CapturedLog log = new CapturedLog(ShownRules.class);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private String refused = "";

  private ShownRules shown() {
    registry
        .config()
        .meterFilter(
            new MeterFilter() {
              @Override
              public Meter.Id map(Meter.Id id) {
                if (id.getName().equals(refused)) {
                  throw new IllegalStateException("as a test wants");
                }
                return id;
              }
            });
    return new ShownRules(new EnforcerMetrics(registry));
  }

  private static RuleSet rules(String id) {
    return RuleSet.of(
        List.of(
            Rule.of(
                new RuleId("posts", id), List.of("user"), new FixedWindow(10, 1_000_000_000L))));
  }

  private double unreadable() {
    return registry.get("quota.rules.unreadable").gauge().value();
  }

  @Test
  void bounds_andUnreadableRules_areShown() {
    shown().show(rules("a"), 10, 2);

    assertThat(registry.get("quota.bound").tag("rule", "a").gauges()).hasSize(2);
    assertThat(unreadable()).isEqualTo(2);
    assertThat(log.said()).isEmpty();
  }

  @Test
  void bounds_thatCannotBeShown_keepNothingElseFromIt_andAreSaidOnceInARow() {
    ShownRules shown = shown();
    refused = "quota.bound";

    shown.show(rules("a"), 10, 1);
    assertThat(unreadable()).isEqualTo(1);
    shown.show(rules("b"), 10, 3);
    assertThat(unreadable()).isEqualTo(3);
    assertThat(log.said()).containsExactly(SAID);

    refused = "";
    shown.show(rules("c"), 10, 0);
    assertThat(registry.get("quota.bound").tag("rule", "c").gauges()).hasSize(2);
    refused = "quota.bound";
    shown.show(rules("d"), 10, 0);
    assertThat(log.said()).containsExactly(SAID, SAID);
  }
}
