package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.HolderId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What holders need of a window. 100 requests a second are 20 in two loops, with 13 more as a
 * margin, and one so that the next request finds it.
 */
class NeedsTest {
  private static final LedgerSettings SETTINGS = LedgerSettings.defaults(10);
  private static final long LEASE = SETTINGS.allotmentTtlNanos();

  private final List<Holder> holders = new ArrayList<>();

  private Needs needs(long limit) {
    return needs(limit, 0, 0);
  }

  private Needs needs(long limit, long reserved, long... kept) {
    WorkingLedger ledger = HolderBuilder.ledger(new FixedWindow(limit, 10 * SECOND), NOW, holders);
    return Needs.of(ledger, 0, NOW, SharePlan.LEASES, reserved, kept, SETTINGS);
  }

  private static HolderBuilder holder(String id, double perSecond) {
    return new HolderBuilder(id, perSecond);
  }

  private static ClassReport asks(double perSecond, long needed) {
    return new ClassReport(perSecond, needed, 0);
  }

  @Test
  void holder_lacksWhatItIsLikelyToTake_andWhatItsRequestsWaitFor_lessWhatItHolds() {
    holders.add(holder("a", 100).get());
    assertThat(needs(1_000).lacks(0)).isEqualTo(34);

    holders.set(0, holder("a", 100).needs(5).leaseOf(10, NOW).get());
    assertThat(needs(1_000).lacks(0)).isEqualTo(34 + 5 - 10);
    assertThat(needs(15).lacks(0)).as("no more than there is").isEqualTo(5);
  }

  /** A holder that expects no request is given a margin of no more than an eighth. */
  @ParameterizedTest
  @CsvSource({"8, 1", "9, 2", "1000, 2"})
  void holder_thatExpectsNoRequest_isSparedOnePermit_andAMarginOnlyOfPlenty(
      long limit, long lacks) {
    holders.add(holder("a", 1).get());

    assertThat(needs(limit).lacks(0)).isEqualTo(lacks);
  }

  /** Of an eighth of what is left, 20 permits and a margin of 6; 20 of half of it, or one. */
  @ParameterizedTest
  @CsvSource({"1000, 26", "100, 20", "48, 20", "39, 1"})
  void holder_whoseRequestsAreCostly_isSparedOne_ifThatIsThere(long limit, long lacks) {
    holders.add(holder("a", 1).costs(20).get());
    assertThat(needs(limit).lacks(0)).isEqualTo(lacks);

    holders.set(0, holder("a", 1).costs(20).leaseOf(26, NOW).get());
    assertThat(needs(limit).lacks(0)).isLessThanOrEqualTo(0);
  }

  @Test
  void holders_haveWhatTheyAreSureToNeed_beforeAnybodyHasAMargin() {
    holders.add(holder("a", 100).get());
    holders.add(holder("b", 100).needs(10).get());

    assertThat(needs(60).lacks(0)).as("10 are left for two").isEqualTo(20 + 5);
    assertThat(needs(60).lacks(1)).isEqualTo(30 + 5);
    assertThat(needs(40).lacks(0)).isEqualTo(20);
  }

  @Test
  void requests_thatCostMoreThanAFairPart_areServedOneAfterTheOther() {
    holders.add(holder("a", 0.1).needs(60, 60).get());
    holders.add(holder("b", 0.1).needs(60, 60).get());
    holders.add(holder("c", 10).get());

    assertThat(List.of(needs(100).lacks(0), needs(100).lacks(1))).contains(60L);
    assertThat(needs(100).lacks(2)).as("who asks for less has all of it").isEqualTo(2);
    assertThat(needs(130).lacks(0)).isEqualTo(needs(130).lacks(1)).isGreaterThanOrEqualTo(60);

    holders.set(1, holder("b", 0.1).needs(60, 60).leaseOf(10, NOW).get());
    assertThat(needs(100).lacks(1)).as("who lacks least is first").isEqualTo(50);
    holders.set(0, holder("a", 0.1).needs(60, 60).leaseOf(20, NOW).get());
    assertThat(needs(100).lacks(0)).isEqualTo(40);
    assertThat(needs(100).lacks(1)).isLessThan(50);
  }

  @Test
  void requests_thatFitIntoAFairPart_areServedAlike() {
    holders.add(holder("a", 0.1).needs(60, 50).get());
    holders.add(holder("b", 0.1).needs(60, 5).get());

    assertThat(needs(100).lacks(0)).isEqualTo(50);
    assertThat(needs(100).lacks(1)).isEqualTo(50);
  }

  @Test
  void holders_thatAreSilentOrOfAnotherGeneration_needNothing_butHaveWhatTheyHold() {
    holders.add(holder("a", 100).get());
    holders.add(holder("silent", 100).reportedAgo(LEASE + 1).leaseOf(10, NOW).get());
    holders.add(holder("old", 100).generation(7).leaseOf(100, NOW).get());
    holders.add(holder(HolderId.Replays.of(0).text(), 100).leaseOf(3, NOW).get());

    assertThat(needs(40).available()).isEqualTo(27);
    assertThat(needs(40).lacks(0)).isEqualTo(27);
  }

  @Test
  void spare_isWhatNobodyLacks_andNotAskedForSoon() {
    holders.add(holder("a", 100).leaseOf(4, NOW).get());
    holders.add(holder("b", 100).leaseOf(50, NOW).get());

    Needs needs = needs(200);
    assertThat(needs.available()).isEqualTo(146);
    assertThat(needs.spare(0)).isEqualTo(146 - 30);
    assertThat(needs.spare(100)).as("of 200").isEqualTo(100);
  }

  @Test
  void permits_areScarce_ifNothingIsLeft_andAnotherLacksSome() {
    holders.add(holder("a", 100).leaseOf(34, NOW).get());
    holders.add(holder("b", 100).leaseOf(33, NOW).get());

    assertThat(needs(77).isScarce(0, 9)).isFalse();
    assertThat(needs(77).isScarce(0, 10)).isTrue();
    assertThat(needs(77).isScarce(1, 10)).as("the other has all that it needs").isFalse();
  }

  @Test
  void permits_areScarce_whileLiveHoldersHaveWhatAQueueIsDue() {
    holders.add(holder("a", 100).leaseOf(80, NOW).get());

    assertThat(needs(100, 20, 0).isScarce(0, 0)).isFalse();
    assertThat(needs(100, 21, 0).isScarce(0, 0)).isTrue();
    assertThat(needs(70, 0, 0).isScarce(0, 0)).as("no queue waits").isFalse();
  }

  /** The first class needs 14 permits and a margin of 11, the last one 11 and 8. */
  @ParameterizedTest
  @CsvSource({"1000, 44", "94, 44", "85, 35", "70, 25", "25, 25", "20, 20"})
  void classes_areServedOneAfterTheOther_theLastLeavesWhatIsKept(long limit, long lacks) {
    holders.add(holder("a", 100).needs(5).classes(asks(60, 2), asks(40, 3)).get());

    assertThat(needs(limit, 0, 0, 50).lacks(0)).isEqualTo(lacks);
  }

  @Test
  void classes_ofTwoHolders_shareWhatIsLeftToTheirClass() {
    holders.add(holder("a", 100).classes(asks(100, 0), asks(0, 0)).get());
    holders.add(holder("b", 100).classes(asks(0, 0), asks(100, 0)).get());

    assertThat(needs(40, 0, 0, 0).lacks(0)).isEqualTo(34);
    assertThat(needs(40, 0, 0, 0).lacks(1)).isEqualTo(6);
    assertThat(needs(40, 0, 0, 10).lacks(1)).isZero();
  }

  /** It brings 15 of the 20 permits, to requests of the first class before others. */
  @Test
  void classes_whatAShareBrings_isForTheFirst() {
    holders.add(holder("a", 100).needs(5).classes(asks(60, 2), asks(40, 3)).shareOf(15).get());
    Needs needs = needs(1_000, 0, 0, 0);

    assertThat(needs.lacks(0)).as("2, and one at hand; 3 and 5, with 6 as a margin").isEqualTo(17);
  }

  @Test
  void holder_thatKnowsOfOtherClasses_isServedWithTheLast() {
    holders.add(holder("a", 100).needs(7).get());

    assertThat(needs(1_000, 0, 0, 50).lacks(0)).isEqualTo(41);
    assertThat(needs(80, 0, 0, 50).lacks(0)).isEqualTo(30);
    assertThat(needs(50, 0, 0, 50).lacks(0)).isZero();
    holders.set(0, holder("a", 100).needs(7).classes(asks(100, 7)).get());
    assertThat(needs(80, 0, 0, 50).lacks(0)).isEqualTo(30);
  }

  /** With nothing at hand, the first class that asks is sure to need one, before any margin. */
  @Test
  void firstClassThatAsks_isSparedAPermit() {
    holders.add(holder("a", 2).classes(asks(0, 0), asks(2, 0), asks(0, 0)).get());
    assertThat(needs(51, 0, 0, 50, 50).lacks(0)).isEqualTo(1);
    assertThat(needs(50, 0, 0, 50, 50).lacks(0)).isZero();

    holders.set(0, holder("a", 2).classes(asks(2, 0), asks(0, 0), asks(0, 0)).get());
    assertThat(needs(7, 0, 0, 50, 50).lacks(0)).isEqualTo(1);
    assertThat(needs(1_000, 0, 0, 50, 50).lacks(0)).as("and a margin").isEqualTo(2);
  }

  /** What waits is the permit that it is sure to need; of nine, one is spared as a margin. */
  @Test
  void firstClass_whoseRequestWaits_isSparedNoOther() {
    holders.add(holder("a", 2).needs(1).classes(asks(0, 1), asks(2, 0), asks(0, 0)).get());

    assertThat(needs(8, 0, 0, 50, 50).lacks(0)).isEqualTo(1);
    assertThat(needs(9, 0, 0, 50, 50).lacks(0)).isEqualTo(2);
  }

  @Test
  void firstClassThatAsks_isSparedNone_whileItHoldsSome_orItsShareHas() {
    holders.add(holder("a", 2).classes(asks(0, 0), asks(2, 0)).leaseOf(1, NOW).get());
    assertThat(needs(9, 0, 0, 0).lacks(0)).as("has one, and the margin is one").isZero();

    holders.set(0, holder("a", 2).classes(asks(2, 0), asks(0, 0)).shareOf(5).get());
    assertThat(needs(7, 0, 0, 0).lacks(0)).isZero();
  }

  /** Of 100 permits another holds 90 that it does not need: ten are there, and fifty are kept. */
  @Test
  void lastClass_isGrantedNothingOfWhatIsKept_howeverMuchOthersHold() {
    holders.add(holder("a", 40).classes(asks(0, 0), asks(40, 0)).get());
    holders.add(holder("b", 1).classes(asks(1, 0), asks(0, 0)).leaseOf(90, NOW).get());

    assertThat(needs(100, 0, 0, 50).lacks(0)).isZero();
    assertThat(needs(100, 0, 0, 5).lacks(0)).isEqualTo(5);
  }

  /** It expects one request for sure: that is no chance. */
  @Test
  void holder_thatExpectsARequest_hasAWholeMargin() {
    holders.add(holder("a", 5).get());

    assertThat(needs(9).lacks(0)).as("one, three as a margin, and one").isEqualTo(5);
  }
}
