package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SlidingSubWindowsTest extends LimitKit {

  @Override
  SlidingSubWindows limit(long permits, long periodNanos, SplittableRandom random) {
    int slots = 2 + random.nextInt(9);
    long slot = Math.max(periodNanos / slots, Limits.MIN_PERIOD_NANOS / slots + 1);
    return new SlidingSubWindows(permits, slot * slots, slots);
  }

  @Test
  void admit_anyRequests_agreesWithCountingTheLastParts() {
    Seeded.check(
        300,
        random -> {
          int slots = 2 + random.nextInt(9);
          long slot = SECOND / 10;
          SlidingSubWindows limit =
              new SlidingSubWindows(1 + random.nextLong(20), slots * slot, slots);
          LimitUse use = new LimitUse(limit, random);
          List<Long> admitted = new ArrayList<>();
          long at = use.now();
          for (int i = 0; i < 200; i++) {
            at += random.nextLong(slot / 2);
            long oldest = Math.floorDiv(at, slot) - slots + 1;
            long counted =
                admitted.stream().filter(time -> Math.floorDiv(time, slot) >= oldest).count();
            boolean lawful = counted < limit.permits();
            assertThat(use.admit(1, at)).as("%s at %d", use, at).isEqualTo(lawful);
            if (lawful) {
              admitted.add(at);
            }
          }
        });
  }

  @Test
  void admit_burstAroundTheBorder_isThrottledUnlikeAFixedWindows() {
    SlidingSubWindows limit = new SlidingSubWindows(100, MINUTE, 6);
    LimitUse use = new LimitUse(limit, new SplittableRandom(1));
    long border = START + 10 * MINUTE;
    assertThat(use.admit(100, border - SECOND)).isTrue();
    assertThat(use.admit(1, border)).isFalse();
    assertThat(use.admit(1, border + 50 * SECOND - 1)).isFalse();
    assertThat(use.admit(100, border + 50 * SECOND)).isTrue();
  }

  @Test
  void create_partsThatAreNotEqual_areRefused() {
    assertThatThrownBy(() -> new SlidingSubWindows(1, SECOND, 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("must divide the period into equal parts of at least 10 ms: slots=7");
    assertThatThrownBy(() -> new SlidingSubWindows(1, SECOND, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("must be between 2 and 100: slots=1");
  }
}
