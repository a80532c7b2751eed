package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.rule.PenaltyTerms;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PenaltyStateTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final long DAY = 24 * 60 * MINUTE;
  private static final long NOW = 1_700_000_000L * SECOND;
  private static final PenaltyTerms TERMS = new PenaltyTerms(5, MINUTE, 10 * MINUTE, 2, DAY);

  private static PenaltyState throttled(PenaltyState before, long permits, long now) {
    return before.at(now).with(permits, TERMS, now);
  }

  private static PenaltyState throttled(long permits) {
    return throttled(PenaltyState.NONE, permits, NOW);
  }

  @Test
  void fewerThanAfter_bringNone_andSoManyBringOne() {
    PenaltyState four = throttled(4);
    assertThat(four.isInForce(NOW)).isFalse();
    PenaltyState five = throttled(four, 1, NOW + SECOND);
    assertThat(five.isInForce(NOW + SECOND)).isTrue();
    assertThat(five.untilNanos()).isEqualTo(NOW + SECOND + 10 * MINUTE);
    assertThat(five.isInForce(five.untilNanos() - 1)).isTrue();
    assertThat(five.isInForce(five.untilNanos())).isFalse();
  }

  @Test
  void afterOfOne_theFirstOneBringsIt() {
    PenaltyTerms first = new PenaltyTerms(1, SECOND, SECOND, 1, SECOND);
    assertThat(PenaltyState.NONE.with(1, first, NOW).untilNanos()).isEqualTo(NOW + SECOND);
    assertThat(PenaltyState.NONE.with(0, first, NOW)).isEqualTo(PenaltyState.NONE);
  }

  @Test
  void oneThatIsOlderThanWithin_isForgotten_andOneThatIsNotCounts() {
    PenaltyState four = throttled(4);
    assertThat(throttled(four, 1, NOW + MINUTE - 1).isInForce(NOW + MINUTE - 1)).isTrue();
    assertThat(throttled(four, 1, NOW + MINUTE).isInForce(NOW + MINUTE)).isFalse();
    assertThat(throttled(four, 4, NOW + MINUTE).isInForce(NOW + MINUTE)).isFalse();
  }

  @Test
  void oneThatIsAsOldAsWithin_isForgotten_thoughNewerOnesAreNot() {
    PenaltyState four = throttled(throttled(2), 2, NOW + 30 * SECOND);
    assertThat(throttled(four, 1, NOW + MINUTE - 1).isInForce(NOW + MINUTE - 1)).isTrue();

    PenaltyState three = throttled(four, 1, NOW + MINUTE);
    assertThat(three.throttled())
        .containsExactly(
            new PenaltyState.Throttled(NOW + 30 * SECOND, 2),
            new PenaltyState.Throttled(NOW + MINUTE, 1));
  }

  @Test
  void ones_areCountedTogether_forASixteenthOfWithin() {
    PenaltyState one = throttled(1);
    assertThat(throttled(one, 1, NOW + MINUTE / 16 - 1).throttled())
        .containsExactly(new PenaltyState.Throttled(NOW, 2));
    assertThat(throttled(one, 1, NOW + MINUTE / 16).throttled()).hasSize(2);
  }

  @Test
  void penalty_isInARow_upToAsLongAfterTheLastOneAsThatTook() {
    PenaltyState first = throttled(5);
    long rowEnds = NOW + 20 * MINUTE;

    assertThat(first.at(rowEnds)).isEqualTo(first);
    assertThat(throttled(first, 5, rowEnds).inARow()).isEqualTo(2);
    assertThat(first.at(rowEnds + 1)).isEqualTo(PenaltyState.NONE);
    assertThat(throttled(first, 5, rowEnds + 1).inARow()).isEqualTo(1);
  }

  @Test
  void within_isCountedFromNow_notFromABorder() {
    PenaltyState state = throttled(1);
    state = throttled(state, 3, NOW + 58 * SECOND);
    assertThat(state.isInForce(NOW + 58 * SECOND)).isFalse();
    state = throttled(state, 2, NOW + 62 * SECOND);
    assertThat(state.isInForce(NOW + 62 * SECOND)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
  void anyTimes_areCountedAsTheyAre_butForASixteenth(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    PenaltyTerms many = new PenaltyTerms(1_000, MINUTE, MINUTE, 1, MINUTE);
    long[] at = new long[999];
    PenaltyState state = PenaltyState.NONE;
    long now = NOW;
    for (int i = 0; i < at.length; i++) {
      now += random.nextLong(MINUTE / 20);
      at[i] = now;
      state = state.at(now).with(1, many, now);
      long sum = state.throttled().stream().mapToLong(PenaltyState.Throttled::permits).sum();
      assertThat(sum)
          .as("seed %d, %d", seed, i)
          .isLessThanOrEqualTo(within(at, i, now - MINUTE))
          .isGreaterThanOrEqualTo(within(at, i, now - MINUTE + MINUTE / PenaltyState.PARTS));
      assertThat(state.throttled()).hasSizeLessThanOrEqualTo(PenaltyState.PARTS);
    }
  }

  private static long within(long[] at, int newest, long after) {
    long count = 0;
    for (int i = 0; i <= newest; i++) {
      count += at[i] > after ? 1 : 0;
    }
    return count;
  }

  @Test
  void refusedUnderOne_doNotProlongIt_andBringNoNextOne() {
    PenaltyState state = throttled(5);
    for (int i = 1; i < 600; i++) {
      assertThat(throttled(state, 100, NOW + i * SECOND)).isEqualTo(state);
    }
    long end = state.untilNanos();
    PenaltyState after = throttled(state, 4, end);
    assertThat(after.isInForce(end)).isFalse();
    assertThat(throttled(after, 1, end + SECOND).isInForce(end + SECOND)).isTrue();
  }

  @Test
  void furtherOnesInARow_areLonger_upToTheLongest() {
    PenaltyState state = throttled(5);
    long minutes = 10;
    for (int i = 2; i < 50; i++) {
      minutes = Math.min(2 * minutes, 24 * 60);
      long now = state.untilNanos() + SECOND;
      state = throttled(state, 5, now);
      assertThat(state.inARow()).isEqualTo(i);
      assertThat(state.untilNanos()).isEqualTo(now + minutes * MINUTE);
    }
  }

  @Test
  void row_endsOnceTheKeyWasWithoutOneForAsLongAsTheLastOneTook() {
    PenaltyState first = throttled(5);
    long rowEnds = first.untilNanos() + 10 * MINUTE;
    assertThat(throttled(first, 5, rowEnds).inARow()).isEqualTo(2);
    PenaltyState anew = throttled(first, 5, rowEnds + 1);
    assertThat(anew.inARow()).isEqualTo(1);
    assertThat(anew.untilNanos()).isEqualTo(rowEnds + 1 + 10 * MINUTE);
  }

  @Test
  void nothingIsKept_thatDoesNotMatter() {
    PenaltyState four = throttled(4);
    assertThat(four.forgettableFrom()).isEqualTo(NOW + MINUTE);
    assertThat(four.at(NOW + MINUTE - 1)).isEqualTo(four);
    assertThat(four.at(NOW + MINUTE)).isEqualTo(PenaltyState.NONE);
    PenaltyState started = throttled(5);
    assertThat(started.forgettableFrom()).isEqualTo(NOW + 20 * MINUTE);
    assertThat(started.at(NOW + 20 * MINUTE)).isEqualTo(started);
    assertThat(started.at(NOW + 20 * MINUTE + 1)).isEqualTo(PenaltyState.NONE);
  }

  @Test
  void lifted_endsItNow_andTheRow_andIsForgottenSoon() {
    PenaltyState lifted = throttled(5).lifted(NOW + SECOND);
    assertThat(lifted.isInForce(NOW + SECOND)).isFalse();
    assertThat(lifted.untilNanos()).isEqualTo(NOW + SECOND);
    assertThat(lifted.at(NOW + 12 * SECOND)).isEqualTo(PenaltyState.NONE);
    assertThat(lifted.forgettableFrom()).isEqualTo(NOW + 11 * SECOND);
    assertThat(throttled(lifted, 5, NOW + 5 * SECOND).inARow()).isEqualTo(1);
    assertThat(throttled(4).lifted(NOW + SECOND)).isEqualTo(PenaltyState.NONE);
  }

  @Test
  void largestNumbers_doNotOverflow() {
    PenaltyTerms most = new PenaltyTerms(PenaltyTerms.MAX_AFTER, DAY, 7 * DAY, 100, 7 * DAY);
    PenaltyState state = PenaltyState.NONE.with(Long.MAX_VALUE, most, Long.MAX_VALUE - 5);
    assertThat(state.untilNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(state.isInForce(Long.MAX_VALUE - 1)).isTrue();
    assertThat(state.forgettableFrom()).isEqualTo(Long.MAX_VALUE);
    PenaltyState counted = PenaltyState.NONE.with(3, most, Long.MAX_VALUE - 5);
    assertThat(counted.forgettableFrom()).isEqualTo(Long.MAX_VALUE);
    assertThat(counted.at(Long.MAX_VALUE - 1)).isEqualTo(counted);
  }
}
