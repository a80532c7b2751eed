package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Ending;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.rule.CountWhen;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that count only if they turn out so, at one instance. */
class CountWhenChargeTest {
  private static final Limit WINDOW = new FixedWindow(5, 10 * SECOND);
  private static final Ending FAILED = new Ending.Told(1, Map.of("status", "401"));
  private static final Ending SUCCEEDED = new Ending.Told(1, Map.of("status", "200"));

  private final TestBook client = new TestBook(rule(WINDOW));

  private static Rule rule(Limit limit) {
    return strict(limit).withCount(new CountWhen(Map.of("status", new Matcher.Exact("401"))));
  }

  private void granted() {
    client.admits();
    client.granted(client.grant(WINDOW, 5, 5));
  }

  @Test
  void requestsAtOnce_holdWhatTheyMayCost_andOnlyFailuresKeepIt() {
    granted();
    Charge[] charges = new Charge[8];
    int admitted = 0;
    for (int i = 0; i < charges.length; i++) {
      charges[i] = client.charge(1);
      admitted += charges[i].decision().admitted() ? 1 : 0;
    }
    assertThat(admitted).as("as many as might fail").isEqualTo(5);

    charges[0].settle(FAILED, client.now);
    charges[1].settle(SUCCEEDED, client.now);
    charges[2].settle(SUCCEEDED, client.now);
    charges[3].settle(new Ending.Abandoned(), client.now);
    charges[4].settle(1, client.now);

    assertThat(client.admitted(9)).as("two that succeeded").isEqualTo(2);
  }

  @Test
  void plainDecision_countsAsIfItHadFailed() {
    granted();
    assertThat(client.admitted(9)).isEqualTo(5);
  }

  /** The counts that the cell is closed with, and when, in seconds from now. */
  private record Closed(CellUsage cell, double afterSeconds) {}

  private Closed closed(long id, long withinNanos) {
    long from = client.now;
    while (client.now < from + withinNanos) {
      client.passes(client.settings.urgentIntervalNanos());
      List<CellUsage> cells = client.cells();
      for (CellUsage cell : cells) {
        if (cell.id() == id && cell.closed()) {
          return new Closed(cell, (client.now - from) / 1e9);
        }
      }
      client.answer().send();
    }
    throw new AssertionError("must be closed within %d s: cell=%d".formatted(withinNanos, id));
  }

  @Test
  void slowRequest_thatSucceedsLongAfterItsLease_countsNothing() {
    granted();
    Charge slow = client.charge(1);
    client.answeredTicks(8 * SECOND);

    slow.settle(SUCCEEDED, client.now);
    assertThat(closed(5, SECOND).cell().used()).isZero();
  }

  @Test
  void slowRequest_thatFailsLongAfterItsLease_counts() {
    granted();
    Charge slow = client.charge(1);
    client.answeredTicks(8 * SECOND);

    slow.settle(FAILED, client.now);
    assertThat(closed(5, SECOND).cell().used()).isEqualTo(1);
  }

  @Test
  void requestThatNobodyEnds_isWaitedForTenSeconds_andCounts() {
    granted();
    Charge abandoned = client.charge(1);

    Closed closed = closed(5, 14 * SECOND);
    assertThat(closed.afterSeconds()).isBetween(10.0, 12.5);
    assertThat(closed.cell().used()).isEqualTo(1);
    abandoned.settle(SUCCEEDED, client.now);
    assertThat(client.cells()).as("nothing more to say").isEmpty();
  }

  /** Nobody asks for the key any more, and requests have yet to tell how they turned out. */
  @Test
  void idleKey_withRequestsUnderWay_saysAtOnceWhatItGivesBack_andWhatComesBackLater() {
    Limit large = new FixedWindow(1_000, 60 * SECOND);
    TestBook busy = new TestBook(rule(large));
    busy.admits();
    CellGrant grant = busy.grant(large, 5, 100);
    busy.granted(grant);
    Charge first = busy.charge(1);
    Charge second = busy.charge(1);
    busy.answeredTicks(busy.settings.idleAfterNanos(), grant);
    assertThat(busy.book.held(busy.now)).as("not given back yet").isPositive();

    assertThat(nextOfCell(busy, SECOND / 2).givenBack()).isEqualTo(98);
    assertThat(busy.ticks(3 * SECOND)).as("nothing more to say").isZero();

    first.settle(SUCCEEDED, busy.now);
    assertThat(nextOfCell(busy, SECOND / 2).used()).isEqualTo(1);
    assertThat(busy.ticks(3 * SECOND)).as("nothing more to say").isZero();

    second.settle(SUCCEEDED, busy.now);
    assertThat(nextOfCell(busy, SECOND / 2).used()).isZero();
  }

  /** The granted cell as the next report has it, which is answered. */
  private static CellUsage nextOfCell(TestBook book, long withinNanos) {
    for (long end = book.now + withinNanos; book.now < end; ) {
      book.passes(book.settings.urgentIntervalNanos());
      List<CellUsage> cells = book.cells();
      if (!cells.isEmpty()) {
        book.answer().settled(TestBook.closed(cells).toArray(Long[]::new)).send();
      }
      for (CellUsage cell : cells) {
        if (cell.id() == 5) {
          return cell;
        }
      }
    }
    throw new AssertionError("must be reported: withinNanos=" + withinNanos);
  }

  @Test
  void requestThatIsOnlyDecided_isNotWaitedFor() {
    granted();
    assertThat(client.admits()).isTrue();

    assertThat(closed(5, 4 * SECOND).cell().used()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void requestsInAnyOrder_failAsOftenAsTheLimitSays(long seed) {
    granted();
    SplittableRandom random = new SplittableRandom(seed);
    int failures = 0;
    for (int i = 0; i < 200; i++) {
      Charge first = client.charge(1);
      Charge second = client.charge(1);
      for (Charge charge : new Charge[] {second, first}) {
        boolean fails = random.nextInt(10) == 0;
        failures += fails && charge.decision().admitted() ? 1 : 0;
        charge.settle(fails ? FAILED : SUCCEEDED, client.now);
      }
    }
    assertThat(failures).as("seed %d", seed).isEqualTo(5);
  }
}
