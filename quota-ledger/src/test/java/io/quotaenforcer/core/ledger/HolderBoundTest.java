package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.MINUTE;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static io.quotaenforcer.core.ledger.TestLedger.TTL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.HolderId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However many instances come and go, what is remembered of them has a bound. */
class HolderBoundTest {
  private static final int EPOCHS = 2_500;
  private static final long DAY = 24 * 60 * MINUTE;
  private static final String INSTANCE = "x".repeat(HolderId.Instance.MAX_CHARS);

  @RegisterExtension
  final TestLedger daily = new TestLedger(new FixedWindow(10 * EPOCHS, 1_000 * SECOND));

  @RegisterExtension
  final TestLedger bucket = new TestLedger(new TokenBucket(1_000, DAY, 10 * EPOCHS));

  private static CellGrant comesAndDies(TestLedger ledger, long epoch) {
    CellGrant grant = ledger.from(INSTANCE).epoch(epoch).needs(3).send().grant();
    ledger.from(INSTANCE).epoch(epoch).uses(grant, 2).send();
    ledger.passes(100 * MILLI);
    return grant;
  }

  @Test
  void epochs_dieOneAfterAnother_areFoldedAndWhatTheyHeldStaysSpent() {
    for (int epoch = 1; epoch <= EPOCHS; epoch++) {
      comesAndDies(bucket, epoch);
    }

    assertThat(bucket.state.holders()).hasSizeBetween(200, 1_200);
    bucket.passes(TTL + SECOND);
    assertThat(bucket.from("last").send().answer.remaining())
        .isLessThanOrEqualTo(10L * EPOCHS - 3L * EPOCHS + 50);
    assertThat(bucket.counted()).isEqualTo(2L * EPOCHS);
  }

  @Test
  void foldedEpoch_comesBack_isNotCountedAgain() {
    CellGrant first = comesAndDies(daily, 1);
    for (int epoch = 2; epoch <= EPOCHS / 2; epoch++) {
      comesAndDies(daily, epoch);
    }
    assertThat(daily.state.holders()).noneMatch(holder -> holder.is(HolderId.of(INSTANCE), 1, 1));
    long counted = daily.counted(first.windowStartNanos());

    TestLedger.Sent late = daily.from(INSTANCE).epoch(1).uses(first, 3).send();

    assertThat(daily.counted(first.windowStartNanos())).isEqualTo(counted);
    assertThat(late.answer.settled()).containsExactly(first.id());
  }

  @Test
  void newEpoch_afterOthersWereFolded_isGrantedAndCounted() {
    for (int epoch = 1; epoch <= EPOCHS / 2; epoch++) {
      comesAndDies(daily, epoch);
    }
    long window = daily.state.limit().windowStart(daily.now);
    long before = daily.counted(window);

    CellGrant grant = comesAndDies(daily, EPOCHS);

    assertThat(daily.counted(window)).isEqualTo(before + 2);
    daily.from(INSTANCE).epoch(EPOCHS).uses(grant, 3).send();
    assertThat(daily.counted(window)).isEqualTo(before + 3);
  }

  @Test
  void liveInstances_moreThanARecordHolds_areRefusedAndChangeNothing() {
    List<String> refused = new ArrayList<>();
    for (int i = 0; i < EPOCHS && refused.isEmpty(); i++) {
      KeyLedger before = daily.state;
      try {
        daily.from((INSTANCE + i).substring(10)).opened(1, START, 1, false).send();
      } catch (InvalidReportException e) {
        refused.add(e.getMessage());
        assertThat(daily.state).isSameAs(before);
      }
    }

    assertThat(refused).singleElement().asString().contains("fewer instances use at once");
    assertThat(daily.state.holders()).hasSizeGreaterThan(1_500);
  }

  @Test
  void cells_everMoreOfThemOpen_areRefused() {
    for (int id = 1; id <= HolderBound.MOST_CELLS; id++) {
      daily.from("a").opened(id, START, 1, false).send();
    }

    assertThatThrownBy(
            () -> daily.from("a").opened(HolderBound.MOST_CELLS + 1, START, 1, false).send())
        .isInstanceOf(InvalidReportException.class)
        .hasMessageContaining("at most 100 cells");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "#folded", "#other"})
  void instance_thatIsOurs_isRefused(String instance) {
    assertThatThrownBy(() -> daily.from(instance).needs(1).send())
        .isInstanceOf(InvalidReportException.class)
        .hasMessageContaining("instance=");
  }

  @Test
  void instance_longId_isRefusedAndNotRepeatedWhole() {
    String instance = "x".repeat(HolderId.Instance.MAX_CHARS + 1);

    assertThatThrownBy(() -> daily.from(instance).needs(1).send())
        .isInstanceOf(InvalidReportException.class)
        .hasMessageContaining("201 characters")
        .message()
        .hasSizeLessThan(200);
  }
}
