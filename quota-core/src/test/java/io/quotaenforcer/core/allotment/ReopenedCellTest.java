package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.rule.CountWhen;
import io.quotaenforcer.core.rule.Entitlements;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A user who comes back just when an instance has given back what it had of the limit. */
class ReopenedCellTest {
  private static final Limit LIMIT = new SlidingWindow(100, 10 * SECOND);

  private final TestBook client = new TestBook(strict(LIMIT));
  private final WaitingRequest waiting =
      new WaitingRequest(new Request(Map.of("user", "42"), 1), 0);

  private Decision asks() {
    return client.book.decideOrWait(waiting, client.now);
  }

  @BeforeEach
  void givesBack() {
    client.admits();
    client.granted(client.grant(LIMIT, 5, 4));
    assertThat(client.admitted(2)).isEqualTo(2);
    client.passes(client.settings.idleAfterNanos());
    client.reports();
  }

  private void isGranted(long id, long permits) {
    client.passes(20 * MILLI);
    client.reports();
    client.answer().grants(client.grant(LIMIT, id, permits)).send();
  }

  @Test
  void grantOfMore_isUsedAtOnce_thoughTheCellWasGivenBack() {
    assertThat(asks().admitted()).isFalse();

    isGranted(5, 8);
    assertThat(asks().admitted()).isTrue();
    assertThat(client.admitted(10)).as("four were granted anew").isEqualTo(3);

    client.passes(client.settings.closeGraceNanos() + 20 * MILLI);
    client.admits();
    CellUsage cell = client.openCell(5);
    assertThat(cell.closed()).isFalse();
    assertThat(cell.used()).isEqualTo(6);
    assertThat(cell.granted()).isEqualTo(8);
  }

  @Test
  void grantOfNoMore_bringsNothingBack() {
    assertThat(asks().admitted()).isFalse();

    isGranted(5, 4);
    assertThat(asks().admitted()).isFalse();
    assertThat(closedInTime()).contains(5L);
  }

  @Test
  void grantOfMore_forNobody_isGivenBack() {
    isGranted(5, 8);
    assertThat(closedInTime()).contains(5L);
    assertThat(client.admits()).isFalse();
  }

  @Test
  void grantOfMore_ofACellThatIsClosed_isNotUsed() {
    assertThat(closedInTime()).contains(5L);

    assertThat(asks().admitted()).isFalse();
    isGranted(5, 8);
    assertThat(asks().admitted()).isFalse();
    isGranted(6, 4);
    assertThat(asks().admitted()).isTrue();
  }

  /**
   * Outcomes are awaited of a lease that the limit's fall puts out of use. Two permits that were
   * added before it fell, and are heard of with it, go back; those that are added since are used.
   */
  @Test
  void grantOfMore_underALowerLimit_isUsed_andWhatIsOlderIsNot() {
    Limit window = new FixedWindow(10, 10 * SECOND);
    CountWhen failures = new CountWhen(Map.of("status", new Matcher.Exact("401")));
    Entitlements plans = new Entitlements(Map.of("gold", 1_000L));
    TestBook told = new TestBook(strict(window).withCount(failures).withEntitlements(plans));
    told.admits();
    told.granted(told.grant(window, 5, 4));
    assertThat(told.charge(1).decision().admitted()).isTrue();
    told.passes(200 * MILLI);
    told.reports();
    told.answer().grants(told.grant(window, 5, 6)).limit(8).send();
    assertThat(told.admits()).isFalse();

    told.passes(SECOND);
    CellUsage cell = told.openCell(5);
    assertThat(cell.granted() - cell.taken()).isZero();
    assertThat(cell.used()).isEqualTo(1);
    told.answer().grants(told.grant(window, 5, 8)).limit(8).send();
    assertThat(told.admitted(9)).isEqualTo(2);
  }

  /** Cells that are reported as closed within half a second. */
  private List<Long> closedInTime() {
    for (long end = client.now + SECOND / 2; client.now < end; client.passes(20 * MILLI)) {
      List<Long> closed = TestBook.closed(client.cells());
      if (!closed.isEmpty()) {
        return closed;
      }
    }
    return List.of();
  }
}
