package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.core.Ending;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.match.Matcher;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class CountWhenTest {
  private static final long CHARGED = 3;
  private static final CountWhen UNAUTHORISED = when("status", new Matcher.Exact("401"));

  private static CountWhen when(String attribute, Matcher matcher) {
    return new CountWhen(Map.of(attribute, matcher));
  }

  @Test
  void counts_outcomeThatMeetsAllConditions_andNoOther() {
    CountWhen both =
        new CountWhen(
            Map.of("status", new Matcher.Prefix("4"), "realm", new Matcher.Exact("staff")));

    assertThat(both.counts(Map.of("status", "401", "realm", "staff"))).isTrue();
    assertThat(both.counts(Map.of("status", "200", "realm", "staff"))).isFalse();
    assertThat(both.counts(Map.of("status", "401", "realm", "guest"))).isFalse();
  }

  @Test
  void counts_attributeThatIsNotTold_unlessAskedWhetherItIsThere() {
    assertThat(UNAUTHORISED.counts(Map.of("code", "200"))).isTrue();
    assertThat(when("status", new Matcher.Regex(Pattern.compile("4.."))).counts(Map.of())).isTrue();
    assertThat(when("error", new Matcher.Any()).counts(Map.of())).isFalse();
    assertThat(when("error", new Matcher.Any()).counts(Map.of("error", "locked"))).isTrue();
    assertThat(when("token", new Matcher.Absent()).counts(Map.of())).isTrue();
    assertThat(when("token", new Matcher.Absent()).counts(Map.of("token", "t"))).isFalse();
  }

  @Test
  void counts_valueThatIsTooAwkwardToTry() {
    CountWhen slow = when("error", new Matcher.Regex(Pattern.compile("(a|b)+c")));

    assertThat(slow.counts(Map.of("error", "a".repeat(10_000)))).isTrue();
  }

  @Test
  void permits_byHowARequestEnded() {
    assertThat(UNAUTHORISED.permits(told("401"), CHARGED)).isEqualTo(2);
    assertThat(UNAUTHORISED.permits(told("200"), CHARGED)).isZero();
    assertThat(UNAUTHORISED.permits(new Ending.Cost(2), CHARGED)).as("not told").isEqualTo(2);
    assertThat(UNAUTHORISED.permits(new Ending.Cost(0), CHARGED)).as("did not run").isZero();
    assertThat(UNAUTHORISED.permits(new Ending.Abandoned(), CHARGED)).isEqualTo(CHARGED);
  }

  @Test
  void permits_ofARuleThatCountsAlways_isTheCost() {
    assertThat(CountWhen.ALWAYS.permits(told("200"), CHARGED)).isEqualTo(2);
    assertThat(CountWhen.ALWAYS.permits(new Ending.Cost(2), CHARGED)).isEqualTo(2);
    assertThat(CountWhen.ALWAYS.permits(new Ending.Abandoned(), CHARGED)).isZero();
  }

  private static Ending told(String status) {
    return new Ending.Told(2, Map.of("status", status));
  }

  @Test
  void ruleOfSlotsOrThatDefers_isRefused() {
    RuleId id = new RuleId("logins", "failures");
    Rule slots = Rule.of(id, List.of("account"), new ConcurrencyLimit(5, 1_000_000_000L));
    Rule window =
        Rule.of(id, List.of("account"), new FixedWindow(5, 1_000_000_000L)).withCount(UNAUTHORISED);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> slots.withCount(UNAUTHORISED))
        .withMessageStartingWith("must be every request for a concurrency limit: count=");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> window.withOverLimit(OverLimit.Defer.DEFAULTS))
        .withMessageStartingWith("must not defer where requests count by their outcome");
  }
}
