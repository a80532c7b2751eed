package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MAX_INSTANCES;
import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.OFFSET;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.START;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Rule;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Permits that an instance admits without a grant: opened, or while the enforcer is away. */
class UngrantedPermitsTest {
  private static final Limit LIMIT = new FixedWindow(300, 10 * SECOND);
  private static final int WHOLE = 300;
  private static final int SHARED = 3;
  private static final Set<Thread.State> WAITING_OR_OVER =
      Set.of(Thread.State.BLOCKED, Thread.State.TERMINATED);
  private static final Origin NEW = Origin.forgotten(Long.MIN_VALUE, Long.MIN_VALUE);

  private final BookSettings settings = BookSettings.defaults();
  private final BookContext context = new BookContext(settings, MAX_INSTANCES, new KeyHash(1, 2));
  private final PartitionLink link = new PartitionLink(settings, OFFSET);
  private final HeldCells cells = new HeldCells();
  private final Debt debt = new Debt();
  private KeyTerms terms = terms(balanced(LIMIT));
  private UngrantedPermits ungranted = of(NEW);
  private long now = START;

  private static KeyTerms terms(Rule rule) {
    return KeyTerms.of(key("rule", "42"), rule);
  }

  private UngrantedPermits of(Origin origin) {
    KeyStart start = new KeyStart(terms, link, origin, START);
    return new UngrantedPermits(context, key("rule", "42"), cells, start);
  }

  private long opening() {
    return ungranted.opening(terms, link, now);
  }

  private boolean take(long permits) {
    return ungranted.tryTake(terms, link, permits, now) != null;
  }

  private void away(OnUnavailable decides) {
    terms = terms(balanced(LIMIT).withOnUnavailable(decides));
    ungranted = of(NEW);
    link.sent(now);
    now += settings.awayAfterNanos();
  }

  @Test
  void keyThatMayNotHaveFitIntoMemory_isOpenedByASharedCredit_untilThatIsOver() {
    ungranted = of(Origin.forgotten(START + 4 * SECOND, Long.MIN_VALUE));
    assertThat(opening()).isEqualTo(SHARED);
    now += 4 * SECOND - 1;
    assertThat(opening()).isEqualTo(SHARED);
    now++;
    assertThat(opening()).isEqualTo(WHOLE);
  }

  @Test
  void keyThatIsNew_isOpenedWhole() {
    ungranted = of(Origin.forgotten(START, Long.MIN_VALUE));
    assertThat(opening()).isEqualTo(WHOLE);
  }

  @Test
  void opened_isCountedForTheWholeBook() {
    assertThat(take(7)).isTrue();
    assertThat(context.opened.sum()).isEqualTo(7);
    assertThat(opening()).isEqualTo(WHOLE - 7);
  }

  @Test
  void ended_givesNoPermits_andOpensNoCell() {
    ungranted.end();
    assertThat(take(7)).isFalse();
    assertThat(ungranted.countingCell(terms, link, now)).isNull();
    assertThat(opening()).as("they are not used").isEqualTo(WHOLE);
    assertThat(context.opened.sum()).isZero();
  }

  @Test
  void windowIsOver_anotherCellCounts() {
    Cell first = ungranted.countingCell(terms, link, now);
    assertThat(ungranted.countingCell(terms, link, now + 1)).isSameAs(first);
    now += 10 * SECOND;
    assertThat(ungranted.countingCell(terms, link, now)).isNotSameAs(first);
    assertThat(first.isSealed()).isTrue();
  }

  /** As when the owner of the book ends a cell that a request has just found. */
  @ParameterizedTest
  @EnumSource(
      value = Enforcement.class,
      names = {"BALANCED", "PER_INSTANCE"})
  void cellThatIsBeingReplaced_isNotTakenFrom_butTheNext(Enforcement enforcement)
      throws InterruptedException {
    terms = terms(TestBook.rule("rule", LIMIT, enforcement));
    ungranted = of(NEW);
    assertThat(take(1)).isTrue();
    AtomicBoolean taken = new AtomicBoolean();
    Thread asking = new Thread(() -> taken.set(take(1)));
    synchronized (cells) {
      cells.opened().seal(now);
      asking.start();
      await().until(() -> WAITING_OR_OVER.contains(asking.getState()));
      cells.open(null, now);
    }
    asking.join();

    assertThat(taken).isTrue();
    assertThat(cells.opened().used()).isEqualTo(1);
  }

  @Test
  void limiterOfTheInstance_hasItsPermitsBack_whereNoCellCountsThem() {
    terms = terms(TestBook.rule("rule", LIMIT, Enforcement.PER_INSTANCE));
    ungranted = of(NEW);
    ungranted.end();

    assertThat(take(WHOLE)).isFalse();

    assertThat(ungranted.limiter().available(link.toEnforcer(now))).isEqualTo(WHOLE);
  }

  @Test
  void abusedKey_isOpenedAsFarAsAnnounced_untilThatIsOver() {
    long until = START + OFFSET + SECOND;
    context.exhausted.add(key("rule", "42"), announced(until, 5, until + SECOND), START + OFFSET);
    assertThat(opening()).isZero();
    now += SECOND;
    assertThat(opening()).isEqualTo(5);
    assertThat(take(6)).isFalse();
    assertThat(take(2)).isTrue();
    assertThat(opening()).isEqualTo(3);
    now += SECOND;
    assertThat(opening()).isEqualTo(WHOLE - 2);
  }

  private static ExhaustedQuota announced(long until, long opening, long abusedUntil) {
    return new ExhaustedQuota(1, until, opening, abusedUntil);
  }

  @Test
  void debt_isPaidByWhatMayBeOpened_andTheRestIsOwed() {
    debt.add(WHOLE + 50);
    ungranted.pay(debt, terms, link, now);
    assertThat(debt.owed()).isEqualTo(50);
    assertThat(opening()).isZero();

    ungranted.pay(debt, terms, link, now);
    assertThat(debt.owed()).isEqualTo(50);
    assertThat(cells.opened().used()).isEqualTo(WHOLE);
  }

  @ParameterizedTest
  @CsvSource({"ALLOW, 0", "LOCAL, 320", "DENY, 350"})
  void debt_enforcerAway_isPaidAsTheRuleDecides(OnUnavailable decides, long owed) {
    away(decides);
    debt.add(WHOLE + 50);
    ungranted.pay(debt, terms, link, now);
    assertThat(debt.owed()).isEqualTo(owed);
  }

  @Test
  void enforcerAway_keyThatMayHaveBeenUsedBefore_hasNothing_untilThatIsOver() {
    away(OnUnavailable.LOCAL);
    ungranted = of(Origin.forgotten(Long.MIN_VALUE, now + 1));
    assertThat(take(1)).isFalse();
    ungranted = of(Origin.forgotten(Long.MIN_VALUE, now));
    assertThat(take(1)).isTrue();
  }

  @Test
  void strictKey_leavesNothingToAnyClass() {
    terms = terms(TestBook.strict(LIMIT));
    ungranted = of(NEW);
    assertThat(ungranted.leaves(terms, link, 1, 0, null, now)).isFalse();
    assertThat(take(1)).isFalse();
    assertThat(opening()).isZero();
  }

  @Test
  void grantedPermitsThatAreGivenBack_mayBeOpened() {
    assertThat(take(WHOLE)).isTrue();
    ungranted.reporting(now);
    now += MILLI;
    ungranted.givenBack(0);
    assertThat(opening()).isZero();
    ungranted.givenBack(4);
    assertThat(opening()).as("but in a period no more than the limit").isZero();
  }
}
