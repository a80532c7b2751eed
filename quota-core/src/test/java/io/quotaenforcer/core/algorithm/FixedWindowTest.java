package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FixedWindowTest extends LimitKit {

  @Override
  FixedWindow limit(long permits, long periodNanos, SplittableRandom random) {
    return new FixedWindow(permits, periodNanos);
  }

  @Test
  void admit_anyRequests_neverMoreThanTheLimitInAnAlignedWindow() {
    Seeded.check(
        500,
        random -> {
          FixedWindow limit = new FixedWindow(1 + random.nextLong(20), SECOND);
          LimitUse use = new LimitUse(limit, random);
          Map<Long, Long> admitted = new HashMap<>();
          long at = use.now();
          for (int i = 0; i < 200; i++) {
            at += random.nextLong(SECOND / 10);
            long cost = 1 + random.nextLong(3);
            if (use.admit(cost, at)) {
              admitted.merge(Math.floorDiv(at, SECOND), cost, Long::sum);
            }
          }
          assertThat(admitted.values()).allMatch(permits -> permits <= limit.permits());
        });
  }

  @Test
  void admit_tenPerMinuteAroundABoundary_letsTwentyPass() {
    LimitUse use = new LimitUse(new FixedWindow(10, MINUTE), new SplittableRandom(1));
    int admitted = 0;
    for (int i = 0; i < 20; i++) {
      admitted += use.admit(1, START + 5 * MINUTE - 1) ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(10);
    for (int i = 0; i < 20; i++) {
      admitted += use.admit(1, START + 5 * MINUTE) ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(20);
  }

  @Test
  void book_inTheNextWindow_countsThereOnceItBegins() {
    FixedWindow limit = new FixedWindow(10, MINUTE);
    LimitState state = limit.book(limit.initial(START), 4, START + MINUTE);
    assertThat(limit.available(state, START)).isEqualTo(10);
    assertThat(limit.available(state, START + MINUTE)).isEqualTo(6);
    assertThat(limit.used(limit.advance(state, START + MINUTE), START + MINUTE)).isEqualTo(4);
  }

  @Test
  void availableAt_nextWindowGrantedAway_isTheWindowAfterIt() {
    FixedWindow limit = new FixedWindow(10, MINUTE);
    LimitState state = limit.book(limit.initial(START), 10, START);
    state = limit.book(state, 8, START + MINUTE);
    assertThat(limit.availableAt(state, 2, START)).isEqualTo(START + MINUTE);
    assertThat(limit.availableAt(state, 3, START)).isEqualTo(START + 2 * MINUTE);
  }

  @Test
  void book_inAWindowThatIsGone_changesNothing() {
    FixedWindow limit = new FixedWindow(10, MINUTE);
    LimitState state = limit.book(limit.initial(START + MINUTE), 4, START + MINUTE);
    assertThat(limit.book(state, 3, START)).isEqualTo(state);
    assertThat(limit.unbook(state, 3, START)).isEqualTo(state);
  }

  @Test
  void available_noPermits_deniesAll() {
    FixedWindow limit = new FixedWindow(0, MINUTE);
    assertThat(limit.available(limit.initial(START), START)).isZero();
    assertThat(limit.availableAt(limit.initial(START), 1, START)).isEqualTo(Long.MAX_VALUE);
  }
}
