package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.CellUsage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a few permits are reported that were used while much was left. */
class FewPermitsTest {
  private static final Limit LIMIT = new SlidingWindow(1_000, SECOND);

  /** Later than a report that does not wait. */
  private static final long SOON = 100 * MILLI;

  /** With a lease, of which nothing was used. */
  private static TestBook leased(long permits, long remaining) {
    TestBook client = new TestBook(strict(LIMIT));
    client.admits();
    client.reports();
    client.answer().grants(client.grant(LIMIT, 5, permits)).remaining(remaining).send();
    client.passes(SOON);
    client.reports();
    client.answer().grants(client.grant(LIMIT, 5, permits)).remaining(remaining).send();
    return client;
  }

  /** With what may be opened of a limit that ten instances may use. */
  private static TestBook opening(long remaining) {
    TestBook client = new TestBook(balanced(LIMIT));
    client.admits();
    client.reports();
    client.answer().opening(remaining).remaining(remaining).send();
    return client;
  }

  @Test
  void use_isFewOfALease_isToldWithWhatTheIdleKeyGivesBack() {
    TestBook client = leased(20, 900);
    client.admitted(3);

    assertThat(client.ticks(1_600 * MILLI)).isZero();

    List<CellUsage> told = List.of();
    for (long end = client.now + SECOND; told.isEmpty() && client.now < end; ) {
      client.passes(5 * MILLI);
      told = client.cells();
    }
    assertThat(told)
        .filteredOn(cell -> cell.id() == 5)
        .singleElement()
        .satisfies(
            cell -> {
              assertThat(cell.used()).isEqualTo(3);
              assertThat(cell.closed()).isTrue();
            });
  }

  @ParameterizedTest
  @CsvSource({"20, 900, 5", "20, 119, 3", "3, 900, 3"})
  void use_isMoreThanFew_orLittleIsLeft_isToldSoon(long permits, long remaining, int requests) {
    TestBook client = leased(permits, remaining);
    client.admitted(requests);

    assertThat(client.ticks(SOON)).isPositive();
  }

  @Test
  void use_isFew_whileOthersLackPermits_isToldSoon() {
    TestBook client = leased(20, 900);
    client.admits();
    client.ticks(SOON);
    client.passes(2 * SECOND);
    client.granted(client.grant(LIMIT, 6, 50));
    client.answer().grants(client.grant(LIMIT, 6, 50)).remaining(900).scarce().send();
    client.admits();

    assertThat(client.ticks(SOON)).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"900, false", "39, true"})
  void opened_waitsOnly_whereAllInstancesTogetherLeaveLittleUntold(long left, boolean isToldSoon) {
    TestBook client = opening(left);
    client.passes(SOON);
    client.reports();
    client.answer().opening(left).remaining(left).send();
    client.admits();

    assertThat(client.ticks(SOON) > 0).isEqualTo(isToldSoon);
  }

  @Test
  void opened_goesOn_isToldWithinALease() {
    TestBook client = opening(900);
    client.passes(SOON);
    client.admits();

    int reports = 0;
    for (long end = client.now + 2 * SECOND; client.now < end; ) {
      reports += client.ticks(500 * MILLI);
      client.decide();
    }
    assertThat(reports).isPositive();
  }
}
