package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How often a key is reported whose instance has a share of its limit. */
class SharePaceTest {
  private static final long SHARE = 100;

  static List<Limit> limits() {
    return List.of(
        new FixedWindow(1_000, SECOND),
        new SlidingWindow(1_000, SECOND),
        new TokenBucket(1_000, SECOND, 1_000));
  }

  private static TestBook sharing(Limit limit) {
    TestBook client = new TestBook(strict(limit));
    client.admits();
    client.granted(client.share(7, 1, SHARE));
    return client;
  }

  /** Requests one after the other for so long; how many reports they made, each answered. */
  private static int reports(TestBook client, long nanos, int requestsIn20Millis, long number) {
    int reports = 0;
    for (long end = client.now + nanos; client.now < end; client.passes(20 * MILLI)) {
      client.admitted(requestsIn20Millis);
      if (!client.cells().isEmpty()) {
        reports++;
        client.answer().grants(client.share(7, number, SHARE)).send();
      }
    }
    return reports;
  }

  @ParameterizedTest
  @MethodSource("limits")
  void share_bringsAll_isReportedFourTimesASecond_elseAtEachInterval(Limit limit) {
    TestBook client = sharing(limit);
    reports(client, SECOND, 1, 1);

    assertThat(reports(client, 2 * SECOND, 1, 1)).isBetween(7, 10);
    assertThat(reports(client, 2 * SECOND, 4, 1)).isGreaterThan(40);
    reports(client, SECOND, 1, 1);
    assertThat(reports(client, 2 * SECOND, 1, 1)).isBetween(7, 10);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void newTerms_areNamedAtOnce(Limit limit) {
    TestBook client = sharing(limit);
    reports(client, SECOND, 1, 1);
    client.answer().grants(client.share(7, 2, SHARE + 50)).send();

    client.passes(20 * MILLI);
    client.admits();
    client.passes(20 * MILLI);
    assertThat(client.cells()).extracting(CellUsage::shareNumber).contains(2L);
  }
}
