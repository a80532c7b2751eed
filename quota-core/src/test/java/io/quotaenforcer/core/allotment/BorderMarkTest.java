package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.EPOCH;
import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.OFFSET;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import org.junit.jupiter.api.Test;

/** When it is to be known how much was taken of a sliding window. Answers come in 4 ms. */
class BorderMarkTest {
  private static final Limit SLIDING = new SlidingWindow(100, SECOND);
  private static final KnownQuota WHOLE_IN_300_MS =
      new KnownQuota(0, 0, EPOCH + 300 * MILLI, false, 0);

  private final BookSettings settings = BookSettings.defaults();
  private final PartitionLink link = new PartitionLink(settings, OFFSET);

  private long next(long now) {
    return BorderMark.next(SLIDING, link, WHOLE_IN_300_MS, now);
  }

  /** A report takes 3 ms and its answer 1 ms: an enforcer's clock is 3 ms ahead at most. */
  private void answered() {
    link.answered(START, START + OFFSET + 3 * MILLI, START + 4 * MILLI);
  }

  @Test
  void border_isSurelyBeforeTheEnforcers_andComesEachPeriod() {
    answered();
    long border = START + 297 * MILLI;
    assertThat(next(START)).isEqualTo(border);
    assertThat(next(border)).isEqualTo(border);
    assertThat(next(border + 1)).isEqualTo(border + SECOND);
    assertThat(next(border - 7 * SECOND - 1)).isEqualTo(border - 7 * SECOND);
  }

  @Test
  void border_isNotNeeded_ofOtherKinds_orWhereTheTimeIsNotKnown() {
    assertThat(next(START)).isEqualTo(Long.MIN_VALUE);
    answered();
    Limit window = new FixedWindow(100, SECOND);
    assertThat(BorderMark.next(window, link, WHOLE_IN_300_MS, START)).isEqualTo(Long.MIN_VALUE);
    assertThat(BorderMark.next(SLIDING, link, null, START)).isEqualTo(Long.MIN_VALUE);
  }

  /** A pass is 20 ms away at most, and 5 ms each from there. */
  @Test
  void border_isNear_30MillisBefore_andUntilIt() {
    long border = START + SECOND;
    assertThat(BorderMark.nearFrom(settings, border)).isEqualTo(border - 30 * MILLI);
    assertThat(BorderMark.isNear(settings, border, border - 30 * MILLI - 1)).isFalse();
    assertThat(BorderMark.isNear(settings, border, border - 30 * MILLI)).isTrue();
    assertThat(BorderMark.isNear(settings, border, border)).isTrue();
    assertThat(BorderMark.isNear(settings, border, border + 1)).isFalse();
  }

  @Test
  void noBorder_isNeverNear() {
    assertThat(BorderMark.nearFrom(settings, Long.MIN_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(BorderMark.isNear(settings, Long.MIN_VALUE, START)).isFalse();
  }
}
