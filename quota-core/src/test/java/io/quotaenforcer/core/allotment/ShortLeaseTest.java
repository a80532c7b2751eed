package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.RateShare;
import org.junit.jupiter.api.Test;

/** Leases that are shorter than a key without requests keeps its permits. */
class ShortLeaseTest {
  private static final Limit SLIDING = new SlidingWindow(100, SECOND);
  private static final Limit FIXED = new FixedWindow(100, 10 * SECOND);
  private static final Limit BUCKET = new TokenBucket(1_000, SECOND, 100);

  private TestBook client = new TestBook(strict(SLIDING));
  private Limit limit = SLIDING;
  private long lease = 200 * MILLI;
  private RateShare share = RateShare.NONE;

  private void under(Limit other) {
    limit = other;
    client = new TestBook(strict(other));
  }

  /** A request, and passes for so long, each report answered with ten permits for a lease. */
  private int answered(long nanos) {
    client.admits();
    int reports = 0;
    long window = limit.cellWindow(client.enforcerNow());
    for (long end = client.now + nanos; client.now < end; client.passes(5 * MILLI)) {
      if (!client.cells().isEmpty()) {
        reports++;
        long permits = share.isShare() ? 0 : 10;
        long until = client.enforcerNow() + lease;
        client.answer().grants(new CellGrant(5, window, permits, 0, until, share)).send();
      }
    }
    return reports;
  }

  @Test
  void lease_noMoreRequests_isRenewedBeforeItEnds() {
    int reports = answered(1_500 * MILLI);
    assertThat(client.admits()).isTrue();
    assertThat(reports).isBetween(7, 30);
  }

  @Test
  void leaseOfAWindow_noMoreRequests_isRenewedBeforeItEnds() {
    under(FIXED);
    answered(1_500 * MILLI);
    assertThat(client.admits()).isTrue();
  }

  @Test
  void share_noMoreRequests_isRenewedBeforeItEnds() {
    under(BUCKET);
    share = new RateShare(1, 100, 10_000);
    answered(1_500 * MILLI);
    assertThat(client.admits()).isTrue();
  }

  @Test
  void lease_answersStayAway_isAskedForOnceALoop() {
    answered(100 * MILLI);
    assertThat(client.ticks(SECOND)).isLessThanOrEqualTo(5);
    assertThat(client.admits()).isFalse();
  }

  @Test
  void lease_keyIsIdle_isGivenBack() {
    answered(1_500 * MILLI);
    client.passes(100 * MILLI);
    client.reports();
    assertThat(client.admits()).isFalse();
  }

  @Test
  void lease_endsAsTheKeyIsIdle_lastsUntilThatIsSaid() {
    lease = 1_600 * MILLI;
    answered(1_550 * MILLI);
    assertThat(client.ticks(49 * MILLI)).isZero();
    client.passes(100 * MILLI);
    assertThat(client.admits()).isTrue();
  }

  @Test
  void lease_endsWithItsWindow_isNotRenewed() {
    under(new FixedWindow(100, 500 * MILLI));
    answered(400 * MILLI);
    assertThat(client.ticks(99 * MILLI)).isZero();
    assertThat(client.admits()).isTrue();
  }
}
