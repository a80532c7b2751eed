package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.RateShare;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Cells of a key that come and go by what answers say. */
class HeldCellsTest {
  private static final long NOW = 100;
  private static final long NEVER = Long.MAX_VALUE;
  private static final Limit BUCKET = new TokenBucket(100, TestBook.SECOND, 100);

  private final HeldCells cells = new HeldCells();
  private final LookedAtKey key = new LookedAtKey();

  private static CellGrant cell(long id, long window, long permits) {
    return new CellGrant(id, window, permits, 0, NEVER);
  }

  private static CellGrant shared(long id) {
    return new CellGrant(id, 0, 0, 0, NEVER, new RateShare(1, 10, 10_000));
  }

  /** A window that begins at its own number, by all clocks. */
  private void grant(long id, long window, long permits) {
    synchronized (cells) {
      cells.grant(cell(id, window, permits), new Lease(window, NEVER), false, NOW);
    }
  }

  private void share(long id) {
    synchronized (cells) {
      cells.share(shared(id), key.view(), NEVER, 0);
    }
  }

  private void answer(CellGrant... grants) {
    QuotaAnswer answer =
        new QuotaAnswer(
            key("rule", "42"),
            1,
            100,
            0,
            0,
            0,
            0,
            0,
            DeclaredBound.NOTHING,
            false,
            List.of(),
            List.of(grants),
            List.of(),
            0,
            Optional.empty());
    synchronized (cells) {
      cells.retain(answer, NOW);
    }
  }

  private List<Long> sealed() {
    synchronized (cells) {
      return cells.sealed().usages(0).stream().map(CellUsage::id).toList();
    }
  }

  private long id(Cell cell) {
    return cell == null ? 0 : cell.id();
  }

  @Test
  void nextWindow_waits_untilItBegins_andThenTheOneBeforeIsSealed() {
    grant(5, 50, 10);
    grant(6, 150, 10);
    assertThat(id(cells.current())).isEqualTo(5);
    synchronized (cells) {
      cells.turn(149);
      assertThat(id(cells.current())).isEqualTo(5);
      cells.turn(150);
    }
    assertThat(id(cells.current())).isEqualTo(6);
    assertThat(sealed()).containsExactly(5L);
  }

  @Test
  void nextWindow_nothingIsInUse_waitsToo_butOneThatBeginsNowDoesNot() {
    grant(5, NOW + 1, 10);
    assertThat(cells.current()).isNull();
    grant(6, NOW + 2, 10);
    assertThat(sealed()).as("another one is next").containsExactly(5L);
    grant(7, NOW, 10);
    assertThat(id(cells.current())).isEqualTo(7);
  }

  @Test
  void anotherCellOfTheWindow_takesThePlaceOfTheFirst() {
    grant(5, 50, 10);
    grant(6, 50, 20);
    assertThat(id(cells.current())).isEqualTo(6);
    assertThat(sealed()).containsExactly(5L);
    grant(4, 50, 30);
    assertThat(id(cells.current())).as("an older answer").isEqualTo(6);
  }

  @Test
  void sameCell_isRenewed_alsoWhileItWaits() {
    grant(5, 50, 10);
    grant(6, 150, 10);
    grant(5, 50, 12);
    grant(6, 150, 14);
    assertThat(cells.current().room()).isEqualTo(12);
    synchronized (cells) {
      cells.turn(150);
    }
    assertThat(cells.current().room()).isEqualTo(14);
  }

  @Test
  void cellsThatAnAnswerDoesNotList_orListsAsEnded_areSealed() {
    grant(5, 50, 10);
    grant(6, 150, 10);
    share(7);
    answer(cell(5, 50, 10), cell(6, 150, 10), shared(7));
    assertThat(sealed()).isEmpty();

    answer(cell(5, 50, 10), new CellGrant(6, 150, 10, 0, 0), shared(7));
    assertThat(sealed()).containsExactly(6L);
    answer(cell(5, 50, 10));
    assertThat(sealed()).containsExactly(6L, 7L);
    assertThat(cells.share(NOW)).isNull();
    answer();
    assertThat(sealed()).containsExactly(6L, 7L, 5L);
    assertThat(cells.current()).isNull();
  }

  @Test
  void anotherShare_endsTheFirst_andAnOlderIsNotTaken() {
    share(7);
    share(8);
    assertThat(sealed()).containsExactly(7L);
    share(7);
    assertThat(id(cells.share(NOW).cell())).isEqualTo(8);
    synchronized (cells) {
      assertThat(cells.usages(0, NOW)).extracting(CellUsage::shareNumber).contains(1L);
    }
  }

  @Test
  void leasesThatEnd_areGivenBack_asFarAsTheyWereNotBefore() {
    grant(5, 50, 10);
    grant(6, 150, 10);
    cells.current().tryTake(3, NOW);
    cells.current().giveBack(2);
    synchronized (cells) {
      assertThat(cells.endLeases(NOW)).isEqualTo(5);
      assertThat(cells.endLeases(NOW)).isZero();
    }
    assertThat(sealed()).containsExactly(5L, 6L);
  }

  @Test
  void used_isOfAllCells_orOfThoseOfAWindow() {
    grant(5, 50, 10);
    cells.current().tryTake(3, NOW);
    grant(6, 60, 10);
    synchronized (cells) {
      cells.turn(NOW);
      cells.current().tryTake(2, NOW);
      CountingCell counting = new CountingCell(-1, 60);
      counting.tryTake(4, NOW);
      cells.open(counting, NOW);
      assertThat(cells.usedIn(60)).isEqualTo(2 + 4);
      assertThat(cells.usedIn(50)).isEqualTo(3);
      assertThat(cells.used()).isEqualTo(3 + 2 + 4);
    }
  }

  @Test
  void cellThatIsNotUsedHere_isClosed_andNotTakenAnyMore() {
    grant(5, 50, 10);
    synchronized (cells) {
      cells.closeUnused(cell(5, 50, 10), NOW);
      assertThat(sealed()).as("it is used").isEmpty();
      cells.closeUnused(cell(6, 50, 10), NOW);
      cells.closeUnused(cell(6, 50, 10), NOW);
      cells.closeUnused(shared(9), NOW);
    }
    assertThat(sealed()).containsExactly(6L, 9L);
    grant(6, 50, 10);
    share(9);
    assertThat(id(cells.current())).isEqualTo(5);
    assertThat(cells.share(NOW)).isNull();
    grant(7, 50, 10);
    share(10);
    assertThat(id(cells.current())).isEqualTo(7);
    assertThat(cells.share(NOW)).isNotNull();
  }

  @Test
  void adopted_cellsOfTheOlderObject_areNotTakenAnew() {
    HeldCells newer = new HeldCells();
    grant(5, 50, 10);
    share(7);
    synchronized (newer) {
      newer.adopt(cells);
      newer.grant(cell(5, 50, 10), new Lease(50, NEVER), false, NOW);
      newer.share(shared(7), key.view(), NEVER, 0);
      assertThat(newer.current()).isNull();
      assertThat(newer.share(NOW)).isNull();
      assertThat(newer.areSettled()).isTrue();
    }
  }

  @Test
  void shareOfAWindow_isSpreadAsALeaseIs() {
    key.of(new FixedWindow(1_000, TestBook.SECOND));
    RateShare terms = new RateShare(1, 100, 100_000);
    synchronized (cells) {
      cells.share(new CellGrant(7, 0, 0, 0, NEVER, terms), key.view(), NEVER, 0);
      cells.beginWindows(new BookContext(key.settings, 10, new KeyHash(1, 2)), key.view());
      cells.spread(new Spreading(4, 0, 1));
    }
    assertThat(cells.tryTake(53, key.now)).isNull();
    assertThat(cells.tryTake(52, key.now)).isNotNull();
  }

  @Test
  void leaseIsKept_forRequestsThatTheShareNeverHolds() {
    key.of(BUCKET);
    share(7);
    synchronized (cells) {
      cells.grant(cell(5, 0, 10), new Lease(Long.MIN_VALUE, NEVER), false, NOW);
      cells.keepForCostly(8);
    }
    assertThat(cells.tryTake(3, key.now)).isNull();
    assertThat(cells.tryTake(2, key.now)).isNotNull();
    assertThat(cells.tryTake(8, key.now)).as("the share holds it, but not now").isNull();
    assertThat(cells.tryTakeLeased(8, 0, key.now)).isNotNull();
  }
}
