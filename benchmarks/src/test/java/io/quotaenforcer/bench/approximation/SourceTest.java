package io.quotaenforcer.bench.approximation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.SlidingWindow;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Worked out by hand: 4 permits per 10 s. */
class SourceTest {
  private static final long SECOND = 1_000_000_000L;
  private static final SlidingWindow LIMIT = new SlidingWindow(4, 10 * SECOND);

  @Test
  void requests_lateInThePreviousWindow_areUnderestimatedAndLetThrough() {
    Source source = new Source(LIMIT, Counted.ADMITTED, 0);
    for (int second : new int[] {6, 7, 8, 9}) {
      source.request(second * SECOND);
    }
    assertThat(source.letThrough + source.held).isZero();

    // The counter takes 4 for 4 * 5 / 10 = 2: one is let through. All 4 are less than 10 s old.
    source.request(15 * SECOND);

    assertThat(source.letThrough).isEqualTo(1);
    assertThat(source.held).isZero();
    assertThat(source.differences).isCloseTo(2 / 5.0, Offset.offset(1e-9));
    assertThat(source.reachesHalf()).isTrue();
  }

  @Test
  void requests_earlyInThePreviousWindow_areOverestimatedAndHeld() {
    Source source = new Source(LIMIT, Counted.ADMITTED, 0);
    for (int i = 0; i < 4; i++) {
      source.request(0);
    }

    // The counter takes 4 for floor(4 * 9.9 / 10) = 3, then is full; the log has none left.
    source.request(10 * SECOND + SECOND / 10);
    source.request(10 * SECOND + SECOND / 10);

    assertThat(source.held).isEqualTo(1);
    assertThat(source.letThrough).isZero();
    assertThat(source.throttledByCounter).isEqualTo(1);
    assertThat(source.throttledByLog).isZero();
  }

  @Test
  void throttledRequests_areCountedOnlyIfAllAre() {
    Source all = new Source(LIMIT, Counted.ALL, 0);
    Source admitted = new Source(LIMIT, Counted.ADMITTED, 0);
    for (int i = 0; i < 8; i++) {
      all.request(0);
      admitted.request(0);
    }
    assertThat(all.throttledByLog).isEqualTo(4);
    assertThat(admitted.throttledByLog).isEqualTo(4);

    // Half of 8 is 4: throttled. Half of 4 is 2: admitted.
    all.request(15 * SECOND);
    admitted.request(15 * SECOND);

    assertThat(all.throttledByCounter).isEqualTo(5);
    assertThat(admitted.throttledByCounter).isEqualTo(4);
  }
}
