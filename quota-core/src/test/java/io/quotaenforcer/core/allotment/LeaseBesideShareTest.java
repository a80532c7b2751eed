package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Permits that an instance leases beside a share which brings too few. */
class LeaseBesideShareTest {
  private static final long SHARE = 20;

  static List<Limit> limits() {
    return List.of(
        new FixedWindow(1_000, SECOND),
        new SlidingWindow(1_000, SECOND),
        new IntervalBucket(1_000, SECOND, 1_000, 1_000));
  }

  /** A hundred requests a second, of which the share brings twenty. */
  @ParameterizedTest
  @MethodSource("limits")
  void requestsThatTheShareDoesNotBring_areAdmittedByTheLease(Limit limit) {
    TestBook client = new TestBook(strict(limit));
    client.admits();
    client.granted(client.share(7, 1, SHARE));
    int admitted = 0;
    long leased = 4;
    for (int step = 0; step < 50; step++, leased += 2) {
      client.granted(client.share(7, 1, SHARE), client.grant(limit, 8, leased));
      client.passes(19 * MILLI);
      client.reports();
      admitted += client.admitted(2);
    }

    assertThat(admitted).isGreaterThanOrEqualTo(95);
  }
}
