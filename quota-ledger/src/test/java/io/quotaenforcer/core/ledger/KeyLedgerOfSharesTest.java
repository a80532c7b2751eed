package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.HolderBuilder.TERM;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.NamedShare;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a key's ledger says is used, and how long it matters, while holders have shares. */
class KeyLedgerOfSharesTest {
  private static final long PERIOD = 10 * SECOND;
  private static final Limit LOG = new SlidingLog(100, PERIOD, false);
  private static final Limit BUCKET = new TokenBucket(100, PERIOD, 100);
  private static final Limit WINDOW = new FixedWindow(100, PERIOD);

  private static Holder naming(String id, long used) {
    Holder holder = new HolderBuilder(id, 1).shareOf(20).get();
    LedgerCell cell = holder.cells().get(0);
    NamedShare named = new NamedShare(1, used);
    return holder.withCells(List.of(cell.withUsage(cell.usage().ofShare(named))));
  }

  private static KeyLedger ledger(Limit limit, long booked, Holder... holders) {
    return HolderBuilder.ledger(
            limit, limit.book(limit.initial(NOW), booked, NOW), NOW, List.of(holders))
        .toLedger();
  }

  /** As its holder named it last, and no more than its terms. */
  @ParameterizedTest
  @CsvSource({"7, 37", "0, 30", "50, 50", "-1, 30"})
  void used_ofASlidingLimit_hasWhatIsUsedOfShares(long named, long used) {
    assertThat(ledger(LOG, 30, naming("a", named)).used(NOW)).isEqualTo(used);
    assertThat(ledger(LOG, 30, naming("a", named), naming("b", 5)).used(NOW)).isEqualTo(used + 5);
  }

  @Test
  void used_ofABucket_isWhatIsMissing() {
    assertThat(ledger(BUCKET, 30, naming("a", 7)).used(NOW)).isEqualTo(30);
  }

  @Test
  void used_ofAWindow_hasWhatWasTakenByShares_inThat() {
    Holder holder = new HolderBuilder("a", 1).shareOf(20).get();
    List<LedgerCell> cells = new ArrayList<>();
    CellUsage taken = CellUsage.of(-1, NOW).withTaken(9).ofShare(1);
    cells.add(LedgerCell.reportedOnly(-1, NOW, NOW).withUsage(taken));
    cells.addAll(holder.cells());
    Holder old = new HolderBuilder("old", 1).generation(7).shareOf(20).get();

    KeyLedger ledger = ledger(WINDOW, 30, holder.withCells(cells), old);
    assertThat(ledger.used(NOW)).isEqualTo(39);
    assertThat(ledger.used(NOW + PERIOD)).isZero();
  }

  /** What is lent comes back at the end of the share, and empty. */
  @Test
  void ledger_ofALentBucket_matters_untilThatIsFullAgainAfterwards() {
    Holder share = new HolderBuilder("a", 0).shareOf(20).get();

    assertThat(ledger(BUCKET, 0, share).forgettableFrom(1)).isEqualTo(NOW + TERM + PERIOD);
    assertThat(ledger(BUCKET, 50).forgettableFrom(1)).isEqualTo(NOW + PERIOD / 2);
  }

  /** Silent for so many retentions that its lease ended long ago; its requests may go on. */
  @Test
  void ledger_ofSlots_matters_untilTheyMustHaveComeBack() {
    Limit slots = new ConcurrencyLimit(10, PERIOD);
    Holder holder = new HolderBuilder("a", 0).reportedAgo(PERIOD).leaseOf(3, 0).get();

    assertThat(ledger(slots, 0, holder).forgettableFrom(1)).isEqualTo(NOW + SECOND + PERIOD);
    assertThat(ledger(WINDOW, 0, holder).forgettableFrom(1)).isLessThanOrEqualTo(NOW + PERIOD);
  }
}
