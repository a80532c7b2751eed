package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.adapt.AdaptStep;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.AdaptedLimit;
import io.quotaenforcer.core.adapt.LimitCause;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.core.adapt.LoadCondition;
import io.quotaenforcer.core.adapt.LoadScope;
import io.quotaenforcer.core.adapt.Lowering;
import io.quotaenforcer.core.adapt.Recovery;
import io.quotaenforcer.core.adapt.RuleAdaptation;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OwnLimits;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Limits that follow the load, as an instance learns them from answers. */
class AdaptedKeysTest {
  private static final Limit LIMIT = new FixedWindow(100, 10 * SECOND);
  private static final AdaptTerms TERMS =
      AdaptTerms.of(
          1,
          new AdaptStep(
              LoadCondition.parse("cpu > 80%"),
              SECOND,
              new Lowering.To(5_000),
              Recovery.Growing.DEFAULT));

  private TestBook client = new TestBook(strict(LIMIT).withAdapt(TERMS));

  /** The first report is answered with a lease, under a limit. */
  private CellGrant granted(long permits, long limit) {
    client.admits();
    client.reports();
    CellGrant grant = client.grant(LIMIT, 5, permits);
    client.answer().grants(grant).limit(limit).send();
    return grant;
  }

  @Test
  void lowerLimit_endsWhatWasGrantedBefore_andReportsItAtOnce() {
    CellGrant before = granted(40, 100);
    assertThat(client.admitted(10)).isEqualTo(10);
    client.reports();
    CellGrant anew = client.grant(LIMIT, 6, 2);
    client.answer().grants(before, anew).limit(50).send();
    assertThat(client.admitted(30)).isEqualTo(2);
    assertThat(client.decision().limit()).isEqualTo(50);
    client.passes(client.settings.closeGraceNanos() + MILLI);
    assertThat(client.cells())
        .filteredOn(cell -> cell.id() == 5)
        .singleElement()
        .satisfies(cell -> assertThat(cell.closed()).isTrue());
  }

  private static final LimitInForce HALF =
      new LimitInForce(5_000, LimitCause.LOWERED, "cpu > 80%: it was 91%", 43_390_000);

  @Test
  void decision_saysWhyTheLimitIsAnother_andSinceWhen_asLongAsItIs() {
    granted(40, 100);
    assertThat(client.decision().adapted()).isEmpty();
    client.reports();
    client.answer().limit(50).inForce(HALF).send();
    assertThat(client.decision().adapted()).contains(new AdaptedLimit(50, 100, HALF));
    assertThat(client.decision().adapted().orElseThrow())
        .hasToString("50 of 100 since 1970-01-01T12:03:10Z: cpu > 80%: it was 91%");

    LimitInForce held =
        new LimitInForce(5_000, LimitCause.SIGNAL_LOST, "signals stopped coming", 43_400_000);
    client.reports();
    client.answer().limit(50).inForce(held).send();
    assertThat(client.decision().adapted()).contains(new AdaptedLimit(50, 100, held));

    client.reports();
    client.answer().limit(100).send();
    assertThat(client.decision().adapted()).isEmpty();
  }

  @Test
  void sameLimitForAnotherReason_keepsWhatWasGranted() {
    granted(40, 50);
    client.reports();
    client.answer().limit(50).grants(client.grant(LIMIT, 5, 40)).inForce(HALF).send();
    assertThat(client.admitted(60)).isEqualTo(40);
  }

  @Test
  void decision_byTheInstancesOwnLoad_saysWhy() {
    client = new TestBook(followingItself());
    client.book.applyOwnLimits(inForce(followingItself(), 2_000));
    assertThat(client.decision().adapted().orElseThrow())
        .satisfies(
            it -> {
              assertThat(it.permits()).isEqualTo(20);
              assertThat(it.nominal()).isEqualTo(100);
              assertThat(it.why().cause()).isEqualTo(LimitCause.RECOVERING);
              assertThat(it.why().sinceMillis()).isEqualTo(1_000);
            });
  }

  @Test
  void limitThatComesBack_isTheRulesOwnAgain() {
    granted(10, 50);
    client.reports();
    client.answer().limit(100).send();
    assertThat(client.decision().limit()).isEqualTo(100);
  }

  @Test
  void balancedRule_isOpenedByNoMoreThanIsInForce() {
    client = new TestBook(balanced(LIMIT).withAdapt(TERMS));
    granted(40, 100);
    client.reports();
    client.answer().limit(50).opening(3).send();
    assertThat(client.admitted(50)).isEqualTo(3);
  }

  @Test
  void overrideOfAKey_isLoweredLikewise() {
    client =
        new TestBook(
            strict(LIMIT)
                .withOverrides(
                    List.of(RuleOverride.limited(Map.of("user", "42"), LIMIT.withPermits(1_000))))
                .withAdapt(TERMS));
    granted(10, 500);
    assertThat(client.decision().limit()).isEqualTo(500);
    client.reports();
    client.answer().limit(1_000).send();
    assertThat(client.decision().limit()).isEqualTo(1_000);
  }

  @Test
  void perInstanceRule_followsTheLimitThatIsTold() {
    client = new TestBook(TestBook.rule("rule", LIMIT, Enforcement.PER_INSTANCE).withAdapt(TERMS));
    assertThat(client.admitted(40)).isEqualTo(40);
    client.reports();
    client.answer().limit(50).send();
    assertThat(client.admitted(60)).isEqualTo(10);
  }

  private static Rule followingItself() {
    return TestBook.rule("rule", LIMIT, Enforcement.PER_INSTANCE)
        .withAdapt(TERMS.withScope(LoadScope.INSTANCE));
  }

  private static OwnLimits inForce(Rule rule, int basisPoints) {
    AdaptTerms terms = rule.adapt().orElseThrow();
    return new OwnLimits(
        Map.of(
            rule.id(), RuleAdaptation.begin(terms, OptionalInt.of(basisPoints), TestBook.SECOND)));
  }

  @Test
  void limitByTheInstancesOwnLoad_isFollowedAtTheNextPass_whateverAnswersSay() {
    Rule rule = followingItself();
    client = new TestBook(rule);
    assertThat(client.admitted(40)).isEqualTo(40);
    client.book.applyOwnLimits(inForce(rule, 5_000));
    client.reports();
    client.answer().limit(100).send();
    assertThat(client.admitted(60)).as("half of 100, less what was used").isEqualTo(10);
    assertThat(client.decision().limit()).isEqualTo(50);
    client.book.applyOwnLimits(inForce(rule, 10_000));
    client.passes(200 * MILLI);
    client.reports();
    assertThat(client.admitted(60)).isEqualTo(50);
  }

  @Test
  void limitByTheInstancesOwnLoad_isThatOfANewKey() {
    Rule rule = followingItself();
    client = new TestBook(rule);
    client.book.applyOwnLimits(inForce(rule, 2_000));
    assertThat(client.admitted(60)).isEqualTo(20);
  }

  @Test
  void limitByTheInstancesOwnLoad_aRuleThatFollowsTheService_hasItsOwn() {
    Rule rule =
        TestBook.rule("rule", LIMIT, Enforcement.PER_INSTANCE).withAdapt(TERMS).withVersion(2, 1);
    client = new TestBook(followingItself());
    client.book.applyOwnLimits(inForce(followingItself(), 2_000));
    assertThat(client.admitted(60)).isEqualTo(20);
    client.apply(rule);
    assertThat(client.decision().limit()).as("until the enforcer tells").isEqualTo(20);
    client.answer().limit(100).send();
    assertThat(client.decision().limit()).isEqualTo(100);
  }

  @Test
  void ruleThatAdaptsNoMore_hasItsOwnLimit() {
    granted(10, 50);
    Rule fixed = strict(LIMIT);
    client.apply(fixed.withVersion(2, 1));
    assertThat(client.decision().limit()).isEqualTo(100);
  }

  @Test
  void keyInUse_isReportedAtOnce_whenAnotherLimitIsAnnounced() {
    granted(40, 100);
    client.reports();
    client.passes(MILLI);
    assertThat(client.reports()).isEmpty();
    client.book.applyExhausted(
        key("rule", "42"), new ExhaustedQuota(1, client.enforcerNow(), 0, 0), client.now);
    Optional<QuotaUsage> asked = client.report();
    assertThat(asked).isPresent();
    assertThat(asked.get().cells()).extracting(CellUsage::id).contains(5L);
  }
}
