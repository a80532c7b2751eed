package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Elastic;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Quota keys that go beyond their limit, by what a pool lends. */
class BorrowingTest {
  private static final Limit OWN = new FixedWindow(10, 10 * SECOND);
  private static final Limit POOL = new FixedWindow(1_000, 10 * SECOND);
  private static final QuotaKey USER = key("user", "42");
  private static final QuotaKey BORROWED = key("user.borrowed", "42");
  private static final QuotaKey ALL = key("all", "42");

  private final Rule users =
      rule("user", OWN, Enforcement.STRICT).withElastic(new Elastic("all", 30_000));
  private final Rule all = rule("all", POOL, Enforcement.STRICT);
  private final TestBook client = new TestBook(users, all);

  private void grant(QuotaKey key, Limit limit, long permits, long remaining) {
    client.answer().of(key, 1).grants(client.grant(limit, 5, permits)).remaining(remaining).send();
  }

  /** The enforcer has granted of all three: rules further on are asked once those before have. */
  private void granted(long own, long borrowed, long pool) {
    client.admits();
    client.reports();
    grant(USER, OWN, own, 0);
    client.passes(20 * MILLI);
    for (int i = 0; i <= own; i++) {
      client.admits();
    }
    client.reports();
    grant(ALL, POOL, pool, 500);
    client.passes(20 * MILLI);
    client.admitted((int) own + 1);
    client.reports();
    grant(BORROWED, OWN.withPermits(20), borrowed, 10);
  }

  private Map<QuotaKey, QuotaUsage> usages() {
    client.passes(150 * MILLI);
    return client.reports().stream()
        .collect(Collectors.toMap(QuotaUsage::quotaKey, usage -> usage));
  }

  private static long used(QuotaUsage usage) {
    return usage.cells().stream().mapToLong(cell -> cell.used()).sum();
  }

  @Test
  void decide_beyondTheLimit_borrows_andSaysSo() {
    granted(2, 3, 500);

    Decision decision = client.decide();

    assertThat(decision.admitted()).isTrue();
    assertThat(decision.rules())
        .extracting(RuleDecision::quotaKey)
        .containsExactlyInAnyOrder(BORROWED, ALL);
    assertThat(decision.rules())
        .filteredOn(each -> each.quotaKey().equals(ALL))
        .extracting(RuleDecision::demandClass)
        .containsExactly("borrowed");
    assertThat(client.admitted(10)).isEqualTo(2);
  }

  /** Who has just found none of its own looks no more until the next look, or permits come. */
  @Test
  void decide_ownPermitsThatCome_areTakenBeforeMoreIsBorrowed() {
    granted(2, 3, 500);
    client.passes(AskedKey.ASKED_EVERY);
    assertThat(decidedBy()).containsExactlyInAnyOrder(BORROWED, ALL);
    assertThat(decidedBy()).containsExactlyInAnyOrder(BORROWED, ALL);

    grant(USER, OWN, 3, 0);

    assertThat(decidedBy()).containsExactlyInAnyOrder(USER, ALL);
    assertThat(decidedBy()).containsExactlyInAnyOrder(BORROWED, ALL);
  }

  private List<QuotaKey> decidedBy() {
    Decision decision = client.decide();
    assertThat(decision.admitted()).isTrue();
    return decision.rules().stream().map(RuleDecision::quotaKey).toList();
  }

  @Test
  void decide_nothingToBorrow_isThrottledByTheOwnRule() {
    granted(2, 0, 500);

    Decision decision = client.decide();

    assertThat(decision.rule().orElseThrow().quotaKey()).isEqualTo(USER);
    assertThat(decision.admitted()).isFalse();
  }

  @Test
  void decide_poolWithoutRoom_isThrottledByTheOwnRule_andGivesBackWhatWasBorrowed() {
    granted(2, 3, 2);

    Decision decision = client.decide();

    assertThat(decision.admitted()).isFalse();
    assertThat(decision.rule().orElseThrow().quotaKey()).isEqualTo(USER);
    assertThat(used(usages().get(BORROWED))).isZero();
  }

  @Test
  void report_ofWhatWasBorrowed_isDemandOfTheOwnRuleButNotThrottledThere() {
    granted(2, 3, 500);
    long before = throttled(usages().get(USER));

    assertThat(client.admitted(3)).isEqualTo(3);

    Map<QuotaKey, QuotaUsage> usages = usages();
    assertThat(throttled(usages.get(USER))).isEqualTo(before);
    assertThat(usages.get(USER).demandPerSecond()).isPositive();
    assertThat(used(usages.get(BORROWED))).isEqualTo(3);
  }

  private static long throttled(QuotaUsage usage) {
    return usage.cells().stream().mapToLong(cell -> cell.throttled()).sum();
  }

  @Test
  void decide_poolThatDoesNotMatch_lendsNothing() {
    Rule other =
        rule("all", POOL, Enforcement.STRICT).withMatch(Map.of("api", new Matcher.Exact("/a")));
    TestBook alone = new TestBook(users, other);
    alone.admits();
    alone.reports();
    alone.answer().of(USER, 1).grants(alone.grant(OWN, 5, 2)).send();

    assertThat(alone.admitted(5)).isEqualTo(2);
    assertThat(alone.reports()).extracting(QuotaUsage::quotaKey).doesNotContain(BORROWED);
  }

  @Test
  void decide_ruleNotAnsweredYet_asksForNothingToBorrow() {
    client.admits();
    client.admits();

    assertThat(client.reports()).extracting(QuotaUsage::quotaKey).containsExactly(USER);
  }

  @Test
  void waiting_ofAKeyThatIsUsedUp_asksForWhatCanBeBorrowed() {
    granted(2, 0, 500);
    WaitingRequest waiting = new WaitingRequest(new Request(Map.of("user", "42"), 1), client.now);

    Decision decision = client.book.decideOrWait(waiting, client.now);

    assertThat(decision.rule().orElseThrow().quotaKey()).isEqualTo(BORROWED);
    Map<QuotaKey, QuotaUsage> usages = usages();
    assertThat(usages.get(BORROWED).needed()).isEqualTo(1);
    assertThat(usages.get(ALL).classes()).extracting(each -> each.needed()).containsExactly(0L, 1L);
    client.book.withdraw(waiting);
    assertThat(usages().get(ALL).classes())
        .extracting(each -> each.needed())
        .containsExactly(0L, 0L);
  }

  private long borrowed() {
    return client.book.keys().find(users, USER, client.now).view(client.now).unmet().borrowed();
  }

  @Test
  void waiting_ofAPoolWithoutRoom_isNoDemandOfEachTry() {
    granted(2, 3, 2);
    long before = borrowed();
    WaitingRequest waiting = new WaitingRequest(new Request(Map.of("user", "42"), 1), client.now);
    for (int i = 0; i < 50; i++) {
      assertThat(client.book.decideOrWait(waiting, client.now).admitted()).isFalse();
    }
    assertThat(borrowed()).as("nothing was borrowed").isEqualTo(before);

    for (int i = 0; i < 8; i++) {
      client.passes(20 * MILLI);
      client.reports();
    }
    client.answer().of(ALL, 1).grants(client.grant(POOL, 6, 5)).remaining(500).send();
    assertThat(client.book.decideOrWait(waiting, client.now).admitted()).isTrue();
    assertThat(borrowed()).isEqualTo(before + 1);
  }

  @Test
  void waiting_thatBeginsToBorrow_isOfOneClassOnly() {
    granted(2, 0, 500);
    KeyAllotment pool = client.book.keys().find(all, ALL, client.now);
    WaitingRequest waiting = new WaitingRequest(new Request(Map.of("user", "42"), 1), client.now);
    waiting.awaits(Map.of(pool, 0));
    waiting.awaits(Map.of(pool, 1));

    assertThat(usages().get(ALL).classes())
        .extracting(each -> each.needed())
        .containsExactly(0L, 1L);
    waiting.awaits(Map.of());
    assertThat(usages().get(ALL).needed()).isZero();
  }

  @Test
  void decide_shadowRuleBeyondItsLimit_takesThePoolAsIfItBorrowedNothing() {
    TestBook watching = new TestBook(users.withMode(Mode.SHADOW), all);
    watching.admits();
    watching.reports();
    watching.answer().of(USER, 1).send();
    watching.answer().of(ALL, 1).grants(watching.grant(POOL, 5, 5)).remaining(500).send();

    Decision decision = watching.decide();

    assertThat(decision.admitted()).isTrue();
    assertThat(decision.rules())
        .filteredOn(each -> each.quotaKey().equals(ALL))
        .extracting(RuleDecision::demandClass)
        .isEqualTo(List.of("nominal"));
  }

  @Test
  void follow_ruleThatIsElasticNoMore_borrowsNothing() {
    granted(2, 3, 500);

    client.apply(rule("user", OWN, Enforcement.STRICT).withVersion(2, 1));

    assertThat(client.admits()).isFalse();
  }
}
