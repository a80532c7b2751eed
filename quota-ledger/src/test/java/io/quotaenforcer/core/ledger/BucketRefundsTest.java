package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.message.CellUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Permits of a bucket that were booked and then turn out unused. */
class BucketRefundsTest {
  private static final long SECOND = TestLedger.SECOND;
  private static final long MINUTE = 60 * SECOND;
  private static final long START = TestLedger.START;

  /** Five failed logins in ten minutes. */
  private static final Limit LOGINS = new TokenBucket(5, 10 * MINUTE, 5);

  /** Of the aligned period. */
  private static final long MIDDLE = LOGINS.windowStart(START) + 15 * MINUTE;

  private final Limit limit;
  private LimitState state;
  private LedgerCell cell = cell(1);

  BucketRefundsTest() {
    this.limit = LOGINS;
    this.state = LOGINS.initial(MIDDLE);
  }

  private static LedgerCell cell(long id) {
    return LedgerCell.granted(id, 0, 1_000, Long.MAX_VALUE).withUsage(CellUsage.of(id, 0));
  }

  private static NewUse use(long permits) {
    return new NewUse(permits, 0, 0, ClockBound.NONE);
  }

  private void book(long permits, long now) {
    Account account = Account.of(limit, state, StateClock.ENFORCER, now);
    cell = account.book(cell, use(permits));
    account.advance();
    state = account.state();
  }

  static List<Limit> buckets() {
    return List.of(
        LOGINS,
        new LeakyBucket(new TokenBucket(5, 10 * MINUTE, 5)),
        new WarmUpBucket(5, 10 * MINUTE, 5, 5, MINUTE));
  }

  @ParameterizedTest
  @MethodSource("buckets")
  void refund_soonAfterTheBooking_isWhole_whereverThePeriodBegan(Limit bucket) {
    Account account = Account.of(bucket, bucket.initial(MIDDLE), StateClock.ENFORCER, MIDDLE);
    LedgerCell booked = account.book(cell(1), use(1));
    assertThat(account.used()).isEqualTo(1);
    long soon = MIDDLE + 300_000_000L;
    Account then = Account.of(bucket, account.state(), StateClock.ENFORCER, soon);
    then.book(booked, use(-1));

    assertThat(then.used()).isZero();
  }

  @Test
  void refunds_ofAnyNumberOfRequests_besideOneThatCounts_useUpNothing() {
    book(1, MIDDLE);
    long later = MIDDLE + SECOND;
    for (int i = 0; i < 1_000; i++) {
      book(1, later + 100_000_000L * i);
      book(-1, later + 100_000_000L * i + 50_000_000L);
    }

    assertThat(limit.used(state, later + 100 * SECOND)).isEqualTo(1);
  }

  @Test
  void refund_isLessWhatRenewedSinceTheOldestBookingThatItMayBeOf() {
    book(1, MIDDLE);
    book(3, MIDDLE + 3 * MINUTE);
    book(-2, MIDDLE + 3 * MINUTE);
    assertThat(limit.used(state, MIDDLE + 3 * MINUTE)).as("1.5 of 2").isEqualTo(3);
    book(-1, MIDDLE + 4 * MINUTE);

    assertThat(limit.used(state, MIDDLE + 4 * MINUTE)).isEqualTo(2);
  }

  @Test
  void permitsThatWereForgotten_areNotFreed_howeverMuchOfThemComesBack() {
    book(20, MIDDLE);
    long deepest = limit.used(state, MIDDLE);
    for (int i = 0; i < 12; i++) {
      book(-1, MIDDLE);
    }

    assertThat(limit.used(state, MIDDLE)).isEqualTo(deepest);
  }

  private record Running(int cell, long permits, long nanos) {}

  @Test
  void bucket_withRefunds_neverHasMoreThanOneOfTheSameNetUse() {
    Seeded.check(3_000, BucketRefundsTest::runWithRefunds);
  }

  private static void runWithRefunds(SplittableRandom random) {
    long permits = 1 + random.nextLong(20);
    Limit bucket = new TokenBucket(permits, SECOND, 1 + random.nextLong(10));
    LimitState state = bucket.initial(START);
    List<LedgerCell> cells = new ArrayList<>(List.of(cell(1), cell(2)));
    List<Running> running = new ArrayList<>();
    List<Running> kept = new ArrayList<>();
    long now = START;
    long step = SECOND / permits;
    for (int i = 0; i < 100; i++) {
      now += random.nextLong(1 + (random.nextInt(8) == 0 ? 4 * step : step));
      Account account = Account.of(bucket, state, StateClock.ENFORCER, now);
      long cost = 1 + random.nextLong(bucket.capacity());
      if (random.nextBoolean() && bucket.available(state, now) >= cost) {
        int at = random.nextInt(2);
        cells.set(at, account.book(cells.get(at), use(cost)));
        running.add(new Running(at, cost, now));
      } else if (!running.isEmpty()) {
        Running ended = running.remove(random.nextInt(running.size()));
        long back = random.nextBoolean() ? ended.permits : random.nextLong(1 + ended.permits);
        if (back > 0) {
          cells.set(ended.cell, account.book(cells.get(ended.cell), use(-back)));
        }
        kept.add(new Running(ended.cell, ended.permits - back, ended.nanos));
      }
      account.advance();
      state = account.state();
    }
    kept.addAll(running);
    kept.sort((a, b) -> Long.compare(a.nanos, b.nanos));
    LimitState alone = bucket.initial(START);
    for (Running each : kept) {
      assertThat(bucket.available(alone, each.nanos)).isGreaterThanOrEqualTo(each.permits);
      alone = bucket.book(alone, each.permits, each.nanos);
    }
  }
}
