package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Limits of requests that run at a time, in rule files. */
class RuleFileSlotsTest {
  private static final long SECOND = 1_000_000_000L;

  private static Rule rule(String fields) {
    String text = "domain: d\nrules:\n  - id: r\n    key: [tenant]\n" + fields;
    return ((RuleFile.Valid) RuleFile.parse("f", text)).rules().get(0);
  }

  @Test
  void slots_areStrict_unlessSaid() {
    Rule rule = rule("    limit: {concurrent: 20, max-hold: 60s}\n");
    assertThat(rule.limit()).isEqualTo(new ConcurrencyLimit(20, 60 * SECOND));
    assertThat(rule.enforcement()).isEqualTo(Enforcement.STRICT);
    assertThat(rule.onUnavailable()).isEqualTo(OnUnavailable.DENY);
  }

  @Test
  void override_hasMaxHoldOfItsRule_unlessItGivesOne() {
    Rule rule =
        rule(
            "    limit: {concurrent: 20, max-hold: 60s}\n"
                + "    overrides:\n"
                + "      - {key: {tenant: big}, limit: {concurrent: 50}}\n"
                + "      - {key: {tenant: slow}, limit: {concurrent: 5, max-hold: 10m}}\n");
    assertThat(rule.limitOf(key(rule, "big"))).isEqualTo(new ConcurrencyLimit(50, 60 * SECOND));
    assertThat(rule.limitOf(key(rule, "slow"))).isEqualTo(new ConcurrencyLimit(5, 600 * SECOND));
  }

  private static QuotaKey key(Rule rule, String tenant) {
    return rule.quotaKeyOf(List.of(tenant));
  }

  @Test
  void slots_areWrittenAsTheyAreRead() {
    Rule rule = rule("    limit: {concurrent: 20, max-hold: 60s}\n");
    assertThat(LimitFields.text(rule.limit())).isEqualTo("{concurrent: 20, max-hold: 1m}");
  }

  @Test
  void explanation_saysHowManyRunAndWhatComesBackWhen() {
    String explained =
        RuleExplainer.of(rule("    limit: {concurrent: 20, max-hold: 60s}\n"), 8).toString();
    assertThat(explained)
        .contains("20 of them run at a time, each for up to 1m (slots)")
        .contains("slots of one that crashes are free 1m after its lease (2 s)")
        .doesNotContain("permits at hand");
  }
}
