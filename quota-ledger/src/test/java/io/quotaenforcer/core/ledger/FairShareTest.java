package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FairShareTest {

  @Test
  void level_poolCoversEveryWant_isUnbounded() {
    assertThat(FairShare.level(10, new long[] {1, 2, 7})).isEqualTo(Long.MAX_VALUE);
    assertThat(FairShare.level(0, new long[] {})).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void level_smallWantsBesideLargeOnes_leavesTheRestToTheLarge() {
    assertThat(FairShare.level(10, new long[] {1, 100, 2, 100})).isEqualTo(4);
  }

  @Test
  void level_moreHoldersThanPermits_isOneWholePermit() {
    assertThat(FairShare.level(3, new long[] {5, 5, 5, 5, 5, 5, 5, 5})).isEqualTo(1);
  }

  @Test
  void level_nothingLeftOrOverdrawn_isZero() {
    assertThat(FairShare.level(0, new long[] {5, 1})).isZero();
    assertThat(FairShare.level(-7, new long[] {5, 1})).isZero();
  }

  @Test
  void level_anyWants_usesThePoolUpToRounding() {
    Seeded.check(
        500,
        random -> {
          long[] wants = random.longs(1 + random.nextInt(20), 0, 50).toArray();
          long pool = random.nextLong(600);
          long level = FairShare.level(pool, wants);
          long given = Arrays.stream(wants).map(want -> Math.min(want, level)).sum();
          long givenBelow = Arrays.stream(wants).map(want -> Math.min(want, level - 1)).sum();
          if (level == Long.MAX_VALUE) {
            assertThat(given).isLessThanOrEqualTo(pool);
          } else {
            assertThat(given).isGreaterThanOrEqualTo(pool);
            assertThat(givenBelow).isLessThanOrEqualTo(pool);
          }
        });
  }
}
