package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Seeded;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LeakyBucketTest extends LimitKit {

  @Override
  LeakyBucket limit(long permits, long periodNanos, SplittableRandom random) {
    long burst = Seeded.oneOf(random, 0L, 1L, Math.min(permits, 30L));
    return LeakyBucket.of(permits, periodNanos, burst);
  }

  /** I.371, A: virtual scheduling with increment T and limit tau = burst T. */
  @Test
  void admit_anyRequests_agreesWithVirtualScheduling() {
    Seeded.check(
        500,
        random -> {
          long increment = SECOND / 100;
          long burst = random.nextLong(20);
          LimitUse use = new LimitUse(LeakyBucket.of(100, SECOND, burst), random);
          long arrival = use.now();
          long theoretical = arrival;
          for (int i = 0; i < 300; i++) {
            arrival += random.nextLong(2 * increment);
            boolean conforms = arrival >= theoretical - burst * increment;
            assertThat(use.admit(1, arrival)).as("%s", use).isEqualTo(conforms);
            if (conforms) {
              theoretical = Math.max(arrival, theoretical) + increment;
            }
          }
        });
  }

  @Test
  void create_negativeBurst_isRefused() {
    assertThatThrownBy(() -> LeakyBucket.of(1, SECOND, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("must be between 0 and 1000000000000: burst=-1");
  }
}
