package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.settings;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.QuotaUsage;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Requests that wait for permits. */
class WaitingTest {
  private static final Limit LIMIT = new SlidingWindow(100, SECOND);
  private static final QuotaKey KEY = key("rule", "42");

  private final TestBook client = new TestBook(settings(5 * SECOND, 10), strict(LIMIT));

  private Decision decideOrWait(long cost) {
    return client.book.decideOrWait(new Request(Map.of("user", "42"), cost), client.now);
  }

  @Test
  void decideOrWait_roomForIt_isAdmittedAndWaitsForNothing() {
    client.admits();
    client.granted(client.grant(LIMIT, 5, 10));
    assertThat(decideOrWait(3).admitted()).isTrue();
    client.passes(20 * MILLI);
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
  void withdraw_givenUp_asksNoMore() {
    decideOrWait(30);
    client.reports();
    client.book.withdraw(KEY, 30);
    client.passes(130 * MILLI);
    assertThat(client.report().orElseThrow().needed()).isZero();
  }

  @Test
  void withdraw_afterTheKeyWasReplaced_doesNotHideLaterOnes() {
    decideOrWait(30);
    client.apply(strict(LIMIT).withVersion(2, 2));
    client.admits();
    client.book.withdraw(KEY, 30);
    decideOrWait(5);
    client.passes(20 * MILLI);
    assertThat(client.reports())
        .filteredOn(usage -> usage.generation() == 2)
        .extracting(QuotaUsage::needed)
        .containsExactly(5L);
  }

  @Test
  void waiting_forLong_isNeitherIdleNorForgotten() {
    decideOrWait(30);
    client.answeredTicks(10 * SECOND);
    assertThat(client.book.size()).isEqualTo(1);
    client.passes(500 * MILLI);
    client.granted(client.grant(LIMIT, 5, 30));
    client.ticks(50 * MILLI);
    client.book.withdraw(KEY, 30);
    assertThat(decideOrWait(30).admitted()).isTrue();
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
  void isRefusedSince_onlyByAnAnswerToALaterReport() {
    decideOrWait(30);
    long asked = client.now;
    client.passes(10 * MILLI);
    client.granted();
    assertThat(client.book.isRefusedSince(KEY, LIMIT.permits() + 1, asked)).isTrue();
    assertThat(client.book.isRefusedSince(KEY, LIMIT.permits() + 1, client.now + 1)).isFalse();
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
