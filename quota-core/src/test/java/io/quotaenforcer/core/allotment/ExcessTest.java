package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.RateShare;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What an instance gives back of what it holds. Permits of a bucket are kept for 120 ms; a quarter
 * of the instance's tenth of the limit, 25 permits, is not worth a report.
 */
class ExcessTest {
  private static final Limit WINDOW = new FixedWindow(1_000, SECOND);

  private final LookedAtKey key = new LookedAtKey();

  private long givenBack() {
    return new Excess(key.demand, key.judged()).giveBack();
  }

  @Test
  void nothingHeld_nothingIsGivenBack() {
    assertThat(givenBack()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"27, 0", "28, 26"})
  void lease_nothingAskedFor_isGivenBackButForTwoPermits(long room, long back) {
    key.leased(room);
    assertThat(givenBack()).isEqualTo(back);
    assertThat(key.lease.room()).isEqualTo(room - back);
  }

  /** 36 permits are expected, and 18 more at times; 28 more are half as many again. */
  @ParameterizedTest
  @CsvSource({"84, 0", "85, 29"})
  void lease_ofMoreThanIsExpected_isGivenBackBeyondThat(long room, long back) {
    key.asks(300).leased(room);
    assertThat(givenBack()).isEqualTo(back);
  }

  @ParameterizedTest
  @CsvSource({"37, 0", "40, 3"})
  void lease_thatOthersLack_isGivenBackBeyondWhatIsExpected(long room, long back) {
    key.asks(300).scarce(0).leased(room);
    assertThat(givenBack()).isEqualTo(back);
  }

  /** The lease is of a window that ends in 20 ms. */
  @Test
  void leaseOfAWindow_isKeptForWhatIsExpectedUntilItsEnd() {
    key.of(WINDOW).asks(0, 480 * MILLI).asks(300).scarce(0).leased(20);
    assertThat(givenBack()).isEqualTo(20 - 6 - 1);
  }

  @ParameterizedTest
  @CsvSource({"34, 0", "35, 26"})
  void lease_thatRequestsWaitFor_isKept(long room, long back) {
    key.unmet.await(7);
    key.leased(room).left(100);
    assertThat(givenBack()).isEqualTo(back);
  }

  @ParameterizedTest
  @CsvSource({"15, 5", "16, 0"})
  void lease_callersWait_andFewPermitsAreLeft_isGivenBackWhole(long left, long back) {
    key.unmet.await(1);
    key.unmet.await(-1);
    key.leased(5).left(left);
    assertThat(givenBack()).isEqualTo(back);
  }

  /** Of 36 permits that are expected 12 come into the share; 18 more at times, and 25 more. */
  @ParameterizedTest
  @CsvSource({"69, 0", "70, 26"})
  void leaseBesideAShare_isKeptForWhatTheShareDoesNotBring(long room, long back) {
    key.asks(300).shared(100).leased(room);
    assertThat(givenBack()).isEqualTo(back);
  }

  @Test
  void leaseBesideAShare_thatBringsAll_isKeptForChance() {
    key.asks(300).shared(900).leased(46);
    assertThat(givenBack()).as("1 + 0 + 1 + 18, and 25").isEqualTo(26);
  }

  @Test
  void leaseBesideAShareOfAllTheBucket_isGivenBack_butForWhatWaits() {
    key.answersIn(SECOND / 8);
    key.asks(300).shared(new RateShare(1, 100, 100_000), LookedAtKey.NEVER).leased(30);
    key.unmet.await(4);
    key.unmet.queue(9);
    assertThat(givenBack()).as("a queue has the share").isEqualTo(26);
  }

  @ParameterizedTest
  @CsvSource({"false, 2, 0", "false, 3, 2", "true, 0, 0", "true, 1, 1"})
  void slots_wantedByNobody_areGivenBackButForOne_andAllIfOthersLackThem(
      boolean scarce, long free, long back) {
    key.of(new ConcurrencyLimit(100, 10 * SECOND));
    key.lease = new SlotCell(5, free, key.now - SECOND, LookedAtKey.NEVER);
    key.answer = new KnownQuota(0, 0, 0, scarce, 0);
    assertThat(givenBack()).isEqualTo(back);
  }

  /** 36 permits are expected until the window ends, and 18 more at times. */
  @ParameterizedTest
  @CsvSource({"82, 82", "83, 55"})
  void shareOfAWindow_isGivenBackBeyondWhatIsExpected(long room, long kept) {
    key.of(WINDOW).asks(72).sharedWindow(900, 900 - room);
    assertThat(givenBack()).as("of no lease").isZero();
    assertThat(key.share.room(key.now)).isEqualTo(kept);
  }

  @Test
  void shareOfAWindow_thatRequestsWaitFor_isKept() {
    key.of(WINDOW).asks(72).sharedWindow(900, 0);
    key.unmet.await(9);
    givenBack();
    assertThat(key.share.room(key.now)).isEqualTo(55 + 9);
  }

  @Test
  void shareOfAWindow_askedForAsItIs_orTheEnforcerIsAway_isKept() {
    key.of(WINDOW).asks(870).sharedWindow(900, 0);
    givenBack();
    assertThat(key.share.room(key.now)).isEqualTo(900);

    key.link.sent(key.now);
    key.asks(0).sharedWindow(900, 0);
    givenBack();
    assertThat(key.share.room(key.now)).isEqualTo(900);
  }
}
