package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.SlidingWindow;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A share of 40 permits of a sliding window, as long as the window. */
class SharesAheadTest {
  private static final long PERIOD = 10 * SECOND;
  private static final long SHARE = 40;

  private static SharesAhead named(long used) {
    Holder holder = new HolderBuilder("a", 3).shareUsed(NOW - PERIOD, SHARE, used).get();
    WorkingLedger ledger =
        HolderBuilder.ledger(new SlidingWindow(100, PERIOD), NOW, List.of(holder));
    return SharesAhead.of(ledger, TestLedger.SETTINGS);
  }

  @Test
  void whatIsLeftOfAShare_canBeTaken_andMoreAsItsUseSlidesOut() {
    assertThat(named(30).within(0)).isEqualTo(SHARE - 30);
    assertThat(named(30).within(PERIOD / 2)).isEqualTo(SHARE - 15);
    assertThat(named(30).within(PERIOD)).isEqualTo(SHARE);
  }

  /** No correct instance says so: a share never brings more than its permits. */
  @Test
  void share_ofWhichANegativeUseIsNamed_bringsWhatItHas() {
    assertThat(named(-30).within(0)).isEqualTo(SHARE);
    assertThat(named(Long.MIN_VALUE).within(PERIOD)).isEqualTo(SHARE);
  }
}
