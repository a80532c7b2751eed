package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.rule;
import static io.quotaenforcer.core.allotment.TestBook.settings;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Enforcement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Requests that wait for permits. */
class WaitingTest {
  private static final Limit LIMIT = new SlidingWindow(100, SECOND);
  private static final long MANY = BookSettings.defaults().spareFrom();
  private static final long FEW = MANY - 1;

  private final TestBook client = new TestBook(settings(5 * SECOND, 10), strict(LIMIT));

  private WaitingRequest waiting(long cost) {
    return new WaitingRequest(new Request(Map.of("user", "42"), cost), client.now);
  }

  private Decision decideOrWait(long cost) {
    return client.book.decideOrWait(waiting(cost), client.now);
  }

  private WaitingRequest waits(long cost) {
    WaitingRequest waiting = waiting(cost);
    assertThat(client.book.decideOrWait(waiting, client.now).admitted()).isFalse();
    return waiting;
  }

  @Test
  void decideOrWait_roomForIt_isAdmittedAndWaitsForNothing() {
    client.admits();
    client.granted(client.grant(LIMIT, 5, 10));
    assertThat(decideOrWait(3).admitted()).isTrue();
    client.passes(100 * MILLI);
    assertThat(client.report().orElseThrow().needed()).isZero();
  }

  @Test
  void decideOrWait_noRoom_asksForItsPermitsAndCountsNothingAsThrottled() {
    assertThat(decideOrWait(30).admitted()).isFalse();
    decideOrWait(12);
    QuotaUsage usage = client.report().orElseThrow();
    assertThat(usage.needed()).isEqualTo(42);
    assertThat(usage.cells()).allMatch(cell -> cell.throttled() == 0);
  }

  @Test
  void giveUp_asksNoMoreThanAnyRefusedRequest() {
    WaitingRequest waiting = waits(30);
    client.reports();
    assertThat(client.book.giveUp(waiting, client.now).admitted()).isFalse();
    client.passes(130 * MILLI);
    QuotaUsage usage = client.report().orElseThrow();
    assertThat(usage.needed()).isEqualTo(30);
    assertThat(usage.cells().get(0).throttled()).isEqualTo(30);
    client.granted();
    client.passes(130 * MILLI);
    client.admits();
    assertThat(client.report().orElseThrow().needed()).isZero();
  }

  @Test
  void decideOrWait_afterTheKeyWasReplaced_asksForTheNewOne() {
    WaitingRequest waiting = waits(30);
    client.apply(strict(LIMIT).withVersion(2, 2));
    client.admits();
    client.book.decideOrWait(waiting, client.now);
    decideOrWait(5);
    client.passes(20 * MILLI);
    assertThat(client.reports())
        .filteredOn(usage -> usage.generation() == 2)
        .extracting(QuotaUsage::needed)
        .containsExactly(35L);
  }

  @Test
  void decideOrWait_severalRules_asksAllAtOnce() {
    TestBook layered =
        new TestBook(rule("a", LIMIT, Enforcement.STRICT), rule("b", LIMIT, Enforcement.STRICT));
    WaitingRequest waiting = new WaitingRequest(new Request(Map.of("user", "42"), 30), layered.now);
    layered.book.decideOrWait(waiting, layered.now);
    assertThat(layered.reports()).extracting(QuotaUsage::needed).containsExactly(30L, 30L);
  }

  @Test
  void waiting_forLong_isNeitherIdleNorForgotten() {
    WaitingRequest waiting = waits(30);
    client.answeredTicks(10 * SECOND);
    assertThat(client.book.size()).isEqualTo(1);
    client.passes(500 * MILLI);
    client.granted(client.grant(LIMIT, 5, 30));
    client.ticks(50 * MILLI);
    assertThat(client.book.decideOrWait(waiting, client.now).admitted()).isTrue();
  }

  @Test
  void waiting_answerLost_asksAgain() {
    client.admits();
    client.answeredTicks(50 * MILLI);
    decideOrWait(30);
    client.passes(20 * MILLI);
    assertThat(client.report()).as("lost").isPresent();
    assertThat(client.ticks(200 * MILLI)).isPositive();
  }

  @Test
  void waiting_othersHoldThePermits_asksAgainAndAgainWithinHalfASecond() {
    waits(1);
    int asked = 0;
    for (int i = 0; i < 100; i++) {
      client.passes(5 * MILLI);
      if (client.report().isPresent()) {
        client.answer().send();
        asked++;
      }
    }
    assertThat(asked).isBetween(5, 15);
  }

  @Test
  void callersWait_fewRemain_nothingIsAskedForBeforeItIsNeeded() {
    WaitingRequest waiting = waits(1);
    client.passes(5 * MILLI);
    QuotaUsage asked = client.report().orElseThrow();
    assertThat(asked.needed()).isEqualTo(1);
    client.answer().grants(client.grant(LIMIT, 5, 1)).remaining(FEW).send();
    assertThat(client.book.decideOrWait(waiting, client.now).admitted()).isTrue();
    client.passes(100 * MILLI);

    QuotaUsage taken = client.report().orElseThrow();

    assertThat(List.of(asked.demandPerSecond(), taken.demandPerSecond())).containsOnly(0.0);
    assertThat(taken.needed()).isZero();
  }

  @Test
  void callersWait_manyRemain_oneIsAskedForAhead() {
    WaitingRequest waiting = waits(1);
    client.granted(client.grant(LIMIT, 5, 1));
    assertThat(client.book.decideOrWait(waiting, client.now).admitted()).isTrue();
    client.answer().grants(client.grant(LIMIT, 5, 1)).remaining(MANY).send();
    client.passes(100 * MILLI);

    assertThat(client.report().orElseThrow().demandPerSecond()).isPositive();
  }

  @Test
  void callersWait_fewRemain_givesBackWhatNobodyAskedFor() {
    WaitingRequest waiting = waits(1);
    client.reports();
    client.answer().grants(client.grant(LIMIT, 5, 4)).remaining(FEW).send();
    assertThat(client.book.decideOrWait(waiting, client.now).admitted()).isTrue();
    client.passes(400 * MILLI);

    assertThat(client.openCell(5).givenBack()).isEqualTo(3);
  }

  @Test
  void callerDoesNotWaitAnyMore_fewRemain_oneIsAskedForAhead() {
    WaitingRequest waiting = waits(1);
    client.reports();
    client.book.giveUp(waiting, client.now);
    client.answer().remaining(FEW).send();
    client.passes(200 * MILLI);

    assertThat(client.report().orElseThrow().demandPerSecond()).isPositive();
  }

  @Test
  void isRefused_onlyByAnAnswerToALaterReport() {
    WaitingRequest waiting = waits(LIMIT.permits());
    client.passes(10 * MILLI);
    client.reports();
    client.answer().used(1).send();
    assertThat(waiting.isRefused()).isTrue();
    client.passes(MILLI);
    assertThat(waits(LIMIT.permits()).isRefused()).isFalse();
  }

  @Test
  void decideOrWait_costAboveTheLimit_isDecidedForGoodAndNotAskedFor() {
    WaitingRequest waiting =
        new WaitingRequest(Request.of("user", "42").withCost(LIMIT.permits() + 1), client.now);
    assertThat(client.book.decideOrWait(waiting, client.now).neverAdmitted()).isTrue();
    QuotaUsage usage = client.report().orElseThrow();
    assertThat(usage.needed()).isZero();
    assertThat(usage.cells()).extracting(CellUsage::throttled).containsExactly(LIMIT.permits() + 1);
  }

  @Test
  void refusedCostlyRequest_isNeededUntilItIsReported() {
    client.decide("42", 40);
    client.decide("42", 25);
    assertThat(client.report().orElseThrow().needed()).isEqualTo(40);
    client.passes(130 * MILLI);
    client.admits();
    assertThat(client.report().orElseThrow().needed()).isZero();
  }
}
