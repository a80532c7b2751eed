package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MAX_INSTANCES;
import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.OFFSET;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.START;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.rule;
import static io.quotaenforcer.core.allotment.TestBook.settings;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static io.quotaenforcer.core.allotment.TestBook.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Decisions while the enforcer does not answer, and after it is back. */
class UnavailableTest {
  private static final Limit LIMIT = new FixedWindow(100, 10 * SECOND);
  private static final int SHARE = 100 / MAX_INSTANCES;

  /** A key in use, whose enforcer has not answered for over a second. */
  private static TestBook cutOff(Rule rule) {
    TestBook client = new TestBook(rule);
    client.admits();
    client.granted();
    client.passes(50 * MILLI);
    client.admits();
    client.ticks(1_200 * MILLI);
    return client;
  }

  @Test
  void local_enforcerAway_admitsItsShareLessWhatItUsed() {
    TestBook client = cutOff(balanced(LIMIT));
    assertThat(client.admitted(100)).isEqualTo(SHARE - 1);
    assertThat(client.decision().degraded()).isTrue();
    client.passes(10 * SECOND);
    assertThat(client.admitted(100)).isEqualTo(SHARE);
  }

  @Test
  void local_slidingKind_isLessByWhatWasUsedSinceItWasFirstSeen() {
    TestBook client = cutOff(balanced(new SlidingWindow(100, 10 * SECOND)));
    assertThat(client.admitted(100)).isEqualTo(SHARE - 2);
    client.passes(20 * SECOND);
    assertThat(client.admitted(100)).isEqualTo(SHARE);
  }

  @Test
  void local_slidingKindThatWasAtRest_takesTheWholeShareForUsed() {
    TestBook client = new TestBook(balanced(new SlidingWindow(100, 10 * SECOND)));
    client.admits();
    for (int i = 0; i < 5 && client.book.size() > 0; i++) {
      client.ticks(900 * MILLI);
      client.answer().opening(99).settled(-1L).send();
    }
    assertThat(client.book.size()).isZero();
    client.admits();
    client.ticks(1_200 * MILLI);
    assertThat(client.decision().degraded()).isTrue();
    assertThat(client.admitted(100)).isZero();
  }

  @Test
  void local_limitZero_admitsNothing() {
    TestBook client = cutOff(balanced(new FixedWindow(0, SECOND)));
    assertThat(client.admitted(10)).isZero();
  }

  @Test
  void allow_enforcerAway_admitsAllAndCounts() {
    TestBook client = cutOff(with(balanced(LIMIT), OnUnavailable.ALLOW, Mode.ENFORCE));
    assertThat(client.admitted(1_000)).isEqualTo(1_000);
    client.passes(500 * MILLI);
    assertThat(client.cells()).extracting(CellUsage::used).containsExactly(1_001L);
  }

  @Test
  void deny_enforcerAway_throttles() {
    TestBook client = cutOff(with(balanced(LIMIT), OnUnavailable.DENY, Mode.ENFORCE));
    assertThat(client.admitted(10)).isZero();
  }

  @Test
  void strict_enforcerAway_throttlesWhateverTheRuleSays() {
    TestBook client = cutOff(with(strict(LIMIT), OnUnavailable.ALLOW, Mode.ENFORCE));
    assertThat(client.admitted(10)).isZero();
  }

  @Test
  void heldPermits_enforcerAway_areSpentUntilTheLeaseEnds() {
    TestBook client = new TestBook(strict(LIMIT));
    client.admits();
    client.granted(client.grant(LIMIT, 5, 7));
    client.passes(1_900 * MILLI);
    assertThat(client.admitted(3)).isEqualTo(3);
    client.passes(100 * MILLI);
    assertThat(client.admits()).isFalse();
  }

  @Test
  void answer_afterAnOutage_endsItAndWhatWasUsedIsReported() {
    TestBook client = cutOff(balanced(LIMIT));
    client.admitted(100);
    client.ticks(SECOND);
    client.answer().send();
    assertThat(client.book.isAway(key("rule", "42"), client.now)).isFalse();
    assertThat(client.admits()).isFalse();
    client.passes(1_000 * MILLI);
    long used = client.cells().stream().mapToLong(CellUsage::used).sum();
    assertThat(used).isEqualTo(SHARE);
  }

  @Test
  void outages_severalInOneWindow_spendTheShareOnce() {
    TestBook client = cutOff(balanced(LIMIT));
    int admitted = 1 + client.admitted(100);
    for (int i = 0; i < 3; i++) {
      client.ticks(600 * MILLI);
      client.answer().settled(settledIds(client)).send();
      client.admits();
      client.ticks(1_200 * MILLI);
      admitted += client.admitted(100);
    }
    assertThat(admitted).isEqualTo(SHARE);
  }

  @Test
  void outage_keyForgottenBeforeInTheWindow_takesTheShareForUsed() {
    TestBook client = new TestBook(settings(3 * SECOND, 10), balanced(LIMIT));
    client.admits();
    client.answeredTicks(4 * SECOND);
    assertThat(client.book.size()).isZero();
    client.admits();
    client.ticks(1_200 * MILLI);
    assertThat(client.book.isAway(key("rule", "42"), client.now)).isTrue();
    assertThat(client.admitted(10)).isZero();
  }

  @Test
  void outage_longerThanManyWindows_isReportedInFullAndInAcceptableReports() {
    Limit fast = new FixedWindow(1_000, 100 * MILLI);
    TestBook client = cutOff(balanced(fast));
    long admitted = 2;
    admitted -= 1; // the one refused while the enforcer was there
    for (int i = 0; i < 2_000; i++) {
      client.passes(100 * MILLI);
      admitted += client.admits() ? 1 : 0;
      client.reports();
    }
    assertThat(admitted).isGreaterThan(2_000);
    long counted = 0;
    Set<Long> settled = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      client.passes(100 * MILLI);
      List<CellUsage> cells = client.cells();
      assertThat(cells).hasSizeLessThanOrEqualTo(60);
      List<Long> closed = new ArrayList<>();
      for (CellUsage cell : cells) {
        if (cell.closed()) {
          counted += settled.add(cell.id()) ? cell.used() : 0;
          closed.add(cell.id());
        }
      }
      client.answer().settled(closed.toArray(Long[]::new)).send();
    }
    assertThat(counted).isEqualTo(admitted);
  }

  @Test
  void away_manyRequests_areNoReportStorm() {
    TestBook client = cutOff(balanced(LIMIT));
    int reports = 0;
    for (int i = 0; i < 2_000; i++) {
      client.admits();
      reports += client.ticks(5 * MILLI);
    }
    assertThat(reports).isBetween(5, 8);
  }

  @Test
  void away_idleKey_repeatsItselfEverMoreRarely() {
    TestBook client = cutOff(balanced(LIMIT));
    client.ticks(3 * SECOND);
    client.answeredTicks(SECOND);
    client.admits();
    client.reports();
    client.ticks(10 * SECOND);
    assertThat(client.ticks(20 * SECOND)).isLessThanOrEqualTo(8);
  }

  @Test
  void oneRefusedPartition_othersAnswer_onlyItsKeysAreCutOff() {
    Rule rule = balanced(LIMIT);
    AllotmentBook book = new AllotmentBook(BookSettings.defaults(), MAX_INSTANCES, OFFSET);
    book.applyPrefix(new PrefixInfo(2, QuotaKey.HASH_VERSION, MAX_INSTANCES), START);
    book.applyRules(RuleSet.of(List.of(rule)), START);
    String[] users = {userOf(0), userOf(1)};
    for (String user : users) {
      book.decide(Request.of("user", user), START);
    }
    book.reports(START);
    book.applySnapshot(
        new io.quotaenforcer.core.message.QuotaSnapshot(
            "me", 1, 1, START, START + OFFSET, List.of()),
        START + MILLI);
    long later = START + 2 * SECOND;
    assertThat(book.isAway(key("rule", users[0]), later)).isTrue();
    assertThat(book.isAway(key("rule", users[1]), later)).isFalse();
    assertThat(book.partitionsAway(later)).isEqualTo(1);
  }

  @Test
  void noPrefixYet_forLong_countsAsAwayAndHeals() {
    AllotmentBook book = new AllotmentBook(BookSettings.defaults(), MAX_INSTANCES, OFFSET);
    book.applyRules(RuleSet.of(List.of(balanced(LIMIT))), START);
    Request request = Request.of("user", "42");
    assertThat(book.decide(request, START).admitted()).isTrue();
    assertThat(book.reports(START)).isEmpty();
    assertThat(book.reports(START + 2 * SECOND)).isEmpty();
    assertThat(book.isAway(key("rule", "42"), START + 2 * SECOND)).isTrue();
    book.applyPrefix(new PrefixInfo(4, QuotaKey.HASH_VERSION, MAX_INSTANCES), START + 2 * SECOND);
    assertThat(book.isAway(key("rule", "42"), START + 2 * SECOND)).isFalse();
    assertThat(book.reports(START + 3 * SECOND)).hasSize(1);
  }

  @Test
  void perInstance_everyInstance_hasTheLimitForItself() {
    TestBook client = new TestBook(rule("rule", LIMIT, Enforcement.PER_INSTANCE));
    assertThat(client.admitted(200)).isEqualTo(100);
    QuotaUsage usage = client.report().orElseThrow();
    assertThat(usage.cells()).extracting(CellUsage::used).containsExactly(100L);
    client.answer().send();
    assertThat(client.admits()).isFalse();
    client.passes(10 * SECOND);
    assertThat(client.admitted(200)).isEqualTo(100);
    assertThat(client.decision().degraded()).isFalse();
  }

  private static Long[] settledIds(TestBook client) {
    client.passes(500 * MILLI);
    return client.cells().stream()
        .filter(CellUsage::closed)
        .map(CellUsage::id)
        .toArray(Long[]::new);
  }

  private static String userOf(int partition) {
    int user = 0;
    while (key("rule", "u" + user).partition(2) != partition) {
      user++;
    }
    return "u" + user;
  }
}
