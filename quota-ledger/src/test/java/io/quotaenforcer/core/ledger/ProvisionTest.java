package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much is leased ahead to a holder of a share, by its demand and by what is left for all. */
class ProvisionTest {
  private static final long LEASE = 2 * SECOND;
  private static final long PLENTY = 1_000_000;
  private static final LedgerSettings SETTINGS =
      LedgerSettings.defaults(10).withValidity(new Validity(LEASE, HolderBuilder.TERM));
  private static final Limit BUCKET = new TokenBucket(1_000_000, SECOND, 1_000_000);
  private static final Limit WINDOW = new FixedWindow(1_000_000, SECOND);

  private final List<Holder> holders = new ArrayList<>();

  /**
   * Half a second of the demand beyond the share, and two deviations of half a second of it all.
   */
  @ParameterizedTest
  @CsvSource({
    // demand and share per second; 100 + 24, 0 + 14 and 0 + 10 permits
    "300, 100, 124",
    "100, 100, 14",
    "50, 100, 10"
  })
  void holder_ofABucketsShare_isProvidedForHalfASecond(double demand, long share, long permits) {
    holders.add(holder("a", demand).shareOf(share).get());

    assertThat(lacks(BUCKET, PLENTY)).isEqualTo(permits);
  }

  @Test
  void permits_thatItHolds_countForIt() {
    holders.add(holder("a", 300).shareOf(100).leaseOf(24, 0).get());

    assertThat(lacks(BUCKET, PLENTY)).isEqualTo(100);
  }

  /** Half of 300 less the 100 of its share in this window, and 24 permits as a margin. */
  @Test
  void holder_ofAWindowsShare_isProvidedBeyondWhatTheShareHasLeft() {
    holders.add(holder("a", 300).shareOf(100).get());

    assertThat(lacks(WINDOW, NOW, PLENTY, NOW)).isEqualTo(74);
  }

  /** The last tenth of a second: the share brings the 30 permits, so that 10 are for chance. */
  @Test
  void window_thatEndsSooner_isProvidedForToItsEndOnly() {
    long late = NOW + 900 * MILLI;
    holders.add(holder("a", 300).shareOf(100).reportedAgo(-900 * MILLI).get());

    assertThat(lacks(WINDOW, NOW, PLENTY, late)).isEqualTo(10);
  }

  /** A quarter of 100 permits for all who are alive: a fifth of what there was before. */
  @ParameterizedTest
  @CsvSource({"1, 100, 25", "2, 100, 12", "4, 100, 6", "1, 3, 0", "1, 0, 0"})
  void permits_thatAreFew_areProvidedInPartOnly(int alive, long left, long permits) {
    for (int i = 0; i < alive; i++) {
      holders.add(holder("h" + i, 300).shareOf(100).get());
    }
    holders.add(holder("gone", 300).shareOf(100).reportedAgo(LEASE + 1).get());

    assertThat(lacks(BUCKET, left)).isEqualTo(permits);
  }

  @Test
  void permits_thatItHolds_countAsThoseThatWereLeft() {
    holders.add(holder("a", 300).shareOf(100).leaseOf(20, 0).get());

    assertThat(lacks(BUCKET, 80)).isEqualTo(5);
    assertThat(lacks(BUCKET, 60)).isZero();
  }

  @Test
  void holder_withoutShareOrDemand_isNotProvided() {
    holders.add(holder("a", 300).get());
    assertThat(lacks(BUCKET, PLENTY)).isZero();

    holders.set(0, holder("a", 300).shareOf(100).asksForNothing().get());
    assertThat(lacks(BUCKET, PLENTY)).isZero();
  }

  private long lacks(Limit limit, long left) {
    return lacks(limit, 0, left, NOW);
  }

  private long lacks(Limit limit, long window, long left, long now) {
    KeyLedger ledger =
        new KeyLedger(
            new Counting(HolderBuilder.GENERATION, limit, limit.initial(now), StateClock.ENFORCER),
            new KeyTimes(now, 0, 0, 0),
            Trust.WHOLE,
            List.of(),
            holders);
    WorkingLedger working = new WorkingLedger(ledger, limit, false, Tenure.first(1), now);
    return Provision.lacks(working, 0, window, left, SETTINGS);
  }

  private static HolderBuilder holder(String id, double demand) {
    return new HolderBuilder(id, demand);
  }
}
