package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassNeedsTest {
  private static ClassNeeds ofThree() {
    WorkingLedger nobody = HolderBuilder.ledger(new FixedWindow(100, SECOND), NOW, List.of());
    return new ClassNeeds(3, 0, new WholeRequests.Turns(nobody, new long[3]));
  }

  @Test
  void fair_isMaxMinWithinTheClass_andMarginsComeLast() {
    ClassNeeds needs = ofThree();
    needs.add(0, 2, 5, 1);
    needs.add(1, 10, 5, 1);
    needs.add(2, 10, 5, 1);

    assertThat(needs.fair(0, 12)).isEqualTo(2);
    assertThat(needs.fair(1, 12)).isEqualTo(5);
    assertThat(needs.fair(1, 28)).isEqualTo(12);
    assertThat(needs.served(12)).isEqualTo(12);
    assertThat(needs.served(100)).isEqualTo(37);
    assertThat(needs.served(-5)).isZero();
  }

  /** A part of a request admits nothing. */
  @Test
  void margin_thatIsNotGivenInFull_isOfWholeRequests() {
    ClassNeeds needs = ofThree();
    needs.add(0, 1, 19, 20);
    needs.add(1, 1, 19, 20);
    needs.add(2, 1, 39, 20);

    assertThat(needs.fair(2, 80)).isEqualTo(40);
    assertThat(needs.fair(2, 79)).isEqualTo(20);
    assertThat(needs.fair(2, 57)).isEqualTo(1);
    assertThat(needs.fair(0, 57)).isEqualTo(1);

    assertThat(needs.served(80)).isEqualTo(80);
    assertThat(needs.served(57)).as("what is no whole request is for the next class").isEqualTo(3);

    needs.limitMargins(new boolean[] {true, true, true}, 15);
    assertThat(needs.fair(2, 80)).as("half of all holds one for each").isEqualTo(20);
    needs.limitMargins(new boolean[] {true, true, true}, 14);
    assertThat(needs.fair(2, 80)).isEqualTo(1);
  }

  /** What cannot be divided evenly is nobody's: margins of five, and before them what is sure. */
  @ParameterizedTest
  @CsvSource({
    "100, 7, 15",
    "28, 4, 12",
    "27, 3, 11",
    "23, 2, 10",
    "22, 2, 10",
    "13, 2, 5",
    "12, 2, 5"
  })
  void atLeast_isWhatAHolderGets_withoutWhatIsLeftOverByRounding(
      long permits, long modest, long other) {
    ClassNeeds needs = ofThree();
    needs.add(0, 2, 5, 1);
    needs.add(1, 10, 5, 1);
    needs.add(2, 10, 5, 1);

    assertThat(needs.atLeast(0, permits)).isEqualTo(modest);
    assertThat(needs.atLeast(1, permits)).isEqualTo(other);
  }
}
