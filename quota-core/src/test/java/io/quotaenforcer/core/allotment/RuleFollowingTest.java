package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.rule;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rule changes as an instance sees them. */
class RuleFollowingTest {
  private static final Limit LIMIT = new SlidingWindow(100, SECOND);

  private final TestBook client = new TestBook(strict(LIMIT));

  private void granted(long permits) {
    client.admits();
    client.granted(client.grant(LIMIT, 5, permits));
  }

  @Test
  void otherLimit_sameGeneration_isFollowedAtOnceAndKeepsTheCells() {
    granted(10);
    client.apply(strict(new SlidingWindow(50, SECOND)).withVersion(2, 1));
    assertThat(client.decision().limit()).isEqualTo(50);
    assertThat(client.admitted(20)).isEqualTo(9);
  }

  @Test
  void newGeneration_retiresTheCells() {
    granted(10);
    client.admitted(4);
    client.apply(strict(new FixedWindow(50, SECOND)).withVersion(2, 2));
    assertThat(client.admits()).isFalse();
    client.passes(20 * MILLI);
    List<QuotaUsage> usages = client.reports();
    assertThat(usages).extracting(QuotaUsage::generation).containsExactlyInAnyOrder(1L, 2L);
    QuotaUsage old = usages.stream().filter(u -> u.generation() == 1).findFirst().orElseThrow();
    assertThat(old.demandPerSecond()).isZero();
    assertThat(old.cells())
        .filteredOn(cell -> cell.id() == 5)
        .extracting(CellUsage::used)
        .containsExactly(4L);
  }

  @Test
  void newGeneration_answersOfTheOldOne_settleTheOldAndGrantTheNewNothing() {
    granted(10);
    client.apply(strict(new FixedWindow(50, SECOND)).withVersion(2, 2));
    client.admits();
    client.passes(120 * MILLI);
    client.reports();
    client.answer().settled(5L, -1L).grants(client.grant(LIMIT, 9, 10)).send();
    assertThat(client.admits()).isFalse();
    client.passes(20 * MILLI);
    client
        .answer()
        .of(key("rule", "42"), 2)
        .grants(client.grant(new FixedWindow(50, SECOND), 10, 3))
        .send();
    assertThat(client.admitted(10)).isEqualTo(3);
  }

  @Test
  void newGeneration_ofABalancedKeyThatWasUsedUp_isCountedAnew() {
    TestBook opening = new TestBook(balanced(new FixedWindow(10, 10 * SECOND)));
    opening.admits();
    opening.reports();
    opening.answer().used(10).opening(0, opening.enforcerNow() + 10 * SECOND).send();
    assertThat(opening.admits()).isFalse();

    opening.apply(balanced(new FixedWindow(10, 5 * SECOND)).withVersion(2, 2));

    assertThat(opening.admitted(20)).as("it opened one itself").isEqualTo(9);
  }

  @Test
  void otherEnforcementAndBack_sameGeneration_isUsedUpAsBefore() {
    Rule rule = balanced(new FixedWindow(10, 10 * SECOND));
    TestBook opening = new TestBook(rule);
    opening.admits();
    opening.reports();
    opening.answer().used(10).opening(0, opening.enforcerNow() + 10 * SECOND).send();

    opening.apply(rule.withEnforcement(Enforcement.STRICT).withVersion(2, 1));
    opening.apply(rule.withVersion(3, 1));

    assertThat(opening.admits()).isFalse();
  }

  @Test
  void ruleGone_isUnmatched() {
    granted(10);
    client.remove(strict(LIMIT));
    assertThat(client.decide().rule()).isEmpty();
    assertThat(client.book.size()).isZero();
  }

  @Test
  void ruleGoneAndBack_sameGeneration_doesNotSpendItsCellsTwice() {
    granted(10);
    client.admitted(4);
    client.remove(strict(LIMIT));
    client.apply(strict(LIMIT));
    client.admits();
    client.passes(20 * MILLI);
    assertThat(client.reports()).hasSize(1);
    client.answer().grants(client.grant(LIMIT, 5, 12)).send();
    assertThat(client.admits()).isFalse();
  }

  @Test
  void otherEnforcement_sameGeneration_keepsOneHolderWithAllItsCells() {
    granted(10);
    client.admitted(4);
    client.apply(balanced(LIMIT).withVersion(2, 1));
    assertThat(client.admits()).as("opening").isTrue();
    client.passes(20 * MILLI);
    List<CellUsage> cells = client.cells();
    assertThat(cells).extracting(CellUsage::id).contains(5L);
    assertThat(cells.stream().mapToLong(CellUsage::used).sum()).isEqualTo(5);
  }

  @Test
  void otherAlgorithm_sameGeneration_startsAnew() {
    granted(10);
    client.apply(strict(new FixedWindow(100, SECOND)));
    assertThat(client.admits()).isFalse();
  }

  @Test
  void perInstance_otherLimit_isFollowedAndKeepsItsCount() {
    Rule own = rule("rule", new FixedWindow(10, 10 * SECOND), Enforcement.PER_INSTANCE);
    TestBook mine = new TestBook(own);
    assertThat(mine.admitted(20)).isEqualTo(10);
    mine.apply(own.withLimit(new FixedWindow(15, 10 * SECOND)).withVersion(2, 1));
    assertThat(mine.admitted(20)).isEqualTo(5);
    mine.apply(own.withLimit(new FixedWindow(3, 10 * SECOND)).withVersion(3, 1));
    mine.passes(10 * SECOND);
    assertThat(mine.admitted(20)).isEqualTo(3);
  }
}
