package io.quotaenforcer.bench.deferral;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How evenly requests left a queue.
 *
 * @param released in each tenth of a second
 * @param deviationPct by how much a tenth differs from its share of the rate, in the mean, in
 *     percent of that
 * @param farthestPermits by how many permits the number released so far differed most from a
 *     straight line of that rate, which lies so that this is least
 */
record OutflowShape(List<Integer> released, double deviationPct, double farthestPermits) {
  static final int PER_SECOND = 10;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final int PERCENT = 100;

  OutflowShape {
    released = List.copyOf(released);
  }

  /**
   * Judges the seconds after the first.
   *
   * @param paidNanos when each request was released
   * @param rate permits per second
   * @param seconds that are judged
   */
  static OutflowShape of(long[] paidNanos, int rate, int seconds) {
    long[] sorted = paidNanos.clone();
    Arrays.sort(sorted);
    long start = sorted.length == 0 ? 0 : sorted[0] + NANOS_PER_SECOND;
    long[] judged =
        Arrays.stream(sorted)
            .map(nanos -> nanos - start)
            .filter(nanos -> nanos >= 0 && nanos < seconds * NANOS_PER_SECOND)
            .toArray();
    int[] counts = new int[seconds * PER_SECOND];
    double least = 0;
    double most = 0;
    for (int i = 0; i < judged.length; i++) {
      counts[(int) (judged[i] * PER_SECOND / NANOS_PER_SECOND)]++;
      double line = (double) judged[i] * rate / NANOS_PER_SECOND;
      // Just before and just after this one left.
      least = Math.min(least, i - line);
      most = Math.max(most, i + 1 - line);
    }
    double end = judged.length - (double) seconds * rate;
    double share = (double) rate / PER_SECOND;
    double deviation =
        IntStream.of(counts).mapToDouble(count -> Math.abs(count - share)).average().orElse(0);
    return new OutflowShape(
        IntStream.of(counts).boxed().toList(),
        deviation * PERCENT / share,
        (Math.max(most, end) - Math.min(least, end)) / 2);
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("deviationPct", deviationPct);
    json.put("farthestPermits", farthestPermits);
    json.put("releasedPer100Ms", released);
    return json;
  }
}
