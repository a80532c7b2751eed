package io.quotaenforcer.simulation.overload;

import io.quotaenforcer.core.adapt.LoadSignal;
import java.util.List;
import java.util.stream.Stream;

/**
 * Each server limits what it has in flight by Gradient2 of Netflix' concurrency-limits, with that
 * library's defaults: windows of a second with ten requests or more, 20 to 200 in flight.
 *
 * <p>The longer mean of latency over that of the window says whether a queue builds: {@code g =
 * clamp(0.5, 1, 1.5 long / short)}, and the limit goes to {@code g limit + 4} by a fifth of the
 * way.
 */
final class Gradient2Gate implements Gate {
  private static final double TOLERANCE = 1.5;
  private static final double SMOOTHING = 0.2;
  private static final double QUEUE = 4;
  private static final double LEAST = 20;
  private static final double MOST = 200;
  private static final int FEWEST = 10;

  private final List<Limit> servers;

  Gradient2Gate(int servers) {
    this.servers = Stream.generate(Limit::new).limit(servers).toList();
  }

  @Override
  public boolean admits(int server, int inFlight, long now) {
    return inFlight < (int) servers.get(server).limit;
  }

  @Override
  public void ended(int server, long tookNanos, int inFlight) {
    servers.get(server).ended(tookNanos, inFlight);
  }

  @Override
  public void heard(List<LoadSignal> signals, long now) {
    servers.forEach(Limit::windowEnds);
  }

  private static final class Limit {
    private double limit = LEAST;
    private final LongMean longMean = new LongMean();
    private double sum;
    private int count;
    private int mostInFlight;

    void ended(long tookNanos, int inFlight) {
      sum += tookNanos;
      count++;
      mostInFlight = Math.max(mostInFlight, inFlight);
    }

    void windowEnds() {
      if (count < FEWEST) {
        return;
      }
      double shortNanos = sum / count;
      double longNanos = longMean.add(shortNanos);
      if (longNanos / shortNanos > 2) {
        longMean.shrink();
      }
      if (mostInFlight >= limit / 2) {
        double gradient = Math.max(0.5, Math.min(1, TOLERANCE * longNanos / shortNanos));
        double next = (1 - SMOOTHING) * limit + SMOOTHING * (gradient * limit + QUEUE);
        limit = Math.max(LEAST, Math.min(MOST, next));
      }
      sum = 0;
      count = 0;
      mostInFlight = 0;
    }
  }

  /** Of the first ten values the plain mean, then a moving one of 600. */
  private static final class LongMean {
    private static final int PLAIN = 10;
    private static final double FACTOR = 2.0 / 601;

    private double mean;
    private double sum;
    private int values;

    double add(double value) {
      if (values < PLAIN) {
        values++;
        sum += value;
        mean = sum / values;
      } else {
        mean += FACTOR * (value - mean);
      }
      return mean;
    }

    void shrink() {
      mean *= 0.95;
    }
  }
}
