package io.quotaenforcer.lab.service;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.lab.verdict.KeyEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Requests for several quota keys at random times, each at its own rate; the same for a seed. */
public final class RequestStream {
  private static final long SECOND = 1_000_000_000L;

  private final List<Target> targets = new ArrayList<>();
  private final SplittableRandom random;
  private double perSecond;
  private double nextNanos;

  /** A quota key and how often it is asked for. */
  private record Target(KeyEntry key, Request request, double perSecond) {}

  public RequestStream(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Adds a quota key; before the first request is taken. */
  public void add(KeyEntry key, Request request, double rate) {
    targets.add(new Target(key, request, rate));
    perSecond += rate;
  }

  /** When the next request arrives, in nanoseconds since the start. */
  public long nextNanos() {
    return (long) nextNanos;
  }

  /** Takes the next request, whether or not its time has come. */
  public void take(Taker taker) {
    nextNanos -= StrictMath.log(1 - random.nextDouble()) / perSecond * SECOND;
    double point = random.nextDouble() * perSecond;
    int i = 0;
    while (point >= targets.get(i).perSecond && i < targets.size() - 1) {
      point -= targets.get(i++).perSecond;
    }
    taker.take(targets.get(i).key, targets.get(i).request);
  }

  /** Hears of a request and the key that it counts for. */
  @FunctionalInterface
  public interface Taker {
    void take(KeyEntry key, Request request);
  }
}
