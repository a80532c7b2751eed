package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.NamedShare;
import io.quotaenforcer.core.message.RateShare;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class LedgerCellTest {
  private static final LedgerCell EMPTY = LedgerCell.granted(3, 0, 0, 0);
  private static final LedgerShare SHARE =
      LedgerShare.NONE.withOffer(3, new ShareSize(10, 10_000), 0, 0).named(3);

  private static LedgerCell using(UnaryOperator<CellUsage> change) {
    return EMPTY.withUsage(change.apply(EMPTY.usage()));
  }

  /** A row keeps those that are not zero, so that its size is bounded by their count. */
  @Test
  void numbers_eachThatIsNotZero_countsOnce() {
    List<LedgerCell> oneMore =
        List.of(
            EMPTY.withUsage(CellUsage.of(3, 5)),
            using(usage -> usage.withGranted(5)),
            using(usage -> usage.withTaken(5)),
            using(usage -> usage.withPutBack(5)),
            using(usage -> usage.withGivenBack(5)),
            using(usage -> usage.withThrottled(5)),
            using(usage -> usage.ofShare(new NamedShare(0, 5))),
            EMPTY.withUsage(CellUsage.of(-3, 0).ofShare(5)),
            EMPTY.withGranted(5),
            EMPTY.withValidUntil(5),
            EMPTY.withBooked(5, 0),
            EMPTY.withBooked(0, 5),
            EMPTY.withWrittenOff(0),
            EMPTY.withOver(5));

    assertThat(EMPTY.numbers()).isEqualTo(2);
    assertThat(oneMore).allSatisfy(cell -> assertThat(cell.numbers()).isEqualTo(3));
    assertThat(EMPTY.withShare(SHARE).numbers()).isEqualTo(15);
  }

  @Test
  void numbers_ofACellThatHasAll_addUp() {
    LedgerCell all =
        using(
                usage ->
                    usage
                        .withGranted(9)
                        .withTaken(8)
                        .withPutBack(1)
                        .withGivenBack(2)
                        .withThrottled(4)
                        .ofShare(new NamedShare(3, 6)))
            .withLease(9, 70)
            .withBooked(60, 5)
            .withWrittenOff(1)
            .withOver(2)
            .withShare(SHARE);

    assertThat(all.numbers()).isEqualTo(2 + 13 + 1 + 5 + 2 + 2 + 1 + 1);
  }

  @Test
  void cell_whoseHolderKnowsOfMore_isShort_ofAsMuchItIsNot() {
    LedgerCell cell = LedgerCell.granted(3, 0, 10, 50);

    assertThat(cell.isShortOf(cell.usage().withGranted(9))).isFalse();
    assertThat(cell.isShortOf(cell.usage().withGranted(10))).isFalse();
    assertThat(cell.isShortOf(cell.usage().withGranted(11))).isTrue();
  }

  @Test
  void outstanding_isWhatWasNotTaken_orWasPutBack_untilTheCellIsClosed() {
    LedgerCell cell = LedgerCell.granted(3, 0, 10, 50);
    CellUsage usage = cell.usage().withGranted(10).withTaken(6).withPutBack(1);

    assertThat(cell.outstanding()).isEqualTo(10);
    assertThat(cell.withUsage(usage).outstanding()).isEqualTo(5);
    assertThat(cell.withUsage(usage.withTaken(12)).outstanding()).isZero();
    assertThat(cell.withUsage(usage.asClosed()).outstanding()).isZero();
  }

  /** An instance opens cells by negative ids; a granted one that is not known has ended. */
  @Test
  void unknownCell_thatWasGranted_hasEnded_oneThatWasOpened_hasNot() {
    assertThat(LedgerCell.reportedOnly(3, 0, 50).isWrittenOff()).isTrue();
    assertThat(LedgerCell.reportedOnly(-3, 0, 50).isWrittenOff()).isFalse();
    assertThat(LedgerCell.reportedOnly(3, 0, 50).validUntilNanos()).isEqualTo(50);
  }

  @Test
  void merge_ofTwoThatPoseAsOne_neverGivesBackMoreThanWasTaken() {
    CellUsage one = CellUsage.of(3, 0).withGranted(10).withTaken(8).withGivenBack(5);
    CellUsage other = CellUsage.of(3, 0).withGranted(10).withTaken(6).withPutBack(6);

    CellUsage merged = LedgerCell.merge(one, other);

    assertThat(merged.taken()).isEqualTo(8);
    assertThat(merged.putBack()).isEqualTo(3);
    assertThat(merged.givenBack()).isEqualTo(5);
    assertThat(merged.used()).isZero();
    assertThat(LedgerCell.merge(other, one).used()).isZero();
  }

  @Test
  void share_isInUse_untilItsHolderEndsIt_orItIsWrittenOff() {
    LedgerCell share = EMPTY.withShare(SHARE);

    assertThat(share.isShareInUse()).isTrue();
    assertThat(share.withUsage(share.usage().ofShare(RateShare.ENDED)).isShareInUse()).isFalse();
    assertThat(share.withUsage(share.usage().asClosed()).isShareInUse()).isFalse();
    assertThat(share.withWrittenOff(0).isShareInUse()).isFalse();
    assertThat(EMPTY.isShareInUse()).isFalse();
  }
}
