package io.quotaenforcer.bench.gateway;

import io.quotaenforcer.bench.figures.Times;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * A server asked in one way: medians of all rounds.
 *
 * @param ofUndecided part of what the server does that decides nothing
 * @param p50 of answers at half its peak, in milliseconds; so are those after it
 * @param failed requests with no answer or a wrong one, in all rounds
 */
record GatewayRow(
    String protocol,
    String server,
    double perSecond,
    double ofUndecided,
    double p50,
    double p99,
    double p999,
    double refusedPct,
    long failed,
    Peak.Cpu cpuSecondsOfThousandRequests) {
  static final List<String> HEADER =
      List.of(
          "asked by       server                   requests   of     at half the peak, ms     refused"
              + "  CPU s per 1,000 requests",
          "                                         a second  OK       p50     p99    p999         %"
              + "  server  beside  client");

  static GatewayRow of(
      Protocol protocol,
      String server,
      double peakUndecided,
      List<Peak> peaks,
      List<Histogram> halves,
      long failedAtHalf) {
    double peak = median(peaks, Peak::perSecond);
    return new GatewayRow(
        protocol.text(),
        server,
        peak,
        peak / peakUndecided,
        median(halves, times -> Times.millis(times, 50)),
        median(halves, times -> Times.millis(times, 99)),
        median(halves, times -> Times.millis(times, 99.9)),
        median(peaks, Peak::refusedPct),
        failedAtHalf + peaks.stream().mapToLong(Peak::failed).sum(),
        new Peak.Cpu(
            median(peaks, it -> it.cpu().server()),
            median(peaks, it -> it.cpu().beside()),
            median(peaks, it -> it.cpu().client())));
  }

  /** The middle one; of an even number, the mean of both. */
  static <T> double median(List<T> of, ToDoubleFunction<T> figure) {
    double[] sorted = of.stream().mapToDouble(figure).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "%-14s %-23s %,9.0f %5.2f  %8.2f%8.2f%8.2f %9.1f  %.4f  %.4f  %.4f%s",
        protocol,
        server,
        perSecond,
        ofUndecided,
        p50,
        p99,
        p999,
        refusedPct,
        cpuSecondsOfThousandRequests.server(),
        cpuSecondsOfThousandRequests.beside(),
        cpuSecondsOfThousandRequests.client(),
        failed == 0 ? "" : "  FAILED: " + failed);
  }
}
