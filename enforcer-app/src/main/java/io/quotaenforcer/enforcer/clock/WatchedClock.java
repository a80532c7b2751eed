package io.quotaenforcer.enforcer.clock;

import io.quotaenforcer.enforcer.clock.BrokerTime.Answer;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A clock that advances with the monotonic one, so that it never steps, whatever happens to the
 * host's, and that is trusted while it agrees with the brokers' time.
 *
 * <p>Where it does not, but the host's clock does, it goes on by that: the host was suspended, or
 * its clock was set after the start. Where neither does, nothing is granted until one of them does
 * again. A step of the host's clock is noticed by the next reading, which waits for a comparison:
 * nothing is booked or granted by a time that is in doubt.
 */
public final class WatchedClock implements EnforcerClock, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WatchedClock.class);
  private static final long JUST_NOW_NANOS = 200_000_000L;
  private static final int LOOKS = 3;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long LEAST_TOLERANCE_NANOS = 10_000_000L;

  private final LongSupplier monotonicNanos;
  private final LongSupplier epochNanos;
  private final BrokerTime brokers;
  private final long toleranceNanos;
  private final ClockWords words;
  private volatile Reading reading;
  private final SetBack setBack = new SetBack();
  private volatile double aheadSeconds = Double.NaN;
  private long comparedNanos;

  /**
   * Offsets by which the clock is read.
   *
   * @param offsetNanos to the monotonic clock
   * @param hostOffsetNanos of the host's clock to the monotonic one when that was last looked at
   * @param compared whether it was ever compared
   * @param trouble why nothing may be granted by it; empty when all is well
   */
  private record Reading(
      long offsetNanos, long hostOffsetNanos, boolean compared, Optional<String> trouble) {
    Reading withTrouble(String why) {
      return new Reading(offsetNanos, hostOffsetNanos, compared, Optional.of(why));
    }
  }

  /**
   * @param epochNanos the host's clock
   * @param maxClockSkewNanos by which two enforcers may differ: each keeps to half of it
   */
  WatchedClock(
      LongSupplier monotonicNanos,
      LongSupplier epochNanos,
      BrokerTime brokers,
      long maxClockSkewNanos) {
    this.monotonicNanos = monotonicNanos;
    this.epochNanos = epochNanos;
    this.brokers = brokers;
    this.toleranceNanos = tolerance(maxClockSkewNanos);
    this.words = new ClockWords(toleranceNanos);
    long offset = hostOffset();
    setBack.hostIsAt(offset, monotonicNanos.getAsLong());
    this.reading =
        new Reading(offset, offset, false, Optional.of("waiting for the time of the brokers"));
  }

  /** By how much a clock may differ from the brokers'. */
  static long tolerance(long maxClockSkewNanos) {
    return Math.max(LEAST_TOLERANCE_NANOS, maxClockSkewNanos / 2);
  }

  @Override
  public long getAsLong() {
    Reading now = reading;
    if (now.trouble.isEmpty() && isStepped(now)) {
      compareStepped(now);
      now = reading;
    }
    return now.offsetNanos + monotonicNanos.getAsLong();
  }

  @Override
  public Optional<String> trouble() {
    return reading.trouble;
  }

  /**
   * Kafka's clients that are made from now on have not seen an earlier time of the host's clock.
   */
  public void clientsBegin() {
    setBack.forget();
  }

  /**
   * Reason why this process's Kafka clients stand still; empty if the host's clock is not the
   * cause.
   */
  public Optional<String> standstill() {
    return setBack.standstill(monotonicNanos.getAsLong());
  }

  /** Its certain lead over the brokers at the last comparison; NaN if unknown. */
  public double aheadSeconds() {
    return aheadSeconds;
  }

  @Override
  public synchronized void confirm() {
    if (monotonicNanos.getAsLong() - comparedNanos > JUST_NOW_NANOS) {
      compare();
    }
  }

  /** Compares it with the time of the brokers. */
  public synchronized void compare() {
    Answer answer = brokers.ask();
    comparedNanos = monotonicNanos.getAsLong();
    setBack.hostIsAt(steadyHostOffset(), comparedNanos);
    aheadSeconds = Double.NaN;
    if (answer instanceof Answer.Told told) {
      judge(told.samples());
    } else if (answer instanceof Answer.Untold untold) {
      words.cannotBeCompared(untold.why());
      reading = new Reading(reading.offsetNanos, hostOffset(), true, Optional.empty());
    } else if (answer instanceof Answer.Silent silent
        && (!reading.compared || isStepped(reading))) {
      reading = reading.withTrouble("waiting for the time of the brokers: " + silent.why());
    }
  }

  private void judge(List<TimeSample> samples) {
    long host = hostOffset();
    long own = reading.offsetNanos;
    long ownAhead = TimeSample.difference(samples, own);
    long hostAhead = TimeSample.difference(samples, host);
    aheadSeconds = ownAhead / NANOS_PER_SECOND;
    if (isTolerable(ownAhead)) {
      words.agrees(hostAhead, isTolerable(hostAhead));
      reading = new Reading(own, host, true, Optional.empty());
    } else if (isTolerable(hostAhead)) {
      words.follows(ownAhead);
      reading = new Reading(host, host, true, Optional.empty());
    } else {
      String trouble = words.differs(ownAhead);
      reading = new Reading(own, host, true, Optional.of(trouble));
    }
  }

  private synchronized void compareStepped(Reading seen) {
    if (reading == seen) {
      log.info("this host's clock was set, or the host was suspended: comparing it");
      compare();
    }
  }

  /**
   * Looks several times: a thread that is delayed between reading two clocks would take one of them
   * for wrong.
   */
  private boolean isStepped(Reading since) {
    for (int look = 0; look < LOOKS; look++) {
      if (isTolerable(hostOffset() - since.hostOffsetNanos)) {
        return false;
      }
    }
    return true;
  }

  /** A wait between the two clocks makes the host's seem set back, and never ahead. */
  private long steadyHostOffset() {
    long highest = hostOffset();
    for (int look = 1; look < LOOKS; look++) {
      highest = Math.max(highest, hostOffset());
    }
    return highest;
  }

  private boolean isTolerable(long nanos) {
    return Math.abs(nanos) <= toleranceNanos;
  }

  private long hostOffset() {
    return epochNanos.getAsLong() - monotonicNanos.getAsLong();
  }

  @Override
  public void close() {
    brokers.close();
  }
}
