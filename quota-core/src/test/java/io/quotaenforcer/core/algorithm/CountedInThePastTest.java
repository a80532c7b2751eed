package io.quotaenforcer.core.algorithm;

import static io.quotaenforcer.core.algorithm.LimitKit.SECOND;
import static io.quotaenforcer.core.algorithm.LimitKit.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.math.BigInteger;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Use that is told late and taken back, beside a list of all that was used: a limit of windows or
 * moments remembers as much of the past as it still counts, and what is taken back is taken from
 * where it was used.
 */
class CountedInThePastTest {
  private static final int STEPS = 60;

  /** By when it was used. */
  private final TreeMap<Long, Long> used = new TreeMap<>();

  private long sum(long from, long to) {
    return used.subMap(from, to).values().stream().mapToLong(Long::longValue).sum();
  }

  private void add(long at, long permits) {
    used.merge(at, permits, Long::sum);
  }

  /** Takes back from the earliest on, up to {@code to}. */
  private void takeBack(long permits, long from, long to) {
    long left = permits;
    for (Map.Entry<Long, Long> entry : used.subMap(from, to).entrySet()) {
      long taken = Math.min(left, entry.getValue());
      entry.setValue(entry.getValue() - taken);
      left -= taken;
    }
  }

  @Test
  void fixedWindow_lateAndTakenBack_countsThisWindowAndTheNext() {
    Seeded.check(
        1_000,
        random -> {
          used.clear();
          FixedWindow limit = new FixedWindow(20, SECOND);
          long now = START + random.nextLong(SECOND);
          long current = limit.windowStart(now);
          LimitState state = limit.initial(now);
          for (int i = 0; i < STEPS; i++) {
            now += random.nextLong(SECOND / 3);
            if (random.nextInt(3) == 0) {
              state = limit.advance(state, now);
              current = Math.max(current, limit.windowStart(now));
            }
            long at = near(now, 2 * SECOND, random);
            long window = limit.windowStart(at);
            long permits = random.nextInt(8);
            if (random.nextInt(3) == 0) {
              state = limit.unbook(state, permits, at);
              if (window <= current + SECOND) {
                takeBack(permits, window, window + SECOND);
              }
            } else {
              state = limit.book(state, permits, at);
              if (window >= current) {
                add(window, permits);
                current = Math.max(current, window > current + SECOND ? window : current);
              }
            }
            assertThat(limit.available(state, current))
                .as("step %d", i)
                .isEqualTo(20 - sum(current, current + SECOND));
            assertThat(limit.available(state, current + SECOND))
                .as("step %d, the next window", i)
                .isEqualTo(20 - sum(current + SECOND, current + 2 * SECOND));
          }
        });
  }

  @Test
  void slidingWindow_lateAndTakenBack_weighsTheWindowBeforeByWhatIsLeftOfIt() {
    Seeded.check(
        1_000,
        random -> {
          used.clear();
          SlidingWindow limit = new SlidingWindow(50, SECOND);
          long now = START + random.nextLong(SECOND);
          LimitState state = limit.initial(now);
          for (int i = 0; i < STEPS; i++) {
            now += random.nextLong(SECOND / 3);
            state = limit.advance(state, now);
            long current = limit.windowStart(now);
            long at = Math.min(now, near(now, 3 * SECOND, random));
            long window = limit.windowStart(at);
            long permits = random.nextInt(20);
            boolean counted = window >= current - SECOND;
            if (random.nextInt(3) == 0) {
              state = limit.unbook(state, permits, at);
              takeBack(counted ? permits : 0, window, window + SECOND);
            } else {
              state = limit.book(state, permits, at);
              add(window, counted ? permits : 0);
            }
            long weight = SECOND - (now - current);
            long faded =
                BigInteger.valueOf(sum(current - SECOND, current))
                    .multiply(BigInteger.valueOf(weight))
                    .divide(BigInteger.valueOf(SECOND))
                    .longValueExact();
            assertThat(limit.used(state, now))
                .as("step %d", i)
                .isEqualTo(faded + sum(current, current + SECOND));
          }
        });
  }

  @Test
  void subWindows_lateAndTakenBack_countTheLastPartsEachByItself() {
    Seeded.check(
        1_000,
        random -> {
          used.clear();
          int slots = 2 + random.nextInt(8);
          long slot = SECOND / 10;
          SlidingSubWindows limit = new SlidingSubWindows(50, slots * slot, slots);
          long now = START + random.nextLong(SECOND);
          LimitState state = limit.initial(now);
          for (int i = 0; i < STEPS; i++) {
            now += random.nextLong(slot);
            state = limit.advance(state, now);
            long current = Math.floorDiv(now, slot) * slot;
            long oldest = current - (slots - 1) * slot;
            long at = near(now, (slots + 2) * slot, random);
            long part = Math.floorDiv(at, slot) * slot;
            long permits = random.nextInt(8);
            if (random.nextInt(3) == 0) {
              state = limit.unbook(state, permits, at);
              if (part >= oldest && part <= current) {
                takeBack(permits, part, current + slot);
              }
            } else if (at <= now) {
              state = limit.book(state, permits, at);
              if (part >= oldest) {
                add(part, permits);
              }
            }
            for (int later = 0; later <= slots; later++) {
              assertThat(limit.used(state, now + later * slot))
                  .as("step %d, %d parts later", i, later)
                  .isEqualTo(sum(oldest + later * slot, current + slot));
            }
          }
        });
  }

  @Test
  void log_lateAndTakenBack_countsEveryMomentForAPeriod() {
    Seeded.check(
        1_000,
        random -> {
          used.clear();
          SlidingLog limit = new SlidingLog(50, SECOND, false);
          long now = START + random.nextLong(SECOND);
          LimitState state = limit.initial(now);
          for (int i = 0; i < STEPS; i++) {
            now += random.nextLong(SECOND / 10);
            state = limit.advance(state, now);
            long at = Math.min(now, near(now, SECOND + SECOND / 10, random));
            long permits = random.nextInt(8);
            boolean counted = at > now - SECOND;
            if (random.nextInt(3) == 0) {
              state = limit.unbook(state, permits, at);
              takeBack(counted ? permits : 0, Math.max(at, now - SECOND + 1), now + 1);
            } else {
              state = limit.book(state, permits, at);
              add(at, counted ? permits : 0);
            }
            assertThat(limit.isRounded(state)).isFalse();
            for (long later = now; later < now + SECOND; later += SECOND / 7) {
              assertThat(limit.used(state, later))
                  .as("step %d, at %d", i, later - now)
                  .isEqualTo(sum(later - SECOND + 1, later + 1));
            }
          }
        });
  }

  /** Now, a little ago, long ago, and a little ahead, as clocks are. */
  private static long near(long now, long most, SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> now;
      case 1 -> now + random.nextLong(most);
      default -> now - random.nextLong(most);
    };
  }
}
