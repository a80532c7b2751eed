package io.quotaenforcer.enforcer.deferral;

import static io.quotaenforcer.enforcer.deferral.QueueLoop.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import io.quotaenforcer.core.rule.OverLimit.Release;
import io.quotaenforcer.core.rule.Rule;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How fast queues are emptied that nobody else takes permits beside. */
class ReleaseRateTest {
  private static final List<String> USERS = List.of("ann", "bob");

  record Case(Limit limit, Release release) {
    double perSecond() {
      return (double) limit.permits() * SECOND / limit.periodNanos();
    }

    Rule rule() {
      return Rule.of(new RuleId("test", "deferring"), List.of("user"), limit)
          .withEnforcement(Enforcement.STRICT)
          .withOverLimit(new Defer(2_000, release, 1_000_000, 1L << 40, 100_000, OnDelete.RELEASE))
          .withVersion(1, 1);
    }
  }

  static Stream<Case> cases() {
    return Stream.concat(
            Stream.of(1L, 40L).flatMap(ReleaseRateTest::slidingKinds),
            Stream.of(1L, 40L, 1_000L).flatMap(ReleaseRateTest::others))
        .flatMap(limit -> Stream.of(Release.values()).map(release -> new Case(limit, release)));
  }

  private static Stream<Limit> slidingKinds(long perSecond) {
    return Stream.of(
        new SlidingWindow(10 * perSecond, 10 * SECOND),
        new SlidingSubWindows(10 * perSecond, 10 * SECOND, 10),
        new SlidingLog(10 * perSecond, 10 * SECOND, false));
  }

  private static Stream<Limit> others(long permits) {
    return Stream.of(
        new FixedWindow(permits, SECOND),
        new TokenBucket(permits, SECOND, permits),
        new TokenBucket(permits, SECOND, 1),
        new TokenBucket(permits, SECOND, 2),
        new IntervalBucket(permits, SECOND, permits, permits),
        new WarmUpBucket(permits, SECOND, permits + 1, 0, SECOND),
        LeakyBucket.of(permits, SECOND, 0),
        LeakyBucket.of(permits, SECOND, 1),
        LeakyBucket.of(permits, SECOND, 20));
  }

  /** At least 38 of 40 a second. */
  @ParameterizedTest
  @MethodSource("cases")
  void queues_aloneWithTheirLimit_areReleasedAtItsRateInOrderAndNeverOver(Case c) {
    assertThat(rate(c)).as("%s", c).isGreaterThanOrEqualTo(0.95 * c.perSecond());
  }

  static Stream<Case> shortWindows() {
    return Stream.<Limit>of(
            new SlidingWindow(40, SECOND),
            new SlidingSubWindows(40, SECOND, 10),
            new SlidingLog(40, SECOND, false),
            new SlidingLog(1, SECOND, false))
        .flatMap(limit -> Stream.of(Release.values()).map(release -> new Case(limit, release)));
  }

  /**
   * Permits on their way are missing from a window of a second, of which some loops are a large
   * part.
   */
  @ParameterizedTest
  @MethodSource("shortWindows")
  void queues_ofASlidingWindowOfASecond_areReleasedAtMostOfItsRate(Case c) {
    assertThat(rate(c)).as("%s", c).isGreaterThanOrEqualTo(0.85 * c.perSecond());
  }

  /** Releases per second and queue, once the first windows are over. */
  private static double rate(Case c) {
    long warmUp = Math.max(3 * SECOND, 2 * c.limit.periodNanos());
    long measured =
        Math.max(c.perSecond() > 40 ? 3 * SECOND : 40 * SECOND, 2 * c.limit.periodNanos());
    int requests = (int) (1.2 * c.perSecond() * (warmUp + measured) / SECOND) + 50;
    try (QueueLoop loop = new QueueLoop(c.rule())) {
      USERS.forEach(user -> loop.defer(user, requests));
      loop.passes(warmUp);
      int before = loop.released.size();
      loop.passes(measured);
      for (String user : USERS) {
        List<Replay> all = of(loop.key(user), loop.released);
        assertThat(all)
            .as("%s", c)
            .extracting(Replay::id)
            .containsExactlyElementsOf(
                IntStream.range(0, all.size()).mapToObj(Integer::toString).toList());
        List<Replay> measuredOnes =
            of(loop.key(user), loop.released.subList(before, loop.released.size()));
        assertThat(measuredOnes)
            .as("%s", c)
            .isSortedAccordingTo(Comparator.comparing(Replay::paidNanos));
        assertThat(over(c.limit, measuredOnes)).as("%s", c).isZero();
      }
      return (double) (loop.released.size() - before) * SECOND / measured / USERS.size();
    }
  }

  private static List<Replay> of(QuotaKey key, List<Replay> replays) {
    return replays.stream().filter(replay -> replay.quotaKey().equals(key)).toList();
  }

  /** Permits that an exact limiter, which is whole at first, would not have had. */
  private static long over(Limit limit, List<Replay> replays) {
    long over = 0;
    if (limit instanceof WindowedLimit) {
      Map<Long, Long> windows = new HashMap<>();
      replays.forEach(replay -> windows.merge(replay.windowStartNanos(), 1L, Long::sum));
      return windows.values().stream().filter(permits -> permits > limit.permits()).count();
    }
    LimitState state = limit.initial(replays.get(0).paidNanos() - 100 * limit.periodNanos());
    for (Replay replay : replays) {
      state = limit.advance(state, replay.paidNanos());
      over += limit.available(state, replay.paidNanos()) < 1 ? 1 : 0;
      state = limit.book(state, 1, replay.paidNanos());
    }
    return over;
  }
}
