package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a holder is likely to take within 200 ms, beside what its share brings. */
class ExpectedTest {
  private static final double HORIZON = 200 * MILLI;
  private static final Limit BUCKET = new TokenBucket(1_000, SECOND, 1_000);
  private static final Limit WINDOW = new FixedWindow(1_000, SECOND);
  private static final Limit SLOTS = new ConcurrencyLimit(10, SECOND);

  private static Expected expected(Limit limit, long now, Holder holder, long window) {
    WorkingLedger ledger = HolderBuilder.ledger(limit, now, List.of(holder));
    return Expected.within(HORIZON, ledger, holder, window);
  }

  private static Expected ofWindow(long now, Holder holder) {
    return expected(WINDOW, now, holder, NOW);
  }

  private static HolderBuilder asks(double perSecond) {
    return new HolderBuilder("a", perSecond);
  }

  private static Holder uses(Holder holder, long used) {
    CellUsage usage = CellUsage.of(-1, NOW).withTaken(used).ofShare(1);
    List<LedgerCell> cells = new ArrayList<>();
    cells.add(LedgerCell.reportedOnly(-1, NOW, NOW).withUsage(usage));
    cells.addAll(holder.cells());
    return holder.withCells(cells);
  }

  @Test
  void slots_areHeldAtATime_forHoweverLong() {
    assertThat(expected(SLOTS, NOW, asks(4.2).get(), 0))
        .isEqualTo(new Expected(5, 4.2, 6, false, false));
  }

  @Test
  void shareOfABucket_hasRoom_ifItBringsAllThatIsAskedFor() {
    assertThat(expected(BUCKET, NOW, asks(100).shareOf(100).get(), 0))
        .isEqualTo(new Expected(0, 20, 0, true, false));
    assertThat(expected(BUCKET, NOW, asks(150).shareOf(100).get(), 0))
        .isEqualTo(new Expected(10, 30, 9, false, false));
    assertThat(expected(BUCKET, NOW, asks(150).get(), 0))
        .isEqualTo(new Expected(30, 30, 16, false, false));
    assertThat(expected(BUCKET, NOW, asks(0).get(), 0))
        .isEqualTo(new Expected(0, 0, 0, false, false));
  }

  /** Of three requests that are expected, five more may come by chance, each of 10 permits. */
  @Test
  void margin_isThatOfRequests() {
    assertThat(expected(BUCKET, NOW, asks(150).costs(10).get(), 0))
        .isEqualTo(new Expected(30, 30, 51, false, false));
    assertThat(ofWindow(NOW, asks(150).costs(10).shareOf(75).get()))
        .isEqualTo(new Expected(0, 30, 6, true, false));
    assertThat(ofWindow(NOW, asks(150).costs(100).shareOf(99).get()).hasRoom()).isFalse();
  }

  /** 60 are asked for, and 23 more may come by chance. */
  @ParameterizedTest
  @CsvSource({
    // share, used of it; expected, margin, room, covered
    "100, 0, 0, 0, true, true",
    "100, 17, 0, 0, true, true",
    "100, 18, 0, 1, true, false",
    "100, 50, 10, 23, true, false",
    "100, 99, 59, 23, true, false",
    "100, 100, 60, 23, false, false",
    "10, 0, 50, 23, true, false"
  })
  void shareOfAWindow_bringsWhatItHasLeft(
      long share, long used, double permits, long margin, boolean hasRoom, boolean isCovered) {
    assertThat(ofWindow(NOW, uses(asks(300).shareOf(share).get(), used)))
        .isEqualTo(new Expected(permits, 60, margin, hasRoom, isCovered));
  }

  /** Since its report, or since the window began, it has used its share at the same pace. */
  @Test
  void shareOfAWindow_hasLess_theLongerItsHolderHasNotReported() {
    Holder now = asks(300).shareOf(100).get();
    Holder before = asks(300).shareOf(100).reportedAgo(SECOND / 2).get();
    Expected thirtyUsed = new Expected(0, 60, 13, true, false);

    assertThat(ofWindow(NOW + 100 * MILLI, now)).isEqualTo(thirtyUsed);
    assertThat(ofWindow(NOW + 100 * MILLI, before)).isEqualTo(thirtyUsed);
    assertThat(expected(WINDOW, NOW + 100 * MILLI, now, NOW + SECOND))
        .as("all of the next window")
        .isEqualTo(new Expected(0, 60, 0, true, true));
  }

  @Test
  void holderWithoutAShare_isToBeLeasedAll() {
    assertThat(ofWindow(NOW, asks(300).get())).isEqualTo(new Expected(60, 60, 23, false, false));
  }
}
