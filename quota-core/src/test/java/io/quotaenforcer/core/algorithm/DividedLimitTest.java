package io.quotaenforcer.core.algorithm;

import static io.quotaenforcer.core.algorithm.LimitKit.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.DividedLimit.Rule;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A limit that is divided among holders never lets through more than it would undivided, if each of
 * the rules of shares is kept; and does, if one of them is not.
 */
class DividedLimitTest {
  private static final long SECOND = LimitKit.SECOND;
  private static final long MILLI = SECOND / 1_000;
  private static final int SEEDS = 300;

  /** Seeds within which each break shows. */
  private static final int MOST_SEEDS = 5_000;

  private static final int STEPS = 400;
  private static final int HOLDERS = 4;

  /** Most by which clocks differ, where they do. */
  private static final long APART = 50 * MILLI;

  /** Makes a limit of some permits a second. */
  private interface Kind {
    Limit of(long permits, SplittableRandom random);
  }

  private static Stream<Arguments> kinds() {
    return Stream.of(
        kind("fixed window", (permits, random) -> new FixedWindow(permits, SECOND)),
        kind("sliding window", (permits, random) -> new SlidingWindow(permits, SECOND)),
        kind("sub-windows", (permits, random) -> new SlidingSubWindows(permits, SECOND, 5)),
        kind("sliding log", (permits, random) -> new SlidingLog(permits, SECOND, false)),
        kind("token bucket", (permits, random) -> tokens(permits, random)),
        kind("leaky bucket", (permits, random) -> LeakyBucket.of(permits, SECOND, permits / 4)),
        kind("interval bucket", (permits, random) -> refilled(permits, random)));
  }

  private static Arguments kind(String name, Kind kind) {
    return Arguments.of(name, kind);
  }

  private static Limit tokens(long permits, SplittableRandom random) {
    return new TokenBucket(permits, SECOND, 1 + random.nextLong(2 * permits));
  }

  private static Limit refilled(long permits, SplittableRandom random) {
    long capacity = 1 + random.nextLong(2 * permits);
    return new IntervalBucket(permits, SECOND, capacity, random.nextLong(capacity + 1));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kinds")
  void shares_oneClock_letThroughNoMoreThanTheWholeLimit(String name, Kind kind) {
    Seeded.check(SEEDS, random -> assertThat(over(kind, DividedLimit.ALL, 0, random)).isZero());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kinds")
  void shares_clocksApart_letThroughNoMoreInAnyPeriod(String name, Kind kind) {
    Seeded.check(SEEDS, random -> assertThat(over(kind, DividedLimit.ALL, APART, random)).isZero());
  }

  private static Stream<Arguments> rulesThatMatter() {
    Set<String> ofWindows = Set.of("fixed window", "interval bucket");
    Set<String> ofUse = Set.of("fixed window", "sliding window", "sub-windows", "sliding log");
    return kinds()
        .flatMap(
            kind -> {
              String name = (String) kind.get()[0];
              return Stream.of(Rule.values())
                  .filter(
                      rule ->
                          switch (rule) {
                            case GROWTH_IS_AVAILABLE -> true;
                            case USE_IS_LEFT_BEHIND -> ofUse.contains(name);
                            case FIRST_BORDER_IS_NAMED, BOOKED_WHEN_PAST ->
                                ofWindows.contains(name);
                            case USE_IS_ROUNDED_UP -> name.equals("sliding window");
                          })
                  .map(rule -> Arguments.of(name, rule, kind.get()[1]));
            });
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("rulesThatMatter")
  void shares_aRuleIsNotKept_someAreOver(String name, Rule missing, Kind kind) {
    long apart =
        missing == Rule.FIRST_BORDER_IS_NAMED || missing == Rule.BOOKED_WHEN_PAST ? APART : 0;
    Set<Rule> rules = DividedLimit.without(missing);
    assertThat(LongStream.range(0, MOST_SEEDS))
        .as("seeds that are over")
        .anyMatch(seed -> over(kind, rules, apart, new SplittableRandom(seed)) > 0);
  }

  @Test
  void everyKind_butThoseWithAStateThatHoldersCannotShare_isDivisible() {
    assertThat(AnyLimit.oneOfEach())
        .filteredOn(limit -> !limit.isDivisible())
        .containsExactly(
            new SlidingLog(10, SECOND, true), new WarmUpBucket(10, SECOND, 20, 5, 10 * SECOND));
  }

  /** Permits over the limit after a run that is drawn. */
  private static long over(Kind kind, Set<Rule> rules, long apart, SplittableRandom random) {
    Limit limit = kind.of(1 + random.nextLong(60), random);
    long now = START + random.nextLong(SECOND);
    DivisionJudge judge =
        apart == 0 ? DivisionJudge.undivided(limit, now) : DivisionJudge.anyPhase(limit, now);
    DividedLimit divided = new DividedLimit(limit, rules, apart, now, judge);
    List<DividedLimit.Share> shares =
        random
            .longs(HOLDERS, -apart, apart + 1)
            .mapToObj(ahead -> divided.share(ahead, START))
            .toList();
    for (int i = 0; i < STEPS; i++) {
      now += step(now, random);
      DividedLimit.Share share = shares.get(random.nextInt(HOLDERS));
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> shares.get(random.nextInt(HOLDERS)).hear(now);
        case 3, 4 -> change(share, limit, now, random);
        case 5, 6 -> lease(divided, random.nextLong(1 + limit.permits()), now);
        default -> take(share, random.nextLong(1 + limit.permits()), now);
      }
    }
    return judge.over();
  }

  /** A little time, or more, or all until about a border. */
  private static long step(long now, SplittableRandom random) {
    long untilBorder = SECOND - Math.floorMod(now, SECOND);
    return switch (random.nextInt(12)) {
      case 0 -> Math.max(0, untilBorder + random.nextLong(-APART, APART));
      case 1, 2, 3 -> random.nextLong(SECOND / 15);
      default -> random.nextLong(APART / 5);
    };
  }

  private static void lease(DividedLimit divided, long most, long now) {
    long leased = 0;
    while (leased < most && divided.tryLease(1, now)) {
      leased++;
    }
  }

  private static void take(DividedLimit.Share share, long most, long now) {
    long taken = 0;
    while (taken < most && share.tryTake(1, now)) {
      taken++;
    }
  }

  private static void change(
      DividedLimit.Share share, Limit limit, long now, SplittableRandom random) {
    if (!share.isSettled()) {
      return;
    }
    if (share.permits() == 0 || random.nextBoolean()) {
      share.grow(
          random.nextLong(1 + limit.permits() / 2), random.nextLong(1 + limit.capacity() / 2), now);
    } else if (random.nextInt(4) > 0) {
      share.cut(random.nextLong(share.permits()), random.nextLong(1 + share.capacity()), now);
    } else {
      share.end(now);
    }
  }

  /** One has used its 100 and names 50, another gets 50: if only the larger of two terms counts. */
  @Test
  void cut_ofAShareThatIsUsedUp_leavesNothingForOthersInItsWindow() {
    assertThat(usedAfterACut(DividedLimit.ALL)).isEqualTo(100);
    assertThat(usedAfterACut(DividedLimit.without(Rule.USE_IS_LEFT_BEHIND))).isEqualTo(150);
  }

  private static long usedAfterACut(Set<Rule> rules) {
    long[] used = new long[1];
    DividedLimit divided =
        new DividedLimit(
            new FixedWindow(100, SECOND), rules, 0, START, (n, now, clock, window) -> used[0] += n);
    DividedLimit.Share one = divided.share(0, START);
    DividedLimit.Share other = divided.share(0, START);
    one.grow(100, 0, START);
    one.tryTake(100, START);
    one.cut(50, 0, START + 1);
    one.hear(START + 2);
    other.grow(50, 0, START + 2);
    other.tryTake(50, START + 3);
    return used[0];
  }

  /** Permits that were leased and used are not there for a share that begins. */
  @Test
  void growth_beyondWhatIsAvailable_isNotGiven() {
    assertThat(usedAfterGrowth(DividedLimit.ALL)).isEqualTo(100);
    assertThat(usedAfterGrowth(DividedLimit.without(Rule.GROWTH_IS_AVAILABLE))).isEqualTo(150);
  }

  private static long usedAfterGrowth(Set<Rule> rules) {
    long[] used = new long[1];
    DividedLimit divided =
        new DividedLimit(
            new SlidingLog(100, SECOND, false),
            rules,
            0,
            START,
            (n, now, clock, window) -> used[0] += n);
    divided.tryLease(80, START);
    DividedLimit.Share share = divided.share(0, START);
    share.grow(70, 0, START + 1);
    take(share, 70, START + 2);
    return used[0];
  }

  /** A hundred holders of one permit each, or twenty of five, ask for many times the limit. */
  @Test
  void smallShares_useRoundedDown_areOverByFar() {
    assertThat(worstOfShares(DividedLimit.ALL, 100, 1)).isLessThanOrEqualTo(1);
    assertThat(worstOfShares(DividedLimit.ALL, 20, 5)).isLessThanOrEqualTo(1);
    Set<Rule> rounded = DividedLimit.without(Rule.USE_IS_ROUNDED_UP);
    assertThat(worstOfShares(rounded, 100, 1)).isGreaterThan(1.5);
    assertThat(worstOfShares(rounded, 20, 5)).isGreaterThan(1.1);
  }

  /** Most that counts as used at any time, as a part of the limit. */
  private static double worstOfShares(Set<Rule> rules, int holders, long each) {
    SplittableRandom random = new SplittableRandom(1);
    Limit limit = new SlidingWindow(holders * each, SECOND);
    LimitState[] all = {limit.initial(START)};
    long[] worst = new long[1];
    DividedLimit divided =
        new DividedLimit(
            limit,
            rules,
            0,
            START,
            (n, now, clock, window) -> {
              all[0] = limit.book(all[0], n, now);
              worst[0] = Math.max(worst[0], limit.used(all[0], now));
            });
    DividedLimit.Share[] shares = new DividedLimit.Share[holders];
    for (int i = 0; i < holders; i++) {
      shares[i] = divided.share(0, START);
      shares[i].grow(each, 0, START);
    }
    int periods = 20;
    long requests = 16 * limit.permits() * periods;
    for (long i = 0; i < requests; i++) {
      shares[random.nextInt(holders)].tryTake(1, START + i * periods * SECOND / requests);
    }
    return (double) worst[0] / limit.permits();
  }

  /** The ledger gives the whole refill of a border away; a holder whose clock is late sees it. */
  @Test
  void border_thatTheLedgerHasPassed_bringsNothingToAShareThatBegins() {
    assertThat(usedAfterTheBorder(DividedLimit.ALL)).isEqualTo(10);
    assertThat(usedAfterTheBorder(DividedLimit.without(Rule.FIRST_BORDER_IS_NAMED))).isEqualTo(15);
  }

  private static long usedAfterTheBorder(Set<Rule> rules) {
    long border = START + SECOND - Math.floorMod(START, SECOND);
    long[] used = new long[1];
    DividedLimit divided =
        new DividedLimit(
            new IntervalBucket(10, SECOND, 10, 0),
            rules,
            APART,
            border - 1,
            (n, now, clock, window) -> used[0] += n);
    divided.tryLease(10, border);
    DividedLimit.Share late = divided.share(-APART, border + 1);
    late.grow(5, 5, border + 1);
    late.tryTake(5, border + 2 * APART);
    return used[0];
  }

  /** A holder whose clock is early has renewed for a border already, and names less then. */
  @Test
  void cut_byAnEarlyClock_frees_nothingOfTheWindowThatHasBegunThere() {
    assertThat(usedOfAWindow(DividedLimit.ALL)).isEqualTo(100);
    assertThat(usedOfAWindow(DividedLimit.without(Rule.BOOKED_WHEN_PAST))).isEqualTo(200);
  }

  private static long usedOfAWindow(Set<Rule> rules) {
    long border = START + SECOND - Math.floorMod(START, SECOND);
    long[] used = new long[1];
    DividedLimit divided =
        new DividedLimit(
            new FixedWindow(100, SECOND),
            rules,
            APART,
            START,
            (n, now, clock, window) -> used[0] += window == border ? n : 0);
    DividedLimit.Share early = divided.share(APART, START);
    early.grow(100, 0, START);
    early.tryTake(100, border - 10 * MILLI);
    early.cut(0, 0, border - 9 * MILLI);
    early.hear(border - 8 * MILLI);
    divided.tryLease(100, border + 1);
    early.hear(border + 2 * APART);
    divided.tryLease(100, border + 2 * APART + 1);
    return used[0];
  }
}
