package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.EPOCH;
import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.START;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.rule;
import static io.quotaenforcer.core.allotment.TestBook.settings;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Keys without requests: they give back, go quiet, are forgotten, and come back. */
class QuietKeysTest {
  private static final Limit LIMIT = new FixedWindow(100, 60 * SECOND);
  private static final CellGrant GRANT =
      new CellGrant(5, EPOCH - EPOCH % (60 * SECOND), 10, 0, EPOCH + 2 * SECOND);

  /** A key that was granted ten permits and used three. */
  private static TestBook used(BookSettings settings) {
    TestBook client = new TestBook(settings, strict(LIMIT));
    client.admits();
    client.granted(GRANT);
    client.admitted(3);
    return client;
  }

  /** Keys are forgotten before they are idle. */
  private static BookSettings evicting() {
    return settings(1_500 * MILLI, 10);
  }

  @Test
  void idleKey_givesEverythingBack() {
    TestBook client = used(BookSettings.defaults());
    client.answeredTicks(1_500 * MILLI, GRANT);
    client.passes(200 * MILLI);
    assertThat(client.reports()).as("may still be put back").isEmpty();
    client.passes(100 * MILLI);
    List<CellUsage> cells = client.cells();
    CellUsage usage = cells.stream().filter(cell -> cell.id() == 5).findFirst().orElseThrow();
    assertThat(usage.closed()).isTrue();
    assertThat(usage.used()).isEqualTo(3);
  }

  @Test
  void idleKey_cellIsClosedAndSettled_soThatTheEnforcerMayForgetIt() {
    TestBook client = used(BookSettings.defaults());
    client.answeredTicks(4 * SECOND, GRANT);
    client.admits();
    client.passes(5 * MILLI);
    assertThat(client.cells()).extracting(CellUsage::id).doesNotContain(5L);
  }

  @Test
  void book_isQuietOnceItsKeysAre_andIsWokenByARequest() {
    TestBook client = used(BookSettings.defaults());
    assertThat(client.book.isQuiet()).isFalse();
    client.answeredTicks(4 * SECOND, GRANT);
    assertThat(client.book.isQuiet()).isTrue();
    AtomicInteger signals = new AtomicInteger();
    client.book.whenWoken(signals::incrementAndGet);

    client.admits();

    assertThat(signals).hasValue(1);
    assertThat(client.book.isQuiet()).isFalse();
    client.admits();
    assertThat(signals).as("it is awake").hasValue(1);
  }

  @Test
  void quietBook_isWokenByOtherRules() {
    TestBook client = used(BookSettings.defaults());
    client.answeredTicks(4 * SECOND, GRANT);
    AtomicInteger signals = new AtomicInteger();
    client.book.whenWoken(signals::incrementAndGet);

    client.book.applyRules(RuleSet.of(List.of()), client.now);

    assertThat(signals).hasPositiveValue();
  }

  @Test
  void heldPermits_noMoreRequests_areReportedAFewTimesOnly() {
    TestBook client = used(BookSettings.defaults());
    long before = client.now;
    int reports = 0;
    while (client.now - before < 20 * SECOND) {
      client.passes(5 * MILLI);
      List<CellUsage> cells = client.cells();
      if (!cells.isEmpty()) {
        reports++;
        client
            .answer()
            .grants(isClosed(cells) ? new CellGrant[0] : new CellGrant[] {GRANT})
            .settled(TestBook.closed(cells).toArray(Long[]::new))
            .send();
      }
    }
    // What was used, what is held too much, the end.
    assertThat(reports).isLessThanOrEqualTo(3);
  }

  private static boolean isClosed(List<CellUsage> cells) {
    return cells.stream().anyMatch(cell -> cell.id() == 5 && cell.closed());
  }

  @Test
  void idleKey_allSaid_goesQuietUntilItIsUsedAgain() {
    TestBook client = used(BookSettings.defaults());
    client.answeredTicks(4 * SECOND, GRANT);
    assertThat(client.ticks(10 * SECOND)).isZero();
    client.admits();
    client.passes(5 * MILLI);
    assertThat(client.reports()).hasSize(1);
  }

  @Test
  void idleKey_lastReportLost_saysItAgain() {
    TestBook client = used(BookSettings.defaults());
    client.answeredTicks(1_990 * MILLI, GRANT);
    client.admits();
    client.passes(20 * MILLI);
    assertThat(client.reports()).as("lost").hasSize(1);
    assertThat(client.ticks(300 * MILLI)).isPositive();
  }

  @Test
  void idleKey_asksForNothing() {
    TestBook client = new TestBook(strict(LIMIT));
    client.admitted(1_000_000);
    client.reports();
    client.answer().send();
    client.passes(2 * SECOND);
    assertThat(client.reports()).isEmpty();
    client.passes(100 * MILLI);
    assertThat(client.report().map(QuotaUsage::demandPerSecond)).hasValue(0.0);
  }

  @Test
  void evictedKey_isReportedUntilSettledThenForgotten() {
    TestBook client = used(evicting());
    client.answeredTicks(1_400 * MILLI, GRANT);
    client.ticks(SECOND);
    assertThat(client.book.size()).isZero();
    client.passes(SECOND);
    CellUsage usage =
        client.cells().stream().filter(cell -> cell.id() == 5).findFirst().orElseThrow();
    assertThat(usage.closed()).isTrue();
    assertThat(usage.used()).isEqualTo(3);
    client.answer().settled(5L, -1L).send();
    assertThat(client.ticks(10 * SECOND)).isZero();
    assertThat(client.book.isSettled()).isTrue();
  }

  @Test
  void evictedKey_usedAgainBeforeItsCellsAreClosed_doesNotSpendThemTwice() {
    TestBook client = used(evicting());
    client.answeredTicks(1_400 * MILLI, GRANT);
    while (client.book.size() > 0) {
      client.ticks(20 * MILLI);
    }
    client.admits();
    client.passes(20 * MILLI);
    client.reports();
    // The enforcer has not heard yet that the cell is closed, and adds to it.
    CellGrant more = client.grant(LIMIT, 5, 12);
    client.answer().grants(more).send();
    assertThat(client.admits()).isFalse();
    client.passes(120 * MILLI);
    assertThat(client.cells())
        .filteredOn(cell -> cell.id() == 5)
        .extracting(CellUsage::used)
        .containsExactly(3L);
  }

  @Test
  void evictedKey_usedAgain_reportsOldAndNewCellsTogether() {
    TestBook client = used(evicting());
    client.answeredTicks(1_400 * MILLI, GRANT);
    while (client.book.size() > 0) {
      client.ticks(20 * MILLI);
    }
    client.admits();
    client.passes(40 * MILLI);
    List<QuotaUsage> usages = client.reports();
    assertThat(usages).hasSize(1);
    assertThat(usages.get(0).cells()).extracting(CellUsage::id).contains(5L, -2L);
  }

  @Test
  void evictedKey_answerFromBefore_grantsTheNewOneNothing() {
    TestBook client = used(evicting());
    client.answeredTicks(1_400 * MILLI, GRANT);
    long sent = client.now;
    CellGrant late = client.grant(LIMIT, 5, 10);
    client.ticks(300 * MILLI);
    client.answer().settled(5L, -1L).send();
    client.ticks(50 * MILLI);
    assertThat(client.book.size()).isZero();
    assertThat(client.book.isSettled()).isTrue();
    client.admits();
    client.answer().to(sent).madeAt(sent).grants(late).send();
    assertThat(client.admits()).isFalse();
  }

  @Test
  void perInstanceKey_partOfItsLimitUsed_isNotForgotten() {
    TestBook client = new TestBook(evicting(), rule("rule", LIMIT, Enforcement.PER_INSTANCE));
    assertThat(client.admitted(200)).isEqualTo(100);
    client.answeredTicks(8 * SECOND);
    assertThat(client.admits()).isFalse();
    client.answeredTicks(60 * SECOND);
    assertThat(client.book.size()).isZero();
  }

  @Test
  void keys_moreThanMayBeHeld_areThrottledAndHeldNowhere() {
    TestBook client = new TestBook(settings(5 * SECOND, 2), balanced(LIMIT));
    assertThat(client.decide("1", 1).admitted()).isTrue();
    assertThat(client.decide("2", 1).admitted()).isTrue();
    for (int i = 3; i < 100; i++) {
      assertThat(client.decide("" + i, 1).admitted()).isFalse();
      assertThat(client.decide("" + i, 1).rule().orElseThrow().retryAfterNanos()).isPositive();
    }
    assertThat(client.book.size()).isEqualTo(2);
    assertThat(client.reports()).hasSize(2);
  }

  @Test
  void keys_evictedButNotSettled_countAmongThoseHeld() {
    TestBook client = new TestBook(settings(3 * SECOND, 2), balanced(LIMIT));
    client.decide("1", 1);
    client.decide("2", 1);
    client.ticks(5 * SECOND);
    assertThat(client.book.size()).isZero();
    assertThat(client.decide("3", 1).admitted()).isFalse();
    assertThat(client.book.size()).isZero();
  }

  @Test
  void retiredKey_refusedByTheEnforcerForLong_isGivenUp() {
    TestBook client = new TestBook(balanced(LIMIT));
    client.decide("42", 1);
    client.remove(balanced(LIMIT));
    int reports = 0;
    for (int i = 0; i < 60_000; i++) {
      client.passes(5 * MILLI);
      if (!client.reports().isEmpty()) {
        reports++;
        // The partition answers, but says nothing of this key.
        client.book.applySnapshot(
            new io.quotaenforcer.core.message.QuotaSnapshot(
                "me", 1, 0, client.now, client.enforcerNow(), List.of()),
            client.now);
      }
    }
    assertThat(reports).isBetween(10, 20);
    assertThat(client.book.isSettled()).isTrue();
  }

  @Test
  void ruleRemovedBeforeTheFirstReport_isReportedOnceAndSettles() {
    TestBook client = new TestBook(balanced(LIMIT));
    client.admits();
    client.remove(balanced(LIMIT));
    assertThat(client.reports()).hasSize(1);
    client.passes(100 * MILLI);
    client.reports();
    client.apply(balanced(LIMIT));
    client.answer().settled(-1L).send();
    assertThat(client.book.isSettled()).isTrue();
    assertThat(client.ticks(10 * SECOND)).isZero();
  }

  @Test
  void eviction_runsOnAClockBelowZero() {
    TestBook client = new TestBook(evicting(), balanced(LIMIT));
    assertThat(client.now).isEqualTo(START).isNegative();
    client.admits();
    client.ticks(10 * SECOND);
    assertThat(client.book.size()).isZero();
  }
}
