package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.EPOCH;
import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.OFFSET;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.START;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.RateShare;
import org.junit.jupiter.api.Test;

/** Terms of a share of a limit by windows that come while a window ends. */
class HeldShareTest {
  private static final Limit LIMIT = new FixedWindow(100, SECOND);
  private static final long NEVER = Long.MAX_VALUE;

  private final BookSettings settings = BookSettings.defaults();
  private final BookContext context = new BookContext(settings, 10, new KeyHash(1, 2));
  private final PartitionLink link = new PartitionLink(settings, OFFSET);
  private final SealedCells sealed = new SealedCells();
  private final HeldShare share =
      new HeldShare(7, terms(1, 10), at(START + 900 * MILLI), NEVER, EPOCH + 900 * MILLI);

  private static RateShare terms(long number, long permits) {
    return new RateShare(number, permits, permits * 1_000);
  }

  private KeyView at(long now) {
    KeyTerms terms = KeyTerms.of(key("rule", "42"), strict(LIMIT));
    return new KeyView(terms, link, UnmetDemand.NONE, false, NEVER, now);
  }

  private int takeAll(long now) {
    int taken = 0;
    while (share.tryTake(1, now) != null) {
      taken++;
    }
    return taken;
  }

  @Test
  void morePermits_byAnAnswerOfALaterWindow_areNotThereInTheWindowBefore() {
    long now = START + 990 * MILLI;
    share.beginWindows(context, at(now), sealed);
    share.follow(terms(2, 25), NEVER, at(now), EPOCH + 1_001 * MILLI);

    assertThat(takeAll(now)).isEqualTo(10);
    assertThat(takeAll(START + SECOND)).isEqualTo(25);
  }

  @Test
  void fewerPermits_byAnAnswerOfALaterWindow_countInTheWindowBefore() {
    long now = START + 990 * MILLI;
    share.beginWindows(context, at(now), sealed);
    share.follow(terms(2, 4), NEVER, at(now), EPOCH + 1_001 * MILLI);

    assertThat(takeAll(now)).isEqualTo(4);
    assertThat(takeAll(START + SECOND)).isEqualTo(4);
  }

  @Test
  void window_thatBeganBeforeMorePermitsWereGranted_isNotBegunWithThem() {
    share.follow(terms(2, 25), NEVER, at(START + 990 * MILLI), EPOCH + 1_001 * MILLI);
    share.beginWindows(context, at(START + 990 * MILLI), sealed);

    assertThat(takeAll(START + 990 * MILLI)).isZero();
    assertThat(takeAll(START + SECOND)).isEqualTo(25);
  }

  @Test
  void window_isBegunOnce_howeverOftenItIsLookedAt() {
    for (long now = START + 900 * MILLI; now < START + 2 * SECOND; now += 30 * MILLI) {
      share.beginWindows(context, at(now), sealed);
      takeAll(now);
    }

    assertThat(sealed.usages(NEVER)).extracting(usage -> usage.used()).containsExactly(10L);
    assertThat(share.cells()).extracting(Cell::used).containsExactlyInAnyOrder(0L, 10L, 0L);
  }

  @Test
  void share_ofWindows_holdsItsPermits_untilItsTermEnds() {
    long end = START + 950 * MILLI;
    HeldShare ending =
        new HeldShare(7, terms(1, 10), at(START + 900 * MILLI), end, EPOCH + 900 * MILLI);

    assertThat(ending.isRenewing()).isFalse();
    assertThat(ending.holds(10)).isTrue();
    assertThat(ending.holds(11)).isFalse();
    assertThat(ending.isValidAt(end - 1)).isTrue();
    assertThat(ending.isValidAt(end)).isFalse();
  }

  @Test
  void permits_areThereNow_orInTheNextWindow_orNever() {
    long now = START + 920 * MILLI;
    assertThat(share.room(now)).as("no window is begun").isZero();
    share.beginWindows(context, at(now), sealed);
    assertThat(share.room(now)).isEqualTo(10);
    assertThat(share.nanosUntil(10, now)).isZero();
    assertThat(takeAll(now)).isEqualTo(10);

    assertThat(share.nanosUntil(1, now)).as("not made yet").isEqualTo(80 * MILLI);
    share.beginWindows(context, at(START + 990 * MILLI), sealed);
    assertThat(share.nanosUntil(1, START + 990 * MILLI)).isEqualTo(10 * MILLI);
    assertThat(share.nanosUntil(11, now)).isEqualTo(NEVER);
  }

  @Test
  void window_isDue_onceItBeginsAndHasNoCell() {
    share.beginWindows(context, at(START + 900 * MILLI), sealed);
    assertThat(share.isWindowDue(START + SECOND - 1)).isFalse();
    assertThat(share.isWindowDue(START + SECOND)).isTrue();

    share.end(START + SECOND, sealed);
    assertThat(share.room(START + SECOND)).isZero();
  }

  @Test
  void debt_isPaidByWhatIsThere() {
    long now = START + 900 * MILLI;
    share.beginWindows(context, at(now), sealed);
    Debt debt = new Debt();
    share.pay(debt, now);
    assertThat(share.room(now)).isEqualTo(10);

    debt.add(4);
    share.pay(debt, now);
    assertThat(debt.owed()).isZero();
    assertThat(share.room(now)).isEqualTo(6);

    debt.add(9);
    share.pay(debt, now);
    assertThat(debt.owed()).isEqualTo(3);
    assertThat(share.room(now)).isZero();
  }
}
