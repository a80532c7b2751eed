package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.rule.Rule;
import org.junit.jupiter.api.Test;

class RuleExplanationTest {

  @Test
  void strict_isNeverOver_alsoWhenTheEnforcerIsAway() {
    RuleExplanation strict = explain("{permits: 1000, per: 1s}", "enforcement: strict");

    assertThat(text(strict, "bound")).isEqualTo("never over, whatever fails");
    assertThat(text(strict, "bound then")).isEqualTo("never over");
    assertThat(text(strict, "enforcer away")).endsWith("then everything is throttled");
    assertThat(strict.warnings()).isEmpty();
  }

  @Test
  void share_rule_saysHowLongItIsGoodFor_andWhatACrashKeepsFromOthers() {
    RuleExplanation divided =
        explain("{permits: 1000, per: 1s, algorithm: fixed-window}", "enforcement: strict");
    assertThat(text(divided, "enforcer away"))
        .startsWith("an instance goes on with its share, about what it is asked for steadily");
    assertThat(text(divided, "instance gone"))
        .contains("its share for share.term (30 s), and permits")
        .endsWith(
            "for rest.term (10 min), which are at most half the limit at all instances together");

    RuleExplanation leased =
        explain("{permits: 1000, per: 1h, algorithm: fixed-window}", "enforcement: strict");
    assertThat(text(leased, "enforcer away")).startsWith("permits at hand are spent first");
    assertThat(text(leased, "instance gone"))
        .contains("what is leased for 2 s, and permits that were left alone");

    RuleExplanation sliding = explain("{permits: 1000, per: 1h}", "enforcement: strict");
    assertThat(text(sliding, "instance gone")).contains("and permits that were left alone");
    RuleExplanation balanced = explain("{permits: 1000, per: 1h}", "enforcement: balanced");
    assertThat(text(balanced, "instance gone")).endsWith("what is leased for 2 s");
  }

  @Test
  void strict_fewerPermitsThanInstances_warns() {
    RuleExplanation few = explain("{permits: 9, per: 1s}", "enforcement: strict");

    assertThat(few.warnings()).singleElement().asString().startsWith("the limit is below");
  }

  @Test
  void balanced_worstCaseIsNamed_andIsNoReasonToWarn() {
    RuleExplanation whole = explain("{permits: 100, per: 1s}", "mode: enforce");
    assertThat(whole.warnings()).isEmpty();
    assertThat(text(whole, "enforcement")).contains("the whole limit of a key");
    assertThat(text(whole, "bound"))
        .isEqualTo(
            "at most 1,000 permits over the limit of a key in 1s (1,000 % of it): reached if all of"
                + " 10 instances open it at the same moment, each with 100");
  }

  @Test
  void balanced_partOfTheLimitOpens_theBoundIsLess() {
    RuleExplanation part = explain("{permits: 100, per: 1s}", "opening: 25%");
    assertThat(text(part, "enforcement")).contains("25 of 100 of a key");
    assertThat(text(part, "bound")).startsWith("at most 250 permits");
    RuleExplanation shared = explain("{permits: 100, per: 1s}", "opening: shared");
    assertThat(text(shared, "bound")).startsWith("at most 10 permits");
  }

  @Test
  void balanced_muchOfTheLimitIsAskedForInALoop_warns() {
    assertThat(explain("{permits: 100, per: 300ms}", "mode: enforce").warnings())
        .anyMatch(warning -> warning.contains("more than 10 % of the limit"));
  }

  @Test
  void allow_hasNoBound_andSaysSo() {
    RuleExplanation allow = explain("{permits: 1000, per: 1s}", "on-unavailable: allow");

    assertThat(text(allow, "bound then")).startsWith("none");
    assertThat(allow.bound().away()).isEmpty();
    assertThat(allow.warnings()).singleElement().asString().contains("allow has no bound");
  }

  @Test
  void deny_addsNothingWhileAway() {
    RuleExplanation deny = explain("{permits: 1000, per: 1s}", "on-unavailable: deny");

    assertThat(text(deny, "bound then")).isEqualTo("the same");
  }

  @Test
  void overTheLimit_saysWhatBecomesOfARequest() {
    String limit = "{permits: 1000, per: 1s}";
    assertThat(text(explain(limit, "over-limit: throttle"), "over it"))
        .isEqualTo("throttled: the service is told no, and when to try again");
    assertThat(text(explain(limit, "over-limit: defer"), "over it"))
        .isEqualTo(
            "deferred: the service may hand over what is throttled (defer), which then waits in a"
                + " queue of its quota key, 10,000 requests or 64MiB at most, and is run later, as"
                + " permits become free, with 20% of the limit guaranteed; what is not handed over is"
                + " throttled");
    String steady = "over-limit: defer\n    deferral: {release: steady, queue-length: 7}";
    assertThat(text(explain(limit, steady), "over it"))
        .contains("7 requests or 64MiB", "one after the other at the rate of the limit");
  }

  @Test
  void perInstance_isTheLimitOfEachOtherInstance() {
    RuleExplanation each = explain("{permits: 7, per: 1s}", "enforcement: per-instance");

    assertThat(text(each, "bound")).startsWith("at most 63 permits over the limit");
    assertThat(each.warnings()).containsExactly("10 instances together admit 10 times the limit");
  }

  @Test
  void smallBurst_warns() {
    String bucket = "{permits: 1000, per: 1s, algorithm: token-bucket, burst: 20}";

    assertThat(text(explain(bucket, "mode: enforce"), "limit"))
        .isEqualTo("a bucket of 20 permits that refills at 1,000 per 1s (token bucket)");
    assertThat(explain(bucket, "mode: enforce").warnings())
        .singleElement()
        .asString()
        .startsWith("a burst of 20 is small (refilled within one loop of 50 ms): under load ")
        .contains(" a share of rate and burst");
  }

  @Test
  void toleranceAndOverrides_areNamed_aLargerOverrideHasALargerBound() {
    RuleExplanation rule =
        explain(
            "{permits: 1000, per: 1s}",
            "tolerance: 5%\n    overrides: [{key: {user: vip}, limit: {permits: 5000}},"
                + " {key: {user: probe}, exempt: true}]");

    assertThat(text(rule, "limit")).endsWith(", and 5% on top: 1,050 permits in all");
    assertThat(rule.lines())
        .filteredOn(line -> line.label().equals("override"))
        .extracting(RuleExplanation.Line::text)
        .containsExactly(
            "{user: vip}: 5,000 permits in any 1s (sliding window)",
            "{user: probe}: exempt, neither limited nor counted");
    assertThat(rule.warnings()).singleElement().asString().contains("up to 52,500 permits");
  }

  @Test
  void conditions_areSentences() {
    RuleExplanation rule =
        explain(
            "{permits: 1000, per: 1s}",
            "match: {api: \"POST *\", ip: {cidr: 10.0.0.0/8}, bot: {absent: true}, tenant: \"*\"}");

    assertThat(text(rule, "matches"))
        .isEqualTo(
            "requests where api begins with \"POST \" and bot is missing and ip is an address in"
                + " 10.0.0.0/8 and tenant is there, if they have user");
  }

  private static String text(RuleExplanation explanation, String label) {
    return explanation.lines().stream()
        .filter(line -> line.label().equals(label))
        .map(RuleExplanation.Line::text)
        .findFirst()
        .orElseThrow();
  }

  private static RuleExplanation explain(String limit, String field) {
    String yaml =
        """
        domain: test
        rules:
          - id: rule
            key: [user]
            limit: %s
            %s
        """
            .formatted(limit, field);
    RuleFile file = RuleFile.parse("rules.yaml", yaml);
    assertThat(file).as(yaml).isInstanceOf(RuleFile.Valid.class);
    Rule rule = ((RuleFile.Valid) file).rules().get(0);
    return RuleExplainer.of(rule, 10);
  }
}
