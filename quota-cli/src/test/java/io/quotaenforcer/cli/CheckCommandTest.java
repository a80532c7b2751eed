package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.Readiness;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.ExitCode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CheckCommandTest {
  private static final FixedWindow LIMIT = new FixedWindow(5, 1_000_000_000L);
  private static final RuleId RULE = new RuleId("posts", "per-user");

  @Test
  void keyThatIsNotHeardOf_isNotSaidToHaveNothingLeft() {
    assertThat(CheckCommand.line(Decision.Admitted.by(List.of(decided(0))), decided(0)))
        .isEqualTo("admitted by posts/per-user/42: limit 5, remaining not known yet (granted)");
    assertThat(CheckCommand.line(new Decision.Throttled(decided(7)), decided(7)))
        .startsWith(
            "throttled by posts/per-user/42: limit 5, remaining not known yet, retry after");
  }

  @Test
  void penalty_isNamed_withItsEnd() {
    RuleDecision penalized =
        RuleDecision.builder(QuotaKey.parse("posts/per-user/42"), LIMIT, 0)
            .retryAfterNanos(600_000_000_000L)
            .reason(ThrottleReason.PENALTY)
            .build();
    assertThat(CheckCommand.line(new Decision.Throttled(penalized), penalized))
        .isEqualTo("throttled by posts/per-user/42: under a penalty, retry after 600.000 s");
  }

  @Test
  void attributes_thatNoRuleUses_areNamed() {
    RuleSet rules = RuleSet.of(List.of(Rule.of(RULE, List.of("user"), LIMIT)));

    assertThat(CheckCommand.notes(new Request(Map.of("usr", "42"), 1), rules))
        .containsExactly("no rule uses the attribute usr; did you mean user?");
    assertThat(CheckCommand.notes(new Request(Map.of("user", "42"), 1), rules)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1000000000001"})
  void cost_thatNoRequestCanHave_isRefusedAtOnce(String cost) {
    QuotaRun run = QuotaRun.of("check", "user=42", "--cost=" + cost);

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .startsWith("error: must be from 1 to 1000000000000: --cost=" + cost + "\n");
  }

  @Test
  void rulesThatAreNotKnown_areSaidWithWhy() {
    assertThat(CheckCommand.reason(new Readiness.NotYet("Kafka is away")))
        .isEqualTo("Kafka is away");
    assertThat(
            CheckCommand.reason(
                new Readiness.Incomplete(new TreeMap<>(Map.of("posts/a", "no schema")), false)))
        .isEqualTo("posts/a cannot be read: no schema");
  }

  private static RuleDecision decided(long retryAfterNanos) {
    return RuleDecision.builder(QuotaKey.parse("posts/per-user/42"), LIMIT, 0)
        .retryAfterNanos(retryAfterNanos)
        .known(false)
        .build();
  }

  @Test
  void source_ofPermits_isSaidInWords() {
    assertThat(CheckCommand.how(PermitSource.GRANTED, false)).isEqualTo(" (granted)");
    assertThat(CheckCommand.how(PermitSource.OPENING, false))
        .isEqualTo(" (opened by its own count)");
    assertThat(CheckCommand.how(PermitSource.DEGRADED, true)).isEqualTo(" (the enforcer is away)");
  }

  @Test
  void source_ofAThrottledRequest_isNone() {
    assertThat(CheckCommand.how(PermitSource.NONE, false)).isEmpty();
    assertThat(CheckCommand.how(PermitSource.NONE, true)).isEqualTo(" (the enforcer is away)");
  }

  @Test
  void source_grantedBeforeTheEnforcerWentAway_saysBoth() {
    assertThat(CheckCommand.how(PermitSource.GRANTED, true))
        .isEqualTo(" (granted; the enforcer is away)");
  }
}
