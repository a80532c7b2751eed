package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.RenewalTerms;
import io.quotaenforcer.core.message.RateShare;
import org.junit.jupiter.api.Test;

/** A bucket that is refilled at borders, here each thousand nanoseconds. */
class RefillRenewalTest {
  private static final RenewalTerms.Refills REFILLS = new RenewalTerms.Refills(1_000);

  /** Ten permits at each border, at most 15 at once; nothing in it at 0. */
  private final RefillRenewal bucket = bucket(10, 15, 0, 0);

  private static RefillRenewal bucket(long permits, long burst, long filled, long now) {
    RateShare terms = new RateShare(1, permits, 1_000 * burst);
    return RefillRenewal.of(REFILLS, terms, filled, 0, 0, 0, now);
  }

  @Test
  void firstRefill_isAtTheNextBorder_afterNowAndTheTimeThatItWasToldAt() {
    RateShare terms = new RateShare(1, 10, 15_000);
    RefillRenewal now = RefillRenewal.of(REFILLS, terms, 0, 300, 0, 0, 1_750);
    RefillRenewal told = RefillRenewal.of(REFILLS, terms, 0, 300, 2_500, 0, 1_750);

    assertThat(now.nanosUntil(1, 0, 1_750)).isEqualTo(2_300 - 1_750);
    assertThat(told.nanosUntil(1, 0, 1_750)).isEqualTo(3_300 - 1_750);
  }

  @Test
  void request_mayFindRoom_ifItFits_andPermitsCome() {
    assertThat(bucket.holds(15)).isTrue();
    assertThat(bucket.holds(16)).isFalse();
    assertThat(bucket(0, 15, 15, 0).holds(1)).isFalse();
  }

  @Test
  void refills_addUp_asFarAsTheyFit() {
    assertThat(bucket.room(0, 999)).isZero();
    assertThat(bucket.room(0, 1_000)).isEqualTo(10);
    assertThat(bucket.room(0, 1_999)).isEqualTo(10);
    assertThat(bucket.room(0, 2_000)).isEqualTo(15);
    assertThat(bucket.used(4, 1_000)).isEqualTo(15 - 6);
    assertThat(bucket.room(20, 1_000)).as("more was taken").isZero();
  }

  @Test
  void refill_whoseBorderIsPutOff_isThereFromThenOn_andComesOnce() {
    bucket.admits(1, 0, 1_000);
    RateShare terms = new RateShare(1, 10, 15_000);
    RefillRenewal other = RefillRenewal.of(REFILLS, terms, 0, 1_020, 1_005, 1, 1_005);
    RefillRenewal later = other.after(bucket.putOff(20), Renewal.STOP);
    assertThat(later.room(1, 1_019)).isZero();
    assertThat(later.room(1, 1_020)).isEqualTo(10);
    assertThat(later.room(4, 2_019)).isEqualTo(7);
    assertThat(later.room(4, 2_020)).isEqualTo(15);
  }

  /** Permits for a thread with an older reading of the clock, after another saw the refill. */
  @Test
  void reading_ofThePeriodBefore_findsWhatThereWasThen_anOlderOneNothing() {
    assertThat(bucket.admits(10, 0, 1_000)).isTrue();
    for (int i = 0; i < 2; i++) {
      assertThat(bucket.admits(15, 4, 2_000)).isTrue();
      assertThat(bucket.admits(16, 4, 2_000)).isFalse();
    }

    assertThat(bucket.room(4, 1_999)).isEqualTo(6);
    assertThat(bucket.room(6, 1_999)).as("two were taken since").isEqualTo(4);
    assertThat(bucket.room(4, 1_000)).isEqualTo(6);
    assertThat(bucket.room(4, 999)).isZero();
    assertThat(bucket.used(4, 1_999)).isEqualTo(15 - 6);
  }

  @Test
  void putBack_isThereAgain_ifItWasTakenSinceTheRefill() {
    bucket.admits(15, 4, 2_000);
    assertThat(bucket.putBack(2, 1_999)).isZero();
    assertThat(bucket.room(6, 2_000)).isEqualTo(13);

    assertThat(bucket.takeableAgain(2, 2_000, 2_001)).isZero();
    assertThat(bucket.room(6, 2_000)).isEqualTo(15);
    assertThat(bucket.room(6, 1_999)).isEqualTo(6);
  }

  @Test
  void permits_come_afterAsManyRefillsAsTheyTake() {
    RefillRenewal large = bucket(10, 35, 0, 0);

    assertThat(large.nanosUntil(6, 4, 1_250)).isZero();
    assertThat(large.nanosUntil(7, 4, 1_250)).isEqualTo(2_000 - 1_250);
    assertThat(large.nanosUntil(16, 4, 1_250)).isEqualTo(2_000 - 1_250);
    assertThat(large.nanosUntil(17, 4, 1_250)).isEqualTo(3_000 - 1_250);
  }

  @Test
  void hugeRefills_overALongTime_doNotOverflow() {
    long huge = Long.MAX_VALUE / 5_000;
    RefillRenewal bucket = bucket(huge, huge + 7, 0, 0);

    assertThat(bucket.room(0, 1_000)).isEqualTo(huge);
    assertThat(bucket.room(0, 1_000_000_000)).isEqualTo(huge + 7);
  }

  @Test
  void emptyTerms_keepWhatIsThere_andAddNothing() {
    RefillRenewal empty = bucket(0, 15, 8, 0);

    assertThat(empty.room(0, 500)).isEqualTo(8);
    assertThat(empty.room(0, 5_000)).isEqualTo(8);
  }

  /** One permit counts as taken by the change of the terms. */
  @Test
  void newerTerms_goOnWithWhatIsThere_andWhatTheyBring() {
    bucket.admits(10, 0, 1_000);
    RefillRenewal newer = bucket(20, 40, 3, 1_500).after(bucket, 4 + Renewal.STOP);
    long net = 4 + Renewal.STOP;

    assertThat(newer.startNanos()).isEqualTo(1_500);
    assertThat(newer.room(net, 1_500)).isEqualTo(6 + 3);
    assertThat(newer.room(net, 2_000)).isEqualTo(9 + 20);
  }

  @Test
  void newerTerms_thatHoldLess_keepAsMuchAsFits() {
    bucket.admits(10, 0, 1_000);
    RefillRenewal newer = bucket(5, 5, 0, 1_500).after(bucket, 1 + Renewal.STOP);

    assertThat(newer.room(1 + Renewal.STOP, 1_500)).isEqualTo(5);
    assertThat(newer.used(1 + Renewal.STOP, 1_500)).isZero();
  }

  @Test
  void newerTerms_afterARefillThatNobodySaw_haveItByTheOlderOnes() {
    RefillRenewal newer = bucket(20, 40, 0, 1_500).after(bucket, 4 + Renewal.STOP);

    assertThat(newer.room(4 + Renewal.STOP, 1_500)).isEqualTo(6);
  }

  @Test
  void renewalOfAnotherKind_leavesNothingToGoOnWith() {
    assertThat(bucket.after(new WindowRenewal(0, 10), 4)).isSameAs(bucket);
  }
}
