package io.quotaenforcer.enforcer.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.AdaptStep;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LoadCondition;
import io.quotaenforcer.core.adapt.LoadScope;
import io.quotaenforcer.core.adapt.Lowering;
import io.quotaenforcer.core.adapt.Recovery;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.topology.TopologySettings;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Permits of queues under rules that do not defer any more. */
class ReplayPermitsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final RuleId ID = new RuleId("test", "deferring");
  private static final QuotaKey KEY = QuotaKey.of(ID, List.of("42"));
  private static final AdaptTerms HALF =
      AdaptTerms.of(
          1,
          new AdaptStep(
              LoadCondition.parse("cpu > 80%"),
              2 * SECOND,
              new Lowering.To(5_000),
              new Recovery.Even(1_000, SECOND)));

  /** Nobody answers what is reported. */
  private final ReplayPermits permits =
      new ReplayPermits(
          Wire.of("quota.", Codecs.withoutRegistry()),
          "replays-0",
          7,
          new OpenBox(),
          TopologySettings.defaults(1, LedgerSettings.defaults(10), () -> SECOND).deferral());

  private static Rule rule(Enforcement enforcement) {
    return Rule.of(ID, List.of("user"), new FixedWindow(10, SECOND))
        .withEnforcement(enforcement)
        .withVersion(2, 1);
  }

  private boolean takes(Rule rule) {
    permits.follow(RuleSet.of(List.of(rule)));
    return permits.of(rule, KEY).tryTake(1, permits.now(), permits.now()).isPresent();
  }

  @ParameterizedTest
  @EnumSource(Enforcement.class)
  void permits_thatNobodyGranted_areNotTaken(Enforcement enforcement) {
    assertThat(takes(rule(enforcement))).isFalse();
  }

  @Test
  void permits_whoseLimitFollowsTheLoadOfEachInstance_areAskedForAllTheSame() {
    Rule own = rule(Enforcement.PER_INSTANCE).withAdapt(HALF.withScope(LoadScope.INSTANCE));

    assertThat(takes(own)).isFalse();
  }
}
