package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.OFFSET;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.START;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.rule;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an instance can be asked besides decisions. */
class AllotmentBookTest {
  private static final Limit LIMIT = new FixedWindow(100, 10 * SECOND);
  private static final QuotaKey KEY = key("rule", "42");

  private final TestBook client = new TestBook(strict(LIMIT));
  private final AllotmentBook book = client.book;

  /** With two partitions, of which that of {@link #KEY} was asked and does not answer. */
  private AllotmentBook ofTwoPartitions() {
    AllotmentBook two = new AllotmentBook(BookSettings.defaults(), 10, OFFSET);
    assertThat(two.partitions()).isZero();
    two.applyPrefix(new PrefixInfo(2, QuotaKey.HASH_VERSION, 10), START);
    two.applyRules(RuleSet.of(List.of(strict(LIMIT))), START);
    two.decide(Request.of("user", "42"), START);
    assertThat(two.reports(START)).hasSize(1);
    return two;
  }

  @Test
  void partitionsAway_andUnanswered_areOfThoseThatWereAsked() {
    AllotmentBook two = ofTwoPartitions();
    assertThat(two.partitions()).isEqualTo(2);
    assertThat(two.unansweredNanos(START + 300 * MILLI)).isEqualTo(300 * MILLI);
    assertThat(two.partitionsAway(START + SECOND - 1)).isZero();
    assertThat(two.partitionsAway(START + SECOND)).isOne();
    assertThat(two.isAway(KEY, START + SECOND)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 2})
  void answerOfAPartitionThatThereIsNot_isIgnored(int partition) {
    AllotmentBook two = ofTwoPartitions();
    two.applySnapshot(
        new QuotaSnapshot("me", 1, partition, START, START + OFFSET, List.of()), START);
    assertThat(two.unansweredNanos(START + MILLI)).isEqualTo(MILLI);
  }

  @Test
  void answerOfThePartition_isTaken() {
    AllotmentBook two = ofTwoPartitions();
    two.applySnapshot(
        new QuotaSnapshot("me", 1, KEY.partition(2), START, START + OFFSET + 7, List.of()), START);
    assertThat(two.unansweredNanos(START + MILLI)).isZero();
    assertThat(two.toEnforcerNanos(KEY, START)).isEqualTo(START + OFFSET + 7);
  }

  @Test
  void enforcerTime_beforeAnyAnswer_isTheMachines() {
    assertThat(book.toEnforcerNanos(KEY, START)).isEqualTo(START + OFFSET);
  }

  @Test
  void requestWaitsInVain_enforcerIsAwayForLonger_andStillAsked() {
    client.admits();
    client.reports();
    long asked = client.now;
    assertThat(book.isWaitedForInVain(KEY, 0, asked + SECOND - 1)).as("not away").isFalse();
    assertThat(book.isWaitedForInVain(KEY, SECOND, asked + SECOND)).isFalse();
    assertThat(book.isWaitedForInVain(KEY, SECOND, asked + SECOND + 1)).isTrue();
    assertThat(book.isWaitedForInVain(KEY, SECOND, asked + 3 * SECOND - 1)).isTrue();
    assertThat(book.isWaitedForInVain(KEY, SECOND, asked + 3 * SECOND)).as("not asked").isFalse();
  }

  @Test
  void requestDoesNotWaitInVain_whereAShareGoesOn() {
    client.admits();
    client.granted(client.share(7, 1, 10));
    client.passes(20 * MILLI);
    client.admits();
    client.reports();
    client.passes(2 * SECOND);
    assertThat(book.isAway(KEY, client.now)).isTrue();
    assertThat(book.isWaitedForInVain(KEY, MILLI, client.now)).isFalse();
    assertThat(book.isWaitedForInVain(key("rule", "other"), MILLI, client.now)).isTrue();
  }

  @Test
  void inOrder_areServedThoseWhoWaitForSlots() {
    assertThat(book.servesInOrder(KEY)).isFalse();
    assertThat(book.servesInOrder(key("none", "42"))).isFalse();
    client.apply(rule("slots", new ConcurrencyLimit(3, 10 * SECOND), Enforcement.STRICT));
    assertThat(book.servesInOrder(key("slots", "42"))).isTrue();
  }

  @Test
  void withdrawn_isAskedForNoMore() {
    WaitingRequest waiting = new WaitingRequest(Request.of("user", "42").withCost(9), 0);
    assertThat(book.decideOrWait(waiting, client.now).admitted()).isFalse();
    assertThat(client.report().orElseThrow().needed()).isEqualTo(9);
    client.answer().remaining(50).send();
    book.withdraw(waiting);
    client.passes(20 * MILLI);
    assertThat(client.report().orElseThrow().needed()).isZero();
    assertThat(book.decideOrWait(waiting, client.now).admitted()).isFalse();
    assertThat(book.giveUp(waiting, client.now).admitted()).isFalse();
    client.passes(20 * MILLI);
    assertThat(client.report().orElseThrow().cells())
        .extracting(cell -> cell.throttled())
        .containsExactly(9L);
  }

  @Test
  void sizes_areOfKeysInUse_andOfThoseAtRest() {
    client.admits();
    client.decide("other", 1);
    assertThat(book.size()).isEqualTo(2);
    assertThat(book.rules().rule(new RuleId("test", "rule"))).isPresent();
    assertThat(book.remembered()).isZero();
    for (int i = 0; i < 1_000; i++) {
      client.passes(5 * MILLI);
      for (var usage : client.reports()) {
        Long[] closed = TestBook.closed(usage.cells()).toArray(Long[]::new);
        client.answer().of(usage.quotaKey(), 1).settled(closed).send();
      }
    }
    assertThat(book.size()).isZero();
    assertThat(book.remembered()).isEqualTo(2);
  }
}
