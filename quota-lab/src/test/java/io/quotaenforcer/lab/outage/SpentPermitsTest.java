package io.quotaenforcer.lab.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.lab.limits.LimitKind;
import io.quotaenforcer.lab.verdict.CentralCounter;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SpentPermitsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long PERMITS = 50;
  private static final int PERIODS = 40;

  /** Stamps are whole microseconds. */
  private static final long MICRO = 1_000;

  /** Everything that an undivided limiter admits is allowed, at any phase of its borders. */
  @ParameterizedTest
  @EnumSource(LimitKind.class)
  void admissionsOfOneLimiter_atAnyPhase_areNeverOver(LimitKind kind) {
    for (long seed = 1; seed <= 50; seed++) {
      Admissions admissions = new Admissions(kind, seed);
      for (int i = 0; i < PERIODS * 4 * PERMITS; i++) {
        admissions.ask();
      }
      assertThat(admissions.over).as("%s seed %d", kind, seed).isZero();
      assertThat(admissions.admitted).isGreaterThan(PERMITS * PERIODS / 3);
    }
  }

  /** The excess comes on top of what the limit has allowed all the time. */
  @ParameterizedTest
  @EnumSource(LimitKind.class)
  void admissionsOfMore_thanABurst_areOver(LimitKind kind) {
    Admissions admissions = new Admissions(kind, 1);
    for (int i = 0; i < PERIODS * 4 * PERMITS; i++) {
      admissions.ask();
    }
    for (int i = 0; i < 2 * PERMITS + 2; i++) {
      admissions.force();
    }
    assertThat(admissions.over).isPositive();
  }

  private static final class Admissions {
    private final SplittableRandom random;
    private final Limit limit;
    private final long phase;
    private final CentralCounter central;
    private final SpentPermits spent;
    private long micros = 1_700_000_000_000_000L;
    private long admitted;
    private long over;

    Admissions(LimitKind kind, long seed) {
      random = new SplittableRandom(seed);
      limit = kind.limit(PERMITS, SECOND);
      // Labels name windows by the clock that they have.
      phase = kind == LimitKind.FIXED_WINDOW ? 0 : random.nextLong(SECOND / MICRO) * MICRO;
      central = new CentralCounter(limit, micros * MICRO + phase);
      spent = new SpentPermits(limit, micros * MICRO);
    }

    /** Demand goes up and down. */
    void ask() {
      micros += random.nextInt(random.nextInt(100) == 0 ? 1_000_000 : 10_000);
      if (central.admits(1, micros * MICRO + phase)) {
        force();
      }
    }

    void force() {
      admitted++;
      long at = micros * MICRO;
      over += spent.isOver(at, limit.cellWindow(at)) ? 1 : 0;
    }
  }
}
