package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PenaltyTermsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final long DAY = 24 * 60 * MINUTE;
  private static final PenaltyTerms TERMS = new PenaltyTerms(5, MINUTE, 10 * MINUTE, 2, DAY);
  private static final Limit LIMIT = new FixedWindow(100, 10 * SECOND);

  private static Rule rule(Limit limit) {
    return Rule.of(new RuleId("test", "rule"), List.of("user"), limit);
  }

  @ParameterizedTest
  @CsvSource({"1, 10", "2, 20", "3, 40", "8, 1280", "9, 1440", "1000, 1440"})
  void furtherOnes_areLonger_upToTheLongest(int inARow, long minutes) {
    assertThat(TERMS.lengthNanos(inARow)).isEqualTo(minutes * MINUTE);
  }

  @Test
  void factorOfOne_keepsTheLength() {
    PenaltyTerms same = new PenaltyTerms(5, MINUTE, 10 * MINUTE, 1, DAY);
    assertThat(same.lengthNanos(1)).isEqualTo(10 * MINUTE);
    assertThat(same.lengthNanos(1_000)).isEqualTo(10 * MINUTE);
  }

  @Test
  void largestFactorAndLength_doNotOverflow() {
    PenaltyTerms most = new PenaltyTerms(1, SECOND, 7 * DAY - 1, 100, 7 * DAY);
    assertThat(most.lengthNanos(Integer.MAX_VALUE)).isEqualTo(7 * DAY);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1, 1, 1, penalty.after=0",
    "1000001, 1, 1, 1, 1, penalty.after=1000001",
    "1, 0, 1, 1, 1, penalty.withinNanos=0",
    "1, 86401, 1, 1, 1, penalty.withinNanos=86401000000000",
    "1, 1, 0, 1, 1, penalty.forNanos=0",
    "1, 1, 604801, 1, 604801, penalty.forNanos=604801000000000",
    "1, 1, 1, 0, 1, penalty.factor=0",
    "1, 1, 1, 101, 1, penalty.factor=101",
    "1, 1, 2, 1, 1, penalty.upToNanos=1000000000",
    "1, 1, 1, 1, 604801, penalty.upToNanos=604801000000000"
  })
  void valueOutOfBounds_isRefusedByName(
      int after, long within, long first, int factor, long upTo, String named) {
    assertThatThrownBy(
            () -> new PenaltyTerms(after, within * SECOND, first * SECOND, factor, upTo * SECOND))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named);
  }

  @Test
  void rulesThatCanHaveNone_areRefused() {
    assertThatThrownBy(() -> rule(new ConcurrencyLimit(5, MINUTE)).withPenalty(TERMS))
        .hasMessageContaining("must be none for a concurrency limit");
    assertThatThrownBy(
            () -> rule(LIMIT).withEnforcement(Enforcement.PER_INSTANCE).withPenalty(TERMS))
        .hasMessageContaining("must be none where each instance keeps to a limit of its own");
    assertThatThrownBy(() -> rule(LIMIT).withElastic(new Elastic("all", 20_000)).withPenalty(TERMS))
        .hasMessageContaining("must be none where permits beyond the limit are borrowed");
    assertThatThrownBy(() -> rule(LIMIT).withOverLimit(OverLimit.Defer.DEFAULTS).withPenalty(TERMS))
        .hasMessageContaining("must be none where requests over the limit are deferred");
  }

  @Test
  void otherChangesOfARule_keepIt() {
    Rule rule = rule(LIMIT).withPenalty(TERMS);
    assertThat(rule.withStatus(403).withMode(Mode.SHADOW).withLimit(new FixedWindow(5, SECOND)))
        .extracting(Rule::penalty)
        .isEqualTo(rule.penalty());
    assertThat(rule.penalty()).contains(TERMS);
  }
}
