package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.OFFSET;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.START;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The content of reports, and when they are due. */
class ReportingTest {
  private static final Limit LIMIT = new SlidingWindow(100, SECOND);

  private final TestBook client = new TestBook(strict(LIMIT));

  private void granted(long permits) {
    client.admits();
    client.granted(client.grant(LIMIT, 5, permits));
  }

  private CellUsage cell() {
    return client.cells().stream().filter(cell -> cell.id() == 5).findFirst().orElseThrow();
  }

  @Test
  void counts_areCumulative() {
    granted(50);
    client.admitted(3);
    client.passes(100 * MILLI);
    assertThat(cell().used()).isEqualTo(3);
    client.admitted(4);
    client.passes(130 * MILLI);
    assertThat(cell().used()).isEqualTo(7);
  }

  /** Within a second: in two loops, at the next look; in 5 ms at least, and 20 at most. */
  @ParameterizedTest
  @CsvSource({"1, 190, 200", "4, 95, 101", "7, 62, 67", "10, 45, 51", "15, 45, 51"})
  void due_inUse_isMoreOftenWhereAnswersComeQuickly(int loopMillis, int least, int most) {
    granted(50);
    Deque<Long> unanswered = new ArrayDeque<>();
    int reports = 0;
    for (int i = 0; i < 1_000; i++) {
      client.passes(MILLI);
      client.admits();
      if (!client.reports().isEmpty()) {
        reports++;
        unanswered.add(client.now);
      }
      if (!unanswered.isEmpty() && client.now - unanswered.peek() >= loopMillis * MILLI) {
        client.answer().to(unanswered.remove()).grants(client.grant(LIMIT, 5, 50)).send();
      }
    }
    assertThat(reports).isBetween(least, most);
  }

  /** Keys come into use one after the other. */
  @ParameterizedTest
  @CsvSource({"2, true", "16, true", "17, false"})
  void due_fewKeysInUse_leaveTogether(int keys, boolean together) {
    Set<Integer> sizes = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      client.passes(MILLI);
      for (int user = 0; user <= Math.min(i, keys - 1); user++) {
        client.decide("user-" + user, 1);
      }
      List<QuotaUsage> reported = client.reports();
      for (QuotaUsage usage : reported) {
        client.answer().of(usage.quotaKey(), 1).remaining(100).send();
      }
      if (i >= 100 && !reported.isEmpty()) {
        sizes.add(reported.size());
      }
    }
    if (together) {
      assertThat(sizes).containsExactly(keys);
    } else {
      assertThat(sizes).doesNotContain(keys);
    }
  }

  @ParameterizedTest
  @CsvSource({"9, false", "10, true"})
  void due_anotherKeyReports_joinsAfterHalfOfThePause(int millis, boolean joins) {
    client.decide("early", 1);
    for (QuotaUsage usage : client.reports()) {
      client.answer().of(usage.quotaKey(), 1).remaining(100).send();
    }
    client.passes(millis * MILLI);
    client.decide("early", 1);
    client.decide("new", 1);
    assertThat(client.reports()).hasSize(joins ? 2 : 1);
  }

  /**
   * Only news joins another key's report: a key without any keeps the usual time between two
   * reports.
   */
  @Test
  void due_anotherKeyWithoutNews_doesNotJoin() {
    client.decide("quiet", 1);
    for (QuotaUsage usage : client.reports()) {
      client.answer().of(usage.quotaKey(), 1).remaining(100).send();
    }
    client.passes(30 * MILLI);
    client.decide("busy", 1);
    assertThat(client.reports())
        .extracting(QuotaUsage::quotaKey)
        .containsExactly(key("rule", "busy"));
  }

  @Test
  void due_newKey_isWithinTheUrgentInterval() {
    granted(50);
    client.passes(20 * MILLI);
    client.reports();
    client.decide("new", 1);
    client.passes(5 * MILLI);
    assertThat(client.reports()).extracting(QuotaUsage::quotaKey).contains(key("rule", "new"));
  }

  @Test
  void due_answersTakeLong_keysThatComeMeanwhileShareAReport() {
    client.decide("a", 1);
    client.reports();
    client.passes(400 * MILLI);
    client.answer().of(key("rule", "a"), 1).send();
    client.decide("a", 1);
    assertThat(client.reports()).hasSize(1);

    client.decide("b", 1);
    client.passes(50 * MILLI);
    client.decide("c", 1);
    client.passes(49 * MILLI);
    assertThat(client.reports()).isEmpty();
    client.passes(5 * MILLI);

    assertThat(client.reports())
        .extracting(QuotaUsage::quotaKey)
        .contains(key("rule", "b"), key("rule", "c"));
  }

  /** Each new key asks to be reported at once: one record each would bury who is behind. */
  @Test
  void due_newKeysAllTheTime_nothingAnswered_leaveTogether_lessAndLessOften() {
    client.decide("first", 1);
    assertThat(client.reports()).isNotEmpty();
    client.passes(20 * MILLI);
    client.answer().of(key("rule", "first"), 1).send();

    assertThat(recordsOfNewKeysWithin(SECOND)).as("of 200").isLessThan(25);
    assertThat(recordsOfNewKeysWithin(10 * SECOND)).as("of 2,000").isLessThan(15);
  }

  private int recordsOfNewKeysWithin(long nanos) {
    int records = 0;
    for (long end = client.now + nanos; client.now < end; client.now += 5 * MILLI) {
      client.decide("new-" + client.now, 1);
      records += client.book.reports(client.now).size();
    }
    return records;
  }

  @Test
  void lease_noMoreRequests_needsNoReportUntilTheKeyIsIdle() {
    granted(50);
    CellGrant grant = client.grant(LIMIT, 5, 50);
    client.answeredTicks(200 * MILLI, grant);
    client.admits();
    client.answeredTicks(20 * MILLI, grant);
    long before = client.now;
    assertThat(client.ticks(1_500 * MILLI)).isZero();
    assertThat(client.now - before).isEqualTo(1_500 * MILLI);
    client.admits();
  }

  @Test
  void throttled_areCountedInTheCellInUse() {
    granted(2);
    client.admitted(5);
    client.passes(20 * MILLI);
    CellUsage usage = cell();
    assertThat(usage.used()).isEqualTo(2);
    assertThat(usage.throttled()).isEqualTo(3);
  }

  @Test
  void demand_countsAdmittedAndThrottled() {
    granted(2);
    for (int i = 0; i < 100; i++) {
      client.admits();
      client.answeredTicks(10 * MILLI);
    }
    client.passes(20 * MILLI);
    client.admits();
    assertThat(client.report().orElseThrow().demandPerSecond()).isBetween(70.0, 130.0);
  }

  @Test
  void loop_isTheIntervalAndTheAnswersTime() {
    client.admits();
    assertThat(client.book.reports(client.now)).extracting(PartitionReport::loopNanos).contains(0L);
    client.passes(30 * MILLI);
    client.answer().to(START).send();
    client.admits();
    assertThat(client.book.reports(client.now))
        .extracting(PartitionReport::loopNanos)
        .containsExactly(50 * MILLI);
  }

  @Test
  void reports_areGroupedByPartition() {
    AllotmentBook book = new AllotmentBook(BookSettings.defaults(), 10, OFFSET);
    book.applyPrefix(new PrefixInfo(8, QuotaKey.HASH_VERSION, 10), START);
    book.applyRules(RuleSet.of(List.of(strict(LIMIT))), START);
    for (int i = 0; i < 100; i++) {
      book.decide(io.quotaenforcer.core.Request.of("user", "u" + i), START);
    }
    List<PartitionReport> reports = book.reports(START);
    assertThat(reports).hasSize(8);
    for (PartitionReport report : reports) {
      assertThat(report.quotas())
          .allMatch(usage -> usage.quotaKey().partition(8) == report.partition());
    }
  }

  @Test
  void snapshot_ofAnUnknownPartition_isIgnored() {
    client.admits();
    client.reports();
    client.book.applySnapshot(
        new io.quotaenforcer.core.message.QuotaSnapshot("me", 1, 3, START, START, List.of()),
        client.now);
    client.passes(2 * SECOND);
    assertThat(client.book.isAway(key("rule", "42"), client.now)).isTrue();
  }

  @Test
  void retryAfter_permitsLeftButNotHere_isALoop() {
    client.admits();
    client.reports();
    client.answer().remaining(10).send();
    assertThat(client.decision().retryAfterNanos()).isEqualTo(20 * MILLI);
    assertThat(client.decision().remaining()).isEqualTo(10);
  }

  @Test
  void retryAfter_noneLeft_isTheReset() {
    client.admits();
    client.reports();
    client.answer().send();
    assertThat(client.decision().retryAfterNanos()).isEqualTo(SECOND);
    assertThat(client.decision().resetNanos()).isEqualTo(SECOND);
  }
}
