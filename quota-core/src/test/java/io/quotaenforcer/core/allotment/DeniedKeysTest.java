package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Quota keys that an override denies. */
class DeniedKeysTest {
  private static final Limit LIMIT = new FixedWindow(100, SECOND);
  private static final RuleOverride DENIED =
      new RuleOverride(Map.of("user", new Matcher.Prefix("bot")), new OverrideEffect.Denied());
  private static final Rule RULE = balanced(LIMIT).withOverrides(List.of(DENIED));
  private static final Rule WITHOUT = balanced(LIMIT).withVersion(2, 1);

  @Test
  void decide_deniedKey_isThrottledWithLimit0_andNoTimeToTryAgain() {
    TestBook client = new TestBook(RULE);
    RuleDecision denied = client.decide("bot-1", 1).rule().orElseThrow();
    assertThat(client.decide("bot-1", 1).admitted()).isFalse();
    assertThat(denied.isDenied()).isTrue();
    assertThat(denied.limit()).isZero();
    assertThat(denied.remaining()).isZero();
    assertThat(denied.retryAfterNanos()).isEqualTo(RuleDecision.NEVER_NANOS);
    assertThat(denied.retryAfter()).isEmpty();
    assertThat(client.decide("bot-1", 1).retryAfter()).isEmpty();
    assertThat(client.decide("42", 1).admitted()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Enforcement.class)
  void decide_deniedKey_isThrottledHoweverTheRuleIsEnforced_evenWhenTheEnforcerIsAway(
      Enforcement enforcement) {
    for (OnUnavailable away : OnUnavailable.values()) {
      TestBook client = new TestBook(with(RULE.withEnforcement(enforcement), away, Mode.ENFORCE));
      for (int i = 0; i < 40; i++) {
        assertThat(client.decide("bot-1", 1).admitted()).isFalse();
        client.reports();
        client.passes(SECOND / 4);
      }
    }
  }

  @Test
  void reports_deniedKey_countsWhatWasThrottled_andAsksForNothing() {
    TestBook client = new TestBook(RULE);
    for (int i = 0; i < 7; i++) {
      client.decide("bot-1", 3);
    }
    long throttled = 0;
    for (int i = 0; i < 10; i++) {
      for (QuotaUsage usage : client.reports()) {
        assertThat(usage.quotaKey()).isEqualTo(key("rule", "bot-1"));
        assertThat(usage.demandPerSecond()).isZero();
        assertThat(usage.cells()).allMatch(cell -> cell.used() == 0);
        throttled =
            Math.max(throttled, usage.cells().stream().mapToLong(CellUsage::throttled).sum());
      }
      client.passes(client.settings.reportIntervalNanos());
    }
    assertThat(throttled).isEqualTo(21);
  }

  @Test
  void decide_keyThatComesToBeDenied_isThrottledAtOnce_andGivesBackWhatItHas() {
    TestBook client = new TestBook(WITHOUT.withVersion(1, 1));
    client.decide("bot-1", 1);
    client.reports();
    client.answer().of(key("rule", "bot-1"), 1).grants(client.grant(LIMIT, 5, 50)).send();
    assertThat(client.decide("bot-1", 10).admitted()).isTrue();
    client.apply(RULE.withVersion(2, 1));
    assertThat(client.decide("bot-1", 1).admitted()).isFalse();
    List<CellUsage> cells = client.cells();
    assertThat(cells)
        .filteredOn(cell -> cell.id() == 5)
        .singleElement()
        .satisfies(cell -> assertThat(cell.used()).isEqualTo(10));
    assertThat(client.openCell(5).closed()).isTrue();
  }

  @Test
  void decide_keyThatIsDeniedNoMore_isAdmitted() {
    TestBook client = new TestBook(RULE);
    client.decide("bot-1", 1);
    client.apply(WITHOUT);
    assertThat(client.decide("bot-1", 1).admitted()).isTrue();
  }

  @Test
  void decide_ruleThatDefers_doesNotDeferWhatIsDenied() {
    TestBook client = new TestBook(RULE.withOverLimit(OverLimit.Defer.DEFAULTS));
    assertThat(client.decide("bot-1", 1))
        .isInstanceOfSatisfying(
            Decision.Throttled.class, throttled -> assertThat(throttled.deferrable()).isFalse());
  }

  @Test
  void decide_ruleThatOnlyWatches_admitsWhatItDenies() {
    TestBook client = new TestBook(with(RULE, OnUnavailable.LOCAL, Mode.SHADOW));
    Decision decision = client.decide("bot-1", 1);
    assertThat(decision.admitted()).isTrue();
    assertThat(decision.rule().orElseThrow().isDenied()).isTrue();
  }

  @Test
  void decideOrWait_deniedKey_countsOnce_andAwaitsNothing() {
    TestBook client = new TestBook(RULE);
    WaitingRequest waiting = new WaitingRequest(Request.of("user", "bot-1"), client.now);
    assertThat(client.book.decideOrWait(waiting, client.now).admitted()).isFalse();
    assertThat(waiting.isRefused()).isFalse();
    List<QuotaUsage> usages = client.reports();
    assertThat(usages).allMatch(usage -> usage.demandPerSecond() == 0);
    assertThat(usages)
        .flatExtracting(QuotaUsage::cells)
        .extracting(CellUsage::throttled)
        .containsExactly(1L);
  }

  @Test
  void permits_deniedKey_areNone() {
    TestBook client = new TestBook(RULE);
    assertThat(client.book.permits(RULE, key("rule", "bot-1")).tryAcquire(1, client.now)).isFalse();
  }
}
