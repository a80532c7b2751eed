package io.quotaenforcer.client;

import com.sun.management.OperatingSystemMXBean;
import io.quotaenforcer.core.adapt.LoadQuantity;
import io.quotaenforcer.core.adapt.LoadSignal;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a service says of its load, for rules whose limits follow it: sent once a second while such
 * a rule is in force here. Nothing is sent before something was measured or recorded. Recording
 * waits for nothing and does no I/O. Safe for use by any number of threads.
 */
public final class Load {
  private static final Logger log = LoggerFactory.getLogger(Load.class);
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int P90 = 90;
  private static final int P99 = 99;

  private final Map<LoadQuantity, DoubleSupplier> measures = new ConcurrentHashMap<>();
  private final LongAdder inFlight = new LongAdder();
  private final LongAdder succeeded = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LatencyCounts latencies = new LatencyCounts();

  /** Quantities whose measured values were said to be in another unit. Used by one thread. */
  private final Set<LoadQuantity> inAnotherUnit = EnumSet.noneOf(LoadQuantity.class);

  private volatile boolean hasBegun;
  private volatile boolean hasEnded;

  Load() {}

  /** A request that runs; to be closed when it ends, whatever comes of it. */
  public final class Running implements AutoCloseable {
    private final long beganNanos = System.nanoTime();
    private final AtomicBoolean open = new AtomicBoolean(true);
    private volatile boolean isFailed;

    private Running() {
      inFlight.increment();
    }

    /** It ends with an error. */
    public void failed() {
      isFailed = true;
    }

    /** It ends; only the first call counts. */
    @Override
    public void close() {
      if (open.compareAndSet(true, false)) {
        inFlight.decrement();
        ended(Duration.ofNanos(System.nanoTime() - beganNanos), !isFailed);
      }
    }
  }

  /**
   * Measures a quantity in this way from now on, in place of any other.
   *
   * @param how is asked once a second by a background thread, and must not wait. The value is in
   *     the unit of the quantity: a part from 0 to 1, requests, requests a second, or nanoseconds.
   *     What is not finite or negative is not known that second; nor is a part above 1.5, which is
   *     in another unit. One between counts as 1
   */
  public Load measure(LoadQuantity quantity, DoubleSupplier how) {
    measures.put(quantity, how);
    return this;
  }

  /** Measures {@link LoadQuantity#CPU}, of this process, by what the JVM says. */
  public Load measureCpu() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return measure(LoadQuantity.CPU, system::getProcessCpuLoad);
  }

  /**
   * Begins a request: counts it as in flight, and once it ended, how long it took and whether it
   * failed.
   */
  public Running begin() {
    hasBegun = true;
    return new Running();
  }

  /** Records a request that ended, for services that time their requests themselves. */
  public void ended(Duration took, boolean succeededToo) {
    (succeededToo ? succeeded : failed).increment();
    latencies.add(Math.max(0, took.toNanos()));
    hasEnded = true;
  }

  /** Whether there is anything to say. */
  boolean isUsed() {
    return hasBegun || hasEnded || !measures.isEmpty();
  }

  /**
   * What is to say of the time since the last call. To be called by one thread.
   *
   * @param nanos how long that is
   */
  LoadSignal take(long nanos) {
    Map<LoadQuantity, Double> values = new EnumMap<>(LoadQuantity.class);
    if (hasBegun) {
      values.put(LoadQuantity.IN_FLIGHT, (double) Math.max(0, inFlight.sum()));
    }
    if (hasBegun || hasEnded) {
      takeEnded(nanos, values);
    }
    measures.forEach((quantity, how) -> measure(quantity, how, values));
    return new LoadSignal(values);
  }

  private void takeEnded(long nanos, Map<LoadQuantity, Double> values) {
    long good = succeeded.sumThenReset();
    long bad = failed.sumThenReset();
    values.put(LoadQuantity.THROUGHPUT, good * NANOS_PER_SECOND / Math.max(1, nanos));
    if (good + bad > 0) {
      values.put(LoadQuantity.ERRORS, (double) bad / (good + bad));
    }
    LatencyCounts.Taken taken = latencies.take();
    if (taken.count() > 0) {
      values.put(LoadQuantity.LATENCY_P90, taken.percentileNanos(P90));
      values.put(LoadQuantity.LATENCY_P99, taken.percentileNanos(P99));
    }
  }

  private void measure(
      LoadQuantity quantity, DoubleSupplier how, Map<LoadQuantity, Double> values) {
    double value;
    try {
      value = how.getAsDouble();
    } catch (RuntimeException | Error e) {
      // Errors, too: a measure may be of another version of what it asks.
      value = Double.NaN;
    }
    OptionalDouble believed = quantity.unit().believed(value);
    if (believed.isPresent()) {
      values.put(quantity, believed.getAsDouble());
      return;
    }
    values.remove(quantity);
    if (value > 0 && inAnotherUnit.add(quantity)) {
      log.warn(
          "what was measured as {} is not believed, and not said: it must be {}, and was {}",
          quantity.spelling(),
          quantity.unit().bounds(),
          value);
    }
  }
}
