package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What holders have left of shares of 20, of which 15 counted as used when they were heard of. */
class UnusedSharesTest {
  private static HolderBuilder holder(long heardAgoMillis) {
    return new HolderBuilder("a", 0)
        .reportedAgo(heardAgoMillis * TestLedger.MILLI)
        .shareUsed(0, 20, 15);
  }

  private static long left(Limit limit, Holder holder) {
    return UnusedShares.of(HolderBuilder.ledger(limit, NOW, List.of(holder)));
  }

  /** At the latest after the periods that a use counts in. */
  @ParameterizedTest
  @CsvSource({"0, 5, 5", "1000, 5, 5", "1100, 5, 5", "1101, 5, 20", "2000, 5, 20", "2001, 20, 20"})
  void use_ofALimitThatSlides_isOver(long millis, long ofWindow, long ofSubWindows) {
    assertThat(left(new SlidingWindow(60, SECOND), holder(millis).get())).isEqualTo(ofWindow);
    assertThat(left(new SlidingSubWindows(60, SECOND, 10), holder(millis).get()))
        .isEqualTo(ofSubWindows);
  }

  @ParameterizedTest
  @CsvSource({"0, 5, 5", "500, 15, 5", "740, 19, 5", "750, 20, 5", "1000, 20, 20", "5000, 20, 20"})
  void bucket_hasFilledSince(long millis, long steadily, long atIntervals) {
    assertThat(left(new TokenBucket(60, SECOND, 60), holder(millis).get())).isEqualTo(steadily);
    assertThat(left(new IntervalBucket(60, SECOND, 60, 60), holder(millis).get()))
        .isEqualTo(atIntervals);
  }

  @Test
  void tokens_onTheirWayIntoAShare_areLeftThere() {
    Holder holder = holder(0).get();
    LedgerCell cell = holder.cells().get(0);
    LedgerShare offered = cell.share().withOffer(2, ShareSize.of(20), 1, NOW).withFill(6);
    Holder filled = holder.withCells(List.of(cell.withShare(offered)));

    assertThat(left(new TokenBucket(60, SECOND, 60), filled)).isEqualTo(11);
  }

  @Test
  void share_whoseUseIsNotSaid_mayBeUsedUp() {
    Holder silent = new HolderBuilder("a", 0).shareOf(20).get();
    assertThat(left(new TokenBucket(60, SECOND, 60), silent)).isZero();
  }
}
