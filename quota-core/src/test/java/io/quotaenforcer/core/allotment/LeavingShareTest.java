package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.RateShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An instance that has a share of a bucket, and more of it than it is asked for. */
class LeavingShareTest {
  private static final Limit BUCKET = new TokenBucket(1_000, SECOND, 150);
  private static final long PERMITS = 500;
  private static final long INTERVAL = 20 * MILLI;

  private final TestBook client = new TestBook(strict(BUCKET));

  private CellGrant share(long burst) {
    RateShare terms = new RateShare(1, PERMITS, burst * 1_000);
    return new CellGrant(7, 0, 0, 0, client.enforcerNow() + 30 * SECOND, terms);
  }

  /** Asks for permits in each interval for a second, with a share that holds {@code burst}. */
  private void asks(int inAnInterval, long burst) {
    client.admits();
    client.granted(share(burst));
    for (long end = client.now + SECOND; client.now < end; client.passes(INTERVAL)) {
      client.admitted(inAnInterval);
      if (!client.cells().isEmpty()) {
        client.answer().grants(share(burst)).send();
      }
    }
  }

  /**
   * The report that ends the share while {@code inAnInterval} permits are asked for in each
   * interval.
   */
  private Optional<QuotaUsage> endsWithin(long nanos, int inAnInterval) {
    for (long end = client.now + nanos; client.now < end; client.passes(INTERVAL)) {
      client.admitted(inAnInterval);
      Optional<QuotaUsage> report = client.report();
      if (report.isPresent()) {
        if (share(report.get()).shareNumber() == RateShare.ENDED) {
          return report;
        }
        // Others lack permits: it is reported at each interval.
        client.answer().grants(share(30)).scarce().send();
      }
    }
    return Optional.empty();
  }

  private static CellUsage share(QuotaUsage usage) {
    List<CellUsage> shares = usage.cells().stream().filter(cell -> cell.id() == 7).toList();
    assertThat(shares).hasSize(1);
    return shares.get(0);
  }

  @Test
  void demand_fallsByMoreThanChance_shareEndsAndIsReportedWithWhatIsInIt() {
    asks(20, 30);

    QuotaUsage report = endsWithin(100 * MILLI, 1).orElseThrow();
    assertThat(share(report).share().used()).isBetween(0L, 29L);
    assertThat(report.demandPerSecond()).isLessThan(PERMITS);
    assertThat(client.admitted(1)).isZero();
  }

  @Test
  void demand_fallsByMoreThanChance_isReportedAsItIsFromThenOn() {
    asks(20, 30);
    assertThat(endsWithin(100 * MILLI, 1)).isPresent();
    client.answer().send();

    List<QuotaUsage> reports = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      client.passes(INTERVAL);
      client.admitted(1);
      client.report().ifPresent(reports::add);
    }
    assertThat(reports).isNotEmpty();
    assertThat(reports.get(reports.size() - 1).demandPerSecond()).isBetween(1.0, 150.0);
  }

  /** Each report names hardly less than the one before. */
  @Test
  void demand_ebbsAway_shareEndsOnceTheWholeFallIsMoreThanChance() {
    asks(20, 30);

    for (int inAnInterval = 20; inAnInterval > 8; inAnInterval--) {
      assertThat(endsWithin(INTERVAL, inAnInterval)).isEmpty();
    }
    assertThat(endsWithin(SECOND / 2, 5)).isPresent();
  }

  @Test
  void demand_fallsByWhatMayBeChance_shareGoesOn() {
    asks(10, 30);

    assertThat(endsWithin(SECOND, 8)).isEmpty();
  }

  @Test
  void demand_falls_butIsStillMoreThanTheShareBrings_shareGoesOn() {
    asks(60, 30);

    assertThat(endsWithin(SECOND, 12)).isEmpty();
  }

  @Test
  void demand_falls_whereSharesAreAllThatThereIsOfTheBucket_shareGoesOn() {
    asks(20, 60);

    assertThat(endsWithin(SECOND, 1)).isEmpty();
  }

  @Test
  void demand_falls_wherePermitsComeAtBorders_shareGoesOn() {
    TestBook sliding = new TestBook(strict(new SlidingWindow(1_000, SECOND)));
    sliding.admits();
    sliding.granted(sliding.share(7, 1, PERMITS));
    for (long end = sliding.now + 2 * SECOND; sliding.now < end; sliding.passes(INTERVAL)) {
      sliding.admitted(sliding.now < end - SECOND ? 20 : 1);
      for (CellUsage cell : sliding.cells()) {
        assertThat(cell.shareNumber()).isNotEqualTo(RateShare.ENDED);
      }
      sliding.answer().grants(sliding.share(7, 1, PERMITS)).send();
    }
  }

  @Test
  void demand_falls_enforcerAway_shareGoesOn() {
    asks(20, 30);
    for (long end = client.now + 3 * SECOND; client.now < end; client.passes(INTERVAL)) {
      client.admitted(20);
      client.reports();
    }
    for (long end = client.now + SECOND; client.now < end; client.passes(INTERVAL)) {
      assertThat(client.admits()).isTrue();
      client.reports();
    }
  }
}
