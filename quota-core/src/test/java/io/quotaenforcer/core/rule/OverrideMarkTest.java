package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.match.CidrBlock;
import io.quotaenforcer.core.match.Matcher;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class OverrideMarkTest {
  /** Processes of other versions know it: a change of this text is a break of the protocol. */
  @Test
  void mark_isTheHashOfTheConditionsInOrder() {
    assertThat(
            mark(
                Map.of(
                    "b", Matcher.ofText("a*c"),
                    "a", Matcher.ofText("x*"),
                    "c", new Matcher.Exact("v"),
                    "d", new Matcher.Regex(Pattern.compile("r+")),
                    "e", new Matcher.Cidr(CidrBlock.parse("10.0.0.0/8")))))
        .isEqualTo(
            QuotaKey.hash(
                "override\na prefix x\nb wildcard a*c\nc exact v\nd regex r+\ne cidr 10.0.0.0/8"));
  }

  private static String mark(Map<String, Matcher> key) {
    return OverrideMark.of(
        new RuleOverride(key, new OverrideEffect.Limited(new FixedWindow(1, 1_000_000_000L))));
  }
}
