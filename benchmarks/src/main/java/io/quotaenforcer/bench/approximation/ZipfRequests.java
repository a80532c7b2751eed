package io.quotaenforcer.bench.approximation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/**
 * Independent requests (Poisson) of sources of which the n-th makes 1/n as many as the first, drawn
 * by Walker's alias method.
 *
 * @param count requests in all
 * @param perSecond requests per second, on average
 * @param slotNanos in half of the slots of this length, drawn for each source alone, it makes no
 *     requests, and twice as many in the others; 0: at all times as many
 */
record ZipfRequests(
    String name, int sources, long count, double perSecond, long slotNanos, long seed)
    implements Requests {

  @Override
  public void forEach(Sink sink) {
    double[] keeps = new double[sources];
    int[] aliases = new int[sources];
    fill(keeps, aliases);
    SplittableRandom random = new SplittableRandom(seed);
    double meanGapNanos = 1e9 / perSecond / (slotNanos == 0 ? 1 : 2);
    double now = 0;
    long made = 0;
    while (made < count) {
      now -= meanGapNanos * Math.log(1 - random.nextDouble());
      double point = random.nextDouble() * sources;
      int column = (int) point;
      int source = point - column < keeps[column] ? column : aliases[column];
      if (isActive(source, (long) now)) {
        sink.accept(source, (long) now);
        made++;
      }
    }
  }

  private boolean isActive(int source, long now) {
    if (slotNanos == 0) {
      return true;
    }
    // The finalizer of MurmurHash3: one bit of it is as good as a coin.
    long bits = seed ^ (source * 0x9e3779b97f4a7c15L + now / slotNanos);
    bits = (bits ^ (bits >>> 33)) * 0xff51afd7ed558ccdL;
    bits = (bits ^ (bits >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return (bits >>> 63) == 0;
  }

  private void fill(double[] keeps, int[] aliases) {
    double sum = 0;
    for (int i = 0; i < sources; i++) {
      sum += 1.0 / (i + 1);
    }
    Deque<Integer> small = new ArrayDeque<>();
    Deque<Integer> large = new ArrayDeque<>();
    for (int i = 0; i < sources; i++) {
      keeps[i] = sources / (sum * (i + 1));
      aliases[i] = i;
      (keeps[i] < 1 ? small : large).add(i);
    }
    while (!small.isEmpty() && !large.isEmpty()) {
      int less = small.remove();
      int more = large.remove();
      aliases[less] = more;
      keeps[more] -= 1 - keeps[less];
      (keeps[more] < 1 ? small : large).add(more);
    }
  }
}
