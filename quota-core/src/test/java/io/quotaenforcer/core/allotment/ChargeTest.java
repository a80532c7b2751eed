package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.rule;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static io.quotaenforcer.core.allotment.TestBook.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests whose actual cost is known only later. */
class ChargeTest {
  private static final Limit WINDOW = new FixedWindow(10, 10 * SECOND);
  private static final Limit SLIDING = new SlidingWindow(10, SECOND);

  private final TestBook client = new TestBook(strict(WINDOW));

  private void granted(TestBook book, Limit limit, long id, long permits) {
    book.admits();
    book.granted(book.grant(limit, id, permits));
  }

  private CellUsage reported(TestBook book, long id) {
    book.passes(130 * MILLI);
    return book.openCell(id);
  }

  private QuotaUsage nextReport(TestBook book) {
    for (int i = 0; i < 10_000; i++) {
      book.passes(5 * MILLI);
      List<QuotaUsage> usages = book.reports();
      if (!usages.isEmpty()) {
        return usages.get(0);
      }
    }
    throw new AssertionError("must be reported");
  }

  /** Has the next report answered with a grant. */
  private void grantedNext(long id, long permits) {
    nextReport(client);
    client.answer().grants(client.grant(WINDOW, id, permits)).send();
  }

  @Test
  void settle_belowInTheWindow_permitsMayBeTakenAgain() {
    granted(client, WINDOW, 5, 10);
    Charge charge = client.charge(8);
    assertThat(client.admitted(9)).isEqualTo(2);
    assertThat(charge.settle(3, client.now)).isTrue();
    assertThat(charge.settle(0, client.now)).as("settled before").isFalse();
    assertThat(client.admitted(9)).isEqualTo(5);
    assertThat(reported(client, 5).used()).isEqualTo(10);
  }

  @Test
  void settle_belowInALaterWindow_isVoidThere() {
    granted(client, WINDOW, 5, 10);
    Charge charge = client.charge(8);
    client.ticks(10 * SECOND);
    granted(client, WINDOW, 6, 4);
    charge.settle(0, client.now);
    assertThat(client.admitted(9)).isEqualTo(4);
  }

  @Test
  void settle_belowOfASlidingLimit_goesBackToTheEnforcerOnly() {
    TestBook sliding = new TestBook(strict(SLIDING));
    granted(sliding, SLIDING, 5, 10);
    Charge charge = sliding.charge(8);
    charge.settle(3, sliding.now);
    assertThat(sliding.admitted(9)).isEqualTo(2);
    CellUsage usage = reported(sliding, 5);
    assertThat(usage.used()).isEqualTo(5);
    assertThat(usage.givenBack()).isEqualTo(5);
  }

  @Test
  void settle_cellClosedMeanwhile_changesNothing() {
    TestBook sliding = new TestBook(strict(SLIDING));
    granted(sliding, SLIDING, 5, 10);
    Charge charge = sliding.charge(8);
    sliding.reports();
    sliding.answer().send();
    sliding.ticks(SECOND);
    charge.settle(0, sliding.now);
    sliding.admits();
    assertThat(sliding.openCell(5).used()).isEqualTo(8);
  }

  @Test
  void settle_above_isOwedAndPaidByTheNextPermitsBeforeAnyRequest() {
    granted(client, WINDOW, 5, 10);
    client.charge(6).settle(15, client.now);
    RuleDecision owing = client.decision();
    assertThat(owing.owed()).isEqualTo(5);
    assertThat(owing.remaining()).isZero();
    assertThat(owing.hadRoom()).isFalse();
    assertThat(reported(client, 5).used()).isEqualTo(10);
    client.ticks(10 * SECOND);
    grantedNext(6, 8);
    assertThat(client.admitted(9)).isEqualTo(3);
    assertThat(reported(client, 6).used()).isEqualTo(8);
  }

  @Test
  void owed_isAskedForAndNoRequestNeedsToCome() {
    granted(client, WINDOW, 5, 10);
    client.charge(10).settle(45, client.now);
    assertThat(nextReport(client).needed()).as("a whole quota at most").isEqualTo(10);
    for (int window = 6; window < 9; window++) {
      client.ticks(10 * SECOND);
      grantedNext(window, 10);
    }
    assertThat(nextReport(client).needed()).isEqualTo(5);
    client.ticks(10 * SECOND);
    grantedNext(9, 10);
    assertThat(client.admitted(9)).isEqualTo(5);
  }

  @Test
  void owed_balanced_isPaidByTheOpening() {
    Rule balanced = balanced(new FixedWindow(10, 10 * SECOND));
    TestBook book = new TestBook(balanced);
    book.charge(1).settle(4, book.now);
    assertThat(book.decision().owed()).isZero();
    assertThat(book.admitted(9)).isEqualTo(5);
    book.charge(1).settle(4, book.now);
    assertThat(book.decision().owed()).isZero();
  }

  @Test
  void owed_balancedAndShort_isPaidByGrants() {
    Rule balanced = balanced(new FixedWindow(500, 10 * SECOND));
    TestBook book = new TestBook(balanced);
    Charge charge = book.charge(1);
    book.granted();
    charge.settle(4, book.now);
    assertThat(book.decision().owed()).isEqualTo(3);
    assertThat(book.admitted(9)).isZero();
    book.granted(book.grant(balanced.limit(), 5, 10));
    assertThat(book.admitted(20)).isEqualTo(7);
  }

  @Test
  void owed_enforcerIsAway_isPaidByTheShareOfTheInstance() {
    Rule balanced = balanced(new FixedWindow(500, 10 * SECOND));
    TestBook book = new TestBook(balanced);
    book.charge(1).settle(31, book.now);
    book.ticks(2 * SECOND);
    assertThat(book.admitted(50)).isEqualTo(50 - 31);
  }

  @Test
  void owed_perInstance_isPaidByItsOwnLimit() {
    TestBook book = new TestBook(rule("rule", WINDOW, Enforcement.PER_INSTANCE));
    Charge first = book.charge(4);
    book.charge(4).settle(17, book.now);
    RuleDecision owing = book.decision();
    assertThat(owing.owed()).isEqualTo(11);
    assertThat(owing.retryAfterNanos()).isEqualTo(10 * SECOND);
    first.settle(1, book.now);
    assertThat(book.decision().owed()).isEqualTo(8);
    book.passes(10 * SECOND);
    assertThat(book.admitted(9)).isEqualTo(2);
  }

  @Test
  void owed_perInstanceBucket_isPaidAsItRefills() {
    Limit bucket = new TokenBucket(10, SECOND, 10);
    TestBook book = new TestBook(rule("rule", bucket, Enforcement.PER_INSTANCE));
    book.charge(10).settle(35, book.now);
    book.passes(2 * SECOND);
    assertThat(book.decision().owed()).isEqualTo(15);
    book.passes(SECOND);
    assertThat(book.decision().owed()).isEqualTo(5);
    book.passes(SECOND);
    assertThat(book.admitted(20)).isEqualTo(5);
  }

  @Test
  void owed_newGenerationOfTheRule_isStillOwed() {
    granted(client, WINDOW, 5, 10);
    client.charge(10).settle(14, client.now);
    client.apply(strict(new FixedWindow(10, SECOND)).withVersion(2, 2));
    assertThat(client.decision().owed()).isEqualTo(4);
    assertThat(client.book.takeUnpaid()).isZero();
  }

  @Test
  void owed_ruleDeleted_isNotPaidAndSaid() {
    granted(client, WINDOW, 5, 10);
    Charge later = client.charge(1);
    client.charge(9).settle(13, client.now);
    client.remove(strict(WINDOW));
    assertThat(client.book.takeUnpaid()).isEqualTo(4);
    later.settle(3, client.now);
    assertThat(client.book.takeUnpaid()).isEqualTo(2);
    assertThat(client.book.takeUnpaid()).isZero();
  }

  @Test
  void close_owing_paysFromWhatItHoldsAndSaysTheRest() {
    granted(client, WINDOW, 5, 10);
    Charge later = client.charge(2);
    client.charge(4).settle(4, client.now);
    LiveKeys keys = client.book.keys();
    keys.owe(keys.findOrFull(strict(WINDOW), key("rule", "42"), client.now), 7, 0);
    client.passes(MILLI);
    List<CellUsage> closed = client.book.close(client.now).get(0).quotas().get(0).cells();
    assertThat(closed).filteredOn(cell -> cell.id() == 5).extracting(CellUsage::used).contains(10L);
    assertThat(client.book.takeUnpaid()).isEqualTo(3);
    later.settle(5, client.now);
    assertThat(client.book.takeUnpaid()).isEqualTo(3);
  }

  @Test
  void charge_throttled_settlesNothing() {
    Charge charge = client.charge(1);
    assertThat(charge.decision().admitted()).isFalse();
    charge.settle(50, client.now);
    assertThat(client.decision().owed()).isZero();
  }

  @Test
  void charge_shadowRuleWithoutRoom_chargesTheOthersOnly() {
    Rule watching = with(rule("a", WINDOW, Enforcement.STRICT), OnUnavailable.DENY, Mode.SHADOW);
    TestBook book = new TestBook(watching, rule("b", WINDOW, Enforcement.PER_INSTANCE));
    book.charge(2).settle(11, book.now);
    assertThat(book.decide().rules()).extracting(RuleDecision::owed).containsExactly(1L);
    book.passes(10 * SECOND);
    assertThat(book.decide().rules()).extracting(RuleDecision::owed).containsExactly(0L, 0L);
  }

  @Test
  void costAboveTheLimit_isNeverAdmittedNorAskedForAgainAndAgain() {
    client.admits();
    client.reports();
    RuleDecision never = client.decide("42", 11).rule().orElseThrow();
    assertThat(never.retryAfterNanos()).isEqualTo(RuleDecision.NEVER_NANOS);
    double highest = 0;
    for (int i = 0; i < 100; i++) {
      client.decide("42", 1_000);
      client.passes(5 * MILLI);
      for (QuotaUsage usage : client.reports()) {
        assertThat(usage.needed()).isZero();
        highest = Math.max(highest, usage.demandPerSecond());
      }
    }
    assertThat(highest).as("the one request that could be admitted").isLessThan(100);
    assertThat(client.openCell(-1).throttled()).isEqualTo(1 + 11 + 100_000);
  }

  @Test
  void aboveNominal_isWhatTheToleranceAdds() {
    Rule soft = strict(new FixedWindow(10, 10 * SECOND)).withTolerance(2_000);
    TestBook book = new TestBook(soft);
    assertThat(book.decision().aboveNominal()).as("nothing is known").isFalse();
    book.granted(book.grant(soft.limit(), 5, 12));
    for (int request = 1; request <= 12; request++) {
      assertThat(book.decision().aboveNominal()).as("%d", request).isEqualTo(request > 10);
    }
    assertThat(book.admits()).isFalse();
  }
}
