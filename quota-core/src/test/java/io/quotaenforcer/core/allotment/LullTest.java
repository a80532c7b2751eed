package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that stop while an instance has a share, and others lack permits. */
class LullTest {
  private static final long INTERVAL = 20 * MILLI;
  private static final int IN_AN_INTERVAL = 20;
  private static final double PER_SECOND = IN_AN_INTERVAL * 50.0;

  static List<Limit> limits() {
    return List.of(
        new SlidingWindow(1_000, SECOND),
        new SlidingLog(1_000, SECOND, false),
        new TokenBucket(1_000, SECOND, 1_000));
  }

  private static TestBook sharing(Limit limit) {
    TestBook client = new TestBook(strict(limit));
    client.admits();
    client.granted(client.share(7, 1, 500));
    demandsIn(client, SECOND, IN_AN_INTERVAL);
    return client;
  }

  /** The demands that are reported while so many requests come in each interval. */
  private static List<Double> demandsIn(TestBook client, long nanos, int inAnInterval) {
    List<Double> demands = new ArrayList<>();
    for (long end = client.now + nanos; client.now < end; client.passes(INTERVAL)) {
      client.admitted(inAnInterval);
      client.report().map(QuotaUsage::demandPerSecond).ifPresent(demands::add);
      client.answer().grants(client.share(7, 1, 500)).scarce().send();
    }
    return demands;
  }

  @ParameterizedTest
  @MethodSource("limits")
  void requestsThatStopForATenthOfASecond_areNotReportedAsGone(Limit limit) {
    TestBook client = sharing(limit);

    List<Double> demands = demandsIn(client, SECOND / 10, 0);
    demands.addAll(demandsIn(client, SECOND / 2, IN_AN_INTERVAL));
    assertThat(demands).isNotEmpty().allMatch(demand -> demand > PER_SECOND / 2);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void requestsThatHaveStopped_areReportedAsGoneWithinAThirdOfASecond(Limit limit) {
    TestBook client = sharing(limit);

    assertThat(demandsIn(client, SECOND / 3, 0)).endsWith(0.0);
  }

  /** What is given back of a window others are leased, and a lull of a moment ends. */
  @Test
  void whatAShareHasOfAWindow_isGivenBackWhenALullHasLastedAFewIntervals() {
    TestBook client = sharing(new FixedWindow(1_000, SECOND));
    demandsIn(client, SECOND / 10, IN_AN_INTERVAL);

    assertThat(givenBackIn(client, 2 * INTERVAL)).isZero();
    assertThat(givenBackIn(client, 2 * INTERVAL)).isGreaterThan(300);
  }

  /** Most that a report says was given back while no requests come. */
  private static long givenBackIn(TestBook client, long nanos) {
    long most = 0;
    for (long end = client.now + nanos; client.now < end; client.passes(INTERVAL)) {
      QuotaUsage usage = client.report().orElse(null);
      if (usage != null) {
        most =
            Math.max(most, usage.cells().stream().mapToLong(CellUsage::givenBack).max().orElse(0));
      }
      client.answer().grants(client.share(7, 1, 500)).scarce().send();
    }
    return most;
  }

  @Test
  void isOn_endsByItself_andBeginsAnewAfterRequestsCameAgain() {
    Lull lull = new Lull(200 * MILLI);
    lull.saw(true, SECOND);
    assertThat(lull.isOn(SECOND + 199 * MILLI)).isTrue();
    lull.saw(true, SECOND + 200 * MILLI);
    assertThat(lull.isOn(SECOND + 200 * MILLI)).isFalse();

    lull.saw(false, SECOND + 300 * MILLI);
    assertThat(lull.isOn(SECOND + 300 * MILLI)).isFalse();
    lull.saw(true, SECOND + 320 * MILLI);
    assertThat(lull.isOn(SECOND + 400 * MILLI)).isTrue();
  }
}
