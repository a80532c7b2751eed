package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpreadingTest {

  @ParameterizedTest
  @CsvSource({"2, 4", "3, 8", "4, 8", "5, 16", "8, 16", "31, 64", "32, 64", "33, 64", "1000, 64"})
  void over_processors_isTwiceAsManyPlaces_aPowerOfTwo_andBounded(int processors, int places) {
    assertThat(Spreading.over(processors).places()).isEqualTo(places);
  }

  /** Nobody races with himself. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1})
  void over_oneProcessor_spreadsNothing(int processors) {
    assertThat(Spreading.over(processors)).isEqualTo(Spreading.NONE);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 3, 6, 63, Integer.MIN_VALUE})
  void places_thatAreNoPowerOfTwo_areRefused(int places) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Spreading(places, 1, 1))
        .withMessageStartingWith("must be ");
  }

  @ParameterizedTest
  @CsvSource({"-1, 1", "0, 0", "1, -5"})
  void racesAndLeast_belowTheirRange_areRefused(int races, int least) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Spreading(2, races, least))
        .withMessage("must be >= 0, and >= 1: races=%d least=%d".formatted(races, least));
  }

  @Test
  void none_isOnePlace() {
    assertThat(Spreading.NONE.places()).isOne();
    assertThat(new Spreading(64, 0, 1).places()).isEqualTo(64);
  }
}
