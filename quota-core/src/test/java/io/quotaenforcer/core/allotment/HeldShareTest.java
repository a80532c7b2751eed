package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.EPOCH;
import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.OFFSET;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.START;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.AtRest;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.core.message.RequestCost;
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

  private HeldShare share(long permits, long validUntil) {
    return new HeldShare(
        7, terms(1, permits), at(START + 900 * MILLI), validUntil, EPOCH + 900 * MILLI);
  }

  private KeyView at(long now) {
    KeyTerms terms = KeyTerms.of(key("rule", "42"), strict(LIMIT));
    return new KeyView(terms, link, UnmetDemand.NONE, RequestCost.ONE, false, NEVER, now);
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
    HeldShare ending = share(10, end);

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
  void firstWindow_isDueAtOnce() {
    assertThat(share.isWindowDue(START + 900 * MILLI)).isTrue();
    assertThat(share.isWindowDue(START + 5 * SECOND)).isTrue();
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
  void window_isDue_whenAShareWithoutPermitsGetsSome() {
    long now = START + 920 * MILLI;
    HeldShare growing = share(0, NEVER);
    growing.beginWindows(context, at(now), sealed);
    assertThat(growing.isWindowDue(START + 5 * SECOND)).isFalse();

    growing.follow(terms(2, 4), NEVER, at(now), EPOCH + 920 * MILLI);
    assertThat(growing.isWindowDue(now)).isTrue();
    growing.beginWindows(context, at(now), sealed);
    assertThat(growing.room(now)).isEqualTo(4);
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

  @Test
  void permits_afterTheNextWindowIsUsedUp_comeWithTheOneAfterIt() {
    assertThat(share.nanosUntil(1, START + 900 * MILLI)).as("begun by who asks").isZero();
    share.beginWindows(context, at(START + 990 * MILLI), sealed);
    long now = START + SECOND + MILLI;
    assertThat(takeAll(now)).isEqualTo(10);

    assertThat(share.nanosUntil(1, now)).isEqualTo(999 * MILLI);
    assertThat(share.nanosUntil(1, START + 2 * SECOND + MILLI)).isZero();
  }

  @Test
  void share_ofFewPermits_mayRest_andOneOfNoneOrOfMoreMayNot() {
    long few = AtRest.most(LIMIT);
    long now = START + 900 * MILLI;

    assertThat(share(few, NEVER).isFewLeft(LIMIT, now)).isTrue();
    assertThat(share(1, NEVER).isFewLeft(LIMIT, now)).isTrue();
    assertThat(share(0, NEVER).isFewLeft(LIMIT, now)).isFalse();
    assertThat(share(few + 1, NEVER).isFewLeft(LIMIT, now)).isFalse();
  }

  @Test
  void fewPermits_toldForLong_areGoodLater_onlyWhileTheRulesAreKnown() {
    long sent = START + 900 * MILLI;
    long later = sent + link.rules().goodForNanos();
    HeldShare few = share(1, later + 2 * link.rules().goodForNanos());
    few.told(sent, LIMIT);
    assertThat(few.isValidAt(later - 1)).isTrue();
    assertThat(few.isKeptFor(SECOND, later - 1)).isTrue();
    assertThat(few.isValidAt(later)).isFalse();
    assertThat(few.isKeptAt(later)).isTrue();
    assertThat(few.isKeptFor(SECOND, later)).isTrue();

    link.rules().heard(later);
    assertThat(few.isValidAt(later)).isTrue();
    assertThat(few.isKeptFor(SECOND, later)).isTrue();
  }

  @Test
  void permits_thatAreManyOrNotToldForLong_areGoodWhetherTheRulesAreKnownOrNot() {
    long sent = START + 900 * MILLI;
    long later = sent + link.rules().goodForNanos();
    HeldShare many = share(AtRest.most(LIMIT) + 1, later + 10 * SECOND);
    many.told(sent, LIMIT);
    assertThat(many.isValidAt(later)).isTrue();

    HeldShare few = share(1, later + 1);
    few.told(sent + 1, LIMIT);
    assertThat(few.isValidAt(later)).isTrue();
    assertThat(few.isValidAt(later + 1)).isFalse();
  }

  /** Its term is as long as before, until it is renewed for the usual time. */
  @Test
  void permits_thatWereFew_andAreMore_areGoodOnlyWhileTheRulesAreKnown() {
    long sent = START + 900 * MILLI;
    long later = sent + link.rules().goodForNanos();
    HeldShare grown = share(1, later + SECOND);
    grown.told(sent, LIMIT);
    long many = AtRest.most(LIMIT) + 1;
    grown.follow(new RateShare(2, many, many * 1_000), later + SECOND, at(sent), sent);
    grown.told(sent, LIMIT);
    assertThat(grown.isValidAt(later)).isFalse();

    grown.told(sent + SECOND, LIMIT);
    assertThat(grown.isValidAt(later)).isTrue();
  }

  @Test
  void share_isKeptFor_aTimeThatIsLessThanWhatIsLeft() {
    long now = START + 900 * MILLI;

    assertThat(share(1, now + SECOND + 1).isKeptFor(SECOND, now)).isTrue();
    assertThat(share(1, now + SECOND).isKeptFor(SECOND, now)).isFalse();
  }

  @Test
  void permitsGivenBack_ofAWindow_areOthers_whateverTheTermsAre() {
    long now = START + 900 * MILLI;
    assertThat(share.giveBackBeyond(0)).as("no window").isZero();
    share.beginWindows(context, at(now), sealed);
    assertThat(share.giveBackBeyond(4)).isEqualTo(6);
    assertThat(share.room(now)).isEqualTo(4);

    share.follow(terms(2, 9), NEVER, at(now), EPOCH + 900 * MILLI);
    assertThat(share.room(now)).isEqualTo(3);
    share.follow(terms(3, 5), NEVER, at(now), EPOCH + 900 * MILLI);
    assertThat(share.room(now)).isZero();
    share.beginWindows(context, at(START + 990 * MILLI), sealed);
    assertThat(takeAll(START + SECOND)).isEqualTo(5);
  }

  @Test
  void nextWindow_isMadeShortlyBeforeIt_unlessTheTermEndsWithThisOne() {
    share.beginWindows(context, at(START + 900 * MILLI), sealed);
    assertThat(share.cells()).as("its border is not near").hasSize(2);
    share.beginWindows(context, at(START + 990 * MILLI), sealed);
    assertThat(share.cells()).hasSize(3);

    HeldShare ending = share(10, START + SECOND);
    ending.beginWindows(context, at(START + 990 * MILLI), sealed);
    assertThat(ending.cells()).hasSize(2);
    assertThat(ending.isWindowDue(START + SECOND)).as("its term is over").isFalse();
    HeldShare going = share(10, START + SECOND + 1);
    going.beginWindows(context, at(START + 990 * MILLI), sealed);
    assertThat(going.cells()).hasSize(3);
  }

  @Test
  void window_isSealed_onceItsPermitsAreVoid() {
    share.beginWindows(context, at(START + 900 * MILLI), sealed);
    long end = LIMIT.voidAt(EPOCH);
    share.turn(at(link.toLocal(end) - 1), sealed);
    assertThat(sealed.isEmpty()).isTrue();

    share.turn(at(link.toLocal(end)), sealed);
    assertThat(sealed.usages(NEVER)).hasSize(1);
    assertThat(share.cells()).containsExactly(share.cell());
  }

  @Test
  void longerTerm_letsAWindowGoOn_toItsEnd() {
    long end = START + 950 * MILLI;
    HeldShare ending = share(10, end);
    ending.beginWindows(context, at(START + 900 * MILLI), sealed);
    assertThat(ending.inUse(end - 1)).isNotNull();
    assertThat(ending.inUse(end)).isNull();

    ending.follow(terms(1, 10), NEVER, at(START + 910 * MILLI), EPOCH + 910 * MILLI);
    assertThat(ending.inUse(end)).isNotNull();
    assertThat(ending.inUse(link.toLocalEnd(EPOCH + SECOND) - 1)).isNotNull();
    assertThat(ending.inUse(link.toLocalEnd(EPOCH + SECOND))).isNull();
  }

  @Test
  void terms_ofNothing_makeNoWindowDue() {
    share.beginWindows(context, at(START + 900 * MILLI), sealed);
    share.follow(terms(2, 0), NEVER, at(START + 910 * MILLI), EPOCH + 910 * MILLI);
    share.beginWindows(context, at(START + 910 * MILLI), sealed);

    assertThat(share.isWindowDue(START + SECOND)).isFalse();
    assertThat(takeAll(START + 910 * MILLI)).isZero();
  }

  @Test
  void end_sealsTheShareAndItsWindows() {
    share.beginWindows(context, at(START + 990 * MILLI), sealed);
    share.end(START + 990 * MILLI, sealed);

    assertThat(sealed.usages(NEVER)).hasSize(3);
    assertThat(sealed.contains(7)).isTrue();
    assertThat(takeAll(START + 990 * MILLI)).isZero();
    assertThat(takeAll(START + SECOND)).isZero();
  }

  @Test
  void window_isNotBegun_whileAReportHasNoRoomForIt() {
    for (int id = 100; !sealed.isFull(); id++) {
      sealed.seal(new LeaseCell(id, 1, 0, NEVER), START);
    }
    share.beginWindows(context, at(START + 900 * MILLI), sealed);

    assertThat(share.room(START + 900 * MILLI)).isZero();
    assertThat(share.cells()).hasSize(1);
  }

  @Test
  void share_ofABucket_renews_andHasNoWindows() {
    long now = START + 900 * MILLI;
    Limit bucket = new TokenBucket(100, SECOND, 100);
    KeyTerms terms = KeyTerms.of(key("rule", "42"), strict(bucket));
    KeyView key = new KeyView(terms, link, UnmetDemand.NONE, RequestCost.ONE, false, NEVER, now);
    HeldShare renewing = new HeldShare(7, terms(1, 10), key, NEVER, EPOCH + 900 * MILLI);
    renewing.beginWindows(context, key, sealed);

    assertThat(renewing.isRenewing()).isTrue();
    assertThat(renewing.cells()).containsExactly(renewing.cell());
    long later = now + SECOND;
    assertThat(renewing.isWindowDue(later)).isFalse();
    assertThat(renewing.inUse(later)).isSameAs(renewing.cell());
    assertThat(renewing.room(later)).isEqualTo(renewing.cell().roomAt(later)).isPositive();
    assertThat(renewing.tryTake(1, later)).isSameAs(renewing.cell());
  }
}
