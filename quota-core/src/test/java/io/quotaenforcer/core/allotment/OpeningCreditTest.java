package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.EPOCH;
import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.START;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellUsage;
import org.junit.jupiter.api.Test;

/** What a balanced rule admits before the first answer. */
class OpeningCreditTest {
  private static final Limit LIMIT = new FixedWindow(300, 10 * SECOND);
  private static final int CREDIT = 3;

  private final TestBook client = new TestBook(balanced(LIMIT));

  @Test
  void newKey_isATenthOfTheLimitSharedByTheMostInstances() {
    assertThat(client.admitted(10)).isEqualTo(CREDIT);
  }

  @Test
  void newKey_smallLimit_isOne() {
    assertThat(new TestBook(balanced(new FixedWindow(5, SECOND))).admitted(10)).isEqualTo(1);
  }

  @Test
  void newKey_limitZero_isNothing() {
    assertThat(new TestBook(balanced(new FixedWindow(0, SECOND))).admits()).isFalse();
  }

  @Test
  void newKey_howItStands_isKnownFromTheFirstAnswerOn() {
    assertThat(client.decision().known()).isFalse();
    client.granted(client.grant(LIMIT, 5, 10));
    assertThat(client.decision().known()).isTrue();
    assertThat(client.decision().allowed()).isEqualTo(LIMIT);
  }

  @Test
  void credit_used_isReportedAtOnceAsACellOfTheInstance() {
    client.admitted(5);
    CellUsage credit = client.cells().get(0);
    assertThat(credit.id()).isNegative();
    assertThat(credit.windowStartNanos()).isEqualTo(EPOCH);
    assertThat(credit.used()).isEqualTo(CREDIT);
  }

  @Test
  void credit_unusedAtTheFirstAnswer_isOver() {
    assertThat(client.admits()).isTrue();
    client.granted();
    assertThat(client.admits()).isFalse();
  }

  @Test
  void exhaustedKey_hasNoneUntilThatIsOver() {
    client.book.applyExhausted(key("rule", "42"), EPOCH + 5 * SECOND, client.now);
    client.book.applyExhausted(key("rule", "7"), EPOCH + 5 * SECOND, client.now);
    assertThat(client.admits()).isFalse();
    client.passes(5 * SECOND);
    assertThat(client.decide("7", 1).admitted()).isTrue();
  }

  @Test
  void exhaustedKeys_moreThanMayBeHeld_areNotAllRemembered() {
    TestBook small = new TestBook(settings(60 * SECOND, 2), balanced(LIMIT));
    for (String user : new String[] {"1", "2", "3"}) {
      small.book.applyExhausted(key("rule", user), EPOCH + 5 * SECOND, small.now);
    }
    assertThat(small.decide("1", 1).admitted()).isFalse();
    assertThat(small.decide("3", 1).admitted()).isTrue();
  }

  @Test
  void evictedKey_inTheSameWindow_hasNoSecondOne() {
    TestBook quick = new TestBook(settings(3 * SECOND, 10), balanced(LIMIT));
    assertThat(quick.admitted(5)).isEqualTo(CREDIT);
    quick.answeredTicks(4 * SECOND);
    assertThat(quick.book.size()).isZero();
    assertThat(quick.admitted(5)).isZero();
  }

  @Test
  void evictedKey_twoPeriodsLater_hasAnother() {
    TestBook quick = new TestBook(settings(3 * SECOND, 10), balanced(LIMIT));
    quick.admitted(5);
    quick.answeredTicks(4 * SECOND);
    quick.passes(16 * SECOND);
    assertThat(quick.admitted(5)).isEqualTo(CREDIT);
  }

  @Test
  void idleKey_withinTwoPeriods_hasNoSecondOne() {
    client.admitted(5);
    client.answeredTicks(15 * SECOND);
    assertThat(client.admitted(5)).isZero();
  }

  /** All of the credit is used and reported; the answers give nothing else to decide with. */
  private void reportUse() {
    client.admitted(5);
    client.report();
  }

  @Test
  void idleKey_permitsAreLeftWithTheCreditBooked_hasAnother() {
    reportUse();
    client.answer().remaining(1).send();
    client.passes(2 * SECOND);
    client.report();
    client.answer().remaining(1).send();
    client.passes(2 * SECOND);
    assertThat(client.admitted(5)).isEqualTo(CREDIT);
  }

  @Test
  void idleKey_permitsAreLeftByTheFirstAnswerOnly_hasNoOther() {
    reportUse();
    client.answer().remaining(1).send();
    client.passes(2 * SECOND);
    client.report();
    client.answer().remaining(0).send();
    client.passes(2 * SECOND);
    assertThat(client.admitted(5)).isZero();
  }

  @Test
  void idleKey_permitsWereLeftJustAfterTheBooking_hasNoOther() {
    reportUse();
    client.answer().remaining(1).send();
    client.passes(100 * MILLI);
    client.answer().remaining(1).send();
    client.passes(2 * SECOND);
    assertThat(client.admitted(5)).isZero();
  }

  @Test
  void idleKey_twoPeriodsLater_hasAnother() {
    client.admitted(5);
    client.answeredTicks(21 * SECOND);
    assertThat(client.admitted(5)).isEqualTo(CREDIT);
    client.passes(5 * MILLI);
    assertThat(client.cells())
        .filteredOn(cell -> cell.windowStartNanos() == EPOCH + 20 * SECOND)
        .extracting(CellUsage::used)
        .containsExactly(3L);
  }

  @Test
  void busyKeyWithoutGrants_neverHasAnother() {
    client.admitted(5);
    for (int i = 0; i < 40; i++) {
      client.answeredTicks(SECOND);
      assertThat(client.admits()).isFalse();
    }
  }

  @Test
  void sparseKey_oneRequestEveryFewSeconds_isAlwaysAdmitted() {
    TestBook sparse = new TestBook(balanced(new FixedWindow(2, SECOND)));
    for (int i = 0; i < 20; i++) {
      assertThat(sparse.admits()).as("request %d", i).isTrue();
      sparse.answeredTicks(5 * SECOND);
    }
  }

  @Test
  void firstReport_isUrgentAndRepeatedUntilAnswered() {
    client.admits();
    assertThat(client.report()).isPresent();
    client.passes(5 * MILLI);
    assertThat(client.report()).isEmpty();
    client.passes(115 * MILLI);
    assertThat(client.report()).isEmpty();
    client.passes(20 * MILLI);
    assertThat(client.report()).isPresent();
    client.answer().to(START).send();
    client.answeredTicks(500 * MILLI);
    assertThat(client.ticks(200 * MILLI)).isZero();
  }
}
