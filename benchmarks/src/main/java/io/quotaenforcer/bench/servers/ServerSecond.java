package io.quotaenforcer.bench.servers;

import io.quotaenforcer.bench.figures.Times;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.SynchronizedHistogram;

/**
 * What came of the requests that were sent to one server within a second.
 *
 * @param second since the load began
 * @param server its number
 * @param good answered 200 in time
 * @param throttled answered 429
 * @param failed answered otherwise, or not in time
 * @param p99Millis that 99 % of those that were not throttled took; what was not answered counts
 *     with the time that its caller waited
 */
record ServerSecond(
    int second, int server, int sent, int good, int throttled, int failed, double p99Millis) {

  /** The same as it is counted, by any thread. */
  static final class Counts {
    private static final long LONGEST_NANOS = 60_000_000_000L;

    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger good = new AtomicInteger();
    private final AtomicInteger throttled = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final SynchronizedHistogram took = new SynchronizedHistogram(LONGEST_NANOS, 3);

    void sent() {
      sent.incrementAndGet();
    }

    /**
     * @param status of the answer; 0 for none
     */
    void answered(int status, long nanos) {
      if (status == 429) {
        throttled.incrementAndGet();
        return;
      }
      (status == 200 ? good : failed).incrementAndGet();
      took.recordValue(Math.min(LONGEST_NANOS, nanos));
    }

    ServerSecond of(int second, int server) {
      return new ServerSecond(
          second,
          server,
          sent.get(),
          good.get(),
          throttled.get(),
          failed.get(),
          Times.millis(took, 99));
    }
  }
}
