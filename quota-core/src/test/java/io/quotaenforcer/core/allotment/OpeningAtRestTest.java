package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.EPOCH;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Opening;
import org.junit.jupiter.api.Test;

/** As much of an opening is remembered while its key is at rest as would still bind it. */
class OpeningAtRestTest {
  private static final Limit LIMIT = new FixedWindow(30, 10 * SECOND);
  private static final KeyOpening.Terms TERMS = new KeyOpening.Terms(LIMIT, Opening.WHOLE, 1);

  private final KeyOpening opening = new KeyOpening(OpeningState.unknown(LIMIT, EPOCH));

  @Test
  void opened_isLessLeft() {
    take(5, EPOCH);

    assertThat(opening.atRest(LIMIT, EPOCH + SECOND))
        .isEqualTo(new OpeningState(25, EPOCH + SECOND, 5, 0, 0));
  }

  @Test
  void opened_sinceTheReportThatWasAnswered_isLessLeftThanTheAnswerSays() {
    take(5, EPOCH);
    opening.reporting(1);
    opening.answered(20, 0, EPOCH + SECOND, 1);
    take(3, EPOCH + SECOND);

    assertThat(opening.atRest(LIMIT, EPOCH + 2 * SECOND))
        .isEqualTo(new OpeningState(17, EPOCH + 2 * SECOND, 8, 0, 0));
  }

  /** It binds beyond the end of the window, and what is left does not renew until then. */
  @Test
  void cap_isKeptUntilItEnds() {
    long until = EPOCH + 15 * SECOND;
    opening.answered(4, until, EPOCH, 0);
    take(1, EPOCH);

    assertThat(opening.atRest(LIMIT, EPOCH + 12 * SECOND))
        .isEqualTo(new OpeningState(3, EPOCH + 12 * SECOND, 0, 4, until));
    assertThat(opening.atRest(LIMIT, until - 1).cap()).isEqualTo(4);
    assertThat(opening.atRest(LIMIT, until)).isEqualTo(new OpeningState(29, until, 0, 0, 0));
  }

  @Test
  void keyThatComesBack_isBoundAsBefore() {
    long until = EPOCH + 15 * SECOND;
    opening.answered(4, until, EPOCH, 0);
    take(1, EPOCH);

    KeyOpening again = new KeyOpening(opening.atRest(LIMIT, EPOCH + SECOND));

    assertThat(again.available(TERMS, EPOCH + SECOND)).isEqualTo(3);
    assertThat(again.tryTake(TERMS, 4, EPOCH + SECOND, 0)).isFalse();
    assertThat(again.tryTake(TERMS, 3, EPOCH + SECOND, 0)).isTrue();
    assertThat(again.tryTake(TERMS, 1, EPOCH + SECOND, 0)).isFalse();
  }

  /** Of an instance that thought the enforcer's clock to be ahead, and knows better now. */
  @Test
  void opened_forAWindowToCome_countsInThatWindow() {
    long window = EPOCH + 10 * SECOND;
    take(30, window);

    OpeningState rest = opening.atRest(LIMIT, EPOCH + SECOND);

    assertThat(rest.neededUntilNanos(LIMIT)).isEqualTo(window + 10 * SECOND);
    KeyOpening again = new KeyOpening(rest);
    assertThat(again.tryTake(TERMS, 1, window + SECOND, 0)).isFalse();
    assertThat(again.tryTake(TERMS, 1, window + 10 * SECOND, 0)).isTrue();
  }

  @Test
  void opening_thatIsShut_isOpenAgainWhenThatEnds() {
    long until = EPOCH + 15 * SECOND;
    opening.answered(0, until, EPOCH, 0);
    opening.putBack(LIMIT, 5, EPOCH);

    assertThat(opening.tryTake(TERMS, 1, until - 1, 0)).isFalse();
    assertThat(opening.available(TERMS, until - 1)).isZero();
    assertThat(opening.tryTake(TERMS, 1, until, 0)).isTrue();
  }

  private void take(int permits, long now) {
    assertThat(opening.tryTake(TERMS, permits, now, 0)).isTrue();
  }
}
