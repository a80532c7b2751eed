package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What shares may take by themselves. */
class LentTest {
  private static final long NEXT = NOW + SECOND;

  private static Holder givingBack(String id, long share, long window, long... permits) {
    Holder holder = new HolderBuilder(id, 1).shareOf(share).get();
    List<LedgerCell> cells = new ArrayList<>();
    for (int i = 0; i < permits.length; i++) {
      CellUsage usage =
          CellUsage.of(-1 - i, window).withTaken(permits[i]).withGivenBack(permits[i]).ofShare(1);
      cells.add(LedgerCell.reportedOnly(-1 - i, window, NOW).withUsage(usage));
    }
    cells.addAll(holder.cells());
    return holder.withCells(cells);
  }

  @Test
  void sum_isOfSharesInUse_ofTheGeneration() {
    Lent lent =
        Lent.of(
            List.of(
                new HolderBuilder("a", 1).shareOf(30, 4_000).leaseOf(100, NOW).get(),
                new HolderBuilder("b", 1).shareOf(20, 5_500).get(),
                new HolderBuilder("old", 1).generation(7).shareOf(9, 9_000).get(),
                new HolderBuilder("none", 1).leaseOf(100, NOW).get()),
            HolderBuilder.GENERATION);

    assertThat(lent).isEqualTo(new Lent(50, 9_500, Map.of()));
  }

  @Test
  void permits_thatWereGivenBack_areNotThoseOfTheirWindow() {
    Lent lent =
        Lent.of(
            List.of(givingBack("a", 30, NOW, 5, 2), givingBack("b", 20, NOW, 1)),
            HolderBuilder.GENERATION);

    assertThat(lent.permitsOf(NOW)).isEqualTo(50 - 8);
    assertThat(lent.permitsOf(NEXT)).isEqualTo(50);
    assertThat(Lent.NOTHING.permitsOf(NOW)).isZero();
  }

  @Test
  void moreThanTheShareHas_isNotGivenBack() {
    Lent lent = Lent.of(List.of(givingBack("a", 30, NOW, 40)), HolderBuilder.GENERATION);

    assertThat(lent.permitsOf(NOW)).isZero();
  }

  /** Steady demand alone has half of a bucket at most. */
  @Test
  void bucket_isItselfLet_ifSharesHoldMoreThanHalfOfIt() {
    Limit bucket = new TokenBucket(100, SECOND, 11);

    assertThat(new Lent(50, 5_500, Map.of()).permitsOfWhole(bucket)).isZero();
    assertThat(new Lent(50, 5_501, Map.of()).permitsOfWhole(bucket)).isEqualTo(5);
    assertThat(new Lent(50, 99_000, Map.of()).permitsOfWhole(new FixedWindow(100, SECOND)))
        .isZero();
  }
}
